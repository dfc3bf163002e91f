/**
 * IPP client: sends one request over HTTP (RFC 8010, 4) to a server's port or local socket. Requests have plain values;
 * responses may have any, of which collections are skipped: no requested attribute is one.
 */
import { request, type RequestOptions } from 'node:http'
import { userInfo } from 'node:os'
import { errorCode } from '../../fs/atomic-write.ts'

export type IppServer =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'network'; readonly host: string; readonly port: number }

/** operation-id (RFC 8011, 5.4.15; from 0x4000 on: CUPS Implementation of IPP). */
export const OPERATION = {
  printJob: 0x0002,
  getJobAttributes: 0x0009,
  getPrinterAttributes: 0x000b,
  cupsGetDefault: 0x4001,
  cupsGetPrinters: 0x4002
} as const

/** The request could not be sent, or the server did not carry it out. */
export class IppError extends Error {
  override readonly name = 'IppError'
  /** `silent`: the server received the request and sent no readable response: it may have carried it out */
  readonly reason:
    'down' | 'silent' | 'forbidden' | 'not-found' | 'not-accepting' | 'unsupported-document' | 'other'
  constructor(reason: IppError['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }

  /** The server is not running, or not any more. */
  get isServerGone(): boolean {
    return this.reason === 'down' || this.reason === 'silent'
  }
}

/** Statuses below this are successful (RFC 8011, appendix B). */
const FIRST_ERROR_STATUS = 0x0100
const REASON_OF_STATUS: ReadonlyMap<number, IppError['reason']> = new Map([
  [0x0401, 'forbidden'],
  [0x0402, 'forbidden'],
  [0x0403, 'forbidden'],
  [0x0406, 'not-found'],
  [0x0407, 'not-found'],
  [0x040a, 'unsupported-document'],
  [0x0506, 'not-accepting']
])

/** A socket without permission means a user without rights. */
const transportReason = (error: Error, isConnected: boolean): IppError['reason'] => {
  if (['EACCES', 'EPERM'].includes(errorCode(error))) return 'forbidden'
  return isConnected ? 'silent' : 'down'
}

const addressOf = (server: IppServer): RequestOptions =>
  server.kind === 'socket' ? { socketPath: server.path } : { host: server.host, port: server.port }

/** The attributes of a server with thousands of queues. */
const MAX_RESPONSE_BYTES = 8_000_000

/** Rejects with `IppError` when there is no response, or one that is too long. */
function post(
  server: IppServer,
  path: string,
  parts: readonly Uint8Array[],
  timeout: number
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    let isConnected = false
    const refuse = (error: Error): void => {
      reject(new IppError(transportReason(error, isConnected), 'The print system does not respond', error))
    }
    const message = request(
      {
        ...addressOf(server),
        path,
        method: 'POST',
        // One connection per request: an idle one would keep the app from closing.
        agent: false,
        headers: {
          // CUPS refuses host names that it is not configured for.
          host: 'localhost',
          'content-type': 'application/ipp',
          'content-length': parts.reduce((sum, part) => sum + part.length, 0)
        },
        signal: AbortSignal.timeout(timeout)
      },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          size += chunk.length
          if (size > MAX_RESPONSE_BYTES) response.destroy(new Error('The response is too long'))
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
        response.on('error', refuse)
      }
    )
    message.on('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true
      })
    })
    message.on('error', refuse)
    for (const part of parts) message.write(part)
    message.end()
  })
}

/**
 * Sends a request as this machine's user, followed by `document` where the operation takes one. Rejects with
 * `IppError`. `timeout` in milliseconds.
 */
export async function sendIppRequest(
  server: IppServer,
  path: string,
  { attributes, ...rest }: IppRequest,
  timeout: number,
  document?: Uint8Array
): Promise<IppResponse> {
  const user = ['requesting-user-name', 'nameWithoutLanguage', [userInfo().username]] as const
  // Order of the operation attributes: target, user, others (RFC 8011, 4.1.5).
  const [target, ...others] = attributes
  const ordered = target?.[1] === 'uri' ? [target, user, ...others] : [user, ...attributes]
  const message = encodeRequest({ ...rest, attributes: ordered })
  const parts = document === undefined ? [message] : [message, document]
  const { status, body } = await post(server, path, parts, timeout)
  if (status === 401 || status === 403) throw new IppError('forbidden', `HTTP ${status}`)
  if (status === 404) throw new IppError('not-found', 'HTTP 404')
  if (status !== 200) throw new IppError(status < 500 ? 'other' : 'silent', `HTTP ${status}`)
  const response = decodeOrThrow(body)
  if (response.status < FIRST_ERROR_STATUS) return response
  const text = `IPP status 0x${response.status.toString(16).padStart(4, '0')}`
  throw new IppError(REASON_OF_STATUS.get(response.status) ?? 'other', text)
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

/** Attributes of one group; each has at least one value. */
export type IppAttributes = ReadonlyMap<string, readonly IppValue[]>

/** An attribute of a request, with the type of its values. */
export type IppAttribute =
  | readonly [name: string, tag: 'integer' | 'enum', values: readonly number[]]
  | readonly [name: string, tag: 'boolean', values: readonly boolean[]]
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

function decode(bytes: Buffer): IppResponse {
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

/** Decodes a response. Throws `MalformedIppError` for anything else. */
export function decodeResponse(bytes: Buffer): IppResponse {
  try {
    return decode(bytes)
  } catch (error) {
    throw new MalformedIppError('The response is no IPP message', { cause: error })
  }
}
