/** What went wrong in a till that runs as a program of its own, for whoever started it. */
import type { Details, Log } from '../../electron/main/log/index.ts'
import { noOpLogger } from '../support/no-op-logger.ts'

const tell = (event: string, { error, ...details }: Details = {}): void => {
  const reason = error instanceof Error ? (error.stack ?? error.message) : ''
  process.stderr.write(`${event} ${JSON.stringify(details)} ${reason}\n`)
}

/** Writes errors to standard error, and nothing else. */
export const stderrLog: Log = { ...noOpLogger, error: tell }
