/** Several statements that are on disk together, or not at all. */
import type { DatabaseSync } from 'node:sqlite'

/**
 * Runs `work` in a write transaction; within another one, in a savepoint of it, which is on disk when that one is.
 * Throws what `work` or the disk throws; then nothing of `work` was written.
 */
export function transaction<Value>(database: DatabaseSync, work: () => Value): Value {
  const [begin, end, undo] = database.isTransaction
    ? ['SAVEPOINT inner', 'RELEASE inner', 'ROLLBACK TO inner; RELEASE inner']
    : ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']
  database.exec(begin)
  try {
    const value = work()
    database.exec(end)
    return value
  } catch (error) {
    // A disk that is full may have ended the transaction already, with all that is around it.
    if (database.isTransaction) database.exec(undo)
    throw error
  }
}
