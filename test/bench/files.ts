/** Sizes of files and folders, and the system's cache of them. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const MEGABYTE = 1_000_000

/** Megabytes of the files of a folder, those in its folders included. */
export async function megabytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
  )
  return sizes.reduce((sum, size) => sum + size, 0) / MEGABYTE
}

/** Megabytes of one file. */
export const megabytes = async (file: string): Promise<number> => (await stat(file)).size / MEGABYTE

/** Has Linux forget the files that it read, where this account may. Returns false elsewhere. */
export function forgetFiles(): boolean {
  try {
    execFileSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    return true
  } catch {
    return false
  }
}
