/** The store in PostgreSQL, on one node or on several with failover. */
import { DatabaseError, type Pool, type PoolClient, type QueryResult } from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import {
  ConflictError,
  DatabaseUnavailableError,
  StorageFullError,
  type Database,
  type Queries,
  type ReadOptions
} from './database.ts'
import { postgresDialect } from './dialects.ts'
import { applyMigrations } from './migrate.ts'
import type { SqlValue } from './rows.ts'
import { LONG_STATEMENT_TIMEOUT_MS, nodeAddresses, PrimaryPool } from './primary-pool.ts'

/**
 * How long a request waits for a new primary, and how long a broken connection is repaired by repeating the work. Patroni
 * replaces a leader that is gone within some 45 seconds, unless its `ttl` of 30 seconds is changed.
 */
const FAILOVER_TIME_MS = 60_000
const REPEAT_PAUSE_MS = 100
/** Conflicts of one piece of work. Each loser waits a random time, so that two do not meet again. */
const MAX_CONFLICTS = 50
const MAX_CONFLICT_PAUSE_MS = 20

/** The oldest release that is tested: PostgreSQL 15. */
const MIN_SERVER_VERSION = 150_000

/** Any number that no other program takes: processes that migrate wait for each other. */
const MIGRATION_LOCK = 7_401_553_120

/**
 * Written where nothing was changed, so that the commit waits for the standbys. An interrupted call may have left its changes
 * on this node alone: the call that finds them again acknowledges them, and without a write of its own it would not wait.
 */
const LOG_MESSAGE = "SELECT pg_logical_emit_message(true, 'tillpoints-service', 'nothing changed')"

