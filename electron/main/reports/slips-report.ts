/** The report of a range of days of the business's time zone, summed up from the journal. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type CollectionGroup,
  type CollectionsReport,
  type CollectionSum,
  isEmptySum,
  type ReportBucket,
  type ReportRange,
  type SlipsReport
} from '../../contract/slip-report.ts'
import { SLIP_STATUSES, type SlipStatus } from '../../contract/slips.ts'
import type { CollectedSlip, CollectionTable, ReportedOperation } from '../journal/collection-table.ts'
import { bucketSizeOf, type TimeBucket, timeBuckets } from './time-buckets.ts'
import type { Scope } from '../journal/rows.ts'
import type { SlipStatistics, StatusSum } from '../journal/statistics.ts'

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

/** Slips, or operations, that are read at once: a few milliseconds. */
const SLICE_ROWS = 1000

const NOTHING = {
  issued: 0,
  issuedPoints: 0,
  collected: 0,
  collectedPoints: 0,
  redeemed: 0,
  redeemedPoints: 0,
  credited: 0,
  creditedPoints: 0,
  returned: 0,
  returnedPoints: 0
}

/** A group of slips and operations that are being summed. */
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

  addOperation({ kind, points }: ReportedOperation): void {
    switch (kind) {
      case 'redeem':
        this.addSum({ redeemed: 1, redeemedPoints: points })
        break
      case 'credit':
        this.addSum({ credited: 1, creditedPoints: points })
        break
      case 'return':
        this.addSum({ returned: 1, returnedPoints: points })
        break
    }
  }

  addSum(sum: Partial<Omit<CollectionSum, 'medianMs'>>): void {
    const added = { ...NOTHING, ...sum }
    this.#sum = {
      issued: this.#sum.issued + added.issued,
      issuedPoints: this.#sum.issuedPoints + added.issuedPoints,
      collected: this.#sum.collected + added.collected,
      collectedPoints: this.#sum.collectedPoints + added.collectedPoints,
      redeemed: this.#sum.redeemed + added.redeemed,
      redeemedPoints: this.#sum.redeemedPoints + added.redeemedPoints,
      credited: this.#sum.credited + added.credited,
      creditedPoints: this.#sum.creditedPoints + added.creditedPoints,
      returned: this.#sum.returned + added.returned,
      returnedPoints: this.#sum.returnedPoints + added.returnedPoints
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
  readonly collections: Pick<CollectionTable, 'reading' | 'slips' | 'removed' | 'operations'>
}

/** Sums which slips of the buckets were collected, and what was redeemed, credited and taken back. Rejects as the journal throws. */
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
    const operations = collections.operations(scope, first, end, after, SLICE_ROWS)
    for (const operation of operations) {
      total.addOperation(operation)
      times.findLast(({ from }) => from <= operation.requested_at)?.bucket.addOperation(operation)
      cashiers.of(operation.cashier_id, operation.cashier_name ?? '').addOperation(operation)
      programs.of(operation.caller_id, operation.caller_name ?? '').addOperation(operation)
    }
    after = operations.at(-1)?.number ?? after
    isEnd = operations.length < SLICE_ROWS
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
    offline: total(all.map(({ offline }) => offline)),
    collections: asOf === null ? null : await sumCollections(collections, scope, times, asOf),
    // Object.fromEntries loses the keys' type: there is one entry for each status.
    statuses: Object.fromEntries(SLIP_STATUSES.map((status) => [status, countOf(all, status)])) as Record<
      SlipStatus,
      number
    >
  }
}
