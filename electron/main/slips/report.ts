/** The report of a range of days of the business's time zone, summed up from the journal. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type CollectionGroup,
  type CollectionsReport,
  type CollectionSum,
  isEmptySum,
  type ReportBucket,
  type ReportBucketSize,
  type ReportRange,
  type SlipsReport
} from '../../contract/slip-report.ts'
import { SLIP_STATUSES, type SlipStatus } from '../../contract/slips.ts'
import type { CollectedSlip, CollectionTable, RedeemedReward } from './journal/collections.ts'
import type { Scope } from './journal/rows.ts'
import type { SlipStatistics, StatusSum } from './journal/statistics.ts'

const MS_PER_HOUR = 60 * 60 * 1000
const MS_PER_DAY = 24 * MS_PER_HOUR

/** Longest ranges with a bucket per day and per month: that many bars stay readable side by side. */
const MAX_DAYS = 45
const MAX_MONTHS = 36

/** The last formatter: creating one takes longer than the report of a day, and a till serves one business. */
let cached: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null

/** Formats as `2026-11-21 14:05:33`: the Swedish date format equals the international one. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  if (cached?.timeZone === timeZone) return cached.format
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  cached = { timeZone, format }
  return format
}

/** Returns a formatter of moments (ISO 8601, UTC) as day and time in `timeZone`, such as `2026-11-21 14:05:33`. */
export function localTimes(timeZone: string): (moment: string) => string {
  const format = formatterOf(timeZone)
  return (moment) => format.format(new Date(moment))
}

/**
 * Returns the first moment of a day (`YYYY-MM-DD`) in `timeZone`, plus `days`, as ISO 8601 in UTC. Where the clocks go
 * forward at midnight, the day starts at one o'clock.
 */
export function dayStart(day: string, timeZone: string, days = 0): string {
  const format = formatterOf(timeZone)
  const midnight = new Date(`${day}T00:00:00.000Z`).getTime() + days * MS_PER_DAY
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  const offsetAt = (moment: number): number =>
    new Date(`${format.format(moment).replace(' ', 'T')}.000Z`).getTime() - moment
  // The offset from UTC is the one of the day before, or the one of the day after.
  const candidates = [
    midnight - offsetAt(midnight - MS_PER_DAY),
    midnight - offsetAt(midnight + MS_PER_DAY)
  ].sort((a, b) => a - b)
  const start = candidates.find((moment) => format.format(moment).startsWith(wanted)) ?? midnight
  return new Date(start).toISOString()
}

