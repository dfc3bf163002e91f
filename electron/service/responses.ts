/** Refusals of the service, and the one body that all of them share. */
import type { Context } from 'hono'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '../contract/loyalty.ts'
import { languageOf, messageIn, type Language, type MessageKey, type MessageValues } from './messages.ts'

/** Statuses that this service refuses with. */
type RefusalStatus = 400 | 401 | 404 | 405 | 406 | 408 | 413 | 415 | 431 | 500

/** Thrown by any part of the service to refuse a request; `app.ts` turns it into an answer. */
export class Refusal extends Error {
  readonly status: RefusalStatus
  readonly key: MessageKey
  readonly values: MessageValues
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: RefusalStatus,
    key: MessageKey,
    values: MessageValues = {},
    headers: Readonly<Record<string, string>> = {}
  ) {
    super(key)
    this.name = 'Refusal'
    this.status = status
    this.key = key
    this.values = values
    this.headers = headers
  }
}

/** The Error body of a refusal (interface document, parts 2 and 7): `error` is the status in words, in English. */
export const errorBody = (refusal: Refusal, language: Language): ErrorBody => ({
  message: messageIn(language, refusal.key, refusal.values),
  error: STATUS_CODES[refusal.status] ?? 'Error',
  statusCode: refusal.status
})

/* from answer.ts: What an answer of the interface is, whatever it says: JSON that nobody may keep, with its language. */

/** The language that the caller wants to be told things in. */
export const languageFor = (c: Context): Language => languageOf(c.req.header('x-lang'))

/**
 * Headers of every answer. They are given with the answer itself: set before it, they go through the system's
 * `Headers`, which takes a tenth of a request.
 */
export const headersFor = (c: Context): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': languageFor(c)
})

/** Answers with `body`, which must be plain data. */
export const answer = (c: Context, body: object): Response => c.json(body, 200, headersFor(c))

/* from unreadable.ts: Answers what is not even HTTP: Node would answer it with a bare status, and this service owes an Error body. */

/** Node's names for what can be wrong before a request exists; anything else is a 400. */
const statusOf: Readonly<Record<string, RefusalStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/** A listener for the server's `clientError`: answers, and closes the connection. */
export const answerUnreadable = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  // A caller that is gone, or has an answer already, gets nothing more.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOf[error.code ?? ''] ?? 400
  const body = JSON.stringify(errorBody(new Refusal(status, 'request-malformed'), 'en'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    'Content-Language: en',
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
