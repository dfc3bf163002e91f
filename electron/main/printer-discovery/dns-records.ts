/**
 * Decodes the records of a DNS message (RFC 1035, 4.1) that describe printers. Any device in the network can send one, and
 * the names of a small message can refer to each other, so that to read them all takes millions of steps: the steps of a
 * whole message are limited.
 */

/** The types of the records (RFC 1035, 3.2.2; RFC 2782; RFC 3596). */
export const RECORD_TYPES = { A: 1, PTR: 12, TXT: 16, AAAA: 28, SRV: 33 } as const

interface RecordBase {
  /** its labels, joined with dots; a label may contain dots */
  readonly name: string
  /** seconds; 0: the record is no longer valid (RFC 6762, 10.1) */
  readonly ttl: number
}

/** A record that describes a printer. */
export type DnsRecord = RecordBase &
  (
    | { readonly type: 'A' | 'AAAA' | 'PTR'; readonly data: string }
    | { readonly type: 'SRV'; readonly data: { readonly target: string; readonly port: number } }
    | { readonly type: 'TXT'; readonly data: readonly Buffer[] }
  )

const HEADER_BYTES = 12
/** A packet of mDNS has room for about 180 records of printers. */
const MAX_RECORDS = 300
/** Labels and pointers in all names of a message. A name of a printer has at most six. */
const MAX_NAME_STEPS = 4000
/** RFC 1035, 3.1. */
const MAX_NAME_BYTES = 255

/** Reads a message from its start to its end. Throws if the message is malformed or takes too many steps. */
class Reader {
  readonly #bytes: Buffer
  #nameSteps = 0
  offset = HEADER_BYTES

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  unsigned(size: 2 | 4): number {
    const value = this.#bytes.readUIntBE(this.offset, size)
    this.offset += size
    return value
  }

  take(size: number): Buffer {
    if (this.offset + size > this.#bytes.length) throw new RangeError('The message is cut short')
    this.offset += size
    return this.#bytes.subarray(this.offset - size, this.offset)
  }

  /** A name that may end with a pointer to an earlier one (RFC 1035, 4.1.4). */
  name(): string {
    const labels: string[] = []
    let length = 0
    let position = this.offset
    let start = position
    let end: number | null = null
    for (;;) {
      if (++this.#nameSteps > MAX_NAME_STEPS) throw new RangeError('The names take too many steps')
      const size = this.#bytes.readUInt8(position)
      if (size === 0) break
      if (size >= 0xc0) {
        const target = this.#bytes.readUInt16BE(position) & 0x3fff
        if (target >= start) throw new RangeError('A name does not point to an earlier one')
        end ??= position + 2
        position = start = target
        continue
      }
      length += size + 1
      position += size + 1
      if (size >= 0x40 || length >= MAX_NAME_BYTES || position > this.#bytes.length)
        throw new RangeError('A name is malformed')
      labels.push(this.#bytes.toString('utf8', position - size, position))
    }
    this.offset = end ?? position + 1
    return labels.join('.')
  }

  /** The strings of a TXT record (RFC 1035, 3.3.14). */
  strings(end: number): readonly Buffer[] {
    const strings: Buffer[] = []
    while (this.offset < end) strings.push(this.take(this.take(1).readUInt8()))
    return strings
  }
}

/** The eight groups of an IPv6 address, none left out. */
const groupsOf = (address: Buffer): string =>
  Array.from({ length: 8 }, (_, index) => address.readUInt16BE(index * 2).toString(16)).join(':')

function readRecord(reader: Reader): DnsRecord | null {
  const name = reader.name()
  const type = reader.unsigned(2)
  // The class is always that of the internet, with a bit for caches (RFC 6762, 10.2).
  reader.unsigned(2)
  const ttl = reader.unsigned(4)
  const size = reader.unsigned(2)
  const end = reader.offset + size
  const record = readData(reader, { name, ttl }, type, end)
  if (reader.offset !== end) throw new RangeError('A record has another length than it says')
  return record
}

function readData(reader: Reader, record: RecordBase, type: number, end: number): DnsRecord | null {
  switch (type) {
    case RECORD_TYPES.A:
      return { ...record, type: 'A', data: reader.take(4).join('.') }
    case RECORD_TYPES.AAAA:
      return { ...record, type: 'AAAA', data: groupsOf(reader.take(16)) }
    case RECORD_TYPES.PTR:
      return { ...record, type: 'PTR', data: reader.name() }
    case RECORD_TYPES.SRV: {
      // Its priority and weight.
      reader.take(4)
      const port = reader.unsigned(2)
      return { ...record, type: 'SRV', data: { port, target: reader.name() } }
    }
    case RECORD_TYPES.TXT:
      return { ...record, type: 'TXT', data: reader.strings(end) }
    default:
      reader.take(end - reader.offset)
      return null
  }
}

/**
 * Returns the records of a message that describe printers, in their order. Null if the message is malformed, has more
 * records than a packet of mDNS has room for, or has names that take too many steps.
 */
export function decodeRecords(bytes: Buffer): readonly DnsRecord[] | null {
  try {
    const [questions = 0, ...sections] = [4, 6, 8, 10].map((offset) => bytes.readUInt16BE(offset))
    const count = sections.reduce((sum, section) => sum + section, 0)
    if (questions + count > MAX_RECORDS) return null
    const reader = new Reader(bytes)
    for (let index = 0; index < questions; index++) {
      reader.name()
      reader.take(4)
    }
    return Array.from({ length: count }, () => readRecord(reader)).filter((record) => record !== null)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
