/** The store in one SQLite file. */
import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers'
import { setTimeout as wait } from 'node:timers/promises'
import { REPLACED_NAME, replacedName } from '../domain/backups.ts'
import { StorageFullError, type Database, type Queries } from './database.ts'
import { sqliteDialect } from './dialects.ts'
import { applyMigrations } from './migrate.ts'
import type { SqlValue } from './rows.ts'

/** SQLite's name for a database without a file. */
const MEMORY = ':memory:'

/** Another process, such as the command line, may be writing. */
const BUSY_TIMEOUT_MS = 5000

/** A statement that is parsed. */
interface Prepared {
  readonly statement: StatementSync
  /** index of the value of each of its parameters; null where they stand in the order of the values, each once */
  readonly order: readonly number[] | null
}

/** A transaction that waits for the next commit. */
interface Job {
  /** Runs the work inside the open transaction. */
  readonly run: () => Promise<unknown>
  /** Answers what the work has come to, after the commit. */
  readonly settle: () => void
  readonly reject: (error: unknown) => void
}

export interface SqliteOptions {
  /** whether no other program may have the file open until this one closes it */
  readonly isExclusive?: boolean
}

/**
 * Opens or creates the data file (a path, or ':memory:'). WAL with synchronous=FULL syncs on each commit. Rejects if the
 * file cannot be opened, is not a database, or was created by a newer version, and with a `FileInUseError`.
 */
export const openSqlite = async (
  file: string,
  { isExclusive = false }: SqliteOptions = {}
): Promise<Database> => {
  const connection = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    if (isExclusive) lockFile(connection, file)
    await useWriteAheadLog(connection)
    connection.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    // What is erased is overwritten in the file.
    connection.exec('PRAGMA secure_delete = ON')
    // In KiB, negative by SQLite's convention; allocated on demand. Seeding a large shop is slow with the default.
    connection.exec('PRAGMA cache_size = -32000')
    const database = new SqliteDatabase(connection, file)
    await database.migrate(file)
    return database
  } catch (error) {
    connection.close()
    throw error
  }
}

/** Thrown for a file that another program has open, and that has to be used alone. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError'
}

/**
 * Keeps other programs out of the file until the connection closes. A service that runs has the file open, even when it
 * is idle; one that was killed has not.
 */
