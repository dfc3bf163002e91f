/** Counts attempts in the store, so that a restart or a second process forgets none. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Database, Queries } from './database.ts'

const MINUTE_MS = 60_000

/** How often something may be tried. */
export interface AttemptLimit {
  readonly count: number
  readonly minutes: number
}

/** What is tried, such as `['code', code]`, and how often that may be. */
interface Attempt {
  readonly subject: readonly string[]
  readonly limit: AttemptLimit
}

const countRow = v.object({ count: v.number() })

/** Phones and addresses are kept as hashes only. */
const keyOf = (subject: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(subject)).digest('hex')

export class AttemptStore {
  readonly #database: Database
  readonly #now: () => Date

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /**
   * Counts an attempt at a subject and returns whether it is within the limit. An attempt that is repeated after a lost
   * answer may count twice.
   */
  isAllowed(subject: readonly string[], limit: AttemptLimit): Promise<boolean> {
    return this.#count(this.#database, { subject, limit })
  }

  /**
   * Counts attempts, one after the other up to the first that is over its limit, with one commit. Returns that limit, or
   * null.
   */
  firstExceeded(attempts: readonly Attempt[]): Promise<AttemptLimit | null> {
    return this.#database.transaction(async (queries) => {
      for (const attempt of attempts) if (!(await this.#count(queries, attempt))) return attempt.limit
      return null
    })
  }

  async #count(queries: Queries, { subject, limit: { count, minutes } }: Attempt): Promise<boolean> {
    const now = this.#now()
    const [row] = await queries.write(
      `INSERT INTO attempts (key, since, count) VALUES ($1, $2, 1)
       ON CONFLICT (key) DO UPDATE SET
         count = CASE WHEN attempts.since <= $3 THEN 1 ELSE attempts.count + 1 END,
         since = CASE WHEN attempts.since <= $3 THEN excluded.since ELSE attempts.since END
       RETURNING count`,
      [keyOf(subject), now.toISOString(), new Date(now.getTime() - minutes * MINUTE_MS).toISOString()]
    )
    return v.parse(countRow, row).count <= count
  }

  /** Returns whether the attempts at a subject are over the limit, and counts none. */
  async isExceeded(subject: readonly string[], { count, minutes }: AttemptLimit): Promise<boolean> {
    const since = new Date(this.#now().getTime() - minutes * MINUTE_MS).toISOString()
    const [row] = await this.#database.read('SELECT count FROM attempts WHERE key = $1 AND since > $2', [
      keyOf(subject),
      since
    ])
    return row !== undefined && v.parse(countRow, row).count > count
  }

  /** Forgets what is older than any limit. Call now and then. */
  async clean(maxMinutes: number): Promise<void> {
    const before = new Date(this.#now().getTime() - maxMinutes * MINUTE_MS).toISOString()
    await this.#database.write('DELETE FROM attempts WHERE since < $1', [before])
  }
}
