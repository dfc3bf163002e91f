/** Adapts a fetch for ky: reads each response completely, and classifies the errors of all fetch implementations. */

/** Maximum plausible wait: a longer one means that a clock is wrong. */
const MAX_PLAUSIBLE_SECONDS = 86_400

/**
 * Returns the wait of a `Retry-After` header in seconds from now, rounded up. The header contains seconds or a date (RFC
 * 9110, 10.2.3). Null if it is missing, malformed or longer than a day.
 */
export const retryAfterSeconds = (header: string | null): number | null => {
  const text = header?.trim() ?? ''
  // HTTP dates begin with a weekday. Date.parse accepts other texts, too.
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.max(0, Math.ceil((Date.parse(text) - Date.now()) / 1000))
      : Number.NaN
  return seconds <= MAX_PLAUSIBLE_SECONDS ? seconds : null
}

/**
 * The kind of a network error.
 * - `not-sent`: no connection was established, so the service did not receive the request
 * - `lost`: the connection broke later; it is unknown whether the service processed the request
 * - `tls`: the certificate was refused, so nothing was sent
 * - `tls-broken`: TLS failed in the handshake or later, which the error does not distinguish: the service may have
 *   processed the request
 * - `redirect`: the response was a redirect, which is never followed
 * - `aborted`: the caller aborted the request
 * - `too-large`: the response is larger than MAX_BODY_BYTES
 * - `invalid-response`: the response has an invalid status
 */
type NetworkFaultKind =
  'not-sent' | 'lost' | 'tls' | 'tls-broken' | 'redirect' | 'aborted' | 'too-large' | 'invalid-response'

/** The only error that a buffered fetch throws, for every fetch implementation. */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault'
  readonly fault: NetworkFaultKind

  constructor(fault: NetworkFaultKind, cause?: unknown) {
    super(`Network fault: ${fault}`, { cause })
    this.fault = fault
  }
}

/** System calls before the first byte of a request is sent. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

/** Codes of Node and undici for a connection that was never established. */
const NODE_NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Node's codes for a certificate that OpenSSL refused during the handshake. */
const NODE_CERTIFICATE = /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/
/** Codes of a failed TLS connection, at any time: OpenSSL's errors in Node, and Chromium's. */
const TLS_BROKEN = /^ERR_(SSL_|BAD_SSL_|TLS_(?!CERT))|^EPROTO$/

/** Codes for corrupt TLS records on an established connection: a read is repeated. */
const TLS_IN_USE = /BAD_RECORD_MAC|DECRYPT|BAD_DECRYPT/

/** Returns an error, its causes and the errors of an AggregateError (one per address of a host). */
const chainOf = (error: unknown): readonly Error[] => {
  const found: Error[] = []
  const open: unknown[] = [error]
  while (open.length > 0 && found.length < 20) {
    const next = open.shift()
    if (!(next instanceof Error)) continue
    found.push(next)
    const attempts: readonly unknown[] = next instanceof AggregateError ? next.errors : []
    open.push(next.cause, ...attempts)
  }
  return found
}

const textOf = (error: Error, property: 'code' | 'syscall'): string => {
  const value: unknown = Reflect.get(error, property)
  return typeof value === 'string' ? value : ''
}

const classOfOne = (error: Error): NetworkFaultKind | null => {
  const chromium = /net::(ERR_\w+)/.exec(error.message)?.[1] ?? ''
  const code = textOf(error, 'code')
  if (/redirect/i.test(error.message) || /^ERR_(TOO_MANY|UNSAFE|INVALID)_REDIRECT/.test(chromium))
    return 'redirect'
  if (TLS_IN_USE.test(chromium) || TLS_IN_USE.test(code)) return 'lost'
  const unsent = CHROMIUM_UNSENT.get(chromium)
  if (unsent !== undefined) return unsent
  if (TLS_BROKEN.test(chromium) || TLS_BROKEN.test(code)) return 'tls-broken'
  if (NODE_CERTIFICATE.test(code)) return 'tls'
  if (NODE_NOT_SENT.has(code)) return 'not-sent'
  if (BEFORE_SENDING.has(textOf(error, 'syscall')) || error.message === 'bad port') return 'not-sent'
  return null
}

/**
 * Classifies an error of Node's fetch (a `TypeError` whose causes have system codes) or of Electron's `net.fetch` (an
 * error with a message `net::ERR_…`). Unknown errors count as `lost`, the only safe assumption for a write.
 */
export const classifyNetworkError = (error: unknown): NetworkFault => {
  if (error instanceof NetworkFault) return error
  for (const link of chainOf(error)) {
    const found = classOfOne(link)
    if (found !== null) return new NetworkFault(found, error)
  }
  return new NetworkFault('lost', error)
}

/** Maximum size of a body. A page of customers has some kilobytes. */
const MAX_BODY_BYTES = 2 * 1024 * 1024

/**
 * Keeps the headers that are used later. Without the others ky cannot wait for vendors' rate-limit headers or for an
 * implausible Retry-After.
 */
const usedHeaders = (sent: Headers): Headers => {
  const kept = new Headers()
  for (const name of ['content-type', 'collect-until', 'not-stored']) {
    const value = sent.get(name)
    if (value !== null) kept.set(name, value)
  }
  const seconds = retryAfterSeconds(sent.get('retry-after'))
  if (seconds !== null) kept.set('retry-after', String(seconds))
  return kept
}

/** The common interface of Node's fetch, Electron's `net.fetch` and Hono's `app.fetch`. */
export type Fetch = (request: Request) => Promise<Response>

