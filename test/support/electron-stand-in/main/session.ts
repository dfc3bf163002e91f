import { chromium, runtime } from '../runtime.ts'
import { makeEvent, refuse, strict, StrictEmitter } from '../strict.ts'
import { fetchOnce, isRedirect, withNetErrors } from './net-failures.ts'
import { permissionHandlers } from './permissions.ts'
import { fromChromium } from './scheme-map.ts'

type Decide = (details: { url: string }, callback: (answer: object) => void) => void

/** What Chromium says of a request whose connection the app had closed. */
const CLOSED = 'net::ERR_ABORTED'

/** Electron's `Session`: the default one, which has the pages, or one of `fromPartition`, for requests of main alone. */
export class Session extends StrictEmitter {
  /** of the requests since the last closing. A signal of `AbortSignal.any` does not keep those that have ended. */
  #closing = new AbortController()
  #guard: { readonly matches: (url: string) => boolean; readonly decide: Decide } | null = null

  constructor() {
    super('session', ['will-download'])
  }

  /** For boot.ts: subscribes to downloads, which the app must prevent. */
  static async watchDownloads(session: Session): Promise<void> {
    chromium().on('Browser.downloadWillBegin', ({ guid, url, suggestedFilename }) => {
      const item = strict('DownloadItem', {
        getURL: () => fromChromium(url),
        getFilename: () => suggestedFilename
      })
      const event = makeEvent({})
      session.emit('will-download', event, item, null)
      chromium()
        .send('Browser.cancelDownload', { guid })
        .catch(() => undefined)
      if (!event.defaultPrevented) refuse('a download that no listener prevents')
    })
    await chromium().send('Browser.setDownloadBehavior', { behavior: 'deny', eventsEnabled: true })
  }

  setPermissionRequestHandler(handler: typeof permissionHandlers.request): void {
    permissionHandlers.request = functionOrNull(handler)
  }

  setPermissionCheckHandler(handler: typeof permissionHandlers.check): void {
    permissionHandlers.check = functionOrNull(handler)
  }

  /** No device is ever found, so the handler is never asked. */
  setDevicePermissionHandler(handler: unknown): void {
    functionOrNull(handler)
  }

  /** Each start has a profile of its own, so there is no more than this run's pages in the cache. */
  clearCache(): Promise<void> {
    return Promise.resolve()
  }

  /** Requests under way fail. */
  closeAllConnections(): Promise<void> {
    this.#closing.abort(new Error(CLOSED))
    this.#closing = new AbortController()
    return Promise.resolve()
  }

  /** Requests of pages are not asked about. */
  get webRequest(): object {
    if (this === defaultSession) refuse('session.defaultSession.webRequest')
    return strict('webRequest', {
      onBeforeRequest: (...args: unknown[]): void => {
        const [filter, decide] = args
        if (typeof decide !== 'function') refuse('onBeforeRequest without a filter and a function')
        this.#guard = { matches: filterOf(filter), decide: decide as Decide }
      }
    })
  }

  /** Sends one request and follows no redirect. Rejects by Chromium's names, or with the reason of the request's signal. */
  async _send(request: Request): Promise<Response> {
    const own = new Request(request, { signal: AbortSignal.any([request.signal, this.#closing.signal]) })
    await this.#ask(own.url)
    return withNetErrors(await fetchOnce(own), own)
  }

  /** Resolves unless the app cancels a request to this address. */
  async #ask(url: string): Promise<void> {
    const guard = this.#guard
    if (!guard?.matches(url)) return
    const answer = await new Promise<object>((resolve) => guard.decide({ url }, resolve))
    const unknown = Object.keys(answer).find((key) => key !== 'cancel')
    if (unknown !== undefined) refuse(`the answer '${unknown}' of webRequest.onBeforeRequest`)
    if (Reflect.get(answer, 'cancel') === true) throw new Error('net::ERR_BLOCKED_BY_CLIENT')
  }

  /** Fetches from the network. Redirects reject unless they are followed, which is refused. */
  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (!runtime.ready) throw new Error('net module can only be used after app is ready')
    const request = new Request(input, init)
    if (!/^https?:/.test(request.url)) refuse(`net.fetch of ${request.url.replace(/:.*$/s, ':')}`)
    request.signal.throwIfAborted()
    const response = await this._send(request)
    if (!isRedirect(response)) return response
    await response.body?.cancel()
    if (request.redirect === 'manual') throw new Error('Redirect was cancelled')
    if (request.redirect === 'error')
      throw new Error("Attempted to redirect, but redirect policy was 'error'")
    return refuse('net.fetch that follows a redirect')
  }
}

function functionOrNull<Handler>(handler: Handler): Handler {
  if (handler !== null && typeof handler !== 'function') throw new TypeError('Must pass null or function')
  return handler
}

/** Returns whether an address matches one of the filter's patterns, which name a scheme and a path of any host. */
function filterOf(filter: unknown): (url: string) => boolean {
  const urls: unknown = Object(filter) === filter ? Reflect.get(filter as object, 'urls') : undefined
  if (!Array.isArray(urls)) throw new TypeError("Parameter 'filter' must have property 'urls'.")
  const patterns = urls.map((text) => {
    const [, scheme = '', path = ''] =
      /^([a-z]+):\/\/\*(\/[\w*/]*)$/.exec(String(text)) ?? refuse(`the filter ${String(text)}`)
    return new RegExp(`^${scheme}://[^/]*${path.replaceAll('*', '.*')}$`)
  })
  return (url) => patterns.some((pattern) => pattern.test(url))
}

export const defaultSession = new Session()
const partitions = new Map<string, Session>()

/** Electron's `session` module. */
export const session = strict('session', {
  get defaultSession(): Session {
    if (!runtime.ready) throw new TypeError('Session can only be received when app is ready')
    return defaultSession
  },

  /** A session in memory, which keeps nothing. */
  fromPartition(name: string, options: { cache?: boolean } = {}): Session {
    if (!runtime.ready) throw new TypeError('Session can only be received when app is ready')
    if (name.startsWith('persist:') || name === '') refuse(`session.fromPartition('${name}')`)
    if (options.cache !== false) refuse('session.fromPartition with a cache')
    const known = partitions.get(name) ?? new Session()
    partitions.set(name, known)
    return known
  }
})
