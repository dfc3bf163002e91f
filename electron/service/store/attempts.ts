/** Counts attempts in the store, so that a restart or a second process forgets none. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { Database } from './database.ts'

const MINUTE_MS = 60_000

/** How often something may be tried. */
export interface AttemptLimit {
  readonly count: number
  readonly minutes: number
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
   * Counts an attempt at a subject, such as `['code', code]`, and returns whether it is within the limit. An attempt that
   * is repeated after a lost answer may count twice.
   */
  async isAllowed(subject: readonly string[], { count, minutes }: AttemptLimit): Promise<boolean> {
    const now = this.#now()
    const [row] = await this.#database.write(
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
