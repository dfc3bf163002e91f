/**
 * IPP messages (RFC 8010) and their statuses. Requests have plain values; responses may have any.
 */
import { IppError, type IppServer } from './ipp-server.ts'

/** operation-id (RFC 8011, 5.4.15; from 0x4000 on: CUPS Implementation of IPP). */
export const OPERATION = {
  printJob: 0x0002,
  getJobAttributes: 0x0009,
  getPrinterAttributes: 0x000b,
  cupsGetDefault: 0x4001,
  cupsGetPrinters: 0x4002
} as const

/** Statuses below this are successful (RFC 8011, appendix B). */
const FIRST_ERROR_STATUS = 0x0100
/** What a server may answer to a job. For other statuses only its own words tell the reason. */
const REASON_OF_STATUS: ReadonlyMap<number, IppError['reason']> = new Map([
  [0x0401, 'forbidden'],
  [0x0402, 'forbidden'],
  [0x0403, 'forbidden'],
  [0x0406, 'not-found'],
  [0x0407, 'not-found'],
  [0x040a, 'unsupported-document'],
  [0x0411, 'unsupported-document'],
  [0x0412, 'unsupported-document'],
  [0x041b, 'unsupported-document'],
  [0x041c, 'forbidden'],
  [0x041d, 'forbidden'],
  [0x041e, 'quota'],
  [0x041f, 'forbidden'],
  [0x0502, 'down'],
  [0x0505, 'busy'],
  [0x0506, 'not-accepting'],
  [0x0507, 'busy'],
  [0x050a, 'not-accepting'],
  [0x050b, 'too-many-jobs'],
  [0x1000, 'forbidden']
])

/** CUPS gives `client-error-not-possible` for several reasons, which its message tells in English, as requested. */
function reasonOf(status: number, message: string): IppError['reason'] {
  if (status === 0x0404 && /quota/iu.test(message)) return 'quota'
  if (status === 0x0404 && /too many active jobs/iu.test(message)) return 'too-many-jobs'
  return REASON_OF_STATUS.get(status) ?? 'other'
}

const messageOf = ({ groups }: IppResponse): string => {
  const message = groups.find(({ tag }) => tag === GROUP.operation)?.attributes.get('status-message')?.[0]
  return typeof message === 'string' ? message : ''
}

/**
 * Sends a request, followed by `document` where the operation takes one. Rejects with
 * `IppError`. `timeout` in milliseconds.
 */
export async function sendIppRequest(
  server: IppServer,
  path: string,
  { attributes, ...rest }: IppRequest,
  timeout: number,
  document?: Uint8Array
): Promise<IppResponse> {
  const user = ['requesting-user-name', 'nameWithoutLanguage', [server.user]] as const
  // Order of the operation attributes: target, user, others (RFC 8011, 4.1.5).
  const [target, ...others] = attributes
  const ordered = target?.[1] === 'uri' ? [target, user, ...others] : [user, ...attributes]
  const bytes = encodeRequest({ ...rest, attributes: ordered })
  const parts = document === undefined ? [bytes] : [bytes, document]
  const { status, body } = await server.exchange(path, parts, timeout)
  if (status === 401 || status === 403) throw new IppError('forbidden', `HTTP ${status}`)
  if (status === 404) throw new IppError('not-found', 'HTTP 404')
  if (status !== 200)
    throw new IppError(status < 500 ? 'other' : 'silent', `HTTP ${status}`, undefined, `HTTP ${status}`)
  const response = decodeOrThrow(body)
  if (response.status < FIRST_ERROR_STATUS) return response
  const message = messageOf(response)
  const text = `IPP status 0x${response.status.toString(16).padStart(4, '0')}`
  throw new IppError(
    reasonOf(response.status, message),
    `${text} ${message}`.trim(),
    undefined,
    message || text
  )
}

/** Reads a text file of the server; null when there is none, or not for this user. Rejects with `IppError`. */
export async function fetchFile(server: IppServer, path: string, timeout: number): Promise<string | null> {
  const { status, body } = await server.exchange(path, [], timeout)
  return status === 200 ? body.toString('latin1') : null
}

function decodeOrThrow(body: Buffer): IppResponse {
  try {
    return decodeResponse(body)
  } catch (error) {
    if (error instanceof MalformedIppError) throw new IppError('silent', error.message, error)
    throw error
  }
}

/** Groups of attributes, by their delimiter tag (RFC 8010, 3.5.1). */
export const GROUP = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const

/** Value tags (RFC 8010, 3.5.2). */
const TAG = {
  integer: 0x21,
  boolean: 0x22,
  enum: 0x23,
  rangeOfInteger: 0x33,
  beginCollection: 0x34,
  textWithLanguage: 0x35,
  nameWithLanguage: 0x36,
  endCollection: 0x37,
  keyword: 0x44,
  uri: 0x45,
  charset: 0x47,
  naturalLanguage: 0x48,
  mimeMediaType: 0x49,
  memberName: 0x4a,
  nameWithoutLanguage: 0x42
} as const

type PlainValue = string | number | boolean

/** A range of integers, both ends included. */
export interface IppRange {
  readonly from: number
  readonly to: number
}

