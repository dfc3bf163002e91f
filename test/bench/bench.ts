/** The interface of a bench: one row of the README's table. */
import type { Measured } from './line.ts'
import type { CostAtSize, Growth } from './statistics.ts'

/** `full` in `npm run bench`; `smoke` only tests that a bench works, its numbers mean nothing. */
export type Extent = 'smoke' | 'full'

/** How the cost of something grows with the size of the business. */
export interface Growing {
  readonly name: string
  /** the unit of the size: customers, journal rows … */
  readonly of: string
  /** costs in milliseconds */
  readonly points: readonly CostAtSize[]
}

/** A cost that was fitted, as `out/bench.json` keeps it. */
export interface Fitted extends Growing {
  readonly growth: Growth
}

/** The results of a bench. */
interface Findings {
  readonly lines: readonly Measured[]
  readonly growing?: readonly Growing[]
}

/** The working folder and size of a run. */
interface Conditions {
  readonly extent: Extent
  /** an empty folder of its own, removed afterwards */
  readonly folder: string
  /** prints progress on the standard error */
  readonly say: (message: string) => void
}

/** One row of the table. */
export interface Bench {
  /** the NAME of `npm run bench -- NAME` */
  readonly name: string
  /** one line: the measured work and its baseline */
  readonly description: string
  /** Rejects when something did not work; a missed target is a line that is not ok. */
  measure(conditions: Conditions): Promise<Findings>
}
