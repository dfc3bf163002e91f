/** Where the data of a service is: a folder with a SQLite file, or PostgreSQL. */
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BACKUP_NAME, REPLACED_NAME } from '../domain/backups.ts'
import { Refusal } from '../domain/refusal.ts'
import type { Database } from '../store/database.ts'
import { FileInUseError, openLocked, openSqlite } from '../store/sqlite.ts'
import { removeFile } from '../store/sqlite-files.ts'

/** A folder, or the address of a database. */
export type Place = { readonly folder: string } | { readonly url: string }

export interface PlaceOptions {
  /** whether the folder and the database may be made */
  readonly mayCreate?: boolean
  /** whether no other program may have the file open */
  readonly isExclusive?: boolean
}

/** Fills a database. */
type Fill<Value> = (database: Database) => Promise<Value>

/** For the help of options. */
export const FOLDER_OR_URL = 'DIR|URL'

/** Parses what names a place: an address that begins with `postgres:`, or else a folder. */
export const parsePlace = (text: string): Place =>
  /^postgres(?:ql)?:/i.test(text) ? { url: text } : { folder: text }

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const makeMissing = (folder: string): void => {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeMissing(parent)
  mkdirSync(folder, { mode: 0o700 })
}

/**
 * Makes a folder that only this user reads, and what is missing above it. Throws if it cannot be made. Not by Node's
 * recursive mkdir, which tries for ever where a file system has no place for new folders, such as /proc.
 */
export const makeFolder = (folder: string): void => {
  try {
    makeMissing(resolve(folder))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(',', 1)[0] : String(error)
    throw new Error(`The folder ${folder} cannot be made (${reason}). Name another one.`, { cause: error })
  }
}

/** The data file in the folder of a service. */
export const dataFile = (folder: string): string => join(folder, 'service.sqlite')

/** Where the backups of a service in a folder are, unless a command is given another place. */
export const backupsFolder = (folder: string): string => join(folder, 'backups')

/** For commands that look at the backups. */
export const BACKUPS_OPTION = { value: 'DIR', text: 'folder of the backups (default DIR/backups of --data)' }

/** Returns when the newest backup in a folder was written, in ms since 1970; null if there is none. */
export const newestBackup = (folder: string): number | null => {
  if (!isFolder(folder)) return null
  const times = readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name))
    .map((name) => statSync(join(folder, name)).mtimeMs)
  return times.length === 0 ? null : Math.max(...times)
}

/**
 * Throws for a folder without its data file that has one which a `restore` replaced: it knows what ended, and neither a new
 * service nor an older backup may take its place.
 */
export const refuseReplaced = (folder: string): void => {
  const names = isFolder(folder) ? readdirSync(folder) : []
  const newest = names
    .filter((name) => REPLACED_NAME.test(name) && name.endsWith('.sqlite'))
    .sort()
    .at(-1)
  if (newest === undefined) return
  const [file, kept] = [dataFile(folder), join(folder, newest)]
  throw new Error(
    `${file} is missing, but ${kept} was replaced by a restore. Rename it to ${basename(file)}, or move it elsewhere.`
  )
}

/** Throws for a folder whose data file is missing because a `restore` or a `copy` did not end. */
const refuseUnfinished = (folder: string): void => {
  const file = dataFile(folder)
  if (existsSync(file)) return
  refuseReplaced(folder)
  if (!existsSync(`${file}.partial`)) return
  throw new Error(
    `${file} is missing: a restore or a copy did not end. Run it again, or remove ${file}.partial for a new service.`
  )
}

/** Thrown for a folder without a service. */
export const requireDataFile = (folder: string): string => {
  const file = dataFile(folder)
  if (existsSync(file)) return file
  refuseUnfinished(folder)
  throw new Error(`There is no service in ${folder}. Make one with: init --data ${folder}`)
}

/** Does what opens a SQLite file. Rejects with a sentence that names the file, where SQLite's own names none. */
export const withFileName = async <Value>(file: string, work: () => Promise<Value>): Promise<Value> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error
    throw new Error(`${file} cannot be used (${error.message}).`, { cause: error })
  }
}

/** Opens the database of a place and brings its schema up to date. Rejects if there is none and none may be made. */
export const openPlace = async (
  place: Place,
  { mayCreate = false, isExclusive = false }: PlaceOptions = {}
): Promise<Database> => {
  if ('url' in place) {
    const { openPostgres } = await import('../store/postgres.ts')
    return openPostgres(place.url)
  }
  if (mayCreate) {
    makeFolder(place.folder)
    refuseUnfinished(place.folder)
  } else requireDataFile(place.folder)
  const file = dataFile(place.folder)
  return withFileName(file, () => openSqlite(file, { isExclusive }))
}

/** Removes what a killed program left. Rejects with a `FileInUseError` while another one works on it. */
const removeUnfinished = async (partial: string): Promise<void> => {
  try {
    if (existsSync(partial)) openLocked(partial).close()
  } catch (error) {
    if (error instanceof FileInUseError) throw error
  }
  await removeFile(partial)
}

async function fillAndClose<Value>(database: Database, fill: Fill<Value>): Promise<Value> {
  try {
    return await fill(database)
  } finally {
    await database.close()
  }
}

/** Makes the data file of a folder that has none. It appears when `fill` is done. */
const makeFilled = async <Value>(folder: string, fill: Fill<Value>): Promise<Value> => {
  makeFolder(folder)
  refuseReplaced(folder)
  const file = dataFile(folder)
  const partial = `${file}.partial`
  await removeUnfinished(partial)
  try {
    const database = await withFileName(partial, () => openSqlite(partial, { isExclusive: true }))
    const filled = await fillAndClose(database, fill)
    if (existsSync(file)) throw new Refusal('place-unsuitable', `${file} is there already.`)
    renameSync(partial, file)
    return filled
  } catch (error) {
    await removeFile(partial)
    throw error
  }
}

/**
 * Fills an empty database of a place, which no other program may have open: one that is there, or a new file, which appears when
 * it is whole. Rejects as `fill` does, and makes no file then.
 */
export const fillPlace = async <Value>(place: Place, fill: Fill<Value>): Promise<Value> => {
  if ('folder' in place && !existsSync(dataFile(place.folder))) return makeFilled(place.folder, fill)
  const database = await openPlace(place, { isExclusive: true })
  return fillAndClose(database, fill)
}
