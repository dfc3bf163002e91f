/** The report of a range of days, summed up from the journal. */
import {
  SLIP_STATES,
  type ReportBucket,
  type ReportRange,
  type SlipsReport,
  type SlipState
} from '../../contract/slips.ts'
import type { Scope } from './journal/rows.ts'
import type { SlipStatistics, StateSum } from './journal/statistics.ts'
import { bucketSizeOf, timeBuckets } from './time-buckets.ts'

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Sums the slips that a customer has, or may have: not the discarded ones. */
const bucketOf = (start: string, sums: readonly StateSum[]): ReportBucket => {
  const delivered = sums.filter(({ state }) => state !== 'discarded')
  return {
    start,
    slips: total(delivered.map(({ withCode }) => withCode)),
    points: total(delivered.map(({ points }) => points))
  }
}

const countOf = (sums: readonly StateSum[], state: SlipState): number =>
  total(sums.filter((sum) => sum.state === state).map(({ count }) => count))

/** Sums the slips of `scope` that were requested on the days of `range` in `timeZone`. Throws as the journal does. */
export function createSlipsReport(
  statistics: Pick<SlipStatistics, 'sumByState'>,
  scope: Scope,
  range: ReportRange,
  timeZone: string
): SlipsReport {
  const bucketSize = bucketSizeOf(range)
  const summed = timeBuckets(range, bucketSize, timeZone).map(({ from, until }) => ({
    start: from,
    sums: statistics.sumByState(scope, from, until)
  }))
  const all = summed.flatMap(({ sums }) => sums)
  const buckets = summed.map(({ start, sums }) => bucketOf(start, sums))
  return {
    range,
    timeZone,
    bucketSize,
    buckets,
    slips: total(buckets.map(({ slips }) => slips)),
    points: total(buckets.map(({ points }) => points)),
    copies: total(all.map(({ copies }) => copies)),
    // Object.fromEntries loses the keys' type: there is one entry for each state.
    states: Object.fromEntries(SLIP_STATES.map((state) => [state, countOf(all, state)])) as Record<
      SlipState,
      number
    >
  }
}
