/** What every command that serves does with its process. */
import type { ServiceServer } from '../server.ts'

/** Closes the server and exits with 0 on SIGTERM and SIGINT. */
export const closeOnSignal = (server: ServiceServer): void => {
  const exit = (): void => {
    void server.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', exit)
  process.once('SIGINT', exit)
}
