/** Reports of a busy shop: a day, a month and a year, with many batches, cashiers and programs. */
import type {
  CollectionGroup,
  CollectionSum,
  SlipsReport
} from '../../../../electron/contract/slip-report.ts'
import { SLIP_STATUSES, type SlipStatus } from '../../../../electron/contract/slips.ts'
import { bucketSizeOf, timeBuckets } from '../../../../electron/main/reports/time-buckets.ts'

export type Period = keyof typeof RANGES
const RANGES = {
  day: { from: '2026-11-21', to: '2026-11-21' },
  month: { from: '2026-11-01', to: '2026-11-30' },
  year: { from: '2026-01-01', to: '2026-12-31' }
} as const

/** The statuses of a report, 0 for those that are not given. */
export const statusesOf = (some: Partial<Record<SlipStatus, number>>): SlipsReport['statuses'] =>
  Object.fromEntries(SLIP_STATUSES.map((status) => [status, some[status] ?? 0])) as SlipsReport['statuses']

/** The sum of slips of which some were collected, of what was redeemed, of what was given at once, and of what went back. */
export const sumOf = (
  issued: number,
  collected: number,
  redeemedPoints = 0,
  creditedPoints = 0,
  returnedPoints = 0
): CollectionSum => ({
  issued,
  issuedPoints: issued * 10,
  collected,
  collectedPoints: collected * 10,
  redeemed: redeemedPoints === 0 ? 0 : 1,
  redeemedPoints,
  credited: creditedPoints === 0 ? 0 : 1,
  creditedPoints,
  returned: returnedPoints === 0 ? 0 : 1,
  returnedPoints,
  medianMs: collected === 0 ? null : 3 * 60 * 60_000
})

/** What a shop does beside slips. */
export const WITHOUT_SLIPS = [
  'nothing',
  'redemptions',
  'redemptions and credits',
  'redemptions, credits and returns'
] as const
export type WithoutSlips = (typeof WITHOUT_SLIPS)[number]

/** A report with slips in each hour, day or month, and `groups` batches, cashiers and programs each. */
export function busyReport(period: Period, beside: WithoutSlips, groups = 60): SlipsReport {
  const range = RANGES[period]
  const bucketSize = bucketSizeOf(range)
  const buckets = timeBuckets(range, bucketSize, 'Europe/Athens')
  const kinds = WITHOUT_SLIPS.indexOf(beside)
  const points = (some: number) => [kinds > 0 ? some : 0, kinds > 1 ? some : 0, kinds > 2 ? some : 0] as const
  const sum = (index: number): CollectionSum => sumOf(1500 + index, 1100 + index, ...points(12_000 + index))
  const named = (labels: readonly string[]): CollectionGroup[] =>
    labels.map((label, index) => ({ kind: 'named', label, ...sum(index) }))
  const none: CollectionGroup = { kind: 'none', label: '', ...sum(0) }
  const numbers = Array.from({ length: groups }, (_, index) => index + 1)
  return {
    range,
    timeZone: 'Europe/Athens',
    bucketSize,
    buckets: buckets.map(({ from }, index) => ({ start: from, slips: 1, points: 1_000_000 + index })),
    slips: 12_345,
    points: 1_234_567,
    copies: 20,
    offline: 0,
    removed: 2,
    collections: {
      asOf: '2026-11-21T18:30:00.000Z',
      total: sumOf(12_345, 9_876, ...points(123_456)),
      groups: {
        time: named(buckets.map(({ from }) => from)),
        batch: [
          ...named(numbers.map((hour) => new Date(Date.UTC(2026, 10, 1, hour)).toISOString())),
          { ...none, ...sumOf(1500, 1100) }
        ],
        cashier: [...named(numbers.map((number) => `Konstantina ${String(number)}`)), none],
        program: named(numbers.map((number) => `Shop POS ${String(number)}`))
      }
    },
    statuses: statusesOf({ printed: 12_000, 'print-failed': 3, unknown: 1, saved: 341 })
  }
}
