import { userAgent } from './identity.ts'

/** Chromium's names for what Node's fetch reports, by the code of the underlying error. */
const NAMES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'ERR_CONNECTION_REFUSED',
  ECONNRESET: 'ERR_CONNECTION_RESET',
  EPIPE: 'ERR_CONNECTION_RESET',
  ENOTFOUND: 'ERR_NAME_NOT_RESOLVED',
  EAI_AGAIN: 'ERR_NAME_NOT_RESOLVED',
  ENETUNREACH: 'ERR_INTERNET_DISCONNECTED',
  ENETDOWN: 'ERR_INTERNET_DISCONNECTED',
  EHOSTUNREACH: 'ERR_ADDRESS_UNREACHABLE',
  ETIMEDOUT: 'ERR_CONNECTION_TIMED_OUT',
  UND_ERR_CONNECT_TIMEOUT: 'ERR_CONNECTION_TIMED_OUT',
  UND_ERR_HEADERS_TIMEOUT: 'ERR_TIMED_OUT',
  UND_ERR_BODY_TIMEOUT: 'ERR_TIMED_OUT',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'ERR_CERT_AUTHORITY_INVALID',
  SELF_SIGNED_CERT_IN_CHAIN: 'ERR_CERT_AUTHORITY_INVALID',
  UNABLE_TO_GET_ISSUER_CERT: 'ERR_CERT_AUTHORITY_INVALID',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'ERR_CERT_AUTHORITY_INVALID',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'ERR_CERT_AUTHORITY_INVALID',
  CERT_HAS_EXPIRED: 'ERR_CERT_DATE_INVALID',
  CERT_NOT_YET_VALID: 'ERR_CERT_DATE_INVALID',
  CERT_REVOKED: 'ERR_CERT_REVOKED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'ERR_CERT_COMMON_NAME_INVALID',
  EPROTO: 'ERR_SSL_PROTOCOL_ERROR'
}

/** The network error, as `net::ERR_…`, for what Node's fetch threw. */
function netErrorOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    if (code === 'UND_ERR_SOCKET') return `net::${closedSocket(cause)}`
    if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return 'net::ERR_CONTENT_LENGTH_MISMATCH'
    const unreadable = cause.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW'
    if (unreadable) return 'net::ERR_INVALID_HTTP_RESPONSE'
    if (code.startsWith('ERR_SSL_')) return 'net::ERR_SSL_PROTOCOL_ERROR'
    if (NAMES[code] !== undefined) return `net::${NAMES[code]}`
    if (cause.message === 'bad port') return 'net::ERR_UNSAFE_PORT'
  }
  return 'net::ERR_FAILED'
}

/** The plain error that Electron's net rejects with, without a cause. */
const netError = (error: unknown): Error => new Error(netErrorOf(error))

/** Whether a response points elsewhere. */
export const isRedirect = ({ status, headers }: Response): boolean =>
  [301, 302, 303, 307, 308].includes(status) && headers.has('location')

/** Sends one request and follows nothing. Rejects with a plain error by Chromium's name, without a cause. */
export async function fetchOnce(request: Request): Promise<Response> {
  try {
    if (!request.headers.has('user-agent')) request.headers.set('user-agent', userAgent())
    return await fetch(request, { redirect: 'manual' })
  } catch (error) {
    // An abort keeps its own reason.
    if (request.signal.aborted) throw request.signal.reason
    throw netError(error)
  }
}

/** The server closed the connection before the response (empty response) or during it. */
function closedSocket(error: Error): string {
  const socket: unknown = Reflect.get(error, 'socket')
  const read: unknown = typeof socket === 'object' && socket !== null ? Reflect.get(socket, 'bytesRead') : 0
  return read === 0 ? 'ERR_EMPTY_RESPONSE' : 'ERR_CONNECTION_CLOSED'
}

/** A response like Electron's: without an address, and with a body that fails by Chromium's names. */
export function withNetErrors(response: Response, request: Request): Response {
  const { status, statusText, headers } = response
  const reader = response.body?.getReader()
  if (!reader || [101, 204, 205, 304].includes(status) || request.method === 'HEAD') {
    return new Response(null, { status, statusText, headers })
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        controller.error(
          request.signal.aborted ? abortOf(request.signal) : new Error(bodyError(error, headers))
        )
      }
    },
    cancel: (reason) => reader.cancel(reason)
  })
  return new Response(body, { status, statusText, headers })
}

/** The error of a body whose request was aborted: whatever the reason, unless the app closed the connections. */
function abortOf({ reason }: AbortSignal): unknown {
  if (reason instanceof Error && reason.message.startsWith('net::')) return reason
  return Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
}

function bodyError(error: unknown, headers: Headers): string {
  const name = netErrorOf(error)
  if (name !== 'net::ERR_CONNECTION_CLOSED' && name !== 'net::ERR_FAILED') return name
  return headers.has('content-length')
    ? 'net::ERR_CONTENT_LENGTH_MISMATCH'
    : 'net::ERR_INCOMPLETE_CHUNKED_ENCODING'
}
