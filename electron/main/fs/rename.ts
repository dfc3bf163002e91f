/** Renaming files that another program may have open: a virus scanner of Windows opens each file that was just written. */
import { renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

/** The pauses between the attempts, in milliseconds: about a second together. */
const PAUSES_MS = [10, 20, 40, 80, 160, 300, 400] as const

/** The errors of a file that another program has open. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY'])

const isInUse = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && IN_USE.has(String(error.code))

/**
 * Renames a file, and replaces `to` if it exists. Tries again for about a second while another program has one of them
 * open. Rejects with the file system's last error.
 */
export async function renameFile(from: string, to: string): Promise<void> {
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

/** Renames a file as `renameFile` does, and blocks the thread between the attempts. */
export function renameFileSync(from: string, to: string): void {
  const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  for (const pause of PAUSES_MS) {
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!isInUse(error)) throw error
      Atomics.wait(never, 0, 0, pause)
    }
  }
  renameSync(from, to)
}
