/** What the service told of the codes of this till: when they were collected, when that was taken back, and how far it was read. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import type { CollectionEvent } from '../../contract/loyalty.ts'
import type { JournalListener } from './journal-listener.ts'
import { scopeValues, SlipQuery, type Scope } from './rows.ts'

const readingSchema = v.object({ cursor: v.string(), read_at: v.nullable(v.string()) })

/** How far the collections of a business were read. */
export interface CollectionReading {
  /** where the next page begins */
  readonly cursor: string
  /** when the last one was read by the till's clock, ISO 8601, UTC; null: pages are missing since the first read */
  readonly readAt: string | null
}

/** The condition for a slip whose points a customer has. */
export const IS_COLLECTED = `(collected_at IS NOT NULL AND (taken_back_at IS NULL OR taken_back_at < collected_at))`

const collectedSlipSchema = v.object({
  number: v.number(),
  requested_at: v.string(),
  issued_at: v.nullable(v.string()),
  collected_at: v.nullable(v.string()),
  points: v.number(),
  batch_id: v.nullable(v.string()),
  cashier_id: v.nullable(v.string()),
  cashier_name: v.nullable(v.string()),
  caller_id: v.nullable(v.string()),
  caller_name: v.nullable(v.string())
})
/** A slip that a customer has or may have, with the columns of a report. `collected_at` is null unless it is collected. */
export type CollectedSlip = v.InferOutput<typeof collectedSlipSchema>

const removedSchema = v.object({
  quarter: v.string(),
  issued: v.number(),
  points: v.number(),
  collected: v.number(),
  collected_points: v.number()
})
/** The sums of slips that the retention removed, of a quarter of an hour. */
export type RemovedSlips = v.InferOutput<typeof removedSchema>

const reportedOperationSchema = v.object({
  number: v.number(),
  kind: v.picklist(['redeem', 'credit', 'return']),
  requested_at: v.string(),
  points: v.number(),
  cashier_id: v.nullable(v.string()),
  cashier_name: v.nullable(v.string()),
  caller_id: v.nullable(v.string()),
  caller_name: v.nullable(v.string())
})
/** A redemption or a credit that was not undone, or a return, with the columns of a report. `points`: of a return, those that went back. */
export type ReportedOperation = v.InferOutput<typeof reportedOperationSchema>

/** Each method throws as SQLite does when the disk fails; what a change returned is on disk. */
export class CollectionTable {
  readonly #listeners: readonly JournalListener[]
  readonly #reading: StatementSync
  readonly #setReading: StatementSync
  readonly #deleteReading: StatementSync
  readonly #firstCode: StatementSync
  readonly #record: Readonly<Record<CollectionEvent['state'], StatementSync>>
  readonly #slips: StatementSync
  readonly #removed: StatementSync
  readonly #operations: StatementSync
  readonly #byIntent: SlipQuery

