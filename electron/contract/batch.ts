/** Many slips of the same points at once, for a promotion: what was asked for, and how far it came. */
import type { Failure } from './failure.ts'

/** Most slips in one batch. */
export const MAXIMUM_BATCH = 500

/** Most requests that a batch has on their way to the service at once. */
export const BATCH_REQUESTS = 4

/** How a batch stands. */
export type BatchState =
  /** asks for codes, and prints them */
  | 'running'
  /** the cashier paused it; what was on its way when the button was pressed is in */
  | 'paused'
  /** it stopped by itself, for `Batch.reason`, and asks the cashier how to go on */
  | 'stopped'
  /** the cashier ended it */
  | 'cancelled'
  /** every slip was asked for and taken to paper, or failed to print */
  | 'finished'

/**
 * One batch. `count` = `waiting` + `unknown` + `issued`; `printed`, `failed` and `ended` are parts of `issued`, and
 * what is left of it is on its way to paper or waits for it.
 */
export interface Batch {
  readonly batchId: string
  /** points on each slip */
  readonly points: number
  /** slips asked for */
  readonly count: number
  /** true: one print job for all slips, sent when the last one is issued; false: one job per slip */
  readonly oneJob: boolean
  readonly state: BatchState
  /** why it stopped; null in every other state */
  readonly reason: Failure | null
  /** have a code */
  readonly issued: number
  /** are on paper */
  readonly printed: number
  /** have a code, and did not come out of the printer */
  readonly failed: number
  /** have a code that a person marked as given or discarded */
  readonly ended: number
  /** were asked for, and nobody knows whether a code was made; no paper exists */
  readonly unknown: number
  /** have no code yet: not asked for, on their way, or surely refused */
  readonly waiting: number
  /** ISO 8601, UTC */
  readonly startedAt: string
  /** when it was cancelled or finished */
  readonly endedAt: string | null
  readonly training: boolean
}

/** What the till itself notes on slips of a batch that it puts away: data, which the page says in its own language. */
export const BATCH_NOTES = { again: 'Issued again', cancelled: 'Batch cancelled' } as const

/** True while a batch may still be paused, resumed or cancelled. */
export const isUnfinished = ({ state }: Pick<Batch, 'state'>): boolean =>
  state !== 'cancelled' && state !== 'finished'
