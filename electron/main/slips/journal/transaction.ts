/** Transactions of the journal. */
import type { DatabaseSync } from 'node:sqlite'

/**
 * Runs `work` in a write transaction, or in a savepoint when a transaction is open already; a savepoint is on disk
 * when that transaction is. Throws what `work` or SQLite throws; nothing of `work` is written then.
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
    // A full disk may have ended the transaction already, and the outer one with it.
    if (database.isTransaction) database.exec(undo)
    throw error
  }
}
