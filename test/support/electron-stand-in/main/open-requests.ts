type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What Chromium says of a request whose connection the app had closed. */
const ABORTED = 'net::ERR_ABORTED'

/** The requests of one session, so that closing its connections ends them as in Chromium. */
export class OpenRequests {
  /** Those that have ended stay until the next closing: ending them again changes nothing. */
  readonly #open = new Set<AbortController>()

  /** The same fetch, its requests ended by `closeAll`. */
  through(fetch: Fetch): Fetch {
    return (input, init = {}) => {
      const closing = new AbortController()
      this.#open.add(closing)
      const own = init.signal ?? (input instanceof Request ? input.signal : undefined)
      const signal = own ? AbortSignal.any([own, closing.signal]) : closing.signal
      return fetch(input, { ...init, signal })
    }
  }

  /** session.closeAllConnections(): requests under way fail. */
  closeAll(): Promise<void> {
    for (const closing of this.#open) closing.abort(new Error(ABORTED))
    this.#open.clear()
    return Promise.resolve()
  }
}
