/**
 * Calculates points from the amount of a bill, with integers instead of floating-point numbers: 0.1 × 3 is exactly 0.3.
 */
import * as v from 'valibot'
import { err, ok, type Failure, type Result } from './failure.ts'

/** The maximum number of points of one code (`POST /qr`). */
export const MAX_POINTS = 9_999_999

/** The points of one code. */
export const pointsSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_POINTS))

/** The maximum number of quick keys. */
export const MAX_QUICK_KEYS = 3

/** The maximum points of a quick key: four digits have room on a small screen. */
export const MAX_QUICK_POINTS = 9999

/** What each quick key adds to the points. */
export const quickPointsSchema = v.pipe(
  v.array(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_QUICK_POINTS))),
  v.maxLength(MAX_QUICK_KEYS)
)

/** Returns why one code cannot carry so many points, or null: a whole number from 1 to `MAX_POINTS`. */
export function pointsFailure(points: number): Failure | null {
  if (points > MAX_POINTS) return { kind: 'points-too-many', maximum: MAX_POINTS }
  if (!Number.isInteger(points)) {
    return { kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' }
  }
  return points < 1 ? { kind: 'invalid-input', field: 'points', fault: 'below-one' } : null
}

/** A decimal as text: digits, and after a full stop at most six more. No sign, no grouping. */
const DECIMAL_PATTERN = /^\d{1,9}(\.\d{1,6})?$/

/** The rounding of fractions of a point. */
export const ROUNDING_MODES = ['down', 'nearest', 'up'] as const
export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** The points of a bill, or the reason why there are none. */
export type PointsCalculation =
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
function rounded({ digits, places }: Scaled, rounding: RoundingMode): bigint {
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
export function calculatePoints(amount: string, rule: PointsRule): Result<PointsCalculation> {
  if (amount.trim() === '') return err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
  if (!DECIMAL_PATTERN.test(amount))
    return err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
  const bill = scaled(amount)
  if (isBelow(bill, scaled(rule.minimum))) return ok({ kind: 'below-minimum', minimum: rule.minimum })
  const rate = scaled(rule.pointsPerUnit)
  const exact = { digits: bill.digits * rate.digits, places: bill.places + rate.places }
  const points = rounded(exact, rule.rounding)
  if (points > BigInt(MAX_POINTS)) return err({ kind: 'points-too-many', maximum: MAX_POINTS })
  return ok(points === 0n ? { kind: 'no-points' } : { kind: 'points', points: Number(points) })
}

/** An amount or a rate: digits with a full stop as decimal separator, as `12.34`. */
export const amountSchema = v.pipe(
  v.string(),
  v.regex(DECIMAL_PATTERN, 'A decimal number with a full stop, such as 12.50')
)

/** ISO 4217 */
export const currencySchema = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/, 'The three capital letters of ISO 4217, such as EUR')
)

/** The minor units of ISO 4217 that are not 2. `Intl` has other numbers for some, which change with its release. */
const MINOR_UNITS: ReadonlyMap<string, number> = new Map(
  [
    'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    '',
    '',
    'BHD IQD JOD KWD LYD OMR TND',
    'CLF UYW'
  ].flatMap((currencies, places) => currencies.split(' ').map((currency) => [currency, places] as const))
)

/** Returns the decimal places of a currency (ISO 4217): 2 for the euro, 0 for the yen. */
export const currencyPlaces = (currency: string): number => MINOR_UNITS.get(currency) ?? 2

export const pointsRuleSchema = v.strictObject({
  /** points for one unit of the currency, such as `0.5` or `10`; above 0 */
  pointsPerUnit: v.pipe(amountSchema, v.regex(/[1-9]/, 'A decimal number above 0, such as 1.5')),
  rounding: v.picklist(ROUNDING_MODES),
  /** the smallest bill that earns points, such as `5` or `0` */
  minimum: amountSchema,
  /** of the amounts */
  currency: currencySchema
})

/** The points rule of the settings. */
export type PointsRule = v.InferOutput<typeof pointsRuleSchema>
