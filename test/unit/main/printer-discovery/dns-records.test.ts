import dnsPacket, { type Answer } from 'dns-packet'
import { describe, expect, test, vi } from 'vitest'
import { decodeRecords } from '../../../../electron/main/printer-discovery/dns-records.ts'
import { chainedPointers, sharedLabels } from '../../../support/hostile-mdns.ts'
import { responseOf } from '../../../support/mdns-responder.ts'

const { answers, additionals } = responseOf({
  label: 'Εκτυπωτής 1',
  host: 'epson1',
  addresses: ['192.168.1.20'],
  services: [
    { type: '_ipp._tcp', port: 631, txt: ['ty=EPSON', 'note='] },
    { type: '_pdl-datastream._tcp', port: 9100 }
  ]
})
const NSEC: Answer = { type: 'NSEC', name: 'epson1.local', ttl: 9, data: { nextDomain: 'x', rrtypes: ['A'] } }

test('reads what dnsPacket writes, and leaves out other types', () => {
  const bytes = dnsPacket.encode({
    type: 'response',
    questions: [{ name: '_ipp._tcp.local', type: 'PTR' }],
    answers: [...answers, NSEC],
    authorities: [NSEC],
    additionals
  })
  expect(decodeRecords(bytes)).toMatchObject([...answers, ...additionals])
})

test('follows the pointers of compressed names', () => {
  // _ipp._tcp.local PTR Bar._ipp._tcp.local, and the SRV of that name at "bar" in the same "local".
  const bytes = Buffer.concat([
    Buffer.from('000084000000000200000000', 'hex'),
    Buffer.from('\x04_ipp\x04_tcp\x05local\0', 'latin1'),
    Buffer.from('000c0001000000780006', 'hex'),
    Buffer.from('\x03Bar\xc0\x0c', 'latin1'),
    Buffer.from('c0270021000100000078000c00000000238c', 'hex'),
    Buffer.from('\x03bar\xc0\x16', 'latin1')
  ])
  expect(decodeRecords(bytes)).toEqual([
    { name: '_ipp._tcp.local', ttl: 120, type: 'PTR', data: 'Bar._ipp._tcp.local' },
    { name: 'Bar._ipp._tcp.local', ttl: 120, type: 'SRV', data: { port: 9100, target: 'bar.local' } }
  ])
})

describe('a message', () => {
  test.each([
    ['chained pointers', chainedPointers()],
    ['shared labels', sharedLabels()]
  ])('of %s is refused after fewer steps than it has bytes', (_what, bytes) => {
    const steps = vi.spyOn(bytes, 'readUInt8')
    expect(decodeRecords(bytes)).toBeNull()
    expect(steps.mock.calls.length).toBeGreaterThan(0)
    expect(steps.mock.calls.length).toBeLessThan(bytes.length)
  })

  test.each([
    ['that is empty', ''],
    ['whose name points to itself', '000084000000000100000000c00c000c0001000000780002c00c'],
    ['whose name points ahead', '000084000000000100000000c00e000c0001000000780002c00c'],
    ['with a label of an unknown kind', '00008400000000010000000080000c0001000000780000'],
    ['with more records than it has', '000084000000000200000000000063000100000078000000'],
    ['with a record that is shorter than its data', '0000840000000001000000000000010001000000780002c0a80114']
  ])('%s is refused', (_what, hex) => {
    expect(decodeRecords(Buffer.from(hex, 'hex'))).toBeNull()
  })

  test('of more records than a packet has room for is refused before they are read', () => {
    const bytes = Buffer.from('00008400000001f400000000', 'hex')
    const steps = vi.spyOn(bytes, 'readUInt8')
    expect(decodeRecords(bytes)).toBeNull()
    expect(steps).not.toHaveBeenCalled()
  })
})
