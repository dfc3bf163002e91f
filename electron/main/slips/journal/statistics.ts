/** How much is in the journal, for diagnostics: numbers of all businesses together, and no row. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import type { JournalStatistics } from '../../../contract/diagnostics.ts'
import { SLIP_STATES, type SlipState } from '../../../contract/slips.ts'
import { scopeValues, type Scope } from './rows.ts'
import { versionOf } from './schema.ts'

/** Reads the numbers. */
export interface Numbers {
  numbers(): JournalStatistics
}

/** Prepares the counting. It walks an index of all slips: some milliseconds in a journal of many years. */
export function createNumbers(database: DatabaseSync): Numbers {
  const states = database.prepare(
    'SELECT state, count(*) AS count FROM slips INDEXED BY slips_state GROUP BY state'
  )
  const rest = database.prepare(`
    SELECT (SELECT count(*) FROM copies) AS copies, (SELECT count(*) FROM batches) AS batches,
      (SELECT requested_at FROM slips ORDER BY number LIMIT 1) AS first,
      (SELECT requested_at FROM slips ORDER BY number DESC LIMIT 1) AS last,
      (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS bytes
  `)
  const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    numbers() {
      const counted = new Map(states.all().map((row) => [row['state'], Number(row['count'])]))
      const row = rest.get() ?? {}
      return {
        version: versionOf(database),
        bytes: Number(row['bytes']),
        slips: Object.fromEntries(SLIP_STATES.map((state) => [state, counted.get(state) ?? 0])) as Record<
          SlipState,
          number
        >,
        copies: Number(row['copies']),
        batches: Number(row['batches']),
        first: textOrNull(row['first']),
        last: textOrNull(row['last'])
      }
    }
  }
}

/* from report.ts: Adding slips up: one walk along the clock for each stretch of time. */

/** Slips of one state within a stretch of time. */
export interface StateSum {
  readonly state: SlipState
  /** rows in this state */
  readonly count: number
  /** those of them that have a code */
  readonly withCode: number
  /** points that those carry */
  readonly points: number
  /** papers marked COPY */
  readonly copies: number
}

export interface Report {
  /**
   * Sums of the slips that were asked for from `from` on and before `until` (ISO 8601, UTC), one for each state that
   * occurs. Throws as SQLite does when the disk fails.
   */
  sums(scope: Scope, from: string, until: string): StateSum[]
}

const sumSchema = v.object({
  state: v.picklist(SLIP_STATES),
  count: v.number(),
  withCode: v.number(),
  points: v.number(),
  copies: v.number()
})

/** Prepares the adding up. */
export function createReport(database: DatabaseSync): Report {
  const select = database.prepare(`
    SELECT
      state,
      count(*) AS count,
      count(code) AS withCode,
      coalesce(sum(points) FILTER (WHERE code IS NOT NULL), 0) AS points,
      sum(copies) AS copies
    FROM slips INDEXED BY slips_time
    WHERE training = ? AND business_id = ? AND requested_at >= ? AND requested_at < ?
    GROUP BY state
  `)
  return {
    sums: (scope, from, until) =>
      select.all(...scopeValues(scope), from, until).map((columns) => v.parse(sumSchema, columns))
  }
}
