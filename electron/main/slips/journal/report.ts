/** Adding slips up: one walk along the clock for each stretch of time. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { SLIP_STATES, type SlipState } from '../../../contract/till.ts'
import { scopeValues, type Scope } from './scope.ts'

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
