/** Allows one instance per user-data folder: two would write to one journal. */
import { app } from 'electron'
import { accessSync, constants, existsSync } from 'node:fs'

/** Returns true for a folder that does not exist yet: creating it reports whether that works. */
const isWritable = (folder: string): boolean => {
  if (!existsSync(folder)) return true
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Returns whether this process may open the till. If another instance has it open, that one shows its window. The lock
 * cannot be taken in a read-only folder, where no journal is written either: there the till opens.
 */
export function acquireSingleInstanceLock(): boolean {
  return app.requestSingleInstanceLock() || !isWritable(app.getPath('userData'))
}
