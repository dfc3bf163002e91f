/** Keeping a file that cannot be read, instead of overwriting what someone may still need. */
import { existsSync, renameSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/**
 * Renames `file` to `<name>.damaged-<UTC time><ending>` beside itself.
 * @param companions endings of files that belong to it, such as a database's `-wal`; those that are there go along
 * @returns the new name without its folder
 * @throws the file system's error when the folder cannot be written
 */
export function setAside(file: string, now: Date, companions: readonly string[] = []): string {
  const ending = extname(file)
  // Colons are not allowed in file names on Windows.
  const time = now.toISOString().replace(/[:.]/g, '-')
  const name = `${basename(file, ending)}.damaged-${time}${ending}`
  renameSync(file, join(dirname(file), name))
  for (const companion of companions) {
    if (existsSync(file + companion)) renameSync(file + companion, join(dirname(file), name + companion))
  }
  return name
}
