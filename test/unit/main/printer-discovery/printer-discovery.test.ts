import dnsPacket from 'dns-packet'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ok } from '../../../../electron/contract/failure.ts'
import { type FoundPrinters, MAX_FOUND_PRINTERS } from '../../../../electron/contract/printing.ts'
import {
  PrinterDiscovery,
  type PrinterDiscoveryOptions
} from '../../../../electron/main/printer-discovery/printer-discovery.ts'
import { chainedPointers, sharedLabels } from '../../../support/hostile-mdns.ts'
import {
  loopbackNetwork,
  responseOf,
  startMdnsResponder,
  type AnnouncedPrinter,
  type MdnsResponder
} from '../../../support/mdns-responder.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { seededRandom } from '../../../support/seeded-random.ts'

const TM: AnnouncedPrinter = {
  label: 'EPSON TM-m30II-H (4A11B0)',
  host: 'EPSON4A11B0',
  addresses: ['127.20.0.5'],
  services: [
    { type: '_printer._tcp', port: 515, txt: ['ty=EPSON TM-m30II-H', 'UUID=cfe92100'] },
    { type: '_pdl-datastream._tcp', port: 9100, txt: ['usb_MFG=EPSON', 'note=Bar\u202E\u0007'] },
    { type: '_ipp._tcp', port: 631, txt: ['ty=EPSON TM-m30II-H', 'UUID=cfe92100', 'pdl=image/urf'] }
  ]
}
const OFFICE: AnnouncedPrinter = {
  label: 'HP LaserJet 400',
  host: 'NPI112233',
  addresses: ['127.20.0.9'],
  services: [
    { type: '_pdl-datastream._tcp', port: 9100, txt: ['ty=HP LaserJet 400', 'pdl=application/postscript'] },
    { type: '_ipps._tcp', port: 443, txt: ['ty=HP LaserJet 400'] }
  ]
}

let responder: MdnsResponder
let discovery: PrinterDiscovery
let found: FoundPrinters | null

const createDiscovery = (options: Partial<PrinterDiscoveryOptions> = {}): PrinterDiscovery =>
  new PrinterDiscovery({
    ports: { usbPrinters: () => Promise.resolve([]), serialPorts: () => Promise.resolve([]) },
    printing: { list: () => Promise.resolve(ok([])) },
    log: noOpLogger,
    network: loopbackNetwork(responder.port),
    ...options
  })
const start = (): Promise<void> =>
  discovery.start((next) => {
    found = next
  })
const names = (): readonly string[] | undefined => found?.printers.map(({ name }) => name)
/** Sockets that the responder keeps open. */
const OF_RESPONDER = 2
const udpSockets = (): number => process.getActiveResourcesInfo().filter((name) => /udp/iu.test(name)).length

beforeEach(async () => {
  found = null
  responder = await startMdnsResponder()
  discovery = createDiscovery()
})
afterEach(async () => {
  discovery.close()
  await responder.stop()
})

