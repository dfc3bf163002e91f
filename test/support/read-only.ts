/** A folder that cannot be written for a while, whoever runs the tests. */
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'

/**
 * Makes `folder` read-only while `during` runs. Permissions say nothing to root, and Windows reads them
 * otherwise: there the folder is mounted over itself read-only, and refused to the account.
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
