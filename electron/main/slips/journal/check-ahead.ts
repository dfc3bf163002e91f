/**
 * Checking a journal that was not closed before it is opened: SQLite reads all of the file for that, which takes
 * seconds in a journal of many years, and the till answers its page meanwhile.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { checkInThread } from '../check-thread.ts'
import { wasClosed } from './closing.ts'
import { PATIENCE } from './open.ts'

/** Runs in the thread, from its source. */
function inThread(): void {
  const { parentPort, ...thread } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(String(thread.workerData), { timeout: 5000 })
  try {
    parentPort?.postMessage(database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'] === 'ok')
  } finally {
    database.close()
  }
}

const needsCheck = (file: string, patience: number): boolean => {
  if (!existsSync(file)) return false
  const database = new DatabaseSync(file, { timeout: patience })
  try {
    return !wasClosed(database)
  } finally {
    database.close()
  }
}

/**
 * Whether the journal in `file` was checked just now and found whole. False where that was not needed, or did not
 * work out: whoever opens it finds out why. Never rejects. `patience` as in `Opening`.
 */
export async function isCheckedWhole(file: string, patience = PATIENCE): Promise<boolean> {
  try {
    return needsCheck(file, patience) && (await checkInThread(inThread, file, v.boolean()))
  } catch {
    return false
  }
}