describe('a search', () => {
  test('shows a printer with four services as one row, reached by its socket', async () => {
    responder.announce([TM])
    await start()
    await expect.poll(() => names()).toEqual(['EPSON TM-m30II-H'])
    expect(found?.printers[0]).toMatchObject({
      location: 'Bar',
      address: '127.20.0.5',
      destination: {
        kind: 'receipt-printer',
        language: 'esc-pos',
        connection: { kind: 'network', host: '127.20.0.5', port: 9100, announcedName: TM.label }
      }
    })
  })

  test('offers no commands to a printer of documents', async () => {
    responder.announce([OFFICE])
    await start()
    await expect.poll(() => names()).toEqual(['HP LaserJet 400'])
    expect(found?.printers[0]).toMatchObject({ address: '127.20.0.9', destination: null })
  })

  test('finds a printer that is switched on later, and one that another device describes', async () => {
    await start()
    responder.announce([TM])
    await expect.poll(() => names()).toEqual(['EPSON TM-m30II-H'])
    const { answers, additionals } = responseOf({ ...OFFICE, label: 'Office' })
    await responder.send(dnsPacket.encode({ type: 'response', answers }))
    // The responder does not know it: the till asks for the rest.
    await expect
      .poll(() => responder.queries.flatMap(({ questions }) => questions?.map(({ type }) => type) ?? []))
      .toContain('SRV')
    await responder.send(dnsPacket.encode({ type: 'response', answers: additionals }))
    await expect.poll(() => names()).toContain('HP LaserJet 400')
  })

  test('removes a printer that says goodbye', async () => {
    responder.announce([TM])
    await start()
    await expect.poll(() => found?.printers).toHaveLength(1)
    responder.announce([])
    const goodbye = responseOf(TM).answers.map((answer) => ({ ...answer, ttl: 0 }))
    await responder.send(dnsPacket.encode({ type: 'response', answers: goodbye }))
    await expect.poll(() => found?.printers).toEqual([])
  })

  test('shows the other ways when one cannot be listed', async () => {
    discovery = createDiscovery({
      ports: {
        usbPrinters: () => Promise.reject(new Error('No such file')),
        serialPorts: () => Promise.resolve([{ path: 'COM3', name: 'USB Serial Port' }])
      }
    })
    responder.announce([TM])
    await start()
    await expect.poll(() => names()).toEqual(['EPSON TM-m30II-H', 'USB Serial Port'])
  })

  test('sends nothing before it starts and after it stops, and closes its sockets', async () => {
    await expect.poll(udpSockets).toBe(OF_RESPONDER)
    const mark = async (): Promise<void> => {
      const seen = responder.queries.length
      await responder.send(
        dnsPacket.encode({ type: 'query', questions: [{ name: 'mark.local', type: 'A' }] })
      )
      await expect.poll(() => responder.queries.length).toBeGreaterThan(seen)
    }
    const questions = (): readonly string[] =>
      responder.queries.flatMap((query) => query.questions?.map(({ name }) => name) ?? [])
    await mark()
    expect(new Set(questions())).toEqual(new Set(['mark.local']))
    await start()
    await expect.poll(() => questions()).toContain('_ipp._tcp.local')
    discovery.stop()
    await expect.poll(udpSockets).toBe(OF_RESPONDER)
    // Comes behind what was sent before.
    await mark()
    const before = responder.queries.length
    await mark()
    expect(questions().slice(questions().lastIndexOf('_ipps._tcp.local') + 1)).toContain('mark.local')
    expect(responder.queries.length).toBe(before + 1)
  })

  test('closes its sockets when it is stopped while they open', async () => {
    await expect.poll(udpSockets).toBe(OF_RESPONDER)
    const starting = start()
    discovery.stop()
    await starting
    await expect.poll(udpSockets).toBe(OF_RESPONDER)
  })
})

