/**
 * Writes that are asked for within one turn of the event loop, on disk with one commit: many slips at once wait for the
 * disk less often.
 */
import type { DatabaseSync } from 'node:sqlite'

/** Asks for a write. Resolves once it is on disk; rejects as it or the commit throws, and then nothing of it is. */
export type GroupCommit<Rows, Row> = (write: (rows: Rows) => Row) => Promise<Row>

interface Waiting<Rows, Row> {
  readonly write: (rows: Rows) => Row
  readonly resolve: (row: Row) => void
  readonly reject: (error: unknown) => void
}

/** Makes the group of one kind of writes. */
export function createGroupCommit<Rows, Row>(database: DatabaseSync, rows: Rows): GroupCommit<Rows, Row> {
  let group: Waiting<Rows, Row>[] = []

  /** A write of several. One that fails takes nothing of the others with it; gives what its asker is to be told. */
  const attempt = ({ write, resolve, reject }: Waiting<Rows, Row>): (() => void) => {
    try {
      const row = transaction(database, () => write(rows))
      return () => resolve(row)
    } catch (error) {
      // The disk ended the whole transaction: what the others wrote is gone, too.
      if (!database.isTransaction) throw error
      return () => reject(error)
    }
  }
  const commit = (): void => {
    const writes = group
    group = []
    try {
      const [only, ...others] = writes
      if (only !== undefined && others.length === 0) {
        only.resolve(only.write(rows))
        return
      }
      const tellings = transaction(database, () => writes.map(attempt))
      for (const tell of tellings) tell()
    } catch (error) {
      for (const { reject } of writes) reject(error)
    }
  }
  return (write) =>
    new Promise((resolve, reject) => {
      if (group.length === 0) setImmediate(commit)
      group.push({ write, resolve, reject })
    })
}

/* from transaction.ts: Several statements that are on disk together, or not at all. */

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
