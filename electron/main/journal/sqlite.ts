/** SQLite: transactions, and what went wrong, by its primary result codes (sqlite.org/rescode.html). */
import type { DatabaseSync } from 'node:sqlite'

const ERROR = 1
const BUSY = 5
const CORRUPT = 11
const NOTADB = 26

/** Returns the primary result code, the low 8 bits; null for an error that is not SQLite's. */
const resultCode = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null

/** Returns whether the error is SQLite's, of any code. */
export const isSqliteError = (error: unknown): boolean => resultCode(error) !== null

/** Returns whether another connection has locked the file. */
export const isLockedError = (error: unknown): boolean => resultCode(error) === BUSY

/** Returns whether the file is damaged, or no database. */
export const isDamageError = (error: unknown): boolean => {
  const code = resultCode(error)
  return code === CORRUPT || code === NOTADB
}

/** Returns whether the file is damaged, no database, or one of another schema. */
export const isForeignFileError = (error: unknown): boolean =>
  isDamageError(error) || resultCode(error) === ERROR

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
