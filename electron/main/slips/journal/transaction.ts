/** Several statements that are on disk together, or not at all. */
import type { DatabaseSync } from 'node:sqlite'

/** Runs `work` in a write transaction. Throws what `work` or the disk throws; then nothing was written. */
export function transaction<Value>(database: DatabaseSync, work: () => Value): Value {
  database.exec('BEGIN IMMEDIATE')
  try {
    const value = work()
    database.exec('COMMIT')
    return value
  } catch (error) {
    // A disk that is full may have ended the transaction already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
