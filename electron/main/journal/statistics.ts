/** Counts and sums over the slips of the journal. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as v from 'valibot'
import { SLIP_STATUSES, type SlipStatus } from '../../contract/slips.ts'
import type { JournalStatistics } from '../../contract/diagnostics.ts'
import { IS_WAITING, IS_WORTHLESS, scopeValues, STATUS, type Scope } from './rows.ts'
import { versionOf } from './schema.ts'

/** The slips of one status within a time range. */
export interface StatusSum {
  readonly status: SlipStatus
  readonly count: number
  /** of `count`: slips with a code */
  readonly withCode: number
  /** points of the slips with a code */
  readonly points: number
  /** copies that were printed or saved */
  readonly copies: number
  /** of `count`: slips that the retention removed */
  readonly removed: number
  /** of `count`: slips whose codes the till made without a connection */
  readonly offline: number
}

/** The printed copies of a row of `slips`. Its column `copies` also counts those that failed. */
export const PRINTED_COPIES = `CASE WHEN slips.copies = 0 THEN 0 ELSE (
  SELECT count(*) FROM copies AS made WHERE made.slip = slips.number AND made.state = 'printed') END`

const sumSchema = v.object({
  status: v.picklist(SLIP_STATUSES),
  count: v.number(),
  withCode: v.number(),
  points: v.number(),
  copies: v.number(),
  removed: v.number(),
  offline: v.number()
})

const countSchema = v.pick(sumSchema, ['status', 'count'])

/** What is counted at once: some milliseconds. */
const SLICE_ROWS = 5000

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** Each method throws, or rejects, as SQLite does when the disk fails. */
export class SlipStatistics {
  readonly #database: DatabaseSync
  readonly #countAttention: StatementSync
  readonly #countByStatus: StatementSync
  readonly #totals: StatementSync
  readonly #sumByStatus: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#countAttention = database.prepare(`
      SELECT (
        SELECT count(*) FROM slips INDEXED BY slips_state WHERE ${IS_WAITING} AND training = ?1 AND business_id = ?2
      ) + (
        SELECT count(*) FROM slips INDEXED BY slips_refusal WHERE ${IS_WORTHLESS} AND training = ?1 AND business_id = ?2
      ) AS count
    `)
    this.#countByStatus = database.prepare(`
      SELECT ${STATUS} AS status, count(*) AS count FROM slips WHERE number > ? AND number <= ? GROUP BY status
    `)
    this.#totals = database.prepare(`
      SELECT (SELECT count(*) FROM copies) AS copies, (SELECT count(*) FROM batches) AS batches,
        (SELECT max(number) FROM slips) AS last_number,
        (SELECT requested_at FROM slips ORDER BY number LIMIT 1) AS first,
        (SELECT requested_at FROM slips ORDER BY number DESC LIMIT 1) AS last,
        (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
    `)
    this.#sumByStatus = database.prepare(`
      SELECT status, sum(count) AS count, sum(withCode) AS withCode, sum(points) AS points, sum(copies) AS copies,
        sum(removed) AS removed, sum(offline) AS offline
      FROM (
        SELECT
          ${STATUS} AS status,
          count(*) AS count,
          count(code) AS withCode,
          coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0) AS points,
          sum(${PRINTED_COPIES}) AS copies,
          0 AS removed,
          count(offline_day) AS offline
        FROM slips INDEXED BY slips_time
        WHERE training = ?1 AND business_id = ?2 AND requested_at >= ?3 AND requested_at < ?4
        GROUP BY status
        UNION ALL
        SELECT state AS status, count, with_code, points, copies, count, 0 FROM removed_slips
        WHERE training = ?1 AND business_id = ?2 AND quarter >= ?3 AND quarter < ?4
      )
      GROUP BY status
    `)
  }

  /** Returns the number of slips that need attention. */
  countAttention(scope: Scope): number {
    return Number(this.#countAttention.get(...scopeValues(scope))?.['count'])
  }

  /**
   * Resolves with the totals of all businesses, for diagnostics; no row of a slip. Rejects as SQLite throws. It reads all
   * slips, some thousand at once, so that main handles other work in between.
   */
  async totals(): Promise<JournalStatistics> {
    const row = this.#totals.get() ?? {}
    const counts = new Map<SlipStatus, number>()
    for (let after = 0; after < Number(row['last_number']); after += SLICE_ROWS) {
      for (const columns of this.#countByStatus.all(after, after + SLICE_ROWS)) {
        const { status, count } = v.parse(countSchema, columns)
        counts.set(status, (counts.get(status) ?? 0) + count)
      }
      await nextTurn()
    }
    return {
      version: versionOf(this.#database),
      bytes: Number(row['bytes']),
      slips: Object.fromEntries(SLIP_STATUSES.map((status) => [status, counts.get(status) ?? 0])) as Record<
        SlipStatus,
        number
      >,
      copies: Number(row['copies']),
      batches: Number(row['batches']),
      first: textOrNull(row['first']),
      last: textOrNull(row['last'])
    }
  }

  /**
   * Returns the sums of the slips requested from `from` on and before `until` (ISO 8601, UTC), one per status that occurs.
   * Slips that the retention removed are included.
   */
  sumByStatus(scope: Scope, from: string, until: string): StatusSum[] {
    return this.#sumByStatus
      .all(...scopeValues(scope), from, until)
      .map((columns) => v.parse(sumSchema, columns))
  }
}
