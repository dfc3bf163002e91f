/** The journal's daily backup: at the first start of a day, and at midnight of a till that stays open. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { renameDurably } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import { checkBackup } from './journal/open-journal.ts'

/** How often an open till looks whether a new day has begun, or a backup that failed is to be tried again. */
const LOOK_EVERY_MS = 15 * 60_000

/** What must stay free for the slips themselves once the copy is there, in bytes. */
const RESERVE = 50_000_000

interface BackupsOptions {
  readonly journalFile: string
  /** where they are kept; made at the first one */
  readonly folder: string
  readonly now: () => Date
  readonly log: Logger
  /** bytes that are free where `folder` is; asked of the system unless given */
  readonly free?: (folder: string) => number
}

/** The backups of one journal. Nothing here throws or rejects: a till without a backup goes on, and its log says why. */
export interface Backups {
  /** Makes today's, unless it is there; a second call joins the first. True when today's is there. */
  today(): Promise<boolean>
  /** Makes today's now and each day's from then on. */
  start(): void
  /** Full path of the newest one; null when there is none. */
  newest(): string | null
  /** How many there are. */
  count(): number
  /** Begins no more, and resolves when the one under way is done. */
  stop(): Promise<void>
}

/** Raised when there is no room for a copy beside what the till itself needs. */
class NoRoom extends Error {}

const freeAt = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Makes the backups of the journal in `journalFile`. */
export function createBackups({ journalFile, folder, now, log, free = freeAt }: BackupsOptions): Backups {
  let underWay: Promise<boolean> | null = null
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const make = async (name: string): Promise<void> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const needed = statSync(journalFile).size + RESERVE
    if (free(folder) < needed) throw new NoRoom(`A copy needs ${String(needed)} bytes of room`)
    const part = join(folder, `${name}.part`)
    const removePart = (): void => {
      for (const ending of ['', '-journal', '-wal', '-shm']) rmSync(part + ending, { force: true })
    }
    // Left there by a till that was killed.
    removePart()
    try {
      await copyJournal(journalFile, part)
      chmodSync(part, 0o600)
      const checked = await checkBackup(part)
      if (checked.kind === 'damaged') throw new Error(`The copy is damaged: ${checked.reason}`)
      await renameDurably(part, join(folder, name))
      log.info('backup-made', { backup: name, slips: checked.slips })
    } finally {
      removePart()
    }
    prune(folder)
  }

  const today = async (): Promise<boolean> => {
    const name = nameOf(now())
    if (existsSync(join(folder, name))) return true
    try {
      await make(name)
      return true
    } catch (error) {
      log.error('backup-failed', { backup: name, error })
      return false
    }
  }

  const share = (): Promise<boolean> => {
    underWay ??= today().finally(() => {
      underWay = null
    })
    return underWay
  }

  return {
    today: share,
    start() {
      if (stopped || timer !== undefined) return
      timer = setInterval(() => void share(), LOOK_EVERY_MS)
      // A till that has nothing else to do may end.
      timer.unref()
      void share()
    },
    newest() {
      const [name] = backupsIn(folder)
      return name === undefined ? null : join(folder, name)
    },
    count: () => backupsIn(folder).length,
    async stop() {
      stopped = true
      clearInterval(timer)
      await underWay
    }
  }
}

/* from copy.ts: Copying a journal that is in use. */

/** Pages of a step: between two steps the till does other things. */
const PAGES = 256

/**
 * Writes the journal as it is now to `to`, a file that is not there yet. What is written meanwhile is neither in the
 * copy nor held up: a write-ahead log lets one connection write while another reads an older state. Rejects as SQLite
 * does.
 */
async function copyJournal(journalFile: string, to: string): Promise<void> {
  const database = new DatabaseSync(journalFile, { readOnly: true, timeout: 5000 })
  try {
    // Without a transaction that holds its state, SQLite begins the copy anew with each slip that is written.
    database.exec('BEGIN')
    database.prepare('PRAGMA schema_version').get()
    await backup(database, to, { rate: PAGES })
  } finally {
    database.close()
  }
}

/* from kept.ts: The backups that are there: one file a day, named after it. */

/** Days that are kept. */
export const KEPT = 14

const NAME = /^journal-\d{4}-\d\d-\d\d\.sqlite$/

/** The file of the day that `now` is in, by the clock on the wall. */
export function nameOf(now: Date): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `journal-${String(now.getFullYear())}-${String(month)}-${String(day)}.sqlite`
}

/** Names of the backups in `folder`, newest first; none when it is not there or cannot be read. */
function backupsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted()
      .toReversed()
  } catch {
    return []
  }
}

/** Removes the oldest beyond those that are kept. Throws as the disk does. */
function prune(folder: string): void {
  for (const name of backupsIn(folder).slice(KEPT)) rmSync(join(folder, name))
}