const decodeBody = async (response: Response): Promise<string> => {
  if (response.body === null) return ''
  // TextDecoder removes a byte order mark, which some services send and JSON does not allow.
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // If the loop throws, the iterator's `return()` cancels the rest of the body.
  for await (const piece of response.body) {
    const chunk: unknown = piece
    if (!(chunk instanceof Uint8Array)) throw new NetworkFault('invalid-response')
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new NetworkFault('too-large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Reads the body. If the body of an error status breaks off, returns an empty text: the status still counts. */
const readBody = async (response: Response, signal: AbortSignal): Promise<string> => {
  try {
    return await decodeBody(response)
  } catch (error) {
    if (response.status < 400 || signal.aborted) throw error
    return ''
  }
}

const fetchBuffered = async (fetch: Fetch, request: Request): Promise<Response> => {
  const response = await fetch(request)
  const { status } = response
  const isRedirect = response.redirected || (status >= 300 && status < 400)
  if (isRedirect || status < 200 || status > 599) {
    // The session of a write is free again when its body has ended.
    await response.body?.cancel().catch(() => undefined)
    throw new NetworkFault(isRedirect ? 'redirect' : 'invalid-response')
  }
  const body = await readBody(response, request.signal)
  return new Response(body === '' ? null : body, { status, headers: usedHeaders(response.headers) })
}

/**
 * Wraps a fetch for ky. Reads the body completely, so that ky's timeout and retries cover it, too. Rejects with a
 * `NetworkFault`; retryable ones are the cause of a `TypeError('fetch failed')`, the only error that ky retries as a
 * network error.
 */
export const bufferedFetch =
  (fetch: Fetch) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    try {
      return await fetchBuffered(fetch, request)
    } catch (error) {
      if (request.signal.aborted) throw new NetworkFault('aborted', error)
      const fault = classifyNetworkError(error)
      const retryable = fault.fault === 'not-sent' || fault.fault === 'lost'
      throw retryable ? new TypeError('fetch failed', { cause: fault }) : fault
    }
  }

/**
 * The rule for a write that failed: only these errors of Chromium mean that no byte of the request can have reached the
 * service. Every other error leaves the outcome unknown.
 *
 * Each error of this table has one source in Chromium (`net/base/net_error_list.h` and its uses), and that source precedes
 * the first byte of a request on its connection. This holds because each write has a new connection that speaks HTTP/1.1
 * (`platform/fetch.ts`, `platform/command-line.ts`): on any other, Chromium repeats a request by itself, and the error of
 * the last attempt says nothing about the first.
 */
type UnsentFault = 'not-sent' | 'tls'

const NOT_SENT = [
  // The name has no address: no connection was tried.
  'NAME_NOT_RESOLVED',
  'NAME_RESOLUTION_FAILED',
  'ICANN_NAME_COLLISION',
  'DNS_TIMED_OUT',
  'DNS_SERVER_FAILED',
  'DNS_MALFORMED_RESPONSE',
  'HOST_RESOLVER_QUEUE_TOO_LARGE',
  // connect() failed. An established connection reports these only when TCP gave up after minutes; the till does not
  // wait so long. ERR_TIMED_OUT, ERR_ADDRESS_UNREACHABLE and ERR_INTERNET_DISCONNECTED occur on both: `platform/fetch.ts`.
  'CONNECTION_REFUSED',
  'CONNECTION_FAILED',
  'CONNECTION_TIMED_OUT',
  // A firewall does not let it connect.
  'NETWORK_ACCESS_DENIED',
  // The proxy was not found or reached, or refused the tunnel: TLS to the service did not begin.
  'MANDATORY_PROXY_CONFIGURATION_FAILED',
  'NO_SUPPORTED_PROXIES',
  'PROXY_CONNECTION_FAILED',
  'PROXY_CERTIFICATE_INVALID',
  'SOCKS_CONNECTION_FAILED',
  'SOCKS_CONNECTION_HOST_UNREACHABLE',
  'TUNNEL_CONNECTION_FAILED',
  // The URL's port is one that Chromium does not open.
  'UNSAFE_PORT'
]

/**
 * The certificate errors, -200 to -217: the handshake verifies the certificate before anything is sent. Not
 * ERR_CERT_DATABASE_CHANGED and ERR_CERT_VERIFIER_CHANGED, which end connections in use, and no ERR_SSL_ error: the same
 * ones report a refused handshake and a stream that broke after the request.
 */
const CERTIFICATE = [
  'COMMON_NAME_INVALID',
  'DATE_INVALID',
  'AUTHORITY_INVALID',
  'CONTAINS_ERRORS',
  'NO_REVOCATION_MECHANISM',
  'UNABLE_TO_CHECK_REVOCATION',
  'REVOKED',
  'INVALID',
  'WEAK_SIGNATURE_ALGORITHM',
  'NON_UNIQUE_NAME',
  'WEAK_KEY',
  'NAME_CONSTRAINT_VIOLATION',
  'VALIDITY_TOO_LONG',
  'SYMANTEC_LEGACY',
  'KNOWN_INTERCEPTION_BLOCKED'
].map((name) => `CERT_${name}`)

/** The fault of each error that proves that nothing was sent, by its name, for example `ERR_CONNECTION_REFUSED`. */
const CHROMIUM_UNSENT: ReadonlyMap<string, UnsentFault> = new Map([
  ...NOT_SENT.map((name) => [`ERR_${name}`, 'not-sent'] as const),
  ...[...CERTIFICATE, 'CERTIFICATE_TRANSPARENCY_REQUIRED'].map((name) => [`ERR_${name}`, 'tls'] as const)
])
