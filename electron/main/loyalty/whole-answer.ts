/**
 * A fetch for ky that gives whole answers: the body is read to its end inside, so that the time limit, the retries
 * and the classes of faults cover it as they cover the headers.
 */
import { faultOf, NetworkFault } from './network-fault.ts'
import { retryAfterSeconds } from './retry-after.ts'

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
export const wholeAnswers =
  (fetch: Fetch) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    try {
      return await answerTo(fetch, request)
    } catch (error) {
      if (request.signal.aborted) throw new NetworkFault('aborted', error)
      const fault = faultOf(error)
      const curable = fault.fault === 'not-sent' || fault.fault === 'lost'
      throw curable ? new TypeError('fetch failed', { cause: fault }) : fault
    }
  }