  constructor(database: DatabaseSync, listeners: readonly JournalListener[]) {
    this.#listeners = listeners
    this.#reading = database.prepare(
      'SELECT cursor, read_at FROM collection_readings WHERE training = ? AND business_id = ?'
    )
    // A page that is not the last one says nothing about the time since.
    this.#setReading = database.prepare(
      `INSERT INTO collection_readings (training, business_id, cursor, read_at) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET cursor = excluded.cursor, read_at = coalesce(excluded.read_at, read_at)`
    )
    this.#deleteReading = database.prepare(
      'DELETE FROM collection_readings WHERE training = ? AND business_id = ?'
    )
    this.#firstCode = database.prepare(
      `SELECT coalesce(issued_at, requested_at) AS at FROM slips INDEXED BY slips_newest
       WHERE training = ? AND business_id = ? AND code IS NOT NULL ORDER BY number LIMIT 1`
    )
    // Each column keeps its last moment: items may come again, and in any order.
    const record = (column: 'collected_at' | 'taken_back_at'): StatementSync =>
      database.prepare(
        `UPDATE slips SET ${column} = :at, revision = revision + 1
         WHERE number = (
           SELECT number FROM slips INDEXED BY slips_code WHERE training = :training AND business_id = :businessId
             AND code = :code COLLATE NOCASE AND code = :code ORDER BY number DESC LIMIT 1
         ) AND (${column} IS NULL OR ${column} < :at)
         RETURNING intent_id`
      )
    this.#record = { collected: record('collected_at'), reversed: record('taken_back_at') }
    this.#slips = database.prepare(
      `SELECT number, requested_at, issued_at, CASE WHEN ${IS_COLLECTED} THEN collected_at END AS collected_at, points,
         batch_id, cashier_id, cashier_name, caller_id, caller_name
       FROM slips INDEXED BY slips_time
       WHERE training = ?1 AND business_id = ?2 AND (requested_at, number) > (?3, ?4) AND requested_at < ?5
         AND code IS NOT NULL AND state <> 'discarded'
       ORDER BY requested_at, number LIMIT ?6`
    )
    this.#removed = database.prepare(
      `SELECT quarter, sum(with_code) AS issued, sum(points) AS points, sum(collected) AS collected,
         sum(collected_points) AS collected_points FROM removed_slips
       WHERE training = ? AND business_id = ? AND quarter >= ? AND quarter < ? AND state <> 'discarded'
       GROUP BY quarter`
    )
    this.#operations = database.prepare(
      `SELECT number, kind, requested_at,
         CASE kind WHEN 'redeem' THEN request ->> 'cost' WHEN 'credit' THEN request ->> 'points' ELSE answer ->> 'points' END AS points,
         cashier_id, cashier_name, caller_id, caller_name
       FROM operations
       WHERE training = ? AND business_id = ? AND requested_at >= ? AND requested_at < ? AND number > ?
         AND kind IN ('redeem', 'credit', 'return') AND state = 'done' AND NOT EXISTS (
           SELECT 1 FROM operations AS undo WHERE undo.undoes = operations.key AND undo.state = 'done')
       ORDER BY number LIMIT ?`
    )
    this.#byIntent = new SlipQuery(database, 'WHERE intent_id = ?')
  }

  /** Returns how far the collections of a business were read; null before the first page. */
  reading(scope: Scope): CollectionReading | null {
    const row = this.#reading.get(...scopeValues(scope))
    if (row === undefined) return null
    const { cursor, read_at: readAt } = v.parse(readingSchema, row)
    return { cursor, readAt }
  }

  /** Stores how far they were read. A `readAt` of null keeps the moment before. */
  setReading(scope: Scope, { cursor, readAt }: CollectionReading): void {
    this.#setReading.run(...scopeValues(scope), cursor, readAt)
  }

  /** Forgets how far they were read: the next read begins with the first code. */
  deleteReading(scope: Scope): void {
    this.#deleteReading.run(...scopeValues(scope))
  }

  /** Returns when the first code of a business was issued, ISO 8601, UTC; null: this till has none. */
  firstCode(scope: Scope): string | null {
    const at = this.#firstCode.get(...scopeValues(scope))?.['at']
    return typeof at === 'string' ? at : null
  }

  /** Records what happened to codes; those of other tills are ignored. Returns the number of changed slips. */
  record(scope: Scope, events: readonly CollectionEvent[]): number {
    const [training, businessId] = scopeValues(scope)
    let changed = 0
    for (const { state, code, at } of events) {
      const intentId = this.#record[state].get({ training, businessId, code, at })?.['intent_id']
      const row = typeof intentId === 'string' ? this.#byIntent.first(intentId) : null
      if (row === null) continue
      changed += 1
      for (const listener of this.#listeners) listener.rowChanged?.(row, 'collected')
    }
    return changed
  }

  /**
   * Returns up to `limit` slips with a code that were not discarded and were requested before `until`, in the order of
   * time, behind a slip or from a moment on (ISO 8601, UTC).
   */
  slips(
    scope: Scope,
    after: Pick<CollectedSlip, 'requested_at' | 'number'>,
    until: string,
    limit: number
  ): CollectedSlip[] {
    return this.#slips
      .all(...scopeValues(scope), after.requested_at, after.number, until, limit)
      .map((row) => v.parse(collectedSlipSchema, row))
  }

  /**
   * Returns up to `limit` redemptions, credits and returns that were requested from `from` on and before `until` (ISO 8601, UTC) and
   * not undone, in the order of their numbers, behind the number `after`.
   */
  operations(scope: Scope, from: string, until: string, after: number, limit: number): ReportedOperation[] {
    return this.#operations
      .all(...scopeValues(scope), from, until, after, limit)
      .map((row) => v.parse(reportedOperationSchema, row))
  }

  /** Returns the sums of the removed slips that were requested from `from` on and before `until`. */
  removed(scope: Scope, from: string, until: string): RemovedSlips[] {
    return this.#removed.all(...scopeValues(scope), from, until).map((row) => v.parse(removedSchema, row))
  }
}
