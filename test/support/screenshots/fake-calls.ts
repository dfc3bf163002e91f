import type { Bridge } from '../../../electron/contract/bridge.ts'
import { err, ok, type Failure, type Result } from '../../../electron/contract/failure.ts'
import type {
  CollectionGroup,
  CollectionsReport,
  CollectionSum,
  ReportBucket,
  ReportRange,
  SlipsReport
} from '../../../electron/contract/slip-report.ts'
import { SLIP_STATUSES, type SlipStatus } from '../../../electron/contract/slips.ts'
import type { Credit, CreditRequest } from '../../../electron/contract/credits.ts'
import type { Redemption, RedeemRequest } from '../../../electron/contract/redemptions.ts'
import type { Return, TakeBackRequest } from '../../../electron/contract/returns.ts'
import type { Cashier, StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'

/** Slips of each hour from seven o'clock on. */
const SLIPS = [3, 9, 14, 11, 6, 8, 17, 12, 5, 4, 7, 13, 9, 2]
const POINTS_EACH = 85
const DAY = 24 * 60 * 60 * 1000

/** Two of three slips were collected. */
function fakeCollections(buckets: readonly ReportBucket[]): CollectionsReport {
  const sum = (issued: number, points: number, hours: number): CollectionSum => {
    const collected = Math.round((issued * 2) / 3)
    const collectedPoints = Math.round((points * 2) / 3)
    return {
      ...{ issued, issuedPoints: points, collected, collectedPoints },
      ...{
        redeemed: hours,
        redeemedPoints: hours * 120,
        credited: hours,
        creditedPoints: hours * 250,
        returned: hours,
        returnedPoints: hours * 40,
        medianMs: hours * 60 * 60_000
      }
    }
  }
  const group = (label: string, issued: number, hours: number): CollectionGroup => ({
    kind: label === '' ? 'none' : 'named',
    label,
    ...sum(issued, issued * POINTS_EACH, hours)
  })
  const busy = buckets.filter(({ slips }) => slips > 0)
  const total = (of: (bucket: ReportBucket) => number): number =>
    busy.reduce((all, bucket) => all + of(bucket), 0)
  return {
    asOf: '2026-11-21T12:05:00.000Z',
    total: sum(
      total(({ slips }) => slips),
      total(({ points }) => points),
      5
    ),
    groups: {
      time: busy.map(({ start, slips, points }, index) => ({
        kind: 'named',
        label: start,
        ...sum(slips, points, index + 2)
      })),
      batch: [group(busy[0]?.start ?? '', 40, 72), group('', 60, 3)],
      cashier: [group('Ελένη', 48, 4), group('Νίκος Αντωνόπουλος', 31, 9), group('', 37, 6)],
      program: [group('Example POS', 22, 1), group('', 94, 6)]
    }
  }
}

/** Empty when the till of the picture has issued nothing. */
export function fakeReport(range: ReportRange, issued: readonly unknown[]): SlipsReport {
  const count = (index: number): number => (issued.length === 0 ? 0 : (SLIPS[index] ?? 0))
  const isDay = range.from === range.to
  const first = Date.parse(`${range.from}T00:00:00+02:00`)
  const days = (Date.parse(range.to) - Date.parse(range.from)) / DAY + 1
  const buckets = Array.from({ length: isDay ? 24 : days }, (_, index) => {
    const slips = isDay ? count(index - 7) : count(index % SLIPS.length) * 7
    return {
      start: new Date(first + index * (isDay ? DAY / 24 : DAY)).toISOString(),
      slips,
      points: slips * POINTS_EACH + (slips % 3) * 40
    }
  })
  const total = (of: (bucket: (typeof buckets)[number]) => number): number =>
    buckets.reduce((sum, bucket) => sum + of(bucket), 0)
  const slips = total((bucket) => bucket.slips)
  const some: Partial<Record<SlipStatus, number>> =
    slips === 0 ? {} : { printed: slips - 2, 'print-failed': 1, unknown: 1, refused: 2, discarded: 1 }
  return {
    range,
    timeZone: 'Europe/Athens',
    bucketSize: isDay ? 'hour' : 'day',
    buckets,
    slips,
    points: total((bucket) => bucket.points),
    copies: slips === 0 ? 0 : 6,
    offline: 0,
    removed: 0,
    collections: fakeCollections(buckets),
    statuses: Object.fromEntries(SLIP_STATUSES.map((status) => [status, some[status] ?? 0])) as Record<
      SlipStatus,
      number
    >
  }
}

/** A redemption that the service answered. */
export const fakeRedemption = ({ balanceBefore, ...asked }: RedeemRequest): Redemption => ({
  ...asked,
  ...{ state: 'redeemed', revision: 2, balanceBefore },
  balance: balanceBefore === null ? null : balanceBefore - asked.cost,
  ...{ cashier: null, caller: null, reference: null },
  requestedAt: new Date().toISOString(),
  doneAt: new Date().toISOString(),
  reversibleUntil: new Date(Date.now() + 3_600_000).toISOString(),
  ...{ undo: null, undoneAt: null, failure: null, ending: null, training: false }
})

/** A credit that the service answered. */
export const fakeCredit = ({ balanceBefore, ...asked }: CreditRequest): Credit => ({
  ...asked,
  ...{ state: 'credited', revision: 2, balanceBefore, remaining: null },
  balance: balanceBefore === null ? null : balanceBefore + asked.points,
  ...{ cashier: null, caller: null },
  requestedAt: new Date().toISOString(),
  doneAt: new Date().toISOString(),
  reversibleUntil: new Date(Date.now() + 3_600_000).toISOString(),
  ...{ undo: null, undoneAt: null, failure: null, ending: null, training: false }
})

/** A return that the service answered: of an uncollected code, unless the reason says otherwise. */
export const fakeReturn = ({ intentId, customer, part, atMost, reason }: TakeBackRequest): Return => {
  // Of the bill of another till some went back before.
  const given = atMost ?? 250
  const points = 'points' in part ? part.points : (atMost ?? 100)
  const remaining = 'rest' in part ? 0 : given - points
  const active = remaining === 0 ? 'cancelled' : 'active'
  return {
    ...{ intentId, customer, points, remaining, given, state: 'returned', revision: 2 },
    ...(reason === 'Spent' ? { codeStatus: 'used', balance: -40 } : { codeStatus: active, balance: null }),
    ...{ cashier: null, caller: null, reference: null, failure: null, ending: null, training: false },
    requestedAt: new Date().toISOString(),
    doneAt: new Date().toISOString()
  }
}

/** The same, undone. */
export const fakeUndone = <Done extends Redemption | Credit>(operation: Done, reason: string): Done => ({
  ...operation,
  ...{ state: 'undone', revision: operation.revision + 2, balance: operation.balanceBefore },
  undo: { requestedAt: new Date().toISOString(), reason, cashier: null },
  undoneAt: new Date().toISOString()
})

interface Around {
  readonly staff: () => StaffState
  readonly change: (staff: Partial<StaffState>) => Promise<Result<TillState>>
  /** what a PIN comes to instead */
  readonly pin?: Failure
}

export function fakeStaff({ staff, change, pin }: Around): Bridge['staff'] {
  const unless = (next: Partial<StaffState>): Promise<Result<TillState>> =>
    pin ? Promise.resolve(err(pin)) : change(next)
  const list = (cashiers: readonly Cashier[]): Promise<Result<TillState>> =>
    change({ cashiers, lockable: cashiers.length > 0 || staff().manager !== 'open' })
  return {
    lock: () =>
      change({ locked: true, cashier: null, manager: staff().manager === 'open' ? 'open' : 'locked' }),
    lockManager: () => change({ manager: 'locked' }),
    active: () => Promise.resolve(ok(null)),
    unlock: ({ cashierId }) => {
      const chosen = staff().cashiers.find(({ id }) => id === cashierId)
      return unless({ locked: false, cashier: chosen === undefined ? null : { ...chosen, number: 1 } })
    },
    unlockManager: () => unless({ locked: false, manager: 'unlocked' }),
    setManagerPin: ({ pin: next }) =>
      unless({ manager: next === null ? 'open' : 'unlocked', lockable: next !== null }),
    addCashier: ({ name, pin: digits }) =>
      list([...staff().cashiers, { id: `cashier-${name}`, name, hasPin: digits !== null }]),
    changeCashier: ({ id, name, pin: digits }) =>
      list(
        staff().cashiers.map((one) =>
          one.id === id
            ? { id, name: name ?? one.name, hasPin: digits === undefined ? one.hasPin : digits !== null }
            : one
        )
      ),
    removeCashier: ({ id }) => list(staff().cashiers.filter((one) => one.id !== id)),
    reset: () => unless({ locked: false, manager: 'open', lockable: staff().cashiers.length > 0 })
  }
}
