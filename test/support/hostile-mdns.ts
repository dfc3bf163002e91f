/** Packets of multicast DNS that are small, and take millions of steps to decode name by name. */

const MAX_BYTES = 9000
const HEADER_BYTES = 12
const POINTER = 0xc000

function header(records: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes[2] = 0x84
  bytes.writeUInt16BE(records, 6)
  return bytes
}

const number16 = (value: number): Buffer => Buffer.of(value >> 8, value & 0xff)

/** A record (RFC 1035, 3.2.1) of class IN. */
const record = (name: Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([name, number16(type), Buffer.of(0, 1, 0, 0, 0, 1), number16(data.length), data])

/** Records of type PTR whose names both begin at an offset. */
const references = (offset: number, count: number): readonly Buffer[] =>
  Array.from({ length: count }, () => record(number16(POINTER | offset), 12, number16(POINTER | offset)))

/** Names that each refer to the one before, in a record of an unknown type; the others refer to the last of them. */
export function chainedPointers(records = 280): Buffer {
  const name = Buffer.of(0)
  const [reference = Buffer.of()] = references(0, 1)
  const start = HEADER_BYTES + record(name, 10, Buffer.of()).length
  const count = Math.floor((MAX_BYTES - start - 1 - records * reference.length) / 2)
  const chain = Array.from({ length: count }, (_, index) =>
    number16(POINTER | (index === 0 ? start : start + 1 + (index - 1) * 2))
  )
  const last = start + 1 + (count - 1) * 2
  return Buffer.concat([
    header(records + 1),
    record(name, 10, Buffer.concat([Buffer.of(0), ...chain])),
    ...references(last, records)
  ])
}

/** One name of 126 labels, to which all others refer. */
export function sharedLabels(records = 280): Buffer {
  const name = Buffer.concat([...Array.from({ length: 126 }, () => Buffer.of(1, 0x61)), Buffer.of(0)])
  return Buffer.concat([
    header(records + 1),
    record(name, 1, Buffer.of(127, 0, 0, 1)),
    ...references(HEADER_BYTES, records)
  ])
}
