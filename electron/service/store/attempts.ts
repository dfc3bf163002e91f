/** Counts attempts in the store, so that a restart or a second process forgets none. */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import { AHEAD_MINUTES } from '../domain/days.ts'
import type { Database } from './database.ts'

const MINUTE_MS = 60_000

/** How often something may be tried. */
export interface AttemptLimit {
  readonly count: number
  readonly minutes: number
}

/** What is tried, such as `['code', code]`, and how often that may be. */
export interface Attempt {
  readonly subject: readonly string[]
  readonly limit: AttemptLimit
}

/** What was tried at a subject: how often since a moment (ISO 8601, UTC). */
export interface CountedAttempts {
  readonly since: string
  readonly count: number
}

const countsRow = v.object({ since: v.string(), count: v.number() })
const countedRow = v.object({ key: v.string(), ...countsRow.entries })

/** The values of an attempt in `firstExceeded`: place, key, start of its time and limit. */
const placeholders = (index: number): string => {
  const [place, key, before, most] = [3, 4, 5, 6].map((first) => `$${String(first + 4 * index)}`)
  return `(CAST(${place} AS BIGINT), ${key}, ${before}, CAST(${most} AS BIGINT))`
}

/** The key of a subject: phones and addresses are kept as hashes only. */
export const attemptKey = (subject: readonly string[]): string => hash('sha256', JSON.stringify(subject))

export class AttemptStore {
  readonly #database: Database
  readonly #now: () => Date

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /** Counts an attempt at a subject and returns whether it is within the limit. See `firstExceeded`. */
  async isAllowed(subject: readonly string[], limit: AttemptLimit): Promise<boolean> {
    return (await this.firstExceeded([{ subject, limit }])) === null
  }

  /**
   * Counts attempts, in their order up to the first that is over its limit, and returns the minutes until that one is
   * free again, or null. An attempt that is repeated after a lost answer may count twice.
   */
  async firstExceeded(attempts: readonly Attempt[]): Promise<number | null> {
    const tried = attempts.map(({ subject, limit }) => ({ key: attemptKey(subject), limit }))
    // One statement: on PostgreSQL each costs a journey over the network.
    const rows = await this.#database.write(
      `WITH tried (place, key, before, most) AS (VALUES ${tried.map((_, index) => placeholders(index)).join(', ')})
       INSERT INTO attempts (key, since, count)
       SELECT key, $1, 1 FROM tried WHERE NOT EXISTS (
         SELECT 1 FROM tried AS earlier JOIN attempts ON attempts.key = earlier.key
         WHERE earlier.place < tried.place AND attempts.since > earlier.before AND attempts.since <= $2
           AND attempts.count >= earlier.most
       ) ORDER BY place
       ON CONFLICT (key) DO UPDATE SET (since, count) = (
         SELECT CASE WHEN attempts.since <= before OR attempts.since > $2 THEN excluded.since ELSE attempts.since END,
           CASE WHEN attempts.since <= before OR attempts.since > $2 THEN 1 ELSE attempts.count + 1 END
         FROM tried WHERE tried.key = excluded.key
       ) RETURNING key, since, count`,
      [
        this.#minutesAgo(0),
        this.#minutesAgo(-AHEAD_MINUTES),
        ...tried.flatMap(({ key, limit: { count, minutes } }, place) => [
          ...[place, key, this.#minutesAgo(minutes), count]
        ])
      ]
    )
    const counted = new Map(rows.map((row) => v.parse(countedRow, row)).map((each) => [each.key, each]))
    for (const { key, limit } of tried) {
      const { count, since } = counted.get(key) ?? { count: 0, since: '' }
      if (count > limit.count) return this.#minutesLeft(since, limit)
    }
    return null
  }

  /**
   * Returns the minutes until an attempt is free again if one more would be over its limit, or null. It counts none: for what
   * succeeds once at most, and is counted when it does not.
   *
   * @param read what was counted, where it was read before: null for none
   */
  async isExceeded({ subject, limit }: Attempt, read?: CountedAttempts | null): Promise<number | null> {
    const counted = read === undefined ? await this.#counted(subject) : read
    if (counted === null || counted.count < limit.count) return null
    const { since } = counted
    const isOver = since <= this.#minutesAgo(limit.minutes) || since > this.#minutesAgo(-AHEAD_MINUTES)
    return isOver ? null : this.#minutesLeft(since, limit)
  }

  async #counted(subject: readonly string[]): Promise<CountedAttempts | null> {
    const [row] = await this.#database.read('SELECT since, count FROM attempts WHERE key = $1', [
      attemptKey(subject)
    ])
    return row === undefined ? null : v.parse(countsRow, row)
  }

  #minutesLeft(since: string, { minutes }: AttemptLimit): number {
    const left = Date.parse(since) + minutes * MINUTE_MS - this.#now().getTime()
    return Math.min(Math.max(1, Math.ceil(left / MINUTE_MS)), minutes)
  }

  /** Forgets what is older than any limit, or was counted with a wrong clock. Call now and then. */
  async clean(maxMinutes: number): Promise<void> {
    await this.#database.write('DELETE FROM attempts WHERE since < $1 OR since > $2', [
      this.#minutesAgo(maxMinutes),
      this.#minutesAgo(-AHEAD_MINUTES)
    ])
  }

  #minutesAgo(minutes: number): string {
    return new Date(this.#now().getTime() - minutes * MINUTE_MS).toISOString()
  }
}
