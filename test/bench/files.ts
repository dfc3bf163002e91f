/** Sizes of files and folders. */
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
