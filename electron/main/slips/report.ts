/** The report of a range of days, summed up from the journal. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  SLIP_STATUSES,
  type ReportBucket,
  type ReportRange,
  type SlipsReport,
  type SlipStatus
} from '../../contract/slips.ts'
import type { Scope } from './journal/rows.ts'
import type { SlipStatistics, StatusSum } from './journal/statistics.ts'
import { bucketSizeOf, timeBuckets, type TimeBucket } from './time-buckets.ts'

/** What is summed at once: a few milliseconds at 500 slips a day. Main handles other work between two slices. */
const SLICE_MS = 24 * 60 * 60 * 1000

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)

/** Sums the slips that a customer has, or may have: not the discarded ones. */
const bucketOf = (start: string, sums: readonly StatusSum[]): ReportBucket => {
  const delivered = sums.filter(({ status }) => status !== 'discarded')
  return {
    start,
    slips: total(delivered.map(({ withCode }) => withCode)),
    points: total(delivered.map(({ points }) => points))
  }
}

const countOf = (sums: readonly StatusSum[], status: SlipStatus): number =>
  total(sums.filter((sum) => sum.status === status).map(({ count }) => count))

/** Sums a bucket slice by slice. The sums of one status may be more than one. */
async function sumBucket(
  statistics: Pick<SlipStatistics, 'sumByStatus'>,
  scope: Scope,
  { from, until }: TimeBucket
): Promise<StatusSum[]> {
  const sums: StatusSum[] = []
  for (let start = from; start < until;) {
    const end = new Date(Math.min(Date.parse(start) + SLICE_MS, Date.parse(until))).toISOString()
    sums.push(...statistics.sumByStatus(scope, start, end))
    start = end
    await nextTurn()
  }
  return sums
}

/**
 * Sums the slips of `scope` that were requested on the days of `range` in `timeZone`. Rejects as the journal throws.
 * A year does not block main: the journal is read slice by slice.
 */
export async function createSlipsReport(
  statistics: Pick<SlipStatistics, 'sumByStatus'>,
  scope: Scope,
  range: ReportRange,
  timeZone: string
): Promise<SlipsReport> {
  const bucketSize = bucketSizeOf(range)
  const summed: { readonly start: string; readonly sums: readonly StatusSum[] }[] = []
  for (const bucket of timeBuckets(range, bucketSize, timeZone)) {
    summed.push({ start: bucket.from, sums: await sumBucket(statistics, scope, bucket) })
  }
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
    removed: total(all.map(({ removed }) => removed)),
    // Object.fromEntries loses the keys' type: there is one entry for each status.
    statuses: Object.fromEntries(SLIP_STATUSES.map((status) => [status, countOf(all, status)])) as Record<
      SlipStatus,
      number
    >
  }
}
