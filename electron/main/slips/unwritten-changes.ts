/** Changes of the journal that the disk did not take: kept in memory, and written as soon as it does. */
import { type Logger, RepeatedError } from '../log/log.ts'
import { journalFailed, type Journal } from './journal/journal.ts'
import { InvalidTransitionError } from './journal/slip-table.ts'
import { isLockedError } from './journal/sqlite.ts'

const RETRY_INTERVAL_MS = 5000

/** A change of a slip or a batch. */
export interface JournalChange {
  /** intent id or batch id */
  readonly id: string
  /** throws as the journal does; nothing is written then */
  readonly write: () => void
}

/**
 * Keeps the outcome of what cannot be repeated: a response of the service, the end of a print job. Each change is
 * written by itself, so that one that fails does not hold up the others.
 */
export class UnwrittenChanges {
  readonly #journal: Journal
  readonly #log: Logger
  #changes: readonly JournalChange[] = []
  readonly #error = new RepeatedError()
  #timer: NodeJS.Timeout | undefined

  constructor(journal: Journal, log: Logger) {
    this.#journal = journal
    this.#log = log
  }

  /** Tries to write the kept changes if there are any of this slip or batch; returns whether none of them is left. */
  isWritten(id: string): boolean {
    const isKept = (): boolean => this.#changes.some((change) => change.id === id)
    if (isKept()) this.flush()
    return !isKept()
  }

  /** Writes the changes. Those that fail are kept; then the first error is thrown. */
  write(changes: readonly JournalChange[]): void {
    const [error] = this.#attempt(changes)
    if (error !== undefined) throw error
  }

  /** Keeps a change whose first attempt failed. */
  keep(change: JournalChange): void {
    this.#changes = [...this.#changes, change]
    this.#timer ??= setInterval(() => this.flush(), RETRY_INTERVAL_MS).unref()
  }

  /** Tries to write the kept changes. Never throws: the log has the errors. */
  flush(): void {
    const changes = this.#changes
    this.#changes = []
    for (const error of this.#attempt(changes)) {
      this.#error.failed(error, () => journalFailed(this.#journal, this.#log, error))
    }
    if (this.#changes.length > 0) return
    this.#error.succeeded()
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Tries a last time, and stops trying. */
  close(): void {
    this.flush()
    clearInterval(this.#timer)
  }

  /** Returns the errors. */
  #attempt(changes: readonly JournalChange[]): Error[] {
    const errors: Error[] = []
    for (const change of changes) {
      // Each attempt on a locked file blocks the process for seconds.
      if (errors.some(isLockedError)) {
        this.keep(change)
        continue
      }
      try {
        change.write()
      } catch (error) {
        errors.push(error instanceof Error ? error : new Error(String(error)))
        // A transition that the row does not have will never succeed.
        if (!(error instanceof InvalidTransitionError)) this.keep(change)
      }
    }
    return errors
  }
}
