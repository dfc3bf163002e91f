/** The journal: every slip that this till requested. Each step is on disk before the next one starts. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { type Logger, RepeatedError } from '../log/log.ts'
import { BatchTable } from './batch-table.ts'
import { CollectionTable } from './collection-table.ts'
import { SlipHistory } from './history.ts'
import { JournalRetention } from './row-removal.ts'
import { endOperations, OperationTable } from './operation-table.ts'
import type { JournalListener } from './journal-listener.ts'
import { BATCH_UNFINISHED } from './schema.ts'
import { InvalidTransitionError, nextState, type SlipEvent, SlipTable } from './slip-table.ts'
import { isDamageError, isLockedError, transaction } from './sqlite.ts'
import { SlipStatistics } from './statistics.ts'

/** The logos that slips were issued with, each once: a slip that is printed next year shows the logo of today. */
export class LogoTable {
  readonly #insert: StatementSync
  readonly #select: StatementSync
  #lastInserted: string | null = null
  #lastRead: { readonly hash: string; readonly image: Uint8Array } | null = null

  constructor(database: DatabaseSync) {
    this.#insert = database.prepare('INSERT OR IGNORE INTO logos (hash, image) VALUES (?, ?)')
    this.#select = database.prepare('SELECT image FROM logos WHERE hash = ?')
  }

