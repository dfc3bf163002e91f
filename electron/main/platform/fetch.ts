/**
 * Fetching through Electron's network stack, so that the system's proxy and certificate store apply.
 *
 * Reads go through one session and share its connections. Writes must not: when a connection that was used before
 * breaks, Chromium sends the request once more by itself, a POST too (`HttpNetworkTransaction::
 * ShouldResendRequest`), and a service without idempotency keys would issue points twice. So a write travels on a
 * lane of its own, a session whose connections are closed before each write: its connection is always new.
 */
import { net, session, type Session } from 'electron'

/** Writes that may be under way at once; the next one waits for a free lane. */
const LANES = 4

const lanes: Session[] = []
const idle: Session[] = []
const waiting: ((lane: Session) => void)[] = []

const takeLane = (): Promise<Session> => {
  const lane = idle.pop()
  if (lane) return Promise.resolve(lane)
  if (lanes.length < LANES) {
    // Without `persist:` a session lives in memory only.
    const opened = session.fromPartition(`writes-${lanes.length + 1}`, { cache: false })
    lanes.push(opened)
    return Promise.resolve(opened)
  }
  return new Promise((resolve) => waiting.push(resolve))
}

const giveBack = (lane: Session): void => {
  const next = waiting.shift()
  if (next) next(lane)
  else idle.push(lane)
}

/** The same response; `ended` is called once its body was read to the end, failed, or was dropped. */
const watched = (response: Response, ended: () => void): Response => {
  if (!response.body) {
    ended()
    return response
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) {
          controller.enqueue(value)
          return
        }
        ended()
        controller.close()
      } catch (error) {
        ended()
        controller.error(error)
      }
    },
    async cancel(reason) {
      ended()
      await reader.cancel(reason)
    }
  })
  return new Response(body, response)
}

const write = async (request: Request): Promise<Response> => {
  const lane = await takeLane()
  try {
    await lane.closeAllConnections()
    return watched(await lane.fetch(request, { credentials: 'omit' }), () => giveBack(lane))
  } catch (error) {
    giveBack(lane)
    throw error
  }
}

/** Fetches as the services know it. Never sends cookies; rejects as `net.fetch` does. */
export const electronFetch = (request: Request): Promise<Response> =>
  request.method === 'GET' ? net.fetch(request, { credentials: 'omit' }) : write(request)

/**
 * Ends every request under way and closes every connection: those of before a sleep lead nowhere any more. A read is
 * tried again by whoever sent it; of a write nobody knows what came.
 */
export async function dropConnections(): Promise<void> {
  await Promise.all([session.defaultSession, ...lanes].map((one) => one.closeAllConnections()))
}
