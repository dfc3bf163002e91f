/** Fetching through Electron's network stack, so that the system's proxy and certificate store apply. */
import { net } from 'electron'

/** `fetch` as the services know it. Never sends cookies. */
export const electronFetch: typeof fetch = (input, init) =>
  net.fetch(input instanceof URL ? input.href : input, { ...init, credentials: 'omit' })
