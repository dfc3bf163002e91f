/** What a bench is: one row of the table of the README, as a name and a way to measure it. */
import type { Measured } from './line.ts'
import type { CostAtSize, Growth } from './statistics.ts'

/** How much is measured: `full` by `npm run bench`; `smoke` shows that it works, and its numbers mean nothing. */
export type Extent = 'smoke' | 'full'

/** How the cost of something grows with the size of the business. */
export interface Growing {
  readonly name: string
  /** what the size counts: customers, journal rows … */
  readonly of: string
  /** costs in milliseconds */
  readonly points: readonly CostAtSize[]
}

/** A cost that was fitted, as `out/bench.json` keeps it. */
export interface Fitted extends Growing {
  readonly growth: Growth
}

/** What a bench found. */
export interface Findings {
  readonly lines: readonly Measured[]
  readonly growing?: readonly Growing[]
}

/** Where a bench works, and how much it does. */
export interface Conditions {
  readonly extent: Extent
  /** an empty folder of its own, removed afterwards */
  readonly folder: string
  /** says on the standard error what is going on */
  readonly say: (what: string) => void
}

/** One row of the table. */
export interface Bench {
  /** what `npm run bench -- NAME` calls it */
  readonly name: string
  /** one line for a reader: what is measured against what */
  readonly what: string
  /** Rejects when something did not work; a missed target is a line that is not ok. */
  measure(conditions: Conditions): Promise<Findings>
}
