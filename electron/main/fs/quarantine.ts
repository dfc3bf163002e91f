/** Keeping a file that cannot be read, or that another one replaces: someone may still need it. */
import { lstatSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** Whether anything has this name: a file, a folder, or a link that leads nowhere. */
export const pathExists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** Whether something has this name that no file can be made of: a folder, a pipe, a link that leads nowhere. */
export function isBlockedPath(path: string): boolean {
  try {
    return pathExists(path) && !statSync(path).isFile()
  } catch {
    // A link to nowhere, or to itself.
    return true
  }
}

/**
 * Renames `file` to `<name>.<why>-<UTC time><ending>` beside itself.
 * @param companions endings of files that belong to it, such as a database's `-wal`; what is there goes along, also
 * when the file itself is gone
 * @returns the new name without its folder
 * @throws the file system's error when the folder cannot be written
 */
export function quarantineFile(
  file: string,
  now: Date,
  companions: readonly string[] = [],
  why: 'damaged' | 'replaced' = 'damaged'
): string {
  const ending = extname(file)
  // Colons are not allowed in file names on Windows.
  const time = now.toISOString().replace(/[:.]/g, '-')
  const name = `${basename(file, ending)}.${why}-${time}${ending}`
  const parts = ['', ...companions].filter((part) => pathExists(file + part))
  for (const part of parts) renameSync(file + part, join(dirname(file), name + part))
  return name
}
