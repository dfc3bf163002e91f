/** Keeping a file that cannot be read, instead of overwriting what someone may still need. */
import { renameSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/**
 * Renames `file` to `<name>.damaged-<UTC time><ending>` beside itself.
 * @returns the new name without its folder
 * @throws the file system's error when the folder cannot be written
 */
export function setAside(file: string, now: Date): string {
  const ending = extname(file)
  // Colons are not allowed in file names on Windows.
  const time = now.toISOString().replace(/[:.]/g, '-')
  const name = `${basename(file, ending)}.damaged-${time}${ending}`
  renameSync(file, join(dirname(file), name))
  return name
}
