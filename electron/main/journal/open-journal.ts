/** Opens the journal's file: creates it, checks its integrity after a crash, quarantines a damaged one. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { isBlockedPath, quarantineFile } from '../fs/quarantine.ts'
import { runInWorker } from '../worker-thread.ts'
import { type HeldLock, Journal } from './journal.ts'
import { keepProgramSlips } from './program-slips.ts'
import { hasOwnSchema, lastShutdown, migrate, NewerSchemaError, type LastShutdown } from './schema.ts'
import type { JournalCheck } from './journal-check-worker.ts'
import { isForeignFileError, isLockedError, isSqliteError } from './sqlite.ts'

/** Thrown while another process has the journal open. */
export class JournalInUseError extends Error {
  override readonly name = 'JournalInUseError'
}

/**
 * Holds a journal for this process. Electron's single-instance lock is per machine: two machines can start a till on one
 * folder of the network, and the second would end the requests of the first. SQLite locks an empty file beside the
 * journal; the operating system releases it when the process ends, however it ends.
 */
class JournalLock implements HeldLock {
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

/** The outcome of opening. Nothing can be issued without a `journal`. */
export interface OpenedJournal {
  readonly journal: Journal | null
  /** new name of the damaged file; null when there was none */
  readonly quarantinedAs: string | null
  /** why the file is damaged or cannot be used, for the log */
  readonly error: unknown
}

export interface OpenJournalOptions {
  /** `verifyIntegrity` just succeeded: the file is not checked again */
  readonly isVerified?: boolean
  /** how long to wait for a file that another process has locked; `LOCK_TIMEOUT_MS` unless given */
  readonly lockTimeoutMs?: number
}

/** How long to wait for a file that another process has locked. */
export const LOCK_TIMEOUT_MS = 5000

/** Suffixes of SQLite's files beside a database. The write-ahead log may hold the newest rows. */
const COMPANIONS = ['-wal', '-shm']

/** Thrown when SQLite's integrity check finds damage. */
class IntegrityError extends Error {
  override readonly name = 'IntegrityError'
}

const isDamage = (error: unknown, file: string): boolean => {
  if (error instanceof IntegrityError) return true
  if (!isSqliteError(error)) return false
  // SQLite has no code of its own for a folder or another non-file.
  if (['', ...COMPANIONS].some((suffix) => isBlockedPath(file + suffix))) return true
  return isForeignFileError(error)
}

function open(
  file: string,
  lock: JournalLock,
  { isVerified = false, lockTimeoutMs = LOCK_TIMEOUT_MS }: OpenJournalOptions
): Journal {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs })
  try {
    // A commit must survive a power cut before the service is called: FULL syncs the write-ahead log each time.
    // fullfsync matters on macOS only, where fsync leaves the data in the drive's cache.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1')
    // What the retention removes is overwritten with zeros.
    database.exec('PRAGMA secure_delete = ON')
    // The complete check takes seconds in a journal of many years, so only after a crash. SQLite's quick check leaves out
    // the indexes, and an index without a row rejects the next transition of that row.
    const isClean = lastShutdown(database) === 'clean'
    if (!isClean && !isVerified) {
      const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
      if (check !== 'ok') throw new IntegrityError(String(check))
    }
    migrate(database)
    // SQLite accepts a changed definition, such as a partial index with another condition.
    if (!isClean && !hasOwnSchema(database)) throw new IntegrityError('The schema is damaged')
    keepProgramSlips(database, file)
    database.exec('UPDATE shutdown SET clean = 0')
    // With a shorter timeout, a locked file would be reported to the cashier as a failing disk.
    database.exec(`PRAGMA busy_timeout = ${String(LOCK_TIMEOUT_MS)}`)
    return new Journal(database, lock)
  } catch (error) {
    database.close()
    throw error
  }
}

function openOrReplace(
  file: string,
  lock: JournalLock,
  now: Date,
  options: OpenJournalOptions
): OpenedJournal {
  try {
    return { journal: open(file, lock, options), quarantinedAs: null, error: null }
  } catch (error) {
    if (error instanceof NewerSchemaError || !isDamage(error, file)) {
      return { journal: null, quarantinedAs: null, error }
    }
    let quarantinedAs: string | null = null
    try {
      quarantinedAs = quarantineFile(file, now, COMPANIONS)
      return { journal: open(file, lock, {}), quarantinedAs, error }
    } catch (second) {
      return { journal: null, quarantinedAs, error: second }
    }
  }
}

/**
 * Opens the journal in `file`, and creates it and its folder when absent; the journal holds its `JournalLock` until it
 * is closed. A damaged file is renamed with the date `now`, and a new journal replaces it. Never throws: the error of a
 * journal that another till has open is a `JournalInUseError`.
 */
export function openJournal(file: string, now: Date, options: OpenJournalOptions = {}): OpenedJournal {
  let lock: JournalLock
  try {
    lock = new JournalLock(file)
  } catch (error) {
    return { journal: null, quarantinedAs: null, error }
  }
  const opened = openOrReplace(file, lock, now, options)
  if (opened.journal === null) lock.release()
  return opened
}

const runJournalCheck = (check: JournalCheck): Promise<boolean> =>
  runInWorker(new URL('./journal-check-worker.ts', import.meta.url), check, v.boolean())

const shutdownOf = (file: string, lockTimeoutMs: number): LastShutdown => {
  if (!existsSync(file)) return 'clean'
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs })
  try {
    return lastShutdown(database)
  } finally {
    database.close()
  }
}

/**
 * Checks a journal that was not shut down cleanly, in a worker thread: main stays responsive meanwhile. The first slip
 * waits for it, so it is SQLite's quick check, which reads each page once; `isIntact` does the rest when the journal is
 * open. A journal in which damage was found is checked completely. Resolves with true when nothing was found; with false
 * when no check is needed, or when it failed: `openJournal` finds the reason.
 */
export async function verifyIntegrity(file: string, lockTimeoutMs = LOCK_TIMEOUT_MS): Promise<boolean> {
  try {
    return await withJournalLock(file, async () => {
      const shutdown = shutdownOf(file, lockTimeoutMs)
      if (shutdown === 'clean') return false
      const pragma = shutdown === 'damaged' ? 'integrity_check' : 'quick_check'
      return runJournalCheck({ file, pragma, isOpen: false })
    })
  } catch {
    return false
  }
}

/**
 * Checks an open journal completely, in a worker thread: slips are issued meanwhile. It compares each index with its
 * table, which takes several times as long as the quick check. Rejects when the file cannot be read.
 */
export const isIntact = (file: string): Promise<boolean> =>
  runJournalCheck({ file, pragma: 'integrity_check', isOpen: true })

const backupCheckSchema = v.variant('kind', [
  /** with the number of its `slips` */
  v.object({ kind: v.literal('intact'), slips: v.number() }),
  v.object({ kind: v.literal('damaged'), reason: v.string() })
])

/**
 * Checks a copy of a journal that no process has open, in a worker thread. A file that cannot be opened, or has no
 * slips table, is damaged. Rejects when the worker exits unexpectedly.
 */
export const checkBackup = (file: string): Promise<v.InferOutput<typeof backupCheckSchema>> =>
  runInWorker(new URL('./backup-check-worker.ts', import.meta.url), file, backupCheckSchema)
