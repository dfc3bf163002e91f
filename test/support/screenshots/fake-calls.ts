import type { Bridge } from '../../../electron/contract/bridge.ts'
import { err, ok, type Failure, type Result } from '../../../electron/contract/failure.ts'
import type { PaperSize } from '../../../electron/contract/paper.ts'
import {
  type CollectionGroup,
  type CollectionsReport,
  type CollectionSum,
  type ReportBucket,
  SLIP_STATUSES,
  type ReportRange,
  type SlipsReport,
  type SlipStatus
} from '../../../electron/contract/slips.ts'
import type { Redemption, RedeemRequest } from '../../../electron/contract/redemptions.ts'
import type { SlipPreviewImage, SlipPreviewInput } from '../../../electron/contract/settings.ts'
import type { Cashier, StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'

/** Width and height of a sample slip on each paper, in mm. */
const SIZES: Readonly<Record<PaperSize, readonly [width: number, height: number]>> = {
  '58mm': [58, 118],
  '80mm': [80, 132],
  A6: [105, 148],
  A4: [210, 297]
}

/** A stand-in for the drawn PDF: the words where they would be. Characters of Linear B have no font. */
export function fakePreview({ paperSize, slip }: SlipPreviewInput): SlipPreviewImage {
  const [width, height] = SIZES[paperSize]
  const scale = 8
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (pen) {
    const centre = canvas.width / 2
    const unit = Math.min(width, 105) * scale
    const write = (text: string, y: number, size: number, weight = 400): void => {
      pen.font = `${String(weight)} ${String(unit * size)}px 'Inter Variable'`
      pen.fillText(text, centre, unit * y)
    }
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.fillStyle = '#000'
    pen.textAlign = 'center'
    write('Kafeneio Aroma', 0.12, 0.07, 700)
    write('Ermou 24, 105 63 Athina', 0.18, 0.04)
    write(slip.headline || 'Your points', 0.3, 0.05)
    write('250', 0.5, 0.2, 700)
    pen.fillRect(centre - unit * 0.22, unit * 0.58, unit * 0.44, unit * 0.44)
    write('AR7K-5093', 1.12, 0.06, 700)
    if (slip.customerName) write('For Μαρία Παπαδοπούλου', 1.2, 0.04)
    if (slip.rewards) write('Cappuccino and 3 more', 1.24, 0.04, 700)
    write(slip.footer, 1.28, 0.04)
    write(slip.tillName, 1.34, 0.04)
  }
  return {
    image: canvas.toDataURL('image/png'),
    widthMillimetres: width,
    heightMillimetres: height,
    missing: `${slip.headline}${slip.footer}${slip.tillName}`.match(/\p{Script=Linear_B}/gu) ?? []
  }
}

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
      ...{ redeemed: hours, redeemedPoints: hours * 120, medianMs: hours * 60 * 60_000 }
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
  redeemedAt: new Date().toISOString(),
  reversibleUntil: new Date(Date.now() + 3_600_000).toISOString(),
  ...{ undo: null, undoneAt: null, failure: null, ending: null, training: false }
})

/** The same, undone. */
export const fakeUndone = (redemption: Redemption, reason: string): Redemption => ({
  ...redemption,
  ...{ state: 'undone', revision: redemption.revision + 2, balance: redemption.balanceBefore },
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
    unlock: ({ cashierId }) =>
      unless({ locked: false, cashier: staff().cashiers.find(({ id }) => id === cashierId) ?? null }),
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
