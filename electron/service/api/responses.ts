/** Headers, JSON bodies and error bodies of the service's responses. */
import type { Context } from 'hono'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody } from '../../contract/loyalty.ts'
import { DatabaseUnavailableError, StorageFullError } from '../store/database.ts'
import {
  formatServiceMessage,
  parseServiceLanguage,
  type ServiceLanguage,
  type ServiceMessageKey,
  type ServiceMessageValues
} from './messages.ts'

/** Status codes of the service's error responses. */
type ErrorStatus = 400 | 401 | 404 | 405 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503

/** Thrown to refuse a request; the app converts it to a response with an Error body. */
export class HttpError extends Error {
  readonly status: ErrorStatus
  readonly key: ServiceMessageKey
  readonly values: ServiceMessageValues
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: ErrorStatus,
    key: ServiceMessageKey,
    values: ServiceMessageValues = {},
    headers: Readonly<Record<string, string>> = {}
  ) {
    super(key)
    this.name = 'HttpError'
    this.status = status
    this.key = key
    this.values = values
    this.headers = headers
  }
}

/** In seconds. Longer than a till waits before it repeats a read by itself: the cashier sees at once what is wrong. */
const RETRY_AFTER_SECONDS = 15

/** Returns the error that a request is answered with: 500 for what is not meant for its sender. */
export const httpErrorOf = (error: unknown): HttpError => {
  if (error instanceof HttpError) return error
  const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) }
  if (error instanceof DatabaseUnavailableError) return new HttpError(503, 'unavailable', {}, headers)
  return error instanceof StorageFullError
    ? new HttpError(503, 'storage-full', {}, headers)
    : new HttpError(500, 'internal')
}

/** What a till asks for with `Prefer` (RFC 7240) when it stores something: docs/service-extension.md. */
const PREFERENCES: ReadonlySet<string | undefined> = new Set(['collect-until', 'not-stored'])

/** Headers of an error. A till learns that nothing was stored, so that no points are in doubt. */
export const errorHeaders = (c: Context, { key, headers }: HttpError): Readonly<Record<string, string>> => ({
  ...responseHeaders(c),
  ...headers,
  ...(key === 'storage-full' && PREFERENCES.has(c.req.header('prefer')) && { 'Not-Stored': key })
})

/** The body of an error. `error` is the reason phrase of the status, in English. */
export const errorBody = (error: HttpError, language: ServiceLanguage): ErrorBody => ({
  message: formatServiceMessage(language, error.key, error.values),
  error: STATUS_CODES[error.status] ?? 'Error',
  statusCode: error.status
})

/** The language that the request's `x-lang` header asks for. */
export const languageOfRequest = (c: Context): ServiceLanguage => parseServiceLanguage(c.req.header('x-lang'))

/** Headers of every response. */
const responseHeaders = (c: Context): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': languageOfRequest(c)
})

/**
 * Responds with status 200 and `body`, which must be plain data. Not by `c.json`, which makes a `Headers` of several headers
 * and takes twice as long.
 */
export const respondJson = (
  c: Context,
  body: object,
  headers: Readonly<Record<string, string>> = {}
): Response =>
  new Response(JSON.stringify(body), {
    headers: { 'Content-Type': 'application/json', ...headers, ...responseHeaders(c) }
  })

/** Node's codes for errors in a request that cannot be parsed. All others become 400. */
const STATUS_BY_PARSE_ERROR: Readonly<Record<string, ErrorStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408
}

/**
 * Listener for the server's `clientError`: responds to a request that is not valid HTTP with an Error body, where Node
 * would send a bare status line, and closes the connection.
 */
export const respondToMalformedRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  // The connection is gone, or a response has been sent already.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = STATUS_BY_PARSE_ERROR[error.code ?? ''] ?? 400
  const body = JSON.stringify(errorBody(new HttpError(status, 'request-malformed'), 'en'))
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json',
    'Content-Language: en',
    `Content-Length: ${Buffer.byteLength(body)}`
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
