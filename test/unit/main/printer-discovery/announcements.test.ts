/** Names of announced printers: any text, in one label of a name. */
import dnsPacket from 'dns-packet'
import { expect, test, vi } from 'vitest'
import { Announcements, PRINTER_SERVICES } from '../../../../electron/main/printer-discovery/announcements.ts'
import { decodeRecords } from '../../../../electron/main/printer-discovery/dns-records.ts'
import { encodeQuery } from '../../../../electron/main/printer-discovery/mdns-sockets.ts'
import { responseOf } from '../../../support/mdns-responder.ts'

/** Stands for a dot within a label in names that dnsPacket encodes. */
const DOT = '~'

/** The records of a printer of this name, in which each dot of the name is within its label. */
function recordsOf(label: string, part: 'everything' | 'name') {
  const { answers, additionals } = responseOf({
    label: label.replaceAll('.', DOT),
    host: 'epson1',
    addresses: ['192.168.1.20'],
    services: [{ type: '_pdl-datastream._tcp', port: 9100, txt: ['ty=EPSON'] }]
  })
  const packet = dnsPacket.encode({
    type: 'response',
    answers,
    ...(part === 'everything' && { additionals })
  })
  const [from = 0, to = 0] = Buffer.from(`${DOT}.`)
  return decodeRecords(Buffer.from(packet.map((byte) => (byte === from ? to : byte)))) ?? []
}

const received = (label: string, part: 'everything' | 'name' = 'everything'): Announcements => {
  const announcements = new Announcements()
  announcements.add({
    records: recordsOf(label, part),
    sender: '192.168.1.20',
    localAddress: (address) => address
  })
  return announcements
}

const NAMES = [
  'My.Printer',
  'Kasse 1. Stock (v2.0)',
  '.Bon.',
  'C:\\Bon\\.\\032',
  'Εκτυπωτής · طابعة',
  'Bon._ipp._tcp.local'
]

test.each(NAMES)('a printer named %s keeps its name', (name) => {
  expect(received(name).complete()).toMatchObject([{ label: name, host: 'epson1.local', port: 9100 }])
})

test.each(NAMES)('the records of a printer named %s are asked for by its name', (name) => {
  const [missing] = received(name, 'name').missing(10).services
  expect(missing).toEqual([name, '_pdl-datastream', '_tcp', 'local'])
  const query = Buffer.from(encodeQuery([{ name: missing ?? [], type: 'SRV' }]))
  const label = Buffer.from(name)
  // The header has 12 bytes; the label is one, with its length before it.
  expect(query.subarray(12, 13 + label.length)).toEqual(Buffer.concat([Buffer.of(label.length), label]))
})

test('a query is what dnsPacket makes of names without such labels', () => {
  const questions = [
    ...PRINTER_SERVICES.map((name) => ({ name, type: 'PTR' as const })),
    ...(['A', 'AAAA', 'SRV', 'TXT'] as const).map((type) => ({ name: 'epson1.local', type }))
  ]
  expect(encodeQuery(questions.map(({ name, type }) => ({ name: name.split('.'), type })))).toEqual(
    dnsPacket.encode({ type: 'query', id: 0, questions })
  )
})

test.each([
  ['', 'local'],
  ['x'.repeat(64), 'local']
])('a name with an invalid label is not asked for: %s', (...name) => {
  expect(encodeQuery([{ name, type: 'A' }])).toEqual(Buffer.alloc(12))
})

test('an address of another network is judged once', () => {
  const announcements = received('Bar')
  const localAddress = vi.fn(() => null)
  const data = Array.from({ length: 100 }, (_, index) => `10.0.0.${String(index % 50)}`)
  const records = data.map((address) => ({ name: 'epson1.local', ttl: 9, type: 'A', data: address }) as const)
  announcements.add({ records, sender: '192.168.1.20', localAddress })
  expect(localAddress.mock.calls.length).toBeLessThan(20)
  expect(announcements.complete()).toMatchObject([{ addresses: ['192.168.1.20'] }])
})
