/** Whole SQLite files: copies that are consistent while the service runs. */
import { constants, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { chmod, rename, rm } from 'node:fs/promises'
import { backup, DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { COMPRESSED_END } from '../domain/backups.ts'
import { Refusal } from '../domain/refusal.ts'
import { compressFile, expandFile, isCompressed, type FileWork } from './compressed-files.ts'
import { StorageFullError, type Database } from './database.ts'
import { isFull, openSqlite } from './sqlite.ts'
import { verifyLedger } from './verify.ts'

/** Pages of 4 KiB that are copied at a time. */
const PAGES = 2000

/** The end of the name of a file, and of those that SQLite keeps beside it. */
const SUFFIXES = ['', '-journal', '-wal', '-shm']

/** Removes a file that was not finished, and what SQLite keeps beside it. */
export const removeFile = async (file: string): Promise<void> => {
  for (const suffix of SUFFIXES) await rm(file + suffix, { force: true })
}

/**
 * Replaces `file` by `prepared`, and keeps what it was as `kept`. The file is there at every moment: a process that is
 * killed leaves the old data or the new ones. What SQLite keeps beside it goes before: it would be applied to the new file.
 */
export const replaceFile = (prepared: string, file: string, kept: string): void => {
  const present = SUFFIXES.filter((suffix) => existsSync(file + suffix))
  for (const suffix of present) keepFile(file + suffix, kept + suffix)
  for (const suffix of present) if (suffix !== '') rmSync(file + suffix)
  renameSync(prepared, file)
}

/** Gives a file a second name, and copies it where the file system has no links. */
const keepFile = (file: string, kept: string): void => {
  try {
    linkSync(file, kept)
  } catch {
    copyFileSync(file, kept, constants.COPYFILE_EXCL)
  }
}

/** Copies one state of a file, also while other programs write to it, and closes it. The copy has mode 0600. */
const copyPages = async (
  connection: DatabaseSync,
  target: string,
  { report, signal }: FileWork
): Promise<void> => {
  try {
    // An open read transaction: without it the copy would begin again after each change of another program.
    connection.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
    await backup(connection, target, {
      rate: PAGES,
      progress: ({ totalPages, remainingPages }) => {
        signal.throwIfAborted()
        report(totalPages - remainingPages, totalPages)
      }
    })
    await chmod(target, 0o600)
  } finally {
    connection.close()
  }
}

/** Throws a `Refusal` unless a file is whole and its ledger is right, and the reason of the signal if it was aborted meanwhile. */
const requireSound = async (database: Database, signal: AbortSignal): Promise<void> => {
  const pages = JSON.stringify(await database.read('PRAGMA integrity_check', [], { isLong: true }))
  if (pages !== '[{"integrity_check":"ok"}]')
    throw new Refusal('place-unsuitable', 'The data file is damaged.')
  const [fault] = await verifyLedger(database)
  if (fault !== undefined) {
    throw new Refusal('ledger-wrong', `The ledger is wrong: ${fault.check}.`)
  }
  // The statements have kept signals waiting.
  await new Promise(setImmediate)
  signal.throwIfAborted()
}

/** Throws unless `file` has data of this service: SQLite would make an empty file a database. `name` is what a person gave. */
const requireServiceFile = (file: string, name = file): void => {
  const connection = new DatabaseSync(file, { readOnly: true })
  try {
    connection.exec('SELECT business FROM businesses LIMIT 1')
  } catch {
    throw new Refusal('place-unsuitable', `${name} is no backup of this service.`)
  } finally {
    connection.close()
  }
}

/** What work on a new file is rejected with: its error, the reason of the signal, or that the disk is full. */
const reasonOf = (error: unknown, target: string, { signal }: FileWork): unknown => {
  if (signal.aborted) return signal.reason
  return isFull(error)
    ? new StorageFullError(`The disk is full: ${target} was not written.`, { cause: error })
    : error
}

/**
 * Makes a verified copy of the data file `source` in `target`, one file that appears when it is whole; compressed if its name
 * says so. Rejects, and leaves nothing, if `target` is there, the copy is not sound, or the disk is full (`StorageFullError`).
 */
export const backUpFile = async (source: string, target: string, options: FileWork): Promise<void> => {
  if (existsSync(target)) throw new Refusal('place-unsuitable', `${target} is there already.`)
  const partial = `${target}.partial`
  const compressed = partial + COMPRESSED_END
  await removeFile(partial)
  await rm(compressed, { force: true })
  try {
    // Not read-only: the last connection that closes removes what WAL keeps beside the file.
    await copyPages(new DatabaseSync(source), partial, options)
    const database = await openSqlite(partial)
    try {
      await requireSound(database, options.signal)
    } finally {
      await database.close()
    }
    makeSingleFile(partial)
    if (target.endsWith(COMPRESSED_END)) {
      await compressFile(partial, compressed, options.signal)
      await removeFile(partial)
      await rename(compressed, target)
    } else await rename(partial, target)
  } catch (error) {
    await removeFile(partial)
    await rm(compressed, { force: true })
    throw reasonOf(error, target, options)
  }
}

/** A file in WAL mode needs a folder that can be written. */
const makeSingleFile = (file: string): void => {
  const connection = new DatabaseSync(file)
  connection.exec('PRAGMA journal_mode = DELETE')
  connection.close()
}

/** What a restored file is made ready with, such as the erasures since the backup. */
type Prepare = (restored: Database) => Promise<void>

/**
 * Makes a copy of `backupFile`, compressed or not, beside `target`, of the present schema, with what `prepare` does to it, and
 * verified. Returns its path. Rejects, and leaves nothing, for a file of a newer version, one that is not sound, and a full disk
 * (`StorageFullError`).
 */
export const prepareRestoredFile = async (
  backupFile: string,
  target: string,
  { prepare, ...options }: FileWork & { readonly prepare: Prepare }
): Promise<string> => {
  if (!existsSync(backupFile)) throw new Refusal('place-unsuitable', `There is no file ${backupFile}.`)
  const partial = `${target}.partial`
  await removeFile(partial)
  try {
    if (await isCompressed(backupFile)) {
      await expandFile(backupFile, partial, options)
      requireServiceFile(partial, backupFile)
    } else {
      requireServiceFile(backupFile)
      await copyPages(new DatabaseSync(backupFile, { readOnly: true }), partial, options)
    }
    const database = await openSqlite(partial)
    try {
      await prepare(database)
      await requireSound(database, options.signal)
    } finally {
      await database.close()
    }
    return partial
  } catch (error) {
    await removeFile(partial)
    throw reasonOf(error, target, options)
  }
}
