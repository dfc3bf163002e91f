/** Telling what happened, one line of JSON an event. Never a token, a phone, an e-mail or a code. */

/** Writes one event with its details. */
export type Log = (event: string, details?: Readonly<Record<string, unknown>>) => void

/** A log to standard error, which the operating system or a terminal keeps. */
export function createLog(now: () => Date): Log {
  return (event, details = {}) => {
    const printable = Object.entries(details).map(([key, value]) => [
      key,
      value instanceof Error ? (value.stack ?? value.message) : value
    ])
    process.stderr.write(
      `${JSON.stringify({ time: now().toISOString(), event, ...Object.fromEntries(printable) })}\n`
    )
  }
}
