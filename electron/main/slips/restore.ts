/** Putting a backup in the place of the journal, before the journal is opened. */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { quarantineFile } from '../fs/quarantine.ts'
import { renameDurably } from '../fs/atomic-write.ts'
import type { Logger } from '../log/log.ts'
import { NEWEST_VERSION } from './journal/schema.ts'
import { checkBackup } from './journal/open-journal.ts'

/** Files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm']

/** Why a journal was not restored; what was there is as it was. */
export type NotRestored =
  /** there is no such file, or it cannot be read */
  | 'not-found'
  /** it is no journal, or not a whole one */
  | 'damaged'
  /** a newer till wrote it */
  | 'newer'
  /** the till's folder cannot be written */
  | 'not-saved'

/** What came of it; `keptAs` is the name of the file that the journal before was kept under, null when there was none. */
export type Restored =
  | { readonly kind: 'restored'; readonly slips: number; readonly keptAs: string | null }
  | { readonly kind: 'not-restored'; readonly reason: NotRestored }

export interface RestoreOptions {
  readonly journalFile: string
  /** full path of the backup */
  readonly from: string
  /** dates the file that the journal before is kept under */
  readonly now: Date
  readonly log: Logger
}

/** Both files of a database; its log may hold the newest rows. */
function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
}

/** Puts the journal back when the backup could not take its place. */
function putBack(journalFile: string, keptAs: string): void {
  const kept = join(dirname(journalFile), keptAs)
  for (const ending of ['', ...COMPANIONS]) {
    if (existsSync(kept + ending)) renameSync(kept + ending, journalFile + ending)
  }
}

/**
 * Checks a copy of the backup, sets the journal aside and puts the copy in its place; the backup itself stays as it is.
 * Nobody may have the journal open. Never rejects.
 */
export async function restoreJournal({ journalFile, from, now, log }: RestoreOptions): Promise<Restored> {
  const part = join(dirname(journalFile), `${basename(journalFile)}.restoring`)
  const removePart = (): void => {
    for (const ending of ['', '-journal', ...COMPANIONS]) rmSync(part + ending, { force: true })
  }
  const refused = (reason: NotRestored, error?: unknown): Restored => {
    log.error('journal-not-restored', { reason, ...(error === undefined ? {} : { error }) })
    return { kind: 'not-restored', reason }
  }
  if (!existsSync(from)) return refused('not-found')
  try {
    mkdirSync(dirname(journalFile), { recursive: true })
    removePart()
    copyDatabase(from, part)
    const checked = await checkBackup(part)
    if (checked.kind === 'damaged') return refused('damaged', checked.reason)
    if (checked.version < 1) return refused('damaged')
    if (checked.version > NEWEST_VERSION) return refused('newer')
    const keptAs = existsSync(journalFile) ? quarantineFile(journalFile, now, COMPANIONS, 'replaced') : null
    try {
      await renameDurably(part, journalFile)
    } catch (error) {
      if (keptAs !== null) putBack(journalFile, keptAs)
      throw error
    }
    log.warn('journal-restored', { slips: checked.slips, keptAs })
    return { kind: 'restored', slips: checked.slips, keptAs }
  } catch (error) {
    return refused('not-saved', error)
  } finally {
    try {
      removePart()
    } catch {
      // A folder that cannot be written: nothing was put there either.
    }
  }
}
