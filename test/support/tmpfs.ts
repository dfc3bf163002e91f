/** A small file system in memory (tmpfs), for tests that fill a disk to its last byte. */
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A mounted tmpfs. */
export interface Tmpfs {
  readonly folder: string
  /** Uses all remaining space. */
  fill(): void
  /** Frees the space that `fill` used. */
  free(): void
  remove(): void
}

/** Runs a program as root, with passwordless sudo where this is not root. */
const asRoot = (program: string, args: readonly string[]): void => {
  const root = process.getuid?.() === 0
  execFileSync(root ? program : 'sudo', root ? args : ['-n', program, ...args], { stdio: 'pipe' })
}

/** Mounts a tmpfs. Throws where mounting is not permitted. */
export function mountTmpfs(megabytes: number): Tmpfs {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-tmpfs-'))
  const owner = `uid=${String(process.getuid?.() ?? 0)},mode=700`
  try {
    asRoot('mount', ['-t', 'tmpfs', '-o', `size=${String(megabytes)}m,${owner}`, 'tmpfs', folder])
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error('This test mounts a tmpfs: run it as root, or with passwordless sudo.', {
      cause: error
    })
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
