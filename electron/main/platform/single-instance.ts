/** One till on one folder: two would write to one journal. */
import { app } from 'electron'
import { accessSync, constants, existsSync } from 'node:fs'

/** A folder that was not made yet counts as writable: whether it can be made is found out when it is. */
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
 * True when this process may open the till; false when another one has it open, which then shows its window. In a
 * folder that cannot be written nobody can hold the lock, and no journal is written either: there the till opens.
 */
export function acquireSingleInstanceLock(): boolean {
  return app.requestSingleInstanceLock() || !isWritable(app.getPath('userData'))
}
