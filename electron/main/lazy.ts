/** A service that is opened when it is first used, and closed if it ever was. */

/** Gives a service, opening it at the first call. Rejects as its opening does; the next call tries again. */
export type Use<Service> = () => Promise<Service>

/** A service that may not be open yet. */
export interface Lazy<Service> {
  /** Callers that come while it is being opened share the opening. Rejects with `ServiceClosedError` after `close`. */
  readonly use: Use<Service>
  /** The service where it is open now; null before its first use, while it is being opened, and after `close`. */
  readonly opened: Service | null
  /**
   * Opens it never again, and closes it where it is open; an opening under way is waited for. Closing twice is
   * harmless. Rejects as closing the service does.
   */
  close(): Promise<void>
}

/** Raised by the use of a service that was closed: the till is ending. */
export class ServiceClosedError extends Error {
  override readonly name = 'ServiceClosedError'
}

/** Milliseconds for which a fallback is used before something better is tried. */
export const FALLBACK_RETRY_MS = 2000

/**
 * Makes a service that `open` opens when it is first used.
 * @param end closes what `open` gave; nothing unless given
 * @param isFallback whether it gave what only stands in for the service: a later use opens anew then
 */
export function createLazy<Service>(
  open: () => Promise<Service>,
  end: (service: Service) => void | Promise<void> = () => undefined,
  isFallback: (service: Service) => boolean = () => false
): Lazy<Service> {
  let opening: Promise<Service> | null = null
  let opened: Service | null = null
  let openedAt = 0
  let closing: Promise<void> | null = null

  const begin = async (before: Service | null): Promise<Service> => {
    try {
      const service = await open()
      if (closing === null) opened = service
      openedAt = performance.now()
      if (before !== null) await end(before)
      return service
    } catch (error) {
      // Nobody is bound to a failure that may pass: a disk that was full, a file that was locked.
      opening = null
      throw error
    }
  }

  const isStale = (): boolean =>
    opened !== null && isFallback(opened) && performance.now() - openedAt >= FALLBACK_RETRY_MS

  const finish = async (): Promise<void> => {
    opened = null
    const service = await opening?.catch(() => undefined)
    if (service !== undefined) await end(service)
  }

  return {
    async use() {
      if (closing !== null) throw new ServiceClosedError('The till is closing')
      if (isStale()) {
        opening = begin(opened)
        // The others go on with it until then: once is often enough to try.
        openedAt = performance.now()
      }
      return (opening ??= begin(null))
    },
    get opened() {
      return opened
    },
    close: () => (closing ??= finish())
  }
}
