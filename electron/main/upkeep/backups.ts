/** The journal's daily backups: at the first start of a day, and at midnight while the app stays open. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type SQLOutputValue } from 'node:sqlite'
import { renameDurably } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import { checkBackup } from '../journal/open-journal.ts'

/** Interval of the checks for a new day, and of the retries after a failure. */
const CHECK_INTERVAL_MS = 15 * 60_000

/** Bytes that stay free for the slips beside the copy. */
const RESERVED_BYTES = 50_000_000

/** Pages that are copied at once; main handles other work between two steps. */
const PAGES_PER_STEP = 256

/** Retention: older backups of the same journal are removed. The newest one stays, whatever its size. */
const MAX_BACKUPS = 14
const MAX_TOTAL_BYTES = 3_000_000_000

const BACKUP_NAME = /^journal-\d{4}-\d\d-\d\d\.sqlite$/

export interface BackupsDependencies {
  readonly journalFile: string
  /** created with the first backup */
  readonly folder: string
  readonly now: () => Date
  readonly log: Logger
  /** returns the free bytes of the disk; asks the system unless given */
  readonly freeBytes?: (folder: string) => number
  /** maximum size of all backups of a journal; 3 GB unless given */
  readonly maxTotalBytes?: number
}

/** Thrown when the disk has no room for a copy beside `RESERVED_BYTES`. */
class NotEnoughSpaceError extends Error {
  override readonly name = 'NotEnoughSpaceError'
}

const freeBytesOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** The file name of a day, by the system's local time. */
function backupName(now: Date): string {
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0'))
  return `journal-${String(now.getFullYear())}-${String(month)}-${String(day)}.sqlite`
}

/**
 * Writes the journal as it is now to `to`, a new file. The write-ahead log lets slips be issued meanwhile; they are not
 * in the copy. Rejects as SQLite does.
 */
async function copyJournal(journalFile: string, to: string): Promise<void> {
  const database = new DatabaseSync(journalFile, { readOnly: true, timeout: 5000 })
  try {
    // Without an open read transaction, SQLite restarts the copy with each slip that is written.
    database.exec('BEGIN')
    database.prepare('PRAGMA schema_version').get()
    await backup(database, to, { rate: PAGES_PER_STEP })
  } finally {
    database.close()
  }
}

/** Returns the first row of a query of a journal or a backup; null if there is none, or if the file cannot be read. */
function firstRow(
  file: string,
  query: string,
  values: Readonly<Record<string, SQLInputValue>> = {}
): Readonly<Record<string, SQLOutputValue>> | null {
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    try {
      return database.prepare(query).get(values) ?? null
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}

/** Returns the id of the journal that a backup is a copy of, or null when it cannot be read. */
const journalIdOf = (file: string): SQLOutputValue =>
  firstRow(file, 'SELECT journal_id FROM identity')?.['journal_id'] ?? null

/** A slip of another day than `from` to `until` that a backup of this journal does not hold. */
const MISSING_SLIP = `
  SELECT number FROM slips
  WHERE number > :last AND :journalId = (SELECT journal_id FROM identity)
    AND (min(requested_at, coalesce(issued_at, requested_at)) < :from
      OR max(requested_at, coalesce(issued_at, requested_at)) >= :until)
  LIMIT 1
`

/**
 * Returns whether a file with the name of today is the backup of today: it holds all slips of other days, by the clocks of
 * the till and of the service. A wrong clock may have given it the name of a day that was yet to come.
 */
function isOfToday(file: string, journalFile: string, now: Date): boolean {
  const backup = firstRow(
    file,
    'SELECT journal_id, (SELECT coalesce(max(number), 0) FROM slips) AS last FROM identity'
  )
  if (backup === null) return false
  const dayStart = (offset: number): string =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset).toISOString()
  const { journal_id: journalId = null, last = null } = backup
  const missing = firstRow(journalFile, MISSING_SLIP, {
    journalId,
    last,
    from: dayStart(0),
    until: dayStart(1)
  })
  return missing === null
}

