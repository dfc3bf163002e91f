/** Reading a copy of the journal page by page. */
import * as v from 'valibot'
import { checkInThread } from '../check-thread.ts'

const found = v.variant('kind', [
  /** `version` of its tables; `slips` in it */
  v.object({ kind: v.literal('whole'), version: v.number(), slips: v.number() }),
  v.object({ kind: v.literal('damaged'), reason: v.string() })
])

/** What the file is. */
export type Checked = v.InferOutput<typeof found>

/** Runs in the thread, from its source: nothing outside of it is known there. Makes a single file of the database. */
function inThread(): void {
  const { parentPort, ...thread } = process.getBuiltinModule('node:worker_threads')
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  try {
    const database = new DatabaseSync(String(thread.workerData))
    try {
      database.exec('PRAGMA journal_mode = DELETE')
      const check = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
      const version = database.prepare('PRAGMA user_version').get()?.['user_version']
      const slips = database.prepare('SELECT count(*) AS count FROM slips').get()?.['count']
      parentPort?.postMessage(
        check === 'ok'
          ? { kind: 'whole', version: Number(version), slips: Number(slips) }
          : { kind: 'damaged', reason: String(check) }
      )
    } finally {
      database.close()
    }
  } catch (error) {
    parentPort?.postMessage({ kind: 'damaged', reason: String(error) })
  }
}

/**
 * Checks a copy of a journal that nobody has open, and leaves it as a single file, without a write-ahead log beside it.
 * A file that cannot be opened, or has no slips, is damaged. Rejects when the thread ends unforeseen.
 */
export const checkCopy = (file: string): Promise<Checked> => checkInThread(inThread, file, found)
