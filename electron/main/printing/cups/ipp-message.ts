/**
 * The binary form of IPP messages (RFC 8010), as far as a till needs it: requests with plain values, answers with any.
 * Values of collections are passed over: nothing that the till asks for is one.
 */

/** Groups of attributes, by their delimiter tag (RFC 8010, 3.5.1). */
export const GROUP = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const

/** Value tags (RFC 8010, 3.5.2). */
const TAG = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  textWithLanguage: 0x35,
  beginCollection: 0x34,
  endCollection: 0x37,
  nameWithLanguage: 0x36,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
  nameWithoutLanguage: 0x42
} as const

export type IppValue = string | number | boolean

/** Attributes of one group; every attribute has at least one value. */
export type IppAttributes = ReadonlyMap<string, readonly IppValue[]>

/** An attribute of a request, as its value is to be read. */
export type IppAsked =
  | readonly [name: string, tag: 'integer' | 'enum', values: readonly number[]]
  | readonly [name: string, tag: 'boolean', values: readonly boolean[]]
  | readonly [
      name: string,
      tag: 'uri' | 'keyword' | 'nameWithoutLanguage' | 'mimeMediaType',
      values: readonly string[]
    ]

export interface IppRequest {
  /** operation-id (RFC 8011, 5.4.15; 0x4000 and up are those of CUPS) */
  readonly operation: number
  /** attributes of the operation after charset and language, in this order */
  readonly attributes: readonly IppAsked[]
  /** attributes of the job that the request makes */
  readonly job?: readonly IppAsked[]
}

export interface IppAnswer {
  /** status-code (RFC 8011, appendix B) */
  readonly status: number
  readonly groups: readonly { readonly tag: number; readonly attributes: IppAttributes }[]
}

/** Bytes that are no IPP message. */
export class MalformedIpp extends Error {
  override readonly name = 'MalformedIpp'
}

const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function encodeValue(value: IppValue): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'utf8')
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 0)
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const field = (tag: number, name: string, value: IppValue): Buffer => {
  const [nameBytes, valueBytes] = [Buffer.from(name, 'utf8'), encodeValue(value)]
  return Buffer.concat([
    Buffer.of(tag),
    short(nameBytes.length),
    nameBytes,
    short(valueBytes.length),
    valueBytes
  ])
}

const fields = (attributes: readonly IppAsked[]): readonly Buffer[] =>
  attributes.flatMap(([name, tag, values]) =>
    // a further value of the same attribute has an empty name
    values.map((value, index) => field(TAG[tag], index === 0 ? name : '', value))
  )

/** A request as bytes, in IPP 2.0, UTF-8 and English. A document comes right behind it (RFC 8010, 3.1.1). */
export function encodeRequest({ operation, attributes, job }: IppRequest): Buffer {
  const requestId = Buffer.of(0, 0, 0, 1)
  return Buffer.concat([
    Buffer.of(2, 0),
    short(operation),
    requestId,
    Buffer.of(GROUP.operation),
    field(TAG.charset, 'attributes-charset', 'utf-8'),
    field(TAG.naturalLanguage, 'attributes-natural-language', 'en'),
    ...fields(attributes),
    ...(job === undefined ? [] : [Buffer.of(GROUP.job), ...fields(job)]),
    Buffer.of(GROUP.end)
  ])
}

function decodeValue(tag: number, bytes: Buffer): IppValue {
  switch (tag) {
    case TAG.integer:
    case TAG.enum:
      return bytes.readInt32BE()
    case TAG.boolean:
      return bytes.readUInt8() !== 0
    case TAG.textWithLanguage:
    case TAG.nameWithLanguage: {
      // language, then text, each behind its length
      const textAt = 2 + bytes.readUInt16BE()
      return bytes.toString('utf8', textAt + 2, textAt + 2 + bytes.readUInt16BE(textAt))
    }
    default:
      return bytes.toString('utf8')
  }
}

/** Reads one byte field after another. */
function reader(bytes: Buffer) {
  let at = 0
  return {
    byte: (): number => bytes.readUInt8(at++),
    short: (): number => bytes.readUInt16BE((at += 2) - 2),
    long: (): number => bytes.readUInt32BE((at += 4) - 4),
    sized(): Buffer {
      const length = this.short()
      if (at + length > bytes.length) throw new RangeError('The message ends within a value')
      return bytes.subarray(at, (at += length))
    }
  }
}

function decode(bytes: Buffer): IppAnswer {
  const from = reader(bytes)
  from.short() // version
  const status = from.short()
  from.long() // request-id: one request per connection
  const groups: { tag: number; attributes: Map<string, IppValue[]> }[] = []
  let attribute: IppValue[] = []
  let collections = 0
  for (let tag = from.byte(); tag !== GROUP.end; tag = from.byte()) {
    if (tag < 0x10) {
      groups.push({ tag, attributes: new Map() })
      continue
    }
    const name = from.sized().toString('utf8')
    const value = from.sized()
    if (tag === TAG.endCollection) collections--
    else if (tag === TAG.beginCollection) collections++
    else if (collections === 0) {
      if (name !== '') groups.at(-1)?.attributes.set(name, (attribute = []))
      attribute.push(decodeValue(tag, value))
    }
  }
  return { status, groups }
}

/** Reads an answer. Throws `MalformedIpp` for anything that is none. */
export function decodeAnswer(bytes: Buffer): IppAnswer {
  try {
    return decode(bytes)
  } catch (error) {
    throw new MalformedIpp('The print system gave an answer that is no IPP', { cause: error })
  }
}
