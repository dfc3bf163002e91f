/** Making a rename last. */
import { open } from 'node:fs/promises'

/** Has a rename in `folder` survive a power cut. Windows has no such call, and needs none. Rejects as the disk does. */
export async function fsyncDirectory(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