/** A time range, ISO 8601, UTC; `until` is excluded. */
export interface TimeBucket {
  readonly from: string
  readonly until: string
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / MS_PER_DAY
const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** Returns the first day of a month, counted from the year 0 on. */
const firstOfMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`

/** Returns the bucket size that divides `range` into a readable number of buckets. */
export function bucketSizeOf({ from, to }: ReportRange): ReportBucketSize {
  if (from === to) return 'hour'
  if (dayNumber(to) - dayNumber(from) < MAX_DAYS) return 'day'
  return monthNumber(to) - monthNumber(from) < MAX_MONTHS ? 'month' : 'year'
}

function bucketStarts({ from, to }: ReportRange, size: ReportBucketSize, timeZone: string): string[] {
  switch (size) {
    case 'hour': {
      // By elapsed hours: a day on which the clocks change has 23 or 25 of them.
      const [first, end] = [Date.parse(dayStart(from, timeZone)), Date.parse(dayStart(to, timeZone, 1))]
      const count = Math.ceil((end - first) / MS_PER_HOUR)
      return Array.from({ length: count }, (_, hour) => new Date(first + hour * MS_PER_HOUR).toISOString())
    }
    case 'day':
      return Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, days) =>
        dayStart(from, timeZone, days)
      )
    case 'month':
    case 'year': {
      const length = size === 'month' ? 1 : 12
      const first = Math.floor(monthNumber(from) / length)
      const count = Math.floor(monthNumber(to) / length) - first + 1
      return Array.from({ length: count }, (_, index) =>
        dayStart(index === 0 ? from : firstOfMonth((first + index) * length), timeZone)
      )
    }
  }
}

/** Divides `range` into consecutive buckets, with days of `timeZone`. The first and the last may be shorter. */
export function timeBuckets(range: ReportRange, size: ReportBucketSize, timeZone: string): TimeBucket[] {
  const starts = bucketStarts(range, size, timeZone)
  const end = dayStart(range.to, timeZone, 1)
  return starts.map((from, index) => ({ from, until: starts[index + 1] ?? end }))
}

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

/** Slips, or redeemed rewards, that are read at once: a few milliseconds. */
const SLICE_ROWS = 1000

const NOTHING = {
  issued: 0,
  issuedPoints: 0,
  collected: 0,
  collectedPoints: 0,
  redeemed: 0,
  redeemedPoints: 0
}

/** A group of slips and redeemed rewards that are being summed. */
class CollectionCounter {
  readonly #kind: CollectionGroup['kind']
  readonly #label: string
  readonly #delays: number[] = []
  #sum = NOTHING

  constructor(kind: CollectionGroup['kind'] = 'named', label = '') {
    this.#kind = kind
    this.#label = label
  }

  add({ points, requested_at, issued_at, collected_at }: CollectedSlip): void {
    this.addSum({
      issued: 1,
      issuedPoints: points,
      collected: collected_at === null ? 0 : 1,
      collectedPoints: collected_at === null ? 0 : points
    })
    if (collected_at === null) return
    this.#delays.push(Math.max(0, Date.parse(collected_at) - Date.parse(issued_at ?? requested_at)))
  }

  addRedeemed({ cost }: RedeemedReward): void {
    this.addSum({ redeemed: 1, redeemedPoints: cost })
  }

  addSum(sum: Partial<Omit<CollectionSum, 'medianMs'>>): void {
    const added = { ...NOTHING, ...sum }
    this.#sum = {
      issued: this.#sum.issued + added.issued,
      issuedPoints: this.#sum.issuedPoints + added.issuedPoints,
      collected: this.#sum.collected + added.collected,
      collectedPoints: this.#sum.collectedPoints + added.collectedPoints,
      redeemed: this.#sum.redeemed + added.redeemed,
      redeemedPoints: this.#sum.redeemedPoints + added.redeemedPoints
    }
  }

  get group(): CollectionGroup {
    const sorted = Float64Array.from(this.#delays).sort()
    const middle = (sorted.length - 1) / 2
    const [lower, upper] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
    const medianMs = lower === undefined || upper === undefined ? null : (lower + upper) / 2
    return { ...this.#sum, medianMs, kind: this.#kind, label: this.#label }
  }
}

/** Counters by an id; null: none. */
class CollectionGroups {
  readonly #counters = new Map<string | null, CollectionCounter>()

  /** Returns the counter of an id. The first label of an id counts. */
  of(id: string | null, label: string): CollectionCounter {
    const counter =
      this.#counters.get(id) ??
      new CollectionCounter(id === null ? 'none' : 'named', id === null ? '' : label)
    this.#counters.set(id, counter)
    return counter
  }

  /** The groups by their first slip; the slips of none at the end, and then those that were removed. */
  list(removed: CollectionGroup): CollectionGroup[] {
    const groups = [...this.#counters.values()].map(({ group }) => group)
    const isNone = ({ kind }: CollectionGroup): boolean => kind === 'none'
    return [
      ...groups.filter((group) => !isNone(group)),
      ...groups.filter(isNone),
      ...(removed.issued === 0 ? [] : [removed])
    ]
  }
}

/** What a report is made of: the parts of a journal. */
export interface ReportSource {
  readonly statistics: Pick<SlipStatistics, 'sumByStatus'>
  readonly collections: Pick<CollectionTable, 'reading' | 'slips' | 'removed' | 'redeemed'>
}

/** Sums which slips of the buckets were collected, and what was redeemed. Rejects as the journal throws. */
async function sumCollections(
  collections: ReportSource['collections'],
  scope: Scope,
  buckets: readonly TimeBucket[],
  asOf: string
): Promise<CollectionsReport> {
  const [total, removed] = [new CollectionCounter(), new CollectionCounter('removed')]
  const [batches, cashiers, programs] = [
    new CollectionGroups(),
    new CollectionGroups(),
    new CollectionGroups()
  ]
  const times = buckets.map(({ from, until }) => ({
    from,
    until,
    bucket: new CollectionCounter('named', from)
  }))
  for (const { from, until, bucket } of times) {
    for (const { issued, points, collected, collected_points } of collections.removed(scope, from, until)) {
      const sum = { issued, issuedPoints: points, collected, collectedPoints: collected_points }
      for (const counter of [total, removed, bucket]) counter.addSum(sum)
    }
    let after: Pick<CollectedSlip, 'requested_at' | 'number'> = { requested_at: from, number: 0 }
    for (let isEnd = false; !isEnd;) {
      const slips = collections.slips(scope, after, until, SLICE_ROWS)
      for (const slip of slips) {
        total.add(slip)
        bucket.add(slip)
        batches.of(slip.batch_id, slip.requested_at).add(slip)
        cashiers.of(slip.cashier_id, slip.cashier_name ?? '').add(slip)
        programs.of(slip.caller_id, slip.caller_name ?? '').add(slip)
      }
      after = slips.at(-1) ?? after
      isEnd = slips.length < SLICE_ROWS
      await nextTurn()
    }
  }
  const [first, end] = [buckets[0]?.from ?? '', buckets.at(-1)?.until ?? '']
  let after = 0
  for (let isEnd = false; !isEnd;) {
    const rewards = collections.redeemed(scope, first, end, after, SLICE_ROWS)
    for (const reward of rewards) {
      total.addRedeemed(reward)
      times.findLast(({ from }) => from <= reward.requested_at)?.bucket.addRedeemed(reward)
      cashiers.of(reward.cashier_id, reward.cashier_name ?? '').addRedeemed(reward)
      programs.of(reward.caller_id, reward.caller_name ?? '').addRedeemed(reward)
    }
    after = rewards.at(-1)?.number ?? after
    isEnd = rewards.length < SLICE_ROWS
    await nextTurn()
  }
  const withRemoved = removed.group
  return {
    asOf,
    total: total.group,
    groups: {
      time: times.map(({ bucket }) => bucket.group).filter((group) => !isEmptySum(group)),
      batch: batches.list(withRemoved),
      cashier: cashiers.list(withRemoved),
      program: programs.list(withRemoved)
    }
  }
}

/**
 * Sums the slips of `scope` that were requested on the days of `range` in `timeZone`. Rejects as the journal throws.
 * A year does not block main: the journal is read slice by slice.
 * @param tellsCollections whether the service tells which codes were collected
 */
export async function createSlipsReport(
  { statistics, collections }: ReportSource,
  scope: Scope,
  range: ReportRange,
  timeZone: string,
  tellsCollections: boolean
): Promise<SlipsReport> {
  const bucketSize = bucketSizeOf(range)
  const times = timeBuckets(range, bucketSize, timeZone)
  const summed: { readonly start: string; readonly sums: readonly StatusSum[] }[] = []
  for (const bucket of times) {
    summed.push({ start: bucket.from, sums: await sumBucket(statistics, scope, bucket) })
  }
  const all = summed.flatMap(({ sums }) => sums)
  const asOf = tellsCollections ? (collections.reading(scope)?.readAt ?? null) : null
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
    collections: asOf === null ? null : await sumCollections(collections, scope, times, asOf),
    // Object.fromEntries loses the keys' type: there is one entry for each status.
    statuses: Object.fromEntries(SLIP_STATUSES.map((status) => [status, countOf(all, status)])) as Record<
      SlipStatus,
      number
    >
  }
}
