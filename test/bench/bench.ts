/** The interface of a bench: one row of the README's table. */
import type { Measured } from './line.ts'

/** A size that the environment variable `BENCH_<name>` changes. */
export const sizeOf = (name: string, usual: number): number => Number(process.env[`BENCH_${name}`] ?? usual)

/** `full` in `npm run bench`; `smoke` only tests that a bench works, its numbers mean nothing. */
export type Extent = 'smoke' | 'full'

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
  /** Returns why this machine cannot run it, or null. */
  readonly skipReason?: () => string | null
  /** Rejects when something did not work; a missed target is a line that is not ok. */
  measure(conditions: Conditions): Promise<readonly Measured[]>
}
