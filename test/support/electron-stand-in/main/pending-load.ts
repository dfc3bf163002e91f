import { netErrorNumber } from './net-errors.ts'

interface Load {
  readonly url: string
  /** Chromium's id of the document that this load is for, once known */
  loaderId?: string
  resolve(): void
  reject(error: Error): void
}

/** One call of loadURL. */
export interface StartedLoad {
  readonly promise: Promise<void>
  /** false once another load has replaced it */
  isCurrent(): boolean
  /** The load is for this document; it may have been loaded by the time that is known. */
  expect(loaderId: string): void
}

/** The promise of the loadURL that is under way; a page has at most one. */
export class PendingLoad {
  #load: Load | undefined
  #lastLoaded = ''

  /** Begins a load; one still under way rejects with ERR_ABORTED, as Electron's does. */
  start(url: string): StartedLoad {
    this.#settle('ERR_ABORTED', url)
    const promise = new Promise<void>((resolve, reject) => (this.#load = { url, resolve, reject }))
    // As in Electron: a loadURL without await is no unhandled rejection.
    promise.catch(() => undefined)
    const load = this.#load
    return {
      promise,
      isCurrent: () => load !== undefined && load === this.#load,
      expect: (loaderId) => {
        if (load === undefined || load !== this.#load) return
        load.loaderId = loaderId
        if (loaderId === this.#lastLoaded) this.finish()
      }
    }
  }

  /** A document has been loaded; it need not be the one that is waited for. */
  loaded(loaderId: string): void {
    this.#lastLoaded = loaderId
    if (this.#load?.loaderId === loaderId) this.finish()
  }

  finish(): void {
    this.#load?.resolve()
    this.#load = undefined
  }

  /** Rejects with Electron's sentence for a network error such as ERR_CONNECTION_REFUSED. */
  fail(name: string): void {
    this.#settle(name, this.#load?.url ?? '')
  }

  reject(error: unknown): void {
    this.#load?.reject(error instanceof Error ? error : new Error(String(error)))
    this.#load = undefined
  }

  #settle(name: string, url: string): void {
    const number = netErrorNumber(name)
    const error = new Error(`${name} (${number}) loading '${url.slice(0, 2048)}'`)
    this.reject(Object.assign(error, { errno: number, code: name, url }))
  }
}
