/** Connections to the node of a PostgreSQL cluster that takes writes. */
import { Client, Pool, TypeOverrides, types, type ClientConfig } from 'pg'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseUnavailableError } from './database.ts'

/** A node that does not answer is passed over. */
const PROBE_TIMEOUT_MS = 1500
const CONNECT_TIMEOUT_MS = 3000
/** Between two rounds over the nodes, while a new primary is elected. */
const ROUND_PAUSE_MS = 200
const POOL_SIZE = 16
/** Of a statement. A broken network would leave it waiting for minutes; afterwards it is repeated. */
const STATEMENT_TIMEOUT_MS = 10_000
/** For statements that read a whole table. */
export const LONG_STATEMENT_TIMEOUT_MS = 24 * 3_600_000

const parsers = new TypeOverrides()
// `pg` returns it as text: sums of points are far below 2^53.
parsers.setTypeParser(types.builtins.INT8, Number)

/**
 * Returns the address of each node of `postgres://user@host1,host2:5433,host3/database?options`. User, database and options
 * are those of all nodes. Throws, without the password, for anything else.
 */
export const nodeAddresses = (url: string): readonly string[] => {
  const parts = /^postgres(?:ql)?:\/\/(?:(?<user>[^@/]*)@)?(?<hosts>[^/?@]+)(?<rest>[/?].*)?$/u.exec(
    url
  )?.groups
  const hosts = parts?.['hosts']?.split(',') ?? []
  const user = parts?.['user'] === undefined ? '' : `${parts['user']}@`
  const addresses = hosts.map((host) => `postgres://${user}${host}${parts?.['rest'] ?? ''}`)
  if (addresses.length === 0 || hosts.includes('') || !addresses.every((address) => URL.canParse(address))) {
    throw new Error('The address of the database must read postgres://user@host1,host2/database')
  }
  return addresses
}

const configOf = (address: string): ClientConfig => ({
  connectionString: address,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  query_timeout: STATEMENT_TIMEOUT_MS,
  keepAlive: true,
  // A statement is sent without waiting for the answer to the one before it.
  pipeline: true,
  application_name: 'tillpoints-service',
  types: parsers
})

/** A connection that breaks rejects its statement; between statements nothing has to be done. */
const ignoreBreak = (): void => undefined

export class PrimaryPool {
  readonly #addresses: readonly string[]
  readonly #findTimeoutMs: number
  #pool: Pool | null = null
  #finding: Promise<Pool> | null = null
  #closed = false

  /** @param findTimeoutMs after which `get` rejects if no node takes writes */
  constructor(addresses: readonly string[], findTimeoutMs: number) {
    this.#addresses = addresses
    this.#findTimeoutMs = findTimeoutMs
  }

  /** Returns the pool of the primary. Rejects with a `DatabaseUnavailableError`. */
  async get(): Promise<Pool> {
    if (this.#closed) throw new Error('database is not open')
    if (this.#pool !== null) return this.#pool
    this.#finding ??= this.#find().finally(() => (this.#finding = null))
    return this.#finding
  }

  /** Lets the next `get` search the primary again. Statements of other connections of the pool end as they will. */
  discard(pool: Pool): void {
    if (pool !== this.#pool) return
    this.#pool = null
    void pool.end()
  }

  /** Ends the connections after their statements. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#finding?.catch(() => undefined)
    const pool = this.#pool
    this.#pool = null
    await pool?.end()
  }

  async #find(): Promise<Pool> {
    const deadline = performance.now() + this.#findTimeoutMs
    for (;;) {
      const reasons: string[] = []
      for (const address of this.#addresses) {
        try {
          if (await takesWrites(address)) return this.#use(address)
          reasons.push('a standby')
        } catch (error) {
          reasons.push(error instanceof Error ? error.message : String(error))
        }
      }
      if (this.#closed || performance.now() > deadline) {
        throw new DatabaseUnavailableError(`No node of the database takes writes: ${reasons.join('; ')}.`)
      }
      await wait(ROUND_PAUSE_MS)
    }
  }

  #use(address: string): Pool {
    const pool = new Pool({ ...configOf(address), max: POOL_SIZE })
    pool.on('error', ignoreBreak)
    pool.on('connect', (client) => client.on('error', ignoreBreak))
    this.#pool = pool
    return pool
  }
}

/** Whether a node takes writes. Rejects if it does not answer. */
const takesWrites = async (address: string): Promise<boolean> => {
  const timeouts = { connectionTimeoutMillis: PROBE_TIMEOUT_MS, query_timeout: PROBE_TIMEOUT_MS }
  const client = new Client({ ...configOf(address), ...timeouts })
  client.on('error', ignoreBreak)
  try {
    await client.connect()
    const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
    return rows[0]?.standby === false
  } finally {
    void client.end().catch(() => undefined)
  }
}