const lockFile = (connection: DatabaseSync, file: string): void => {
  try {
    connection.exec(`PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL;
      BEGIN IMMEDIATE; COMMIT; PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new FileInUseError(`The service is running on ${file}. Stop it first.`)
  }
}

/** Opens a file as it is, of any version, and keeps other programs out. Throws if it cannot be read, and a `FileInUseError`. */
export const openLocked = (file: string): DatabaseSync => {
  const connection = new DatabaseSync(file)
  try {
    lockFile(connection, file)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** SQLITE_BUSY, for a database that another connection has locked, and SQLITE_FULL (sqlite.org/rescode.html). */
const BUSY = 5
const FULL = 13
const BUSY_PAUSE_MS = 5

/** Whether this is the primary result code, the low 8 bits: SQLITE_BUSY_RECOVERY has another code above them. */
const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === code

const isBusy = (error: unknown): boolean => hasCode(error, BUSY)

/** Whether SQLite or the system says that the disk is full. */
export const isFull = (error: unknown): boolean =>
  hasCode(error, FULL) || (error instanceof Error && 'code' in error && error.code === 'ENOSPC')

/** Runs a statement, and again while another program has the database locked, without blocking this one. */
const whenFree = async (connection: DatabaseSync, statement: string): Promise<void> => {
  for (const deadline = performance.now() + BUSY_TIMEOUT_MS; ;) {
    try {
      connection.exec(statement)
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
      await wait(BUSY_PAUSE_MS)
    }
  }
}

const succeeds = (outcome: Promise<unknown>): Promise<boolean> =>
  outcome.then(
    () => true,
    () => false
  )

/** Changes a new file to WAL. SQLite does not wait for another program that does so, too: its busy timeout is ignored. */
const useWriteAheadLog = (connection: DatabaseSync): Promise<void> =>
  whenFree(connection, 'PRAGMA journal_mode = WAL')

/**
 * Transactions that are requested at the same time share one commit: a commit waits for the disk, and 16 requests that
 * wait for one are answered four times as fast as 16 that wait for one each. When one fails, all are rolled back and run
 * again, each in its savepoint: so that one changes nothing and the others are committed. Savepoints are not used before, as
 * SQLite copies every page that is changed behind one.
 */
class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect
  readonly #connection: DatabaseSync
  readonly #file: string
  readonly #statements = new Map<string, Prepared>()
  readonly #inTransaction: Queries = {
    dialect: sqliteDialect,
    read: (sql, values) => this.#run(sql, values),
    write: (sql, values) => this.#run(sql, values)
  }
  /** whether reads share a transaction at the moment */
  #isReading = false
  #waiting: Job[] = []
  /** resolves after the commit that is under way; null between commits */
  #committing: Promise<void> | null = null

  constructor(connection: DatabaseSync, file: string) {
    this.#connection = connection
    this.#file = file
  }

  async read(sql: string, values?: readonly SqlValue[]): Promise<readonly unknown[]> {
    // There is one connection: between BEGIN and COMMIT it sees what may still be rolled back.
    while (this.#committing !== null) await this.#committing
    this.#beginReading()
    return this.#run(sql, values)
  }

  /** Reads that come together share a transaction: to begin and end one takes as long as to read a row. */
  #beginReading(): void {
    if (this.#isReading) return
    this.#prepare('BEGIN').statement.run()
    this.#isReading = true
    setImmediate(() => this.#endReading())
  }

  #endReading(): void {
    if (!this.#isReading) return
    this.#isReading = false
    // A disk error ends a transaction by itself. One that met a damaged page cannot be committed.
    if (this.#connection.isTransaction) this.#prepare('ROLLBACK').statement.run()
  }

  write(sql: string, values?: readonly SqlValue[]): Promise<readonly unknown[]> {
    return this.transaction((queries) => queries.write(sql, values))
  }

  transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      let outcome: Promise<Value>
      this.#waiting.push({
        run: () => (outcome = work(this.#inTransaction)),
        settle: () => resolve(outcome),
        reject
      })
      if (this.#waiting.length === 1 && this.#committing === null) this.#scheduleCommit()
    }).catch((error: unknown) => {
      throw isFull(error) ? new StorageFullError('The disk is full.', { cause: error }) : error
    })
  }

  deleteReplaced(before?: Date): void {
    if (this.#file === MEMORY) return
    const folder = dirname(this.#file)
    const end = before === undefined ? undefined : replacedName(before)
    const replaced = readdirSync(folder).filter(
      (name) => REPLACED_NAME.test(name) && (end === undefined || name < end)
    )
    // No restore is under way: it would have the file alone.
    const unfinished = ['', '-journal', '-wal', '-shm'].map(
      (suffix) => `${basename(this.#file)}.partial${suffix}`
    )
    for (const name of [...replaced, ...unfinished]) rmSync(join(folder, name), { force: true })
  }

  async close(): Promise<void> {
    while (this.#committing !== null || this.#waiting.length > 0) {
      await (this.#committing ?? new Promise(setImmediate))
    }
    if (this.#connection.isOpen) {
      this.#endReading()
      this.#connection.close()
    }
  }

  /** Applies missing migrations. @param name what to call the database in messages */
  migrate(name: string): Promise<void> {
    return this.transaction((queries) =>
      applyMigrations(
        {
          dialect: sqliteDialect,
          read: (sql) => queries.read(sql),
          script: (text) => {
            this.#connection.exec(text)
            return Promise.resolve()
          }
        },
        name
      )
    )
  }

  /** After the requests that are being read: their transactions join the same commit. */
  #scheduleCommit(): void {
    setImmediate(() => {
      this.#committing = this.#commit().finally(() => {
        this.#committing = null
        if (this.#waiting.length > 0) this.#scheduleCommit()
      })
    })
  }

  /** Runs and commits what waits. Never rejects. */
  async #commit(): Promise<void> {
    this.#endReading()
    const jobs = this.#waiting.splice(0)
    try {
      await this.#begin()
      // What failed alone is not run again.
      if (!(await this.#runAll(jobs)) && jobs.length > 1) {
        await this.#begin()
        for (const job of jobs) await this.#runApart(job)
      }
      if (this.#connection.isTransaction) this.#connection.exec('COMMIT')
    } catch (error) {
      if (this.#connection.isOpen && this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      for (const { reject } of jobs) reject(error)
      return
    }
    for (const { settle } of jobs) settle()
  }

  async #begin(): Promise<void> {
    // SQLite would wait in this thread, which serves requests.
    await whenFree(this.#connection, 'PRAGMA busy_timeout = 0; BEGIN IMMEDIATE')
    this.#connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }

  /** Runs jobs one after the other. Returns false, with the transaction rolled back, when one fails. */
  async #runAll(jobs: readonly Job[]): Promise<boolean> {
    for (const { run } of jobs) {
      if (await succeeds(run())) continue
      // A full disk has rolled back by itself.
      if (this.#connection.isTransaction) this.#connection.exec('ROLLBACK')
      return false
    }
    return true
  }

  /** Runs a job so that it changes nothing when it fails. Rejects when the transaction has ended. */
  async #runApart({ run }: Job): Promise<void> {
    this.#prepare('SAVEPOINT job').statement.run()
    const outcome = run()
    if (!(await succeeds(outcome))) {
      // A full disk rolls back everything, the other jobs of this commit included.
      if (!this.#connection.isTransaction) await outcome
      this.#connection.exec('ROLLBACK TO job')
    }
    this.#prepare('RELEASE job').statement.run()
  }

  /** Parses a statement once. node:sqlite binds by place in half the time that it takes by name. */
  #prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      const order: number[] = []
      const text = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
        order.push(Number(number) - 1)
        return '?'
      })
      const isInOrder = order.every((index, place) => index === place)
      prepared = { statement: this.#connection.prepare(text), order: isInOrder ? null : order }
      this.#statements.set(sql, prepared)
    }
    return prepared
  }

  #run(sql: string, values: readonly SqlValue[] = []): Promise<readonly unknown[]> {
    return new Promise((resolve) => {
      const { statement, order } = this.#prepare(sql)
      resolve(statement.all(...(order === null ? values : order.map((index) => values[index] ?? null))))
    })
  }
}
