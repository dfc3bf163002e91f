/** A service that is opened when it is first used, and closed if it was opened. */

export interface Lazy<Service> {
  /**
   * Returns the service, and opens it at the first call; concurrent first calls share one opening. Rejects if opening
   * fails, and the next call tries again. Rejects with `ServiceClosedError` after `close`.
   */
  get(): Promise<Service>
  /** The service if it is open; null before its first use, while it opens, and after `close`. */
  readonly opened: Service | null
  /**
   * Closes the service if it is open, and runs `work`. Calls of `get` wait meanwhile, and then open the service again.
   * Rejects as `work`, or if closing fails.
   */
  whileClosed<Value>(work: () => Promise<Value>): Promise<Value>
  /** Closes the service, after a pending opening, and prevents further openings. Rejects if closing fails. */
  close(): Promise<void>
}

/** Thrown when a service is used after it was closed. */
export class ServiceClosedError extends Error {
  override readonly name = 'ServiceClosedError'
}

/** A fallback is used for this time before opening is tried again. */
export const FALLBACK_RETRY_MS = 2000

/**
 * Creates a service that `open` opens at the first use.
 * @param closeService closes what `open` returned
 * @param isFallback whether `open` returned a fallback, which a later use replaces by opening again
 */
export function createLazy<Service>(
  open: () => Promise<Service>,
  closeService: (service: Service) => void | Promise<void> = () => undefined,
  isFallback: (service: Service) => boolean = () => false
): Lazy<Service> {
  let opening: Promise<Service> | null = null
  let opened: Service | null = null
  let openedAt = 0
  let closing: Promise<void> | null = null
  let suspension: Promise<unknown> = Promise.resolve()
  let isSuspended = false

  const openReplacing = async (previous: Service | null): Promise<Service> => {
    try {
      const service = await open()
      if (closing === null) opened = service
      openedAt = performance.now()
      if (previous !== null) await closeService(previous)
      return service
    } catch (error) {
      // A rejected promise is not cached: the next call retries.
      opening = null
      throw error
    }
  }

  const isRetryDue = (): boolean =>
    opened !== null && isFallback(opened) && performance.now() - openedAt >= FALLBACK_RETRY_MS

  const closeOpened = async (): Promise<void> => {
    const pending = opening
    opening = null
    opened = null
    const service = await pending?.catch(() => undefined)
    // A pending opening sets it.
    opened = null
    if (service !== undefined) await closeService(service)
  }

  return {
    async get() {
      while (isSuspended) await suspension
      if (closing !== null) throw new ServiceClosedError('The till is closing')
      if (isRetryDue()) {
        opening = openReplacing(opened)
        // One retry at a time: other calls use the fallback until it ends.
        openedAt = performance.now()
      }
      return (opening ??= openReplacing(null))
    },
    get opened() {
      return opened
    },
    async whileClosed(work) {
      while (isSuspended) await suspension
      if (closing !== null) throw new ServiceClosedError('The till is closing')
      isSuspended = true
      const done = closeOpened().then(work)
      suspension = done
        .catch(() => undefined)
        .finally(() => {
          isSuspended = false
        })
      return done
    },
    close: () => (closing ??= suspension.then(closeOpened))
  }
}

/** Shares the result of a pending call between all callers with the same key. */
export class SingleFlight<Value> {
  readonly #pending = new Map<string, Promise<Value>>()

  /** Runs `work`, or returns the promise of a pending run with this key. */
  run(key: string, work: () => Promise<Value>): Promise<Value> {
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const result = work().finally(() => this.#pending.delete(key))
    this.#pending.set(key, result)
    return result
  }

  /** Returns the pending run with this key. */
  pending(key: string): Promise<Value> | undefined {
    return this.#pending.get(key)
  }

  isBusy(): boolean {
    return this.#pending.size > 0
  }

  /** Resolves when the runs that are pending now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending.values())
  }
}
