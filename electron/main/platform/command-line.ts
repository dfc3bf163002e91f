/** Chromium's switches that the till sets, and those that it does not start with. */
import { app } from 'electron'
import { url as inspectorUrl } from 'node:inspector'

/**
 * HTTP/2 and HTTP/3 are off, because Chromium repeats a request by itself when such a connection fails, a POST too and on
 * a new connection (`HttpNetworkTransaction::HandleIOError`): after REFUSED_STREAM, HTTP_1_1_REQUIRED, a lost ping, and
 * an error of QUIC. Over HTTP/1.1 it does so on a reused connection only, which `fetch.ts` prevents for writes.
 */
export const NETWORK_SWITCHES = ['disable-http2', 'disable-quic'] as const

/** Accept any certificate. */
const CERTIFICATE_SWITCHES = ['ignore-certificate-errors', 'ignore-certificate-errors-spki-list']
/** Let another program control the page. */
const DEBUGGER_SWITCHES = ['remote-debugging-port', 'remote-debugging-pipe']

/** Sets the till's switches. Call before the app is ready. */
export function setChromiumSwitches(): void {
  for (const name of NETWORK_SWITCHES) app.commandLine.appendSwitch(name)
}

/**
 * Returns the first switch of the command line with which the till must not start, or null. A debugger is refused in an
 * installed app only, and not where Node's inspector is open already: a fuse forbids that in a release.
 */
export function refusedSwitch(): string | null {
  const refusesDebugger = app.isPackaged && inspectorUrl() === undefined
  const refused = [...CERTIFICATE_SWITCHES, ...(refusesDebugger ? DEBUGGER_SWITCHES : [])]
  return refused.find((name) => app.commandLine.hasSwitch(name)) ?? null
}
