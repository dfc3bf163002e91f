/** What every command that serves does with its process. */
import type { ServiceServer } from '../server.ts'

/** Closes the servers and exits with 0 on SIGTERM and SIGINT. */
export const closeOnSignal = (...servers: readonly ServiceServer[]): void => {
  const exit = (): void => {
    void Promise.all(servers.map((server) => server.close())).then(() => process.exit(0))
  }
  process.once('SIGTERM', exit)
  process.once('SIGINT', exit)
}
