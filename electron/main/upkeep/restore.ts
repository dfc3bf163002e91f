/** Restores the journal from a backup, before the journal is opened, and reports the outcome. */
import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messagesByLanguage } from '../../../generated/messages/dialogs/all.js'
import { localeOf, type Language } from '../../contract/language.ts'
import { numberFormat } from '../../contract/slip-numbers-and-dates.ts'
import { renameDurably, renameFileSync } from '../fs/atomic-write.ts'
import { quarantineFile } from '../fs/quarantine.ts'
import type { Logger } from '../log/log.ts'
import { endRestoredWork } from '../journal/journal.ts'
import { checkBackup, JournalInUseError, withJournalLock } from '../journal/open-journal.ts'
import { adoptProgramSlips } from '../journal/program-slips.ts'
import { hasOwnSchema, migrate, SCHEMA_VERSION, versionOf } from '../journal/schema.ts'

/** Suffixes of SQLite's files beside a database. */
const COMPANIONS = ['-wal', '-shm']

/** Why a journal was not restored; it is unchanged then. */
type RestoreFailure =
  /** there is no such file, or it cannot be read */
  | 'not-found'
  /** it is no journal, or a damaged one */
  | 'damaged'
  /** a newer version of the app wrote it */
  | 'newer'
  /** the folder of the journal cannot be written */
  | 'not-saved'
  /** another till has the journal open */
  | 'in-use'
  /** the journal was restored from this very file: a start that repeats the option must not remove the slips issued since */
  | 'already-restored'

/** The outcome; `keptAs` is the new name of the replaced journal, null when there was none. */
type RestoreOutcome =
  | { readonly kind: 'restored'; readonly slips: number; readonly keptAs: string | null }
  | { readonly kind: 'not-restored'; readonly reason: RestoreFailure }

interface RestoreOptions {
  readonly journalFile: string
  /** full path of the backup */
  readonly from: string
  /** the date in the new name of the replaced journal */
  readonly now: Date
  readonly log: Logger
}

/** Copies a database with its write-ahead log, which may hold the newest rows. */
function copyDatabase(from: string, to: string): void {
  copyFileSync(from, to)
  if (existsSync(`${from}-wal`)) copyFileSync(`${from}-wal`, `${to}-wal`)
}

/** Identifies a backup: the same path with other content is another backup. Throws the file system's error. */
function identityOf(file: string): string {
  const { size, mtimeMs } = statSync(file)
  return `${file} ${String(size)} ${String(mtimeMs)}`
}

/** Returns whether the last restore of the journal was from this backup; false for a journal that cannot be read. */
function isRestoredFrom(journalFile: string, backupIdentity: string): boolean {
  if (!existsSync(journalFile)) return false
  try {
    const database = new DatabaseSync(journalFile)
    try {
      return (
        database.prepare('SELECT restored_from FROM identity').get()?.['restored_from'] === backupIdentity
      )
    } finally {
      database.close()
    }
  } catch {
    return false
  }
}

/** Returns why a copy of a backup is no journal of this app, or null. Nothing of another origin is read, nor run. */
function schemaFailure(file: string): { reason: RestoreFailure; error: unknown } | null {
  try {
    const database = new DatabaseSync(file)
    try {
      const version = versionOf(database)
      if (version > SCHEMA_VERSION) return { reason: 'newer', error: `Schema version ${String(version)}` }
      if (version > 0 && hasOwnSchema(database)) return null
      return { reason: 'damaged', error: "The schema is not the journal's own" }
    } finally {
      database.close()
    }
  } catch (error) {
    return { reason: 'damaged', error }
  }
}

/** Prepares a checked copy of a backup for its use as the journal. Throws as SQLite does. */
function prepareCopy(file: string, backupIdentity: string, { journalFile, now, log }: RestoreOptions): void {
  const database = new DatabaseSync(file)
  try {
    migrate(database)
    // Their references must give the same codes again.
    if (!adoptProgramSlips(database, journalFile)) log.warn('program-slips-not-restored')
    endRestoredWork(database, now.toISOString())
    database.prepare('UPDATE identity SET restored_from = ?').run(backupIdentity)
  } finally {
    database.close()
  }
}

