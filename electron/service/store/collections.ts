/** Which codes were collected since a till asked last. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { AHEAD_MINUTES, minutesAfter } from '../domain/days.ts'
import type { Queries } from './database.ts'

/** A code that was collected, or whose points were taken back. */
export interface CodeEvent {
  readonly code: string
  readonly state: 'collected' | 'reversed'
  readonly points: number
  /** ISO 8601, UTC */
  readonly at: string
}

/** Where reading goes on: behind an entry, in the order in which they were made, or from a moment where `entry` is 0. */
export interface Position {
  /** ISO 8601, UTC; of the entry, which a clock may have set wrong */
  readonly at: string
  readonly entry: number
}

/**
 * An entry has the time at which its work began, and can be seen when it is committed. No work takes longer than this, so
 * a reader who goes on from here misses none; what is newer is read again.
 */
const SETTLED_MS = 120_000

const positionRow = v.object({ at: v.string(), entry: v.number() })
const eventRow = v.object({
  code: v.string(),
  kind: v.picklist(['collected', 'reversed']),
  points: v.number(),
  at: v.string(),
  entry: v.number()
})

export class CollectionStore {
  readonly #queries: Queries
  readonly #now: () => Date

  constructor(queries: Queries, now: () => Date) {
    this.#queries = queries
    this.#now = now
  }

  /** Returns what happened behind a position, the oldest first, with the position to go on from. */
  async since(
    business: BusinessKey,
    { at, entry }: Position,
    limit: number
  ): Promise<{ readonly events: readonly CodeEvent[]; readonly next: Position; readonly hasMore: boolean }> {
    // After a restore, the number of an entry can be that of another one.
    const isKept = entry > 0 && (await this.#isKept(business, { at, entry }))
    // A moment that a clock has set into the future is none: all is read again.
    const isAhead = at > minutesAfter(this.#now().toISOString(), AHEAD_MINUTES)
    const moment = isKept || isAhead ? '' : at
    const before = isKept || isAhead ? { entry: isKept ? entry : 0 } : await this.#settledBefore(business, at)
    const rows = await this.#queries.read(
      `SELECT coalesce(entries.code, reversed.code) AS code, entries.kind AS kind, abs(entries.points) AS points,
         entries.at AS at, entries.entry AS entry
       FROM entries LEFT JOIN entries AS reversed ON reversed.id = entries.reverses
       WHERE entries.business = $1 AND entries.entry > CAST($3 AS BIGINT) AND entries.at >= $2
         AND entries.kind IN ('collected', 'reversed') AND (entries.kind = 'collected' OR reversed.kind = 'collected')
       ORDER BY entries.entry LIMIT $4`,
      [business, moment, before.entry, limit + 1]
    )
    const read = rows.map((row) => v.parse(eventRow, row))
    const shown = read.slice(0, limit)
    const last = shown.at(-1)
    const hasMore = read.length > limit && last !== undefined
    const next = hasMore ? last : await this.#settledBefore(business, this.#now().toISOString())
    return {
      events: shown.map(({ code, kind, points, at: time }) => ({ code, state: kind, points, at: time })),
      next: { at: next.at, entry: next.entry },
      hasMore
    }
  }

  async #isKept(business: BusinessKey, { at, entry }: Position): Promise<boolean> {
    const kept = await this.#queries.read(
      'SELECT entry FROM entries WHERE business = $1 AND at = $2 AND entry = $3',
      [business, at, entry]
    )
    return kept.length > 0
  }

  /** The last entry before which all can be seen at a moment. */
  async #settledBefore(business: BusinessKey, at: string): Promise<Position> {
    const settled = new Date(Date.parse(at) - SETTLED_MS).toISOString()
    const [row] = await this.#queries.read(
      'SELECT at, entry FROM entries WHERE business = $1 AND at <= $2 ORDER BY at DESC, entry DESC LIMIT 1',
      [business, settled]
    )
    return row === undefined ? { at: settled, entry: 0 } : v.parse(positionRow, row)
  }
}
