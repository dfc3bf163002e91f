/** The journal: every slip that this till requested. Each step is on disk before the next one starts. */
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { err, type Failure, type Result } from '../../../contract/failure.ts'
import type { Logger } from '../../log/log.ts'
import { BatchTable } from './batch-table.ts'
import { SlipHistory } from './history.ts'
import { JournalRetention } from './retention.ts'
import type { JournalListener } from './rows.ts'
import { BATCH_UNFINISHED } from './schema.ts'
import { nextState, type SlipEvent, SlipTable } from './slip-table.ts'
import { isDamageError, isLockedError, transaction } from './sqlite.ts'
import { SlipStatistics } from './statistics.ts'

/** Hashes by image: a till issues with the same logo all day. */
const hashes = new WeakMap<Uint8Array, string>()

/** Returns the key of a logo: the SHA-256 of its bytes. */
export function logoHash(image: Uint8Array): string {
  const known = hashes.get(image)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(image).digest('hex')
  hashes.set(image, hash)
  return hash
}

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

  /** Stores an image unless it is stored already. Throws as SQLite does when the disk fails. */
  add(image: Uint8Array): void {
    const hash = logoHash(image)
    if (hash === this.#lastInserted) return
    this.#insert.run(hash, image)
    this.#lastInserted = hash
  }

  /** Returns the image with this `logoHash`, or null. */
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
 * time, and slips without a printout become those of a stopped till, whose printout may be with a customer.
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
    // Opening the journal ends them as `print-failed`.
    database.exec(`UPDATE slips SET state = 'printing' WHERE state IN ('issued', 'print-failed')`)
  })
}

/**
 * The tables of an open journal. Every method of a table throws as SQLite does when the disk fails; a value that was
 * returned is on disk.
 */
export class Journal {
  readonly slips: SlipTable
  readonly batches: BatchTable
  readonly logos: LogoTable
  readonly history: SlipHistory
  readonly statistics: SlipStatistics
  readonly retention: JournalRetention
  readonly #database: DatabaseSync
  readonly #lock: JournalLock | null
  readonly #listeners: JournalListener[] = []
  /** reports of the changes of a transaction that is open; null: none is */
  #uncommitted: (() => void)[] | null = null
  /** the check that the next start needs */
  #neededCheck: 'quick' | 'full' | null = null

  /**
   * Takes over an open database of the current schema version, and ends what a stopped process left pending.
   * @param lock released when the journal is closed
   */
  constructor(database: DatabaseSync, lock: JournalLock | null = null) {
    recover(database)
    this.#database = database
    this.#lock = lock
    const reports: JournalListener = {
      rowChanged: (row, change) => this.#report((listener) => listener.rowChanged?.(row, change)),
      batchStarted: (batch) => this.#report((listener) => listener.batchStarted?.(batch)),
      batchStateChanged: (...change) => this.#report((listener) => listener.batchStateChanged?.(...change))
    }
    this.slips = new SlipTable(database, [reports])
    this.batches = new BatchTable(database, [reports])
    this.logos = new LogoTable(database)
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

/** Logs an error of the journal and returns `not-saved`. A damaged file is checked at the next start. */
export function journalFailed(journal: Journal, log: Logger, error: unknown): Result<never> {
  log.error('journal-not-written', { error })
  if (isDamageError(error)) journal.requireCheck('full')
  return err(JOURNAL_NOT_SAVED)
}

/** Thrown while another process has the journal open. */
export class JournalInUseError extends Error {
  override readonly name = 'JournalInUseError'
}

/**
 * Holds a journal for this process. Electron's single-instance lock is per machine: two machines can start a till on one
 * folder of the network, and the second would end the requests of the first. SQLite locks an empty file beside the
 * journal; the operating system releases it when the process ends, however it ends.
 */
export class JournalLock {
  readonly #database: DatabaseSync

  /** Throws `JournalInUseError` while the journal is held, also by this process; or as SQLite does. */
  constructor(journalFile: string) {
    mkdirSync(dirname(journalFile), { recursive: true })
    this.#database = new DatabaseSync(`${journalFile}.lock`, { timeout: 0 })
    try {
      this.#database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      this.#database.close()
      throw isLockedError(error) ? new JournalInUseError('Another till has the journal open') : error
    }
  }

  release(): void {
    if (this.#database.isOpen) this.#database.close()
  }
}

/** Runs `work` while this process holds the journal. Rejects as `JournalLock` throws. */
export async function withJournalLock<Value>(
  journalFile: string,
  work: () => Promise<Value>
): Promise<Value> {
  const lock = new JournalLock(journalFile)
  try {
    return await work()
  } finally {
    lock.release()
  }
}
