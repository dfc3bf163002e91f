/** Writing files so that a crash or a power cut leaves either the old content or the new one, never a part of it. */
import { randomUUID } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { renameFile } from './rename.ts'

/** Error codes of file systems that have no fsync for directories, such as network shares. */
const NO_DIRECTORY_FSYNC = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR'])

/**
 * Makes renames in `directory` survive a power cut. Does nothing on Windows and on file systems without this call.
 * Rejects with the file system's error when the disk fails.
 */
async function fsyncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return
  try {
    const handle = await open(directory, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!NO_DIRECTORY_FSYNC.has(code)) throw error
  }
}

/**
 * Renames a file within one directory and resolves when the rename would survive a power cut. Replaces `to` if it
 * exists. Rejects with the file system's error.
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  await renameFile(from, to)
  await fsyncDirectory(dirname(to))
}

/**
 * Writes `file` completely or not at all: writes and fsyncs a new `tillpoints-<random>.part` beside it (mode 0600), then
 * renames that. A killed process leaves the part.
 * @param content the content, or a function that writes it piece by piece
 * @throws the file system's error, or the error of `content`; `file` is unchanged then and the part is removed
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array | ((handle: FileHandle) => Promise<void>)
): Promise<void> {
  // In a folder that others can write to, they could lay a file or a link under a name that they can foresee.
  const part = join(dirname(file), `tillpoints-${randomUUID()}.part`)
  const handle = await open(part, 'wx', 0o600)
  try {
    try {
      if (typeof content === 'function') await content(handle)
      else await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await renameDurably(part, file)
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined)
    throw error
  }
}
