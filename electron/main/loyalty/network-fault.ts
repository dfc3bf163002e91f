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
export type FaultClass = 'not-sent' | 'lost' | 'tls' | 'redirect' | 'aborted' | 'too-large' | 'no-answer'

/** The one error that leaves the fetch wrapper, whatever fetch is underneath. */
export class NetworkFault extends Error {
  override readonly name = 'NetworkFault'
  readonly fault: FaultClass

  constructor(fault: FaultClass, cause?: unknown) {
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

const classOfOne = (error: Error): FaultClass | null => {
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
export const faultOf = (error: unknown): NetworkFault => {
  if (error instanceof NetworkFault) return error
  for (const link of chainOf(error)) {
    const found = classOfOne(link)
    if (found !== null) return new NetworkFault(found, error)
  }
  return new NetworkFault('lost', error)
}