/** Renames the replaced journal back. */
function undoReplacement(journalFile: string, keptAs: string): void {
  const kept = join(dirname(journalFile), keptAs)
  for (const suffix of ['', ...COMPANIONS]) {
    if (existsSync(kept + suffix)) renameFileSync(kept + suffix, journalFile + suffix)
  }
}

/**
 * Checks a copy of the backup, renames the journal, and moves the copy to its place; the backup stays. Fails while a
 * process has the journal open. Never rejects.
 */
export async function restoreJournal(options: RestoreOptions): Promise<RestoreOutcome> {
  const { journalFile, log } = options
  try {
    return await withJournalLock(journalFile, () => replaceJournal(options))
  } catch (error) {
    const reason = error instanceof JournalInUseError ? 'in-use' : 'not-saved'
    log.error('journal-not-restored', { reason, error })
    return { kind: 'not-restored', reason }
  }
}

async function replaceJournal(options: RestoreOptions): Promise<RestoreOutcome> {
  const { journalFile, from, now, log } = options
  const partialFile = join(dirname(journalFile), `${basename(journalFile)}.restoring`)
  const removePartialFile = (): void => {
    for (const suffix of ['', '-journal', ...COMPANIONS]) rmSync(partialFile + suffix, { force: true })
  }
  const failed = (reason: RestoreFailure, error?: unknown): RestoreOutcome => {
    log.error('journal-not-restored', { reason, ...(error === undefined ? {} : { error }) })
    return { kind: 'not-restored', reason }
  }
  if (!existsSync(from)) return failed('not-found')
  try {
    const backupIdentity = identityOf(from)
    if (isRestoredFrom(journalFile, backupIdentity)) return failed('already-restored')
    removePartialFile()
    copyDatabase(from, partialFile)
    const refused = schemaFailure(partialFile)
    if (refused !== null) return failed(refused.reason, refused.error)
    const check = await checkBackup(partialFile)
    if (check.kind === 'damaged') return failed('damaged', check.reason)
    prepareCopy(partialFile, backupIdentity, options)
    const keptAs = existsSync(journalFile) ? quarantineFile(journalFile, now, COMPANIONS, 'replaced') : null
    try {
      await renameDurably(partialFile, journalFile)
    } catch (error) {
      if (keptAs !== null) undoReplacement(journalFile, keptAs)
      throw error
    }
    log.warn('journal-restored', { slips: check.slips, keptAs })
    return { kind: 'restored', slips: check.slips, keptAs }
  } catch (error) {
    return failed('not-saved', error)
  } finally {
    try {
      removePartialFile()
    } catch {
      // The folder cannot be written: there is no partial file either.
    }
  }
}

/**
 * Returns the text of the dialog that reports the outcome of `--restore-journal`.
 * @param from the file that was to be restored
 */
export function restoreMessage(
  restored: RestoreOutcome,
  from: string,
  language: Language
): { readonly type: 'info' | 'error'; readonly message: string; readonly detail: string } {
  const m = messagesByLanguage[language]
  if (restored.kind === 'not-restored') {
    return {
      type: 'error',
      message: m.slipsNotRestored(),
      detail: `${m.restoreFailure({ reason: restored.reason })}\n${from}`
    }
  }
  const { slips, keptAs } = restored
  const details = [
    m.restoredFrom({ file: from }),
    ...(keptAs === null ? [] : [m.previousSlipsKept({ file: keptAs })]),
    m.startWithoutOption({ option: '--restore-journal' })
  ]
  return {
    type: 'info',
    message: m.slipsRestored({
      count: slips,
      number: numberFormat(localeOf(language, null)).format(slips)
    }),
    detail: details.join('\n')
  }
}
