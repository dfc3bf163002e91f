/** Opens the journal's file: whole, or set aside when damaged, or not at all when it cannot be written. */
import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import * as v from 'valibot'
import { isBlockedPath, quarantineFile } from '../../fs/quarantine.ts'
import { createJournal, type Journal } from './journal.ts'
import { migrate, NewerSchemaError, wasClosed } from './schema.ts'

/** What opening came to. Without a `journal` nothing can be issued. */
export interface Opened {
  readonly journal: Journal | null
  /** name of the file that a damaged journal was kept under; null when there was none */
  readonly quarantineFile: string | null
  /** why the journal is damaged or cannot be used, for the log */
  readonly error: unknown
}

/** SQLite's primary result codes for a file that is not a whole database (sqlite.org/rescode.html). */
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
/** Files that SQLite keeps beside a database. The log may hold the newest rows. */
const COMPANIONS = ['-wal', '-shm']
/** Generic error: a file at a known version whose tables are not the journal's. */
const SQLITE_ERROR = 1

/** Raised when SQLite's own check found the file broken. */
class BrokenFile extends Error {}

const isDamage = (error: unknown, file: string): boolean => {
  if (error instanceof BrokenFile) return true
  if (!(error instanceof Error) || !('errcode' in error)) return false
  // SQLite has no code of its own for what is no file at all.
  if (['', ...COMPANIONS].some((ending) => isBlockedPath(file + ending))) return true
  return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].includes(Number(error.errcode) & 0xff)
}

/** Milliseconds that a journal is waited for which another program has locked. */
export const LOCK_TIMEOUT_MS = 5000

/** How a journal is opened. */
export interface Opening {
  /** it was found whole just now, see `verifyIntegrity` */
  readonly isChecked?: boolean
  /** milliseconds that a locked one is waited for; `LOCK_TIMEOUT_MS` unless given */
  readonly patience?: number
}

function open(file: string, { isChecked = false, patience = LOCK_TIMEOUT_MS }: Opening): Journal {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file, { timeout: patience })
  try {
    // A commit must survive a power cut before points are asked for: FULL syncs the write-ahead log each time.
    // fullfsync matters on macOS only, where fsync alone leaves the data in the drive's cache.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = 1')
    // Only a file that nobody closed is read page by page, which takes seconds in a journal of many years. SQLite's
    // quick check leaves out the indexes, and one that lacks a row refuses that row's next step at every start.
    if (!isChecked && !wasClosed(database)) {
      const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
      if (check !== 'ok') throw new BrokenFile(String(check))
    }
    migrate(database)
    database.exec('UPDATE closing SET clean = 0')
    // A page that waits for less would be told of a disk that fails.
    database.exec(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`)
    return createJournal(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Opens the journal in `file`, making it and its folder when absent. Never throws; `now` dates a file that is set
 * aside.
 */
export function openJournal(file: string, now: Date, opening: Opening = {}): Opened {
  try {
    return { journal: open(file, opening), quarantineFile: null, error: null }
  } catch (error) {
    if (error instanceof NewerSchemaError || !isDamage(error, file))
      return { journal: null, quarantineFile: null, error }
    let keptAs: string | null = null
    try {
      keptAs = quarantineFile(file, now, COMPANIONS)
      return { journal: open(file, {}), quarantineFile: keptAs, error }
    } catch (second) {
      return { journal: null, quarantineFile: keptAs, error: second }
    }
  }
}

/* from check-ahead.ts:
 * Checking a journal that was not closed before it is opened: SQLite reads all of the file for that, which takes
 * seconds in a journal of many years, and the till answers its page meanwhile.
 */

/** Runs in the thread, from its source. */
function checkJournalInThread(): void {
  const { parentPort, ...thread } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(String(thread.workerData), { timeout: 5000 })
  try {
    parentPort?.postMessage(database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok')
  } finally {
    database.close()
  }
}

const needsCheck = (file: string, patience: number): boolean => {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { timeout: patience })
  try {
    return !wasClosed(database)
  } finally {
    database.close()
  }
}

/**
 * Whether the journal in `file` was checked just now and found whole. False where that was not needed, or did not
 * work out: whoever opens it finds out why. Never rejects. `patience` as in `Opening`.
 */
export async function verifyIntegrity(file: string, patience = LOCK_TIMEOUT_MS): Promise<boolean> {
  try {
    return needsCheck(file, patience) && (await checkInThread(checkJournalInThread, file, v.boolean()))
  } catch {
    return false
  }
}

/* from check-thread.ts: Reading a journal's file in a thread of its own: it may take seconds, and neither the page nor a slip waits for it. */

/**
 * Runs `work` in a thread, from its source: nothing outside of it is known there. It finds `file` as `workerData`, and
 * posts one message, which `schema` reads. Rejects when it posts something else, throws, or ends without a word.
 */
function checkInThread<Found>(
  work: () => void,
  file: string,
  schema: v.GenericSchema<unknown, Found>
): Promise<Found> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(`(${work.toString()})()`, { eval: true, workerData: file })
    thread.once('message', (message: unknown) => {
      const checked = v.safeParse(schema, message)
      if (checked.success) resolve(checked.output)
      else reject(new Error('The check told something else'))
    })
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The check ended with ${String(code)}`)))
  })
}

/* from check.ts: Reading a copy of the journal page by page. */

const checkResultSchema = v.variant('kind', [
  /** `version` of its tables; `slips` in it */
  v.object({ kind: v.literal('whole'), version: v.number(), slips: v.number() }),
  v.object({ kind: v.literal('damaged'), reason: v.string() })
])

/** What the file is. */
type BackupCheck = v.InferOutput<typeof checkResultSchema>

/** Runs in the thread, from its source: nothing outside of it is known there. Makes a single file of the database. */
function checkBackupInThread(): void {
  const { parentPort, ...thread } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  try {
    const database = new DatabaseSync(String(thread.workerData))
    try {
      database.exec('PRAGMA journal_mode = DELETE')
      const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
      const version = database.prepare('PRAGMA user_version').get()?.['user_version']
      const slips = database.prepare('SELECT count(*) AS count FROM slips').get()?.['count']
      parentPort?.postMessage(
        check === 'ok'
          ? { kind: 'whole', version: Number(version), slips: Number(slips) }
          : { kind: 'damaged', reason: String(check) }
      )
    } finally {
      database.close()
    }
  } catch (error) {
    parentPort?.postMessage({ kind: 'damaged', reason: String(error) })
  }
}

/**
 * Checks a copy of a journal that nobody has open, and leaves it as a single file, without a write-ahead log beside it.
 * A file that cannot be opened, or has no slips, is damaged. Rejects when the thread ends unforeseen.
 */
export const checkBackup = (file: string): Promise<BackupCheck> =>
  checkInThread(checkBackupInThread, file, checkResultSchema)
