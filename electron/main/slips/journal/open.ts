/** Opens the journal's file: whole, or set aside when damaged, or not at all when it cannot be written. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isNoFile, setAside } from '../../fs/set-aside.ts'
import { createJournal, type Journal } from './journal.ts'
import { wasClosed } from './closing.ts'
import { migrate, NewerJournal } from './schema.ts'

/** What opening came to. Without a `journal` nothing can be issued. */
export interface Opened {
  readonly journal: Journal | null
  /** name of the file that a damaged journal was kept under; null when there was none */
  readonly setAside: string | null
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
  if (['', ...COMPANIONS].some((ending) => isNoFile(file + ending))) return true
  return [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR].includes(Number(error.errcode) & 0xff)
}

/** Milliseconds that a journal is waited for which another program has locked. */
export const PATIENCE = 5000

/** How a journal is opened. */
export interface Opening {
  /** it was found whole just now, see `isCheckedWhole` */
  readonly isChecked?: boolean
  /** milliseconds that a locked one is waited for; `PATIENCE` unless given */
  readonly patience?: number
}

function open(file: string, { isChecked = false, patience = PATIENCE }: Opening): Journal {
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
    database.exec(`PRAGMA busy_timeout = ${PATIENCE}`)
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
    return { journal: open(file, opening), setAside: null, error: null }
  } catch (error) {
    if (error instanceof NewerJournal || !isDamage(error, file))
      return { journal: null, setAside: null, error }
    let keptAs: string | null = null
    try {
      keptAs = setAside(file, now, COMPANIONS)
      return { journal: open(file, {}), setAside: keptAs, error }
    } catch (second) {
      return { journal: null, setAside: keptAs, error: second }
    }
  }
}