/** No method throws or rejects: the app works without a backup, and the log has the reason. */
export class Backups {
  readonly #dependencies: BackupsDependencies
  #pending: Promise<boolean> | null = null
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  /** the name that the last check found or gave: under a wrong clock, slips of other days follow */
  #checked: string | null = null

  constructor(dependencies: BackupsDependencies) {
    this.#dependencies = dependencies
  }

  /** Backs the journal up now and on each further day. */
  start(): void {
    if (this.#isStopped || this.#timer !== undefined) return
    this.#timer = setInterval(() => void this.backUpToday(), CHECK_INTERVAL_MS)
    // The timer does not keep the process alive.
    this.#timer.unref()
    void this.backUpToday()
  }

  /** Makes the backup of today unless it exists; resolves with whether it exists. Two calls at once share one. */
  backUpToday(): Promise<boolean> {
    this.#pending ??= this.#ensureToday().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  /** Returns the full path of the newest backup, or null. */
  newest(): string | null {
    const [name] = this.#names()
    return name === undefined ? null : join(this.#dependencies.folder, name)
  }

  count(): number {
    return this.#names().length
  }

  /** Starts no more backups, and resolves when the pending one is done. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#pending
  }

  async #ensureToday(): Promise<boolean> {
    const { journalFile, folder, now, log } = this.#dependencies
    const name = backupName(now())
    const file = join(folder, name)
    try {
      const isThere = existsSync(file) && (name === this.#checked || isOfToday(file, journalFile, now()))
      if (!isThere) await this.#backUp(name)
      this.#checked = name
      return true
    } catch (error) {
      log.error('backup-failed', { backup: name, error })
      return false
    }
  }

  async #backUp(name: string): Promise<void> {
    const { journalFile, folder, log, freeBytes = freeBytesOf } = this.#dependencies
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const needed = statSync(journalFile).size + RESERVED_BYTES
    if (freeBytes(folder) < needed) throw new NotEnoughSpaceError(`A copy needs ${String(needed)} free bytes`)
    const partialFile = join(folder, `${name}.part`)
    const removePartialFile = (): void => {
      for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(partialFile + suffix, { force: true })
    }
    // A killed process may have left one.
    removePartialFile()
    try {
      await copyJournal(journalFile, partialFile)
      chmodSync(partialFile, 0o600)
      const check = await checkBackup(partialFile)
      if (check.kind === 'damaged') throw new Error(`The copy is damaged: ${check.reason}`)
      await renameDurably(partialFile, join(folder, name))
      log.info('backup-made', { backup: name, slips: check.slips })
    } finally {
      removePartialFile()
    }
    await this.#prune(journalIdOf(join(folder, name)))
  }

  /** Removes old backups of one journal. Those of a journal that was lost or replaced stay: they may be all that is left. */
  async #prune(journalId: unknown): Promise<void> {
    const { folder, maxTotalBytes = MAX_TOTAL_BYTES } = this.#dependencies
    const own = this.#names()
      .map((name) => join(folder, name))
      .filter((file) => journalIdOf(file) === journalId)
    let totalBytes = 0
    for (const [index, file] of own.entries()) {
      totalBytes += statSync(file).size
      if (index > 0 && (index >= MAX_BACKUPS || totalBytes > maxTotalBytes)) {
        // Not synchronously: the file system takes a third of a second to free a gigabyte.
        await rm(file)
      }
    }
  }

  /**
   * Names of the backups, newest first; none when the folder cannot be read. A day in the future is of a wrong clock:
   * its backup is older than all others.
   */
  #names(): readonly string[] {
    const { folder, now } = this.#dependencies
    try {
      const today = backupName(now())
      const names = readdirSync(folder)
        .filter((name) => BACKUP_NAME.test(name))
        .toSorted()
        .toReversed()
      return [...names.filter((name) => name <= today), ...names.filter((name) => name > today)]
    } catch {
      return []
    }
  }
}
