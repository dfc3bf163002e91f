/** What the store needs of a database. `sqlite.ts` and `postgres.ts` implement it. */
import type { Dialect } from './dialects.ts'
import type { SqlValue, Statement } from './rows.ts'

export interface ReadOptions {
  /** the statement reads a whole table, and may take minutes */
  readonly isLong?: boolean
}

/** Runs statements. Parameters are `$1`, `$2` …; every row is parsed by the caller. */
export interface Queries {
  readonly dialect: Dialect
  /** Returns rows of committed data and, in a transaction, of its own changes. */
  read(sql: string, values?: readonly SqlValue[], options?: ReadOptions): Promise<readonly unknown[]>
  /** Runs a statement that changes data, and returns its RETURNING rows. Outside a transaction it is one itself. */
  write(sql: string, values?: readonly SqlValue[]): Promise<readonly unknown[]>
}

/**
 * A database. What `write` and `transaction` acknowledge survives a crash of the process and a power failure.
 *
 * After a conflict with another transaction or a broken connection the work is run again, and the first run may have been
 * committed: **every change is keyed**, so that a second run has no effect. Keys (identifiers, codes) are generated
 * before the transaction begins.
 */
export interface Database extends Queries {
  /**
   * Runs `work` in a transaction and returns its result; rolls back and rejects if it rejects. `work` awaits nothing but
   * its queries, since others wait for it.
   */
  transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value>
  /**
   * Deletes what a restore left beside the data: all of it, since it knows customers who are erased, or what was replaced before
   * a moment.
   */
  deleteReplaced(before?: Date): void
  /** Closes the database after what is under way. Calls reject afterwards. */
  close(): Promise<void>
}

/**
 * Thrown when no database takes writes within the time for a failover. The work may have been committed before: its
 * connection can have broken at any point.
 */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError'
}

/** Thrown when the disk of the database is full. Nothing was changed. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError'
}

/** Runs statements one after the other. */
export const writeAll = async (queries: Queries, statements: readonly Statement[]): Promise<void> => {
  for (const { sql, values } of statements) await queries.write(sql, values)
}

/**
 * Runs statements as `Dialect.together` says, in as few as can be. Resolves with the rows of those with RETURNING.
 */
export const writeTogether = async (
  queries: Queries,
  statements: readonly Statement[]
): Promise<readonly unknown[]> => {
  const rows: unknown[] = []
  for (const { sql, values } of queries.dialect.together(statements)) {
    rows.push(...(await queries.write(sql, values)))
  }
  return rows
}

/** Thrown in a transaction that has to be run again, because another one changed what it has read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError'
}
