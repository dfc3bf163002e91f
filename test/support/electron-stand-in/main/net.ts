import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { strict } from '../strict.ts'
import { ClientRequest } from './client-request.ts'
import { withNetErrors } from './net-failures.ts'
import { fetchOnce, isRedirect, MOST_REDIRECTS, usable } from './net-transport.ts'
import { OpenRequests } from './open-requests.ts'
import { protocolHandler, type ProtocolHandler } from './protocol.ts'
import { ownSchemes } from './scheme-map.ts'
import { recorder } from './recorder.ts'

type FetchInit = RequestInit & { bypassCustomProtocolHandlers?: boolean }

/**
 * Electron's `net.fetch`: the app's own schemes and file: answer too; redirects are followed, or the call rejects
 * (`manual`: "Redirect was cancelled"); failures are plain errors named `net::ERR_…`.
 */
export async function netFetch(input: string | URL | Request, init: FetchInit = {}): Promise<Response> {
  usable()
  const { bypassCustomProtocolHandlers = false, ...rest } = init
  const request = new Request(input, rest)
  request.signal.throwIfAborted()
  const scheme = request.url.slice(0, request.url.indexOf(':'))
  const handler = bypassCustomProtocolHandlers ? undefined : protocolHandler(request.url)
  if (handler) return fetchFromHandler(handler, request)
  if (ownSchemes.has(scheme)) throw new Error('net::ERR_UNKNOWN_URL_SCHEME')
  if (scheme === 'file') return fetchFile(request.url)
  if (!['http', 'https', 'data', 'blob'].includes(scheme)) throw new Error('net::ERR_UNKNOWN_URL_SCHEME')
  return fetchFromNetwork(request)
}

async function fetchFromHandler(handler: ProtocolHandler, request: Request): Promise<Response> {
  let response: Response
  try {
    response = await handler(request)
  } catch (error) {
    throw unexpected(error)
  }
  if (!(response instanceof Response)) throw new Error('net::ERR_UNEXPECTED')
  if (response.type === 'error') throw new Error('net::ERR_FAILED')
  return response
}

function unexpected(error: unknown): Error {
  console.error(error)
  return new Error('net::ERR_UNEXPECTED')
}

async function fetchFile(url: string): Promise<Response> {
  try {
    return new Response(await readFile(fileURLToPath(url)))
  } catch {
    throw new Error('net::ERR_FILE_NOT_FOUND')
  }
}

async function fetchFromNetwork(request: Request): Promise<Response> {
  let current = request
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const response = await fetchOnce(current)
    const location = response.headers.get('location')
    if (!isRedirect(response.status) || location === null) return withNetErrors(response, request)
    await response.body?.cancel()
    if (request.redirect === 'manual') throw new Error('Redirect was cancelled')
    if (request.redirect === 'error') {
      throw new Error("Attempted to redirect, but redirect policy was 'error'")
    }
    current = redirected(current, new URL(location, current.url), response.status)
  }
  throw new Error('net::ERR_TOO_MANY_REDIRECTS')
}

function redirected(request: Request, target: URL, status: number): Request {
  const becomesGet = status === 303 || (request.method === 'POST' && status < 303)
  const headers = new Headers(request.headers)
  // As the fetch standard has it: what authorises a call to one origin is not sent to another.
  if (target.origin !== new URL(request.url).origin) headers.delete('authorization')
  if (!becomesGet && request.body !== null) throw new Error('net::ERR_UPLOAD_STREAM_REWIND_NOT_SUPPORTED')
  for (const name of becomesGet ? ['content-type', 'content-length'] : []) headers.delete(name)
  const method = becomesGet && request.method !== 'HEAD' ? 'GET' : request.method
  return new Request(target, { method, headers, signal: request.signal })
}

/** The requests of the default session, which net.fetch uses. */
export const openRequests = new OpenRequests()

/** Electron's `net`. */
export const net = strict('net', {
  fetch: openRequests.through(netFetch),
  request: (options: ConstructorParameters<typeof ClientRequest>[0]): ClientRequest =>
    new ClientRequest(options),
  isOnline: (): boolean => recorder.take('net.isOnline', [], () => true) !== false,
  get online(): boolean {
    return net.isOnline()
  }
})
