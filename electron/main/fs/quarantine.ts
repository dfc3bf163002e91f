/** Renames files that are damaged or about to be replaced instead of deleting them: they may still be needed. */
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { errorCode, renameFileSync } from './atomic-write.ts'

/** Whether a file, a directory or a link (also a broken one) exists at `path`. False when its directory is a file. */
export function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Whether something other than a regular file occupies `path`: a directory, a pipe, a broken link. */
export function isBlockedPath(path: string): boolean {
  try {
    return pathExists(path) && !statSync(path).isFile()
  } catch {
    // A broken or circular link.
    return true
  }
}

/**
 * Renames `file` to `<name>.<reason>-<UTC time><extension>` in the same directory.
 * @param companions suffixes of files that belong to it, such as a database's `-wal`; those that exist are renamed too,
 * also when `file` itself is missing
 * @returns the new name without its directory
 * @throws the file system's error when the directory is not writable
 */
export function quarantineFile(
  file: string,
  now: Date,
  companions: readonly string[] = [],
  reason: 'damaged' | 'replaced' = 'damaged'
): string {
  const extension = extname(file)
  // Windows does not allow colons in file names.
  const time = now.toISOString().replace(/[:.]/g, '-')
  const name = `${basename(file, extension)}.${reason}-${time}${extension}`
  const suffixes = ['', ...companions].filter((suffix) => pathExists(file + suffix))
  for (const suffix of suffixes) renameFileSync(file + suffix, join(dirname(file), name + suffix))
  return name
}

/** A file that `quarantineFile` renamed, with the companions that were renamed with it. */
export interface QuarantinedFile {
  readonly path: string
  /** full paths */
  readonly companions: readonly string[]
  readonly quarantinedAt: Date
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the quarantined versions of `file`, oldest first; none if its directory cannot be read. */
export function quarantinedFiles(file: string, companions: readonly string[] = []): QuarantinedFile[] {
  const extension = extname(file)
  const pattern = new RegExp(
    `^${escapeRegExp(basename(file, extension))}\\.[a-z]+-(\\d{4}-\\d\\d-\\d\\d)T(\\d\\d)-(\\d\\d)-(\\d\\d)-(\\d{3})Z${escapeRegExp(extension)}$`
  )
  let names: string[]
  try {
    names = readdirSync(dirname(file))
  } catch {
    return []
  }
  return names.toSorted().flatMap((name) => {
    const [, day, hours, minutes, seconds, milliseconds] = pattern.exec(name) ?? []
    if (day === undefined) return []
    const path = join(dirname(file), name)
    return {
      path,
      companions: companions.map((suffix) => path + suffix).filter(pathExists),
      quarantinedAt: new Date(
        `${day}T${String(hours)}:${String(minutes)}:${String(seconds)}.${String(milliseconds)}Z`
      )
    }
  })
}

/** Longer than any token; a file of this size is read in an instant. */
const MAX_TOKEN_FILE_BYTES = 64 * 1024

/** Returns a file's text; empty unless it is a regular file of at most 64 kB. Reading a pipe or device may never end. */
export const readTokenFile = (file: string): string => {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_TOKEN_FILE_BYTES ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}
