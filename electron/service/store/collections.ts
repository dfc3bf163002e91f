/** Which codes were collected since a till asked last. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { Queries } from './database.ts'

/** A code that was collected, or whose points were taken back. */
export interface CodeEvent {
  readonly code: string
  readonly state: 'collected' | 'reversed'
  readonly points: number
  /** ISO 8601, UTC */
  readonly at: string
}

/** Where reading goes on: behind this entry. */
export interface Position {
  /** ISO 8601, UTC */
  readonly at: string
  readonly entry: number
}

/**
 * An entry has the time at which its work began, and can be seen when it is committed. No work takes longer than this, so
 * a reader who goes on from here misses none; what is newer is read again.
 */
const SETTLED_MS = 120_000

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
    const rows = await this.#queries.read(
      `SELECT coalesce(entries.code, reversed.code) AS code, entries.kind AS kind, abs(entries.points) AS points,
         entries.at AS at, entries.entry AS entry
       FROM entries LEFT JOIN entries AS reversed ON reversed.id = entries.reverses
       WHERE entries.business = $1 AND (entries.at, entries.entry) > ($2, CAST($3 AS BIGINT))
         AND (entries.kind = 'collected' OR (entries.kind = 'reversed' AND reversed.kind = 'collected'))
       ORDER BY entries.at, entries.entry LIMIT $4`,
      [business, at, entry, limit + 1]
    )
    const read = rows.map((row) => v.parse(eventRow, row))
    const shown = read.slice(0, limit)
    const last = shown.at(-1)
    const settled = { at: new Date(this.#now().getTime() - SETTLED_MS).toISOString(), entry: 0 }
    return {
      events: shown.map(({ code, kind, points, at: time }) => ({ code, state: kind, points, at: time })),
      next: read.length > limit && last !== undefined ? { at: last.at, entry: last.entry } : settled,
      hasMore: read.length > limit
    }
  }
}
