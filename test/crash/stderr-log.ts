/** What went wrong in a till that runs as a program of its own, for whoever started it. */
import type { Details, Log } from '../../electron/main/log/index.ts'
import { quietLog } from '../support/quiet-log.ts'

const tell = (event: string, { error, ...details }: Details = {}): void => {
  const reason = error instanceof Error ? (error.stack ?? error.message) : ''
  process.stderr.write(`${event} ${JSON.stringify(details)} ${reason}\n`)
}

/** Writes errors to standard error, and nothing else. */
export const stderrLog: Log = { ...quietLog, error: tell }