describe('hostile announcements', () => {
  const HOSTILE = '127.66.6.6'
  const record = (index: number, change: Partial<AnnouncedPrinter> = {}): AnnouncedPrinter => ({
    label: `Free money ${String(index)}`,
    host: `hostile-${String(index)}`,
    addresses: ['127.66.6.6'],
    services: [{ type: '_pdl-datastream._tcp', port: 9100, txt: [`ty=Free money ${String(index)}`] }],
    ...change
  })
  const packetOf = (printers: readonly AnnouncedPrinter[]): Buffer =>
    dnsPacket.encode({
      type: 'response',
      answers: printers.flatMap((printer) => {
        const { answers, additionals } = responseOf(printer)
        return [...answers, ...additionals]
      })
    })
  let attacker: MdnsResponder
  beforeEach(async () => {
    attacker = await startMdnsResponder(responder.port, HOSTILE)
  })
  afterEach(() => attacker.stop())

  test('in thousands leave the list short, and the real printer in it', async () => {
    responder.announce([TM])
    await start()
    for (let index = 0; index < 5000; index += 10) {
      await attacker.send(packetOf(Array.from({ length: 10 }, (_, of) => record(index + of))))
    }
    await expect.poll(() => found?.refused).toBeGreaterThan(0)
    await expect.poll(() => names()).toContain('EPSON TM-m30II-H')
    expect(found?.printers.length).toBeLessThanOrEqual(41)
    expect(found?.printers.length).toBeLessThanOrEqual(MAX_FOUND_PRINTERS)
  })

  test('with long, bidirectional and invisible texts are cut to one line', async () => {
    await start()
    const txt = [`ty=${'A\u202Egnp.\u0000\n'.repeat(20)}`, `note=${'ö'.repeat(120)}`]
    await attacker.send(
      packetOf([record(1, { services: [{ type: '_pdl-datastream._tcp', port: 9100, txt }] })])
    )
    await expect.poll(() => found?.printers).toHaveLength(1)
    const [{ name, location } = { name: '', location: '' }] = found?.printers ?? []
    expect(name).toMatch(/^[A-Za-z. …]{60}$/u)
    expect(Array.from(location)).toHaveLength(60)
  })

  test.each([
    ['outside the subnet of their sender', ['8.8.8.8']],
    ['of another network of this machine', ['10.255.255.1', 'fe80::1']]
  ])('with addresses %s are refused', async (_where, addresses) => {
    await start()
    await attacker.send(packetOf([record(1, { addresses })]))
    await expect.poll(() => found?.refused).toBeGreaterThanOrEqual(addresses.length)
    expect(found?.printers).toEqual([])
  })

  test('that are malformed or loop are refused, and a real printer is still found', async () => {
    await start()
    const loop = Buffer.from('000084000000000100000000c00c000c0001000000780002c00c', 'hex')
    const counts = Buffer.from('00008400ffffffffffffffff', 'hex')
    const large = Buffer.concat([packetOf([record(1)]), Buffer.alloc(9000)])
    for (const packet of [loop, counts, large, Buffer.from([0, 0, 0x84])]) await attacker.send(packet)
    await expect.poll(() => found?.refused).toBe(4)
    responder.announce([TM])
    await expect.poll(() => names()).toEqual(['EPSON TM-m30II-H'])
  })

  test.each([
    ['chained pointers', chainedPointers()],
    ['shared labels', sharedLabels()]
  ])('of %s are refused', async (_what, packet) => {
    await start()
    await attacker.send(packet)
    await expect.poll(() => found?.refused).toBe(1)
  })

  test('are decoded up to a number of bytes in a second', async () => {
    const now = performance.now()
    vi.spyOn(performance, 'now').mockReturnValue(now)
    onTestFinished(() => void vi.restoreAllMocks())
    await start()
    const full = Array.from({ length: 20 }, (_, index) =>
      record(index, { label: String(index).padStart(60, 'x') })
    )
    const packet = packetOf(full)
    expect(packet.length).toBeGreaterThan(7000)
    expect(packet.length).toBeLessThan(9000)
    for (let sent = 0; sent < 20; sent++) await attacker.send(packet)
    await expect.poll(() => found?.refused).toBeGreaterThan(0)
  })

  test('with random damage never end the search', async () => {
    await start()
    const random = seededRandom(20261123)
    for (let round = 0; round < 2000; round++) {
      const packet = packetOf([record(round % 7)])
      for (let change = 0; change < 4; change++) {
        packet[Math.floor(random() * packet.length)] = Math.floor(random() * 256)
      }
      await attacker.send(packet)
    }
    responder.announce([TM])
    await expect.poll(() => names()).toContain('EPSON TM-m30II-H')
  })
})

describe('a printer that does not respond', () => {
  const from = { kind: 'network', host: '127.20.0.4', port: 9100, announcedName: TM.label } as const

  test('is found at its new address by the name that it announces', async () => {
    responder.announce([OFFICE, TM])
    expect(await discovery.findMoved(from)).toEqual({ ...from, host: '127.20.0.5' })
  })

  test('is looked for once at a time', async () => {
    responder.announce([TM])
    const first = discovery.findMoved(from)
    expect(await discovery.findMoved(from)).toBeNull()
    expect(await first).not.toBeNull()
  })

  test('without an announced name is not looked for', async () => {
    expect(await discovery.findMoved({ ...from, announcedName: null })).toBeNull()
    expect(responder.queries).toEqual([])
  })
})
