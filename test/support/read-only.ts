/** Makes a folder read-only for a while, for root too. */
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'

/**
 * Makes `folder` read-only while `during` runs. Root ignores permissions, and Windows has
 * other ones: root bind-mounts the folder read-only, Windows denies the account write access.
 */
export async function readOnly(folder: string, during: () => void | Promise<void>): Promise<void> {
  const undo = refuseWrites(folder)
  try {
    await during()
  } finally {
    undo()
  }
}

function refuseWrites(folder: string): () => void {
  if (process.platform === 'win32') {
    const account = process.env['USERNAME'] ?? 'Everyone'
    execFileSync('icacls', [folder, '/deny', `${account}:(OI)(CI)(W)`])
    return () => {
      execFileSync('icacls', [folder, '/remove:d', account])
    }
  }
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['--bind', folder, folder])
    execFileSync('mount', ['-o', 'remount,bind,ro', folder])
    return () => {
      execFileSync('umount', ['-l', folder])
    }
  }
  chmodSync(folder, 0o500)
  return () => {
    chmodSync(folder, 0o700)
  }
}
