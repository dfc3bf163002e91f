/**
 * Points from an amount: the cashier types the bill, the till says the points. Counted in whole numbers of decimal
 * places, never in floating point: 0.1 × 3 is 0.3 here.
 */
import { err, ok, MAXIMUM_POINTS, type Result } from './failure.ts'
import type { PointsRule } from './points-rule.ts'

/** A decimal as text: digits, and after a full stop at most six more. No sign, no grouping. */
export const DECIMAL = /^\d{1,9}(\.\d{1,6})?$/

/** How a fraction of a point is rounded. */
export const ROUNDINGS = ['down', 'nearest', 'up'] as const
export type Rounding = (typeof ROUNDINGS)[number]

/** What a bill comes to: its points, or none because it is too small. */
export type PointsOfAmount =
  | { readonly kind: 'points'; readonly points: number }
  /** the bill is below the rule's minimum */
  | { readonly kind: 'below-minimum'; readonly minimum: string }
  /** the bill is so small that it rounds to no point at all */
  | { readonly kind: 'no-points' }

/** A decimal as a whole number of its last places. */
interface Scaled {
  readonly digits: bigint
  readonly places: number
}

const scaled = (text: string): Scaled => {
  const [whole = '', fraction = ''] = text.split('.')
  return { digits: BigInt(whole + fraction), places: fraction.length }
}

const isBelow = (one: Scaled, other: Scaled): boolean =>
  one.digits * 10n ** BigInt(other.places) < other.digits * 10n ** BigInt(one.places)

/** `digits` / 10^`places`, as a whole number; `nearest` takes halves up. */
function rounded({ digits, places }: Scaled, rounding: Rounding): bigint {
  const unit = 10n ** BigInt(places)
  switch (rounding) {
    case 'down':
      return digits / unit
    case 'nearest':
      return (2n * digits + unit) / (2n * unit)
    case 'up':
      return (digits + unit - 1n) / unit
  }
}

/**
 * The points that `rule` gives for a bill of `amount`: digits with a full stop as decimal separator, as `12.34`.
 * Failures: `invalid-input` for the field `amount`, `points-too-many` above what one code may carry.
 */
export function pointsOfAmount(amount: string, rule: PointsRule): Result<PointsOfAmount> {
  if (amount.trim() === '') return err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
  if (!DECIMAL.test(amount)) return err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
  const bill = scaled(amount)
  if (isBelow(bill, scaled(rule.minimum))) return ok({ kind: 'below-minimum', minimum: rule.minimum })
  const rate = scaled(rule.pointsPerUnit)
  const exact = { digits: bill.digits * rate.digits, places: bill.places + rate.places }
  const points = rounded(exact, rule.rounding)
  if (points > BigInt(MAXIMUM_POINTS)) return err({ kind: 'points-too-many', maximum: MAXIMUM_POINTS })
  return ok(points === 0n ? { kind: 'no-points' } : { kind: 'points', points: Number(points) })
}
