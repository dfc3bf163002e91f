/** `backup` and `restore` of a service in a folder. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { backupName, replacedName } from '../domain/backups.ts'
import { readEndedAccess, repeatEndedAccess, type EndedAccess } from '../store/ended-access.ts'
import { FileInUseError, openLocked } from '../store/sqlite.ts'
import { backUpFile, prepareRestoredFile, replaceFile } from '../store/sqlite-files.ts'
import {
  InvalidArgumentsError,
  PLACE_OPTIONS,
  placeOf,
  type CommandArguments,
  type ShopCommand
} from './command.ts'
import { abortOnSignal } from './process.ts'
import { wholeNumber } from './options.ts'
import {
  backupsFolder,
  dataFile,
  makeFolder,
  refuseReplaced,
  requireDataFile,
  withFileName
} from './place.ts'

/** The folder of a command. Throws an `InvalidArgumentsError` for PostgreSQL, which has programs for this. */
const folderOf = (name: string, input: CommandArguments): string => {
  const place = placeOf(name, input)
  if ('folder' in place) return place.folder
  throw new InvalidArgumentsError(
    `${name} is for a service in a folder. For PostgreSQL use pg_basebackup or pg_dump, or the command copy`
  )
}

/** A backup that got its name by its time, compressed or as older versions wrote it. */
const NAMED_BY_TIME = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.sqlite(?:\.zst)?$/

/** What is left of such a backup when its process was killed, with what SQLite keeps beside it. */
const UNFINISHED = /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.sqlite(?:\.zst)?\.partial(?:-journal|-wal|-shm|\.zst)?$/

/** No backup takes longer. */
const LONGEST_BACKUP_MS = 12 * 3_600_000

/** Removes what killed processes left in the folder of a backup. Returns the removed files. */
const removeUnfinished = (folder: string, now: Date): readonly string[] => {
  const oldest = backupName(new Date(now.getTime() - LONGEST_BACKUP_MS))
  const removed = readdirSync(folder)
    .filter((name) => UNFINISHED.test(name) && name < oldest)
    .map((name) => join(folder, name))
  for (const file of removed) rmSync(file, { force: true })
  return removed
}

/**
 * Removes what is older than the newest `count` backups that are named by their time. `written`, the one of now, stays also
 * when the clock was ahead before. Returns the removed files.
 */
const keepNewest = (written: string, count: number): readonly string[] => {
  const folder = dirname(written)
  const others = readdirSync(folder).filter((name) => NAMED_BY_TIME.test(name) && name !== basename(written))
  const [oldestKept = basename(written)] = count === 1 ? [] : others.sort().slice(1 - count)
  const removed = others.filter((name) => name < oldestKept).map((name) => join(folder, name))
  for (const file of removed) rmSync(file)
  return removed
}

const copyOptions = ({ progress }: CommandArguments) => ({
  report: (done: number, total: number) => progress.report('pages', done, total),
  signal: abortOnSignal()
})

const backupCommand: ShopCommand = {
  name: 'backup',
  summary:
    'Writes a verified copy of all data, also while the service runs; compressed without FILE, or if it ends in .zst.',
  args: ['[FILE]'],
  opensItself: true,
  options: {
    ...PLACE_OPTIONS,
    keep: { value: 'N', text: 'remove older backups, but for the newest N; without FILE' }
  },
  run: async (input) => {
    const folder = folderOf('backup', input)
    const keep = input.option('keep')
    const count = keep === undefined ? null : wholeNumber('--keep', keep, 1, 10_000)
    if (count !== null && input.option('FILE') !== undefined) {
      throw new InvalidArgumentsError('--keep is for backups that are named by their time, without FILE')
    }
    const source = requireDataFile(folder)
    const file = input.option('FILE') ?? join(backupsFolder(folder), backupName(input.now()))
    makeFolder(dirname(file))
    const unfinished = removeUnfinished(dirname(file), input.now())
    await withFileName(file, () => backUpFile(source, file, copyOptions(input)))
    const removed = [...unfinished, ...(count === null ? [] : keepNewest(file, count))]
    const text = [`Backed up to ${file}`, ...removed.map((old) => `Removed ${old}`)]
    return { text: text.join('\n'), json: { file, removed } }
  }
}

/** Opens the data that is replaced; null if they cannot be read. Throws a `FileInUseError` while a service has the file open. */
const openReplaced = (file: string): DatabaseSync | null => {
  try {
    return openLocked(file)
  } catch (error) {
    if (error instanceof FileInUseError) throw error
    return null
  }
}

/** Replaces the data by a backup, in which what ended stays so. Returns what it could and could not read of that. */
const replaceData = async (input: CommandArguments, file: string, kept: string) => {
  const backupFile = input.required('FILE')
  const isReplaced = existsSync(file)
  if (!isReplaced) refuseReplaced(dirname(file))
  const replaced = isReplaced ? openReplaced(file) : null
  let prepared: string
  let ended: readonly EndedAccess[]
  try {
    ended = isReplaced ? readEndedAccess(replaced) : []
    makeFolder(dirname(file))
    prepared = await withFileName(backupFile, () =>
      prepareRestoredFile(backupFile, file, {
        ...copyOptions(input),
        prepare: (restored) => repeatEndedAccess(restored, ended)
      })
    )
  } finally {
    // No service starts before this.
    replaced?.close()
  }
  replaceFile(prepared, file, kept)
  return {
    isReplaced,
    erasures: ended.find(({ what }) => what === 'erasures')?.rows?.length ?? 0,
    unread: ended.filter(({ rows }) => rows === null).map(({ what }) => what)
  }
}

const restoreCommand: ShopCommand = {
  name: 'restore',
  summary:
    'Replaces all data by those of a backup. The service must not run; the replaced file is kept for 14 days.',
  args: ['FILE'],
  opensItself: true,
  options: PLACE_OPTIONS,
  run: async (input) => {
    const folder = folderOf('restore', input)
    const file = dataFile(folder)
    const backupFile = input.required('FILE')
    if (resolve(backupFile) === resolve(file)) {
      throw new InvalidArgumentsError('FILE is the data of the service, not a backup')
    }
    const kept = join(folder, replacedName(input.now()))
    const { isReplaced, erasures, unread } = await replaceData(input, file, kept)
    const text = [
      `Restored ${backupFile}; ${erasures} erasures hold again.`,
      ...(unread.length === 0
        ? []
        : [`In the replaced data could not be read, and is as in the backup: ${unread.join(', ')}.`]),
      ...(isReplaced ? [`The replaced data: ${kept}`] : [])
    ]
    return {
      text: text.join('\n'),
      json: { file, replaced: isReplaced ? kept : null, erasures, unread }
    }
  }
}

export const backupCommands: readonly ShopCommand[] = [backupCommand, restoreCommand]
