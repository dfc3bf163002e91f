/**
 * Writing files so that a crash or a power cut leaves either the old content or the new one, never a part of it; and what
 * to do while another program has a file open.
 */
import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Returns the code of an error of the system, such as `ENOENT`; empty for another error. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** The pauses between the attempts, in milliseconds: about a second together. */
const PAUSES_MS = [10, 20, 40, 80, 160, 300, 400] as const

/** The errors of a file that another program has open. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY'])

const isInUse = (error: unknown): boolean => IN_USE.has(errorCode(error))

/**
 * Renames a file, and replaces `to` if it exists. Tries again for about a second while another program has one of them
 * open. Rejects with the file system's last error.
 */
async function renameFile(from: string, to: string): Promise<void> {
  for (const pause of PAUSES_MS) {
    try {
      await rename(from, to)
      return
    } catch (error) {
      if (!isInUse(error)) throw error
      await wait(pause)
    }
  }
  await rename(from, to)
}

/**
 * Returns what `attempt` returns. Blocks the thread and tries again for about a second while another program has the file
 * open. Throws the last error.
 */
export function retryWhileInUse<Result>(attempt: () => Result): Result {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  for (const pause of PAUSES_MS) {
    try {
      return attempt()
    } catch (error) {
      if (!isInUse(error)) throw error
      Atomics.wait(never, 0, 0, pause)
    }
  }
  return attempt()
}

/** Renames a file as `renameFile` does, and blocks the thread between the attempts. */
export const renameFileSync = (from: string, to: string): void => retryWhileInUse(() => renameSync(from, to))

/** A file that exists and cannot be read, so that its content is not known. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError'
  readonly file: string

  constructor(file: string, cause: unknown) {
    super('The file cannot be read', { cause })
    this.file = file
  }
}

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
    if (!NO_DIRECTORY_FSYNC.has(errorCode(error))) throw error
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
