/** A log of errors for a child process. */
import type { LogDetails, Logger } from '../../electron/main/log/log.ts'
import { noOpLogger } from '../support/no-op-logger.ts'

const tell = (event: string, { error, ...details }: LogDetails = {}): void => {
  const reason = error instanceof Error ? (error.stack ?? error.message) : ''
  process.stderr.write(`${event} ${JSON.stringify(details)} ${reason}\n`)
}

/** Writes errors to standard error, and drops other entries. */
export const stderrLog: Logger = { ...noOpLogger, error: tell }