  /** Stores an image under its hash unless it is stored already. Throws as SQLite does when the disk fails. */
  add(hash: string, image: Uint8Array): void {
    if (hash === this.#lastInserted) return
    this.#insert.run(hash, image)
    this.#lastInserted = hash
  }

  /** Returns the image with this hash, or null. */
  get(hash: string): Uint8Array | null {
    if (this.#lastRead?.hash === hash) return this.#lastRead.image
    const image = this.#select.get(hash)?.['image']
    if (!(image instanceof Uint8Array)) return null
    this.#lastRead = { hash, image }
    return image
  }
}

/**
 * Ends the slips, copies and batches that a stopped process left pending: their outcome is unknown. Writes a
 * transaction even when there is nothing to end, so that a read-only disk is detected before the first customer.
 */
function recover(database: DatabaseSync): void {
  const stopped: Failure = { kind: 'unknown-outcome', cause: 'till-stopped' }
  const reason = JSON.stringify(stopped)
  const end = (from: 'requested' | 'printing', event: SlipEvent): void => {
    database
      .prepare('UPDATE slips SET state = ?, failure = ?, revision = revision + 1 WHERE state = ?')
      .run(nextState(from, event), reason, from)
  }
  transaction(database, () => {
    end('requested', 'answer-lost')
    end('printing', 'print-failed')
    endOperations(database, reason)
    database
      .prepare(`UPDATE copies SET state = 'print-failed', failure = ? WHERE state = 'printing'`)
      .run(reason)
    database
      .prepare(
        `UPDATE batches SET state = 'stopped', reason = ? WHERE state = 'running' AND ${BATCH_UNFINISHED}`
      )
      .run(reason)
  })
}

/**
 * Prepares a journal that was restored from a backup, before it is opened. After the backup its batches may have
 * continued, and its codes may have been printed: the batches end as cancelled, so that no code is requested a second
 * time, and slips without a printout become those of a stopped till, whose printout may be with a customer. So may that of a
 * slip whose answer is not in the backup: it is not asked for again.
 * @param endedAt ISO 8601, UTC
 */
export function endRestoredWork(database: DatabaseSync, endedAt: string): void {
  transaction(database, () => {
    database
      .prepare(
        `UPDATE batches SET state = 'cancelled', reason = NULL, ended_at = ? WHERE ${BATCH_UNFINISHED}`
      )
      .run(endedAt)
    // A printout of a slip that was shown gets the mark COPY from now on.
    database
      .prepare(
        `UPDATE slips SET state = 'given', ended_at = ?, note = '', revision = revision + 1 WHERE state = 'shown'`
      )
      .run(endedAt)
    database.exec(`UPDATE slips SET keyed = 0 WHERE state IN ('requested', 'unknown')`)
    // Opening the journal ends them as `print-failed`.
    database.exec(`UPDATE slips SET state = 'printing' WHERE state IN ('issued', 'print-failed')`)
  })
}

/** Implemented by `JournalLock`. */
export interface HeldLock {
  release(): void
}

/**
 * The tables of an open journal. Every method of a table throws as SQLite does when the disk fails; a value that was
 * returned is on disk.
 */
export class Journal {
  readonly slips: SlipTable
  readonly batches: BatchTable
  readonly operations: OperationTable
  readonly logos: LogoTable
  readonly collections: CollectionTable
  readonly history: SlipHistory
  readonly statistics: SlipStatistics
  readonly retention: JournalRetention
  readonly #database: DatabaseSync
  readonly #lock: HeldLock | null
  readonly #listeners: JournalListener[] = []
  /** reports of the changes of a transaction that is open; null: none is */
  #uncommitted: (() => void)[] | null = null
  /** the check that the next start needs */
  #neededCheck: 'quick' | 'full' | null = null

  /**
   * Takes over an open database of the current schema version, and ends what a stopped process left pending.
   * @param lock released when the journal is closed
   */
  constructor(database: DatabaseSync, lock: HeldLock | null = null) {
    recover(database)
    this.#database = database
    this.#lock = lock
    const reports: JournalListener = {
      rowChanged: (row, change) => this.#report((listener) => listener.rowChanged?.(row, change)),
      operationChanged: (...change) => this.#report((listener) => listener.operationChanged?.(...change)),
      batchStarted: (batch) => this.#report((listener) => listener.batchStarted?.(batch)),
      batchStateChanged: (...change) => this.#report((listener) => listener.batchStateChanged?.(...change))
    }
    this.slips = new SlipTable(database, [reports])
    this.batches = new BatchTable(database, [reports])
    this.operations = new OperationTable(database, [reports])
    this.logos = new LogoTable(database)
    this.collections = new CollectionTable(database, [reports])
    this.history = new SlipHistory(database)
    this.statistics = new SlipStatistics(database)
    this.retention = new JournalRetention(database)
  }

  /** Calls `listener` for each further change, once it is on disk. */
  addListener(listener: JournalListener): void {
    this.#listeners.push(listener)
  }

  /**
   * Runs `work` in one transaction: its changes are on disk when it returned, and none of them when it threw. Listeners
   * receive them afterwards. Throws what `work` or SQLite throws.
   */
  atomically<Value>(work: () => Value): Value {
    const reports: (() => void)[] = []
    this.#uncommitted = reports
    let value: Value
    try {
      value = transaction(this.#database, work)
    } finally {
      this.#uncommitted = null
    }
    for (const report of reports) report()
    return value
  }

  /**
   * Makes the next start check the file for damage, however this process ends: completely before it is used if damage
   * was found (`full`). A later `quick` does not replace `full`.
   */
  requireCheck(check: 'quick' | 'full'): void {
    if (this.#neededCheck === 'full') return
    this.#neededCheck = check
    if (check === 'quick' || !this.#database.isOpen) return
    try {
      this.#database.exec('UPDATE shutdown SET clean = -1')
    } catch {
      // The damage may be here: the file then counts as not closed.
    }
  }

  /** Withdraws `requireCheck('quick')`: the file was checked completely. */
  passCheck(): void {
    if (this.#neededCheck === 'quick') this.#neededCheck = null
  }

  /** Marks the shutdown as clean, and closes the file. A second call does nothing. */
  close(): void {
    if (!this.#database.isOpen) return
    for (const listener of this.#listeners) listener.closing?.()
    try {
      if (this.#neededCheck === null) this.#database.exec('UPDATE shutdown SET clean = 1')
    } finally {
      this.#database.close()
      this.#lock?.release()
    }
  }

  /** Calls the listeners, or keeps the call until the transaction that is open has ended. */
  #report(change: (listener: JournalListener) => void): void {
    const report = (): void => {
      for (const listener of this.#listeners) change(listener)
    }
    if (this.#uncommitted === null) report()
    else this.#uncommitted.push(report)
  }
}

/** The failure of a call whose change the journal could not store. */
export const JOURNAL_NOT_SAVED: Failure = { kind: 'not-saved', what: 'journal' }

/** Resolves with what `call` returns; with `not-saved` when the disk fails. */
export async function guardJournal<Value>(
  journal: Journal,
  log: Logger,
  call: () => Result<Value> | Promise<Result<Value>>
): Promise<Result<Value>> {
  try {
    return await call()
  } catch (error) {
    return journalFailed(journal, log, error)
  }
}

/** Returns what `query` reads; `internal` when the journal cannot be read. */
export function readJournal<Value>(journal: Journal, log: Logger, query: () => Value): Result<Value> {
  try {
    return ok(query())
  } catch (error) {
    journalFailed(journal, log, error)
    return err({ kind: 'internal' })
  }
}

/** Logs an error of the journal and returns `not-saved`. A damaged file is checked at the next start. */
export function journalFailed(journal: Journal, log: Logger, error: unknown): Result<never> {
  log.error('journal-not-written', { error })
  if (isDamageError(error)) journal.requireCheck('full')
  return err(JOURNAL_NOT_SAVED)
}

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
