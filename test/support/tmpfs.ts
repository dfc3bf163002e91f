/** A disk that can be filled to its last byte: a file system of its own, in memory, mounted for a test. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes. */
export interface Tmpfs {
  readonly folder: string
  /** Takes all the room that is left. */
  fill(): void
  /** Gives it back. */
  free(): void
  remove(): void
}

/** Mounting takes root; machines that build often let sudo have it without a password. */
const asRoot = (program: string, args: readonly string[]): void => {
  const root = process.getuid?.() === 0
  execFileSync(root ? program : 'sudo', root ? args : ['-n', program, ...args], { stdio: 'pipe' })
}

/** Mounts one; throws where this machine lets nobody mount, since nothing else fills up like a disk. */
export function mountTmpfs(megabytes: number): Tmpfs {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-disk-'))
  const owner = `uid=${String(process.getuid?.() ?? 0)},mode=700`
  try {
    asRoot('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m,${owner}`, 'tmpfs', folder])
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(
      'A small disk is mounted for this test: run it as root, or with sudo without a password.',
      {
        cause: error
      }
    )
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a')
      try {
        for (const size of [64 * 1024, 4096, 1]) {
          const piece = Buffer.alloc(size)
          // Ends with ENOSPC; a piece that fits in part is written in part.
          for (let written = size; written === size;) written = writeSome(file, piece)
        }
      } finally {
        closeSync(file)
      }
    },
    free() {
      rmSync(filler, { force: true })
    },
    remove() {
      asRoot('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const writeSome = (file: number, piece: Buffer): number => {
  try {
    return writeSync(file, piece)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return 0
    throw error
  }
}
