/** Longest wait that is believed, s: a service that names more than a day has its clock wrong, or the till has. */
const LONGEST_BELIEVED = 86_400

/**
 * How long a service asks to wait, in whole seconds from now, rounded up: `Retry-After` as seconds or as a date
 * (RFC 9110, 10.2.3). Null when the header is absent, says nothing readable, or names more than a day.
 */
export const retryAfterSeconds = (header: string | null): number | null => {
  const text = header?.trim() ?? ''
  // A date always names its weekday; anything else that Date.parse would swallow is no Retry-After.
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : /^[A-Z][a-z]+,? /.test(text)
      ? Math.max(0, Math.ceil((Date.parse(text) - Date.now()) / 1000))
      : Number.NaN
  return seconds <= LONGEST_BELIEVED ? seconds : null
}

/**
 * What went wrong below HTTP, in one form. Node's fetch throws a `TypeError` whose causes carry system codes;
 * Electron's `net.fetch` throws plain errors whose message is `net::ERR_…`. Only here are the two told apart.
 */

/**
 * - `not-sent`: no connection came about, so the service has seen nothing of the request
 * - `lost`: the connection broke later; whether the service acted on the request is not known
 * - `tls`: the certificate or the handshake was refused, so nothing was sent
 * - `redirect`: the service answered with a redirect, which is never followed
 * - `aborted`: the caller gave the request up
 * - `too-large`: the answer is longer than the till reads
 * - `no-answer`: an answer with a status that HTTP does not know
 */
type NetworkFaultKind = 'not-sent' | 'lost' | 'tls' | 'redirect' | 'aborted' | 'too-large' | 'no-answer'

/** The one error that leaves the fetch wrapper, whatever fetch is underneath. */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault'
  readonly fault: NetworkFaultKind

  constructor(fault: NetworkFaultKind, cause?: unknown) {
    super(`Network fault: ${fault}`, { cause })
    this.fault = fault
  }
}

/** System calls that run before the first byte of a request. */
const BEFORE_SENDING = new Set(['connect', 'getaddrinfo'])

/** Codes of Node and undici for a connection that never came about. */
const NODE_NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Codes of OpenSSL's verification, as Node names them, and of a handshake that failed. */
const NODE_TLS =
  /CERT|^ERR_TLS_|^ERR_SSL_|^EPROTO$|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_(CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$/

/** Chromium's names (net/base/net_error_list.h) for a connection that never came about. */
const CHROMIUM_NOT_SENT =
  /^ERR_(NAME_|DNS_|ICANN_|INTERNET_DISCONNECTED|ADDRESS_|CONNECTION_(REFUSED|FAILED|TIMED_OUT)|PROXY_|TUNNEL_|SOCKS_|NO_SUPPORTED_PROXIES|MANDATORY_PROXY_|UNSAFE_PORT|DISALLOWED_|NETWORK_ACCESS_DENIED|BLOCKED_BY_)/
const CHROMIUM_TLS = /^ERR_(CERT|SSL_|BAD_SSL_|TLS)/

/** Records that arrive garbled end a connection that was already in use: the request may have been read. */
const TLS_IN_USE = /BAD_RECORD_MAC|DECRYPT|BAD_DECRYPT/

/** An error, its causes, and the attempts an AggregateError stands for (one per address of a host). */
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
  if (CHROMIUM_TLS.test(chromium) || NODE_TLS.test(code)) return 'tls'
  if (CHROMIUM_NOT_SENT.test(chromium) || NODE_NOT_SENT.has(code)) return 'not-sent'
  if (BEFORE_SENDING.has(textOf(error, 'syscall')) || error.message === 'bad port') return 'not-sent'
  return null
}

/**
 * Tells what class of fault an error of either fetch is. What it does not recognise counts as `lost`: for a write
 * that is the careful reading, since it claims nothing about what the service has done.
 */
export const classifyNetworkError = (error: unknown): NetworkFault => {
  if (error instanceof NetworkFault) return error
  for (const link of chainOf(error)) {
    const found = classOfOne(link)
    if (found !== null) return new NetworkFault(found, error)
  }
  return new NetworkFault('lost', error)
}

/* from whole-answer.ts:
 * A fetch for ky that gives whole answers: the body is read to its end inside, so that the time limit, the retries
 * and the classes of faults cover it as they cover the headers.
 */

/** Longest body that is read, bytes. A page of customers is some kilobytes; this bounds what a broken service costs. */
const MOST_BYTES = 5 * 1024 * 1024

/**
 * The headers that anything later reads. Dropping the others keeps ky from waiting on vendors' rate-limit headers, and
 * from reading a wait out of a Retry-After that says none.
 */
const keptHeaders = (sent: Headers): Headers => {
  const kept = new Headers()
  const type = sent.get('content-type')
  if (type !== null) kept.set('content-type', type)
  const seconds = retryAfterSeconds(sent.get('retry-after'))
  if (seconds !== null) kept.set('retry-after', String(seconds))
  return kept
}

/** All that the till asks of a fetch. Node's, Electron's and an app's all are one. */
export type Fetch = (request: Request) => Promise<Response>

const bodyOf = async (response: Response): Promise<string> => {
  if (response.body === null) return ''
  // Decoding as UTF-8 takes a byte order mark away, which JSON must not have and some services send.
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  // A `for await` leaves through `return()` on a throw, which cancels the rest of the body.
  for await (const piece of response.body) {
    const chunk: unknown = piece
    if (!(chunk instanceof Uint8Array)) throw new NetworkFault('no-answer')
    bytes += chunk.byteLength
    if (bytes > MOST_BYTES) throw new NetworkFault('too-large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The status of a refusal is worth more than its words: a body that breaks off reads as empty. */
const bodyOrNothing = async (response: Response, signal: AbortSignal): Promise<string> => {
  try {
    return await bodyOf(response)
  } catch (error) {
    if (response.status < 400 || signal.aborted) throw error
    return ''
  }
}

const answerTo = async (fetch: Fetch, request: Request): Promise<Response> => {
  const response = await fetch(request)
  const { status } = response
  if (response.redirected || (status >= 300 && status < 400)) throw new NetworkFault('redirect')
  if (status < 200 || status > 599) throw new NetworkFault('no-answer')
  const body = await bodyOrNothing(response, request.signal)
  return new Response(body === '' ? null : body, { status, headers: keptHeaders(response.headers) })
}

/**
 * Wraps Node's fetch, Electron's `net.fetch` or an app in this process. The answer's body is whole; a fault is a
 * `NetworkFault`. Faults that a second attempt may cure come as the cause of a `TypeError('fetch failed')`, the one
 * shape that ky knows as a network error and retries.
 */
export const bufferedFetch =
  (fetch: Fetch) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    try {
      return await answerTo(fetch, request)
    } catch (error) {
      if (request.signal.aborted) throw new NetworkFault('aborted', error)
      const fault = classifyNetworkError(error)
      const curable = fault.fault === 'not-sent' || fault.fault === 'lost'
      throw curable ? new TypeError('fetch failed', { cause: fault }) : fault
    }
  }