/** Attributes within a value. */
interface IppCollection {
  readonly members: IppAttributes
}

export type IppValue = PlainValue | IppRange | IppCollection

/** Attributes of one group; each has at least one value. */
export type IppAttributes = ReadonlyMap<string, readonly IppValue[]>

/** An attribute of a request, with the type of its values. */
export type IppAttribute =
  | readonly [name: string, tag: 'integer' | 'enum', values: readonly number[]]
  | readonly [name: string, tag: 'boolean', values: readonly boolean[]]
  | readonly [name: string, tag: 'rangeOfInteger', values: readonly IppRange[]]
  | readonly [
      name: string,
      tag: 'uri' | 'keyword' | 'nameWithoutLanguage' | 'mimeMediaType',
      values: readonly string[]
    ]

interface IppRequest {
  /** operation-id (RFC 8011, 5.4.15; 0x4000 and up are those of CUPS) */
  readonly operation: number
  /** attributes of the operation after charset and language, in this order */
  readonly attributes: readonly IppAttribute[]
  /** attributes of the job that the request creates */
  readonly job?: readonly IppAttribute[]
}

export interface IppResponse {
  /** status-code (RFC 8011, appendix B) */
  readonly status: number
  readonly groups: readonly { readonly tag: number; readonly attributes: IppAttributes }[]
}

/** Thrown for bytes that are no IPP message. */
export class MalformedIppError extends Error {
  override readonly name = 'MalformedIppError'
}

const short = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

function encodeValue(value: PlainValue | IppRange): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'utf8')
  if (typeof value === 'boolean') return Buffer.of(value ? 1 : 0)
  if (typeof value === 'object') return Buffer.concat([value.from, value.to].map(encodeValue))
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const field = (tag: number, name: string, value: PlainValue | IppRange): Buffer => {
  const [nameBytes, valueBytes] = [Buffer.from(name, 'utf8'), encodeValue(value)]
  return Buffer.concat([
    Buffer.of(tag),
    short(nameBytes.length),
    nameBytes,
    short(valueBytes.length),
    valueBytes
  ])
}

const fields = (attributes: readonly IppAttribute[]): readonly Buffer[] =>
  attributes.flatMap(([name, tag, values]) =>
    // Further values of an attribute have an empty name.
    values.map((value, index) => field(TAG[tag], index === 0 ? name : '', value))
  )

/** Encodes a request in IPP 2.0, UTF-8 and English. A document follows it immediately (RFC 8010, 3.1.1). */
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
    case TAG.rangeOfInteger:
      return { from: bytes.readInt32BE(), to: bytes.readInt32BE(4) }
    case TAG.textWithLanguage:
    case TAG.nameWithLanguage: {
      // language, then text, each preceded by its length
      const textAt = 2 + bytes.readUInt16BE()
      return bytes.toString('utf8', textAt + 2, textAt + 2 + bytes.readUInt16BE(textAt))
    }
    default:
      return bytes.toString('utf8')
  }
}

/** Reads consecutive fields. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++)
  }

  short(): number {
    return this.#bytes.readUInt16BE((this.#at += 2) - 2)
  }

  long(): number {
    return this.#bytes.readUInt32BE((this.#at += 4) - 4)
  }

  sized(): Buffer {
    const length = this.short()
    if (this.#at + length > this.#bytes.length) throw new RangeError('The message ends within a value')
    return this.#bytes.subarray(this.#at, (this.#at += length))
  }

  /** Name and value of an attribute; a collection's members follow it, each behind its name (RFC 8010, 3.1.6). */
  attribute(tag: number): { readonly name: string; readonly value: IppValue } {
    const name = this.sized().toString('utf8')
    const bytes = this.sized()
    return { name, value: tag === TAG.beginCollection ? this.#collection() : decodeValue(tag, bytes) }
  }

  #collection(): IppCollection {
    const members = new Map<string, IppValue[]>()
    let values: IppValue[] = []
    for (let tag = this.byte(); ; tag = this.byte()) {
      const { value } = this.attribute(tag)
      if (tag === TAG.endCollection) return { members }
      if (tag === TAG.memberName && typeof value === 'string') members.set(value, (values = []))
      else values.push(value)
    }
  }
}

function decode(bytes: Buffer): IppResponse {
  const from = new Reader(bytes)
  from.short() // version
  const status = from.short()
  from.long() // request-id: one request per connection
  const groups: { tag: number; attributes: Map<string, IppValue[]> }[] = []
  let values: IppValue[] = []
  for (let tag = from.byte(); tag !== GROUP.end; tag = from.byte()) {
    if (tag < 0x10) {
      groups.push({ tag, attributes: new Map() })
      continue
    }
    const { name, value } = from.attribute(tag)
    if (name !== '') groups.at(-1)?.attributes.set(name, (values = []))
    values.push(value)
  }
  return { status, groups }
}

/** Decodes a response. Throws `MalformedIppError` for anything else. */
export function decodeResponse(bytes: Buffer): IppResponse {
  try {
    return decode(bytes)
  } catch (error) {
    throw new MalformedIppError('The response is no IPP message', { cause: error })
  }
}
