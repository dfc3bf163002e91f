/**
 * `fetch` through Electron's network stack, so that the system's proxy and certificate store apply.
 *
 * Reads share one session. Writes must not: when a reused connection breaks, Chromium repeats the request, a POST too
 * (`HttpNetworkTransaction::ShouldResendRequest`), and a service without idempotency keys would issue points twice. So
 * each write takes a session of its own from a pool, whose connections are closed first: its connection is always new.
 * HTTP/2 and HTTP/3, which repeat requests on new connections too, are off (`command-line.ts`).
 */
import { net, session, type Session } from 'electron'

/** The next write waits for a free session. */
const MAX_CONCURRENT_WRITES = 4

const writeSessions: Session[] = []
const idleSessions: Session[] = []
const waiting: ((session: Session) => void)[] = []

const takeSession = (): Promise<Session> => {
  const idle = idleSessions.pop()
  if (idle) return Promise.resolve(idle)
  if (writeSessions.length < MAX_CONCURRENT_WRITES) {
    // A partition without `persist:` is in memory only.
    const created = session.fromPartition(`writes-${writeSessions.length + 1}`, { cache: false })
    writeSessions.push(created)
    return Promise.resolve(created)
  }
  return new Promise((resolve) => waiting.push(resolve))
}

const releaseSession = (released: Session): void => {
  const next = waiting.shift()
  if (next) next(released)
  else idleSessions.push(released)
}

/** Returns the same response; calls `onEnded` once, when its body was read, failed or was cancelled. */
const withEndCallback = (response: Response, onEnded: () => void): Response => {
  if (!response.body) {
    onEnded()
    return response
  }
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const passedOn = new Response(readable, response)
  void response.body.pipeTo(writable).then(onEnded, onEnded)
  return passedOn
}

/**
 * Rejects with an error that proves that nothing was sent, when the system has no network and a read fails, too. What Chromium
 * says of a write then proves nothing: `ERR_INTERNET_DISCONNECTED` is both a connection that is not made (`MapConnectError`)
 * and one that breaks (`MapSystemError`). The system alone is no proof: it may not count the network of a shop as one.
 */
async function requireNetwork({ url, signal }: Request): Promise<void> {
  if (net.isOnline()) return
  try {
    await net.fetch(url, { method: 'HEAD', credentials: 'omit', signal })
  } catch (cause) {
    throw new Error('net::ERR_CONNECTION_FAILED', { cause })
  }
}

const write = async (request: Request): Promise<Response> => {
  await requireNetwork(request)
  const own = await takeSession()
  try {
    await own.closeAllConnections()
    return withEndCallback(await own.fetch(request, { credentials: 'omit' }), () => releaseSession(own))
  } catch (error) {
    releaseSession(own)
    throw error
  }
}

/** Sends a request without cookies. Rejects as `net.fetch` does. */
export const electronFetch = (request: Request): Promise<Response> =>
  request.method === 'GET' ? net.fetch(request, { credentials: 'omit' }) : write(request)

/**
 * Aborts every pending request and closes every connection. Callers retry their reads; the outcome of a pending write
 * is unknown.
 */
export async function closeConnections(): Promise<void> {
  await Promise.all([session.defaultSession, ...writeSessions].map((one) => one.closeAllConnections()))
}

/** Empties the HTTP cache on disk, although each request asks that its response is not cached. */
export const clearHttpCache = (): Promise<void> => session.defaultSession.clearCache()
