/** Transactions of the journal, and group commit: the writes of one turn of the event loop share one commit. */
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

interface PendingWrite<Table, Row> {
  readonly write: (table: Table) => Row
  readonly resolve: (row: Row) => void
  readonly reject: (error: unknown) => void
}

/** Collects the writes to one table within a turn of the event loop: a batch of slips syncs the disk less often. */
export class GroupCommit<Table, Row> {
  readonly #database: DatabaseSync
  readonly #table: Table
  #pending: PendingWrite<Table, Row>[] = []

  constructor(database: DatabaseSync, table: Table) {
    this.#database = database
    this.#table = table
  }

  /** Resolves with the row of `write` once it is on disk. Rejects, with nothing written, as `write` or the commit throws. */
  add(write: (table: Table) => Row): Promise<Row> {
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) setImmediate(() => this.#commit())
      this.#pending.push({ write, resolve, reject })
    })
  }

  #commit(): void {
    const writes = this.#pending
    this.#pending = []
    try {
      const [only, ...others] = writes
      if (only !== undefined && others.length === 0) {
        only.resolve(only.write(this.#table))
        return
      }
      // Promises settle after the commit only: until then nothing is on disk.
      const settle = transaction(this.#database, () => writes.map((pending) => this.#attempt(pending)))
      for (const one of settle) one()
    } catch (error) {
      for (const { reject } of writes) reject(error)
    }
  }

  /** Runs one write in a savepoint and returns how to settle its promise. A failed write leaves the others as they are. */
  #attempt({ write, resolve, reject }: PendingWrite<Table, Row>): () => void {
    try {
      const row = transaction(this.#database, () => write(this.#table))
      return () => resolve(row)
    } catch (error) {
      // SQLite ended the whole transaction: the writes of the others are gone, too.
      if (!this.#database.isTransaction) throw error
      return () => reject(error)
    }
  }
}
