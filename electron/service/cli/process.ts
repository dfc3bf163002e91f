/** What commands do when their process is to end. */
import type { ServiceServer } from '../server.ts'

/** Closes the servers and exits with 0 on SIGTERM and SIGINT. */
export const closeOnSignal = (...servers: readonly ServiceServer[]): void => {
  const exit = (): void => {
    void Promise.all(servers.map((server) => server.close())).then(() => process.exit(0))
  }
  process.once('SIGTERM', exit)
  process.once('SIGINT', exit)
}

/**
 * Returns what is aborted by the first SIGTERM or SIGINT, for work that removes what it has begun. The second one ends the
 * process.
 */
export const abortOnSignal = (): AbortSignal => {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Error('Interrupted. Nothing was changed.'))
  process.once('SIGTERM', abort)
  process.once('SIGINT', abort)
  return controller.signal
}