/** Serialization failure, deadlock (PostgreSQL documentation, appendix A). */
const CONFLICT_CODES = new Set(['40001', '40P01'])
/** The node is read-only, shuts down, starts up or broke the connection (classes 08 and 57P, and 25006). */
const CONNECTION_CODES = /^(?:25006|57P0\d|08\w{3}|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
const TOO_MANY_CONNECTIONS = '53300'
const DISK_FULL = '53100'
/** Errors of the driver, which have no code. */
const CONNECTION_MESSAGES =
  /connection terminated|connection timeout|query read timeout|not queryable|client was closed|pool after calling end/i

/**
 * Opens a database by an address such as `postgres://user@host1,host2,host3/points` and brings its schema up to date.
 * Rejects if no node takes writes, if the server is too old, or if a newer version created the schema.
 */
export const openPostgres = async (url: string, failoverTimeMs = FAILOVER_TIME_MS): Promise<Database> => {
  const database = new PostgresDatabase(new PrimaryPool(nodeAddresses(url), failoverTimeMs), failoverTimeMs)
  try {
    await database.migrate()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

type ReadStatement = Parameters<Queries['read']>

class PostgresDatabase implements Database {
  readonly dialect = postgresDialect
  readonly #primary: PrimaryPool
  readonly #failoverTimeMs: number
  /** names of prepared statements by their text: each connection parses a text once */
  readonly #names = new Map<string, string>()

  constructor(primary: PrimaryPool, failoverTimeMs: number) {
    this.#primary = primary
    this.#failoverTimeMs = failoverTimeMs
  }

  read(...statement: ReadStatement): Promise<readonly unknown[]> {
    return this.#repeat((pool) => this.#read(pool, ...statement))
  }

  async #read(connection: Pool | PoolClient, ...statement: ReadStatement): Promise<readonly unknown[]> {
    const [, values = []] = statement
    // A text with a NUL character, which PostgreSQL cannot hold: it equals nothing.
    if (values.some((value) => typeof value === 'string' && value.includes('\0'))) return []
    return (await this.#run(connection, ...statement)).rows
  }

  write(sql: string, values?: readonly SqlValue[]): Promise<readonly unknown[]> {
    return this.#repeat(async (pool) => {
      const { rows, rowCount } = await this.#run(pool, sql, values)
      if (rowCount === 0) await pool.query(LOG_MESSAGE)
      return rows
    })
  }

  /** READ COMMITTED: what happens once does so by its statement, not by the isolation level. */
  transaction<Value>(work: (queries: Queries) => Promise<Value>): Promise<Value> {
    return this.#repeat((pool) =>
      inTransaction(pool, async (client) => {
        let changed = 0
        const value = await work({
          dialect: postgresDialect,
          read: (...statement) => this.#read(client, ...statement),
          write: async (...statement) => {
            const { rows, rowCount } = await this.#run(client, ...statement)
            changed += rowCount ?? 0
            return rows
          }
        })
        if (changed === 0) await client.query(LOG_MESSAGE)
        return value
      })
    )
  }

  /** There is none: `restore` is for files. */
  deleteReplaced(): void {
    return
  }

  close(): Promise<void> {
    return this.#primary.close()
  }

  /** Applies missing migrations. */
  migrate(): Promise<void> {
    const options = { query_timeout: LONG_STATEMENT_TIMEOUT_MS }
    return this.#repeat((pool) =>
      inTransaction(pool, async (client) => {
        const { rows } = await client.query<{ version: number; name: string }>(
          `SELECT current_setting('server_version_num')::bigint AS version, current_database() AS name`
        )
        const [server] = rows
        if (server === undefined || server.version < MIN_SERVER_VERSION) {
          throw new Error('The database server is too old: the service needs PostgreSQL 15 or newer.')
        }
        await client.query({ text: `SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`, ...options })
        const read = async (sql: string): Promise<readonly unknown[]> =>
          (await client.query<Record<string, unknown>>(sql)).rows
        const script = async (text: string): Promise<void> => {
          if (text !== '') await client.query({ text, ...options })
        }
        await applyMigrations({ dialect: postgresDialect, read, script }, `The database ${server.name}`)
      })
    )
  }

  #run(
    connection: Pool | PoolClient,
    text: string,
    values: readonly SqlValue[] = [],
    { isLong = false }: ReadOptions = {}
  ): Promise<QueryResult<Record<string, unknown>>> {
    let name = this.#names.get(text)
    if (name === undefined) this.#names.set(text, (name = `s${String(this.#names.size)}`))
    const timeout = isLong ? { query_timeout: LONG_STATEMENT_TIMEOUT_MS } : {}
    return connection.query<Record<string, unknown>>({ name, text, values: [...values], ...timeout })
  }

  /** Runs work on the primary, and again after a conflict, or on the next primary after a broken connection. */
  async #repeat<Value>(work: (pool: Pool) => Promise<Value>): Promise<Value> {
    const deadline = performance.now() + this.#failoverTimeMs
    let conflicts = 0
    for (;;) {
      const pool = await this.#primary.get()
      try {
        return await work(pool)
      } catch (error) {
        if (isConflict(error)) {
          conflicts += 1
          if (conflicts > MAX_CONFLICTS) throw error
          await wait(Math.random() * MAX_CONFLICT_PAUSE_MS)
          continue
        }
        if (error instanceof DatabaseError && error.code === DISK_FULL) {
          throw new StorageFullError('The disk is full.', { cause: error })
        }
        const isBroken = isBrokenConnection(error)
        if (!isBroken && !isBusy(error)) throw error
        if (isBroken) this.#primary.discard(pool)
        if (performance.now() > deadline) {
          throw new DatabaseUnavailableError(
            `The database gives no connection: ${(error as Error).message}.`,
            {
              cause: error
            }
          )
        }
        await wait(REPEAT_PAUSE_MS)
      }
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof ConflictError || (error instanceof DatabaseError && CONFLICT_CODES.has(error.code ?? ''))

const isBrokenConnection = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  return CONNECTION_CODES.test(code) || (code === '' && CONNECTION_MESSAGES.test(error.message))
}

/** All connections of the pool or of the server are in use. */
const isBusy = (error: unknown): boolean =>
  error instanceof DatabaseError
    ? error.code === TOO_MANY_CONNECTIONS
    : error instanceof Error && error.message === 'timeout exceeded when trying to connect'

const inTransaction = async <Value>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Value>
): Promise<Value> => {
  const client = await pool.connect()
  try {
    const begun = client.query('BEGIN')
    const [value] = await Promise.all([work(client), begun])
    await client.query('COMMIT')
    client.release()
    return value
  } catch (error) {
    if (isBrokenConnection(error)) client.release(true)
    else {
      const isRolledBack = await client.query('ROLLBACK').then(
        () => true,
        () => false
      )
      client.release(!isRolledBack)
    }
    throw error
  }
}
