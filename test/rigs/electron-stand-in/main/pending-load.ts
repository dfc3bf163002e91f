import { netErrorNumber } from './net-errors.ts'

interface Load {
  readonly url: string
  resolve(): void
  reject(error: Error): void
}

/** The promise of the loadURL that is under way; a page has at most one. */
export class PendingLoad {
  #load: Load | undefined

  get pending(): boolean {
    return this.#load !== undefined
  }

  /** Begins a load; one still under way rejects with ERR_ABORTED, as Electron's does. */
  start(url: string): { readonly promise: Promise<void>; isCurrent(): boolean } {
    this.#settle('ERR_ABORTED', url)
    const promise = new Promise<void>((resolve, reject) => (this.#load = { url, resolve, reject }))
    // Electron too keeps a loadURL that nobody awaits from becoming an unhandled rejection.
    promise.catch(() => undefined)
    const load = this.#load
    return { promise, isCurrent: () => load === this.#load }
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
