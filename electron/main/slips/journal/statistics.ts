/** Counts and sums over the slips of the journal. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import { ATTENTION_STATES, SLIP_STATES, type SlipState } from '../../../contract/slips.ts'
import type { JournalStatistics } from '../../../contract/diagnostics.ts'
import { scopeValues, type Scope } from './rows.ts'
import { versionOf } from './schema.ts'

/** The slips of one state within a time range. */
export interface StateSum {
  readonly state: SlipState
  readonly count: number
  /** of `count`: slips with a code */
  readonly withCode: number
  /** points of the slips with a code */
  readonly points: number
  /** copies that were printed or saved */
  readonly copies: number
  /** of `count`: slips that the retention removed */
  readonly removed: number
}

/** The printed copies of a row of `slips`. Its column `copies` also counts those that failed. */
export const PRINTED_COPIES = `CASE WHEN slips.copies = 0 THEN 0 ELSE (
  SELECT count(*) FROM copies AS made WHERE made.slip = slips.number AND made.state = 'printed') END`

const sumSchema = v.object({
  state: v.picklist(SLIP_STATES),
  count: v.number(),
  withCode: v.number(),
  points: v.number(),
  copies: v.number(),
  removed: v.number()
})

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Each method throws as SQLite does when the disk fails. */
export class SlipStatistics {
  readonly #database: DatabaseSync
  readonly #countAttention: StatementSync
  readonly #countByState: StatementSync
  readonly #totals: StatementSync
  readonly #sumByState: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#countAttention = database.prepare(`
      SELECT count(*) AS count FROM slips INDEXED BY slips_state
      WHERE state IN (${ATTENTION_STATES.map((state) => `'${state}'`).join(', ')})
        AND training = ? AND business_id = ?
    `)
    this.#countByState = database.prepare(
      'SELECT state, count(*) AS count FROM slips INDEXED BY slips_state GROUP BY state'
    )
    this.#totals = database.prepare(`
      SELECT (SELECT count(*) FROM copies) AS copies, (SELECT count(*) FROM batches) AS batches,
        (SELECT requested_at FROM slips ORDER BY number LIMIT 1) AS first,
        (SELECT requested_at FROM slips ORDER BY number DESC LIMIT 1) AS last,
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
    `)
    this.#sumByState = database.prepare(`
      SELECT state, sum(count) AS count, sum(withCode) AS withCode, sum(points) AS points, sum(copies) AS copies,
        sum(removed) AS removed
      FROM (
        SELECT
          state,
          count(*) AS count,
          count(code) AS withCode,
          coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0) AS points,
          sum(${PRINTED_COPIES}) AS copies,
          0 AS removed
        FROM slips INDEXED BY slips_time
        WHERE training = ?1 AND business_id = ?2 AND requested_at >= ?3 AND requested_at < ?4
        GROUP BY state
        UNION ALL
        SELECT state, count, with_code, points, copies, count FROM removed_slips
        WHERE training = ?1 AND business_id = ?2 AND quarter >= ?3 AND quarter < ?4
      )
      GROUP BY state
    `)
  }

  /** Returns the number of slips that need attention. */
  countAttention(scope: Scope): number {
    return Number(this.#countAttention.get(...scopeValues(scope))?.['count'])
  }

  /**
   * Returns the totals of all businesses, for diagnostics; no row of a slip. It walks an index of all slips: some
   * milliseconds in a journal of many years.
   */
  totals(): JournalStatistics {
    const counts = new Map(this.#countByState.all().map((row) => [row['state'], Number(row['count'])]))
    const row = this.#totals.get() ?? {}
    return {
      version: versionOf(this.#database),
      bytes: Number(row['bytes']),
      slips: Object.fromEntries(SLIP_STATES.map((state) => [state, counts.get(state) ?? 0])) as Record<
        SlipState,
        number
      >,
      copies: Number(row['copies']),
      batches: Number(row['batches']),
      first: textOrNull(row['first']),
      last: textOrNull(row['last'])
    }
  }

  /**
   * Returns the sums of the slips requested from `from` on and before `until` (ISO 8601, UTC), one per state that occurs.
   * Slips that the retention removed are included.
   */
  sumByState(scope: Scope, from: string, until: string): StateSum[] {
    return this.#sumByState
      .all(...scopeValues(scope), from, until)
      .map((columns) => v.parse(sumSchema, columns))
  }
}
