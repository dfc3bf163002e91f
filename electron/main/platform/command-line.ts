/** Chromium's switches that the till sets. */
import { app } from 'electron'

/**
 * HTTP/2 and HTTP/3 are off, because Chromium repeats a request by itself when such a connection fails, a POST too and on
 * a new connection (`HttpNetworkTransaction::HandleIOError`): after REFUSED_STREAM, HTTP_1_1_REQUIRED, a lost ping, and
 * an error of QUIC. Over HTTP/1.1 it does so on a reused connection only, which `fetch.ts` prevents for writes.
 */
export const NETWORK_SWITCHES = ['disable-http2', 'disable-quic'] as const

/** Sets the till's switches. Call before the app is ready. */
export function setChromiumSwitches(): void {
  for (const name of NETWORK_SWITCHES) app.commandLine.appendSwitch(name)
}
