import { runtime } from '../runtime.ts'
import { identity } from './identity.ts'
import { netError } from './net-failures.ts'
import { recorder } from './recorder.ts'

/** How many redirects Chromium follows. */
export const MOST_REDIRECTS = 20

/** Throws before the app is ready. */
export function usable(): void {
  if (!runtime.ready) throw new Error('net module can only be used after app is ready')
}

/** Whether an answer of this status points elsewhere. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Sends one request and follows nothing; fails by Chromium's names. */
export async function fetchOnce(request: Request): Promise<Response> {
  if (recorder.take('net.isOnline', [], () => true) === false)
    throw new Error('net::ERR_INTERNET_DISCONNECTED')
  try {
    if (!request.headers.has('user-agent')) request.headers.set('user-agent', identity.userAgent)
    return await fetch(request, { redirect: 'manual' })
  } catch (error) {
    // An abort keeps its own reason; all else becomes one of Chromium's network errors.
    if (request.signal.aborted) throw request.signal.reason
    throw netError(error)
  }
}
