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
  /** `isCapped`: the rule's largest number for a bill, which is less than what was calculated */
  | { readonly kind: 'points'; readonly points: number; readonly isCapped: boolean }
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

/** By how much a group of goods, a time or a level earns, such as `2`, or `0` for nothing; and what it is called. */
export interface EarningFactor {
  readonly name: string
  readonly factor: string
}

/** What the points of a bill are calculated with at one moment. */
export interface EarningRule extends PointsRule {
  /** of the shop's rules; null: the till's own rule */
  readonly version: number | null
  /** the largest number of points for a bill; null: any that a code may carry */
  readonly maximum: number | null
  /** goods that earn more, less or nothing */
  readonly groups: readonly EarningFactor[]
  /** of customers who earn more */
  readonly levels: readonly EarningFactor[]
  /** what multiplies the points now */
  readonly factors: readonly EarningFactor[]
}

/** Returns the till's own rule as one that says nothing more. */
export const ownRule = (rule: PointsRule): EarningRule => ({
  ...rule,
  version: null,
  maximum: null,
  groups: [],
  levels: [],
  factors: []
})

/** What a bill is, in the currency of the rule: digits with a full stop as decimal separator, as `12.34`. */
export interface BillAmounts {
  readonly amount: string
  /** what of it are goods of a group, each group once; the rest earns at the rate */
  readonly groups?: readonly { readonly name: string; readonly amount: string }[]
  /** name of the customer's level */
  readonly level?: string
}

/** What points were calculated from by the shop's rules: the bill, and the version of the rules. */
export const calculationSchema = v.strictObject({
  bill: v.strictObject({
    amount: amountSchema,
    groups: v.exactOptional(v.array(v.strictObject({ name: v.string(), amount: amountSchema }))),
    level: v.exactOptional(v.string())
  }),
  rules: v.pipe(v.number(), v.integer(), v.minValue(1))
})
export type Calculation = Readonly<v.InferOutput<typeof calculationSchema>>

/** Returns what is kept of a calculation; null for one by the till's own rule. */
export const keptCalculation = (
  { amount, groups, level }: BillAmounts,
  { version }: EarningRule
): Calculation | null =>
  version === null
    ? null
    : {
        bill: {
          ...{ amount, ...(groups && { groups: groups.map((group) => ({ ...group })) }) },
          ...(level !== undefined && { level })
        },
        rules: version
      }

/** What multiplies the points of a bill now: those of the rule, and that of the customer's level. One that it does not know is none. */
export const factorsOf = (level: string | undefined, rule: EarningRule): readonly EarningFactor[] => [
  ...rule.factors,
  ...rule.levels.filter(({ name }) => name === level)
]

const product = (one: Scaled, other: Scaled): Scaled => ({
  digits: one.digits * other.digits,
  places: one.places + other.places
})

/** `sign` is -1 for a difference. */
const sum = (one: Scaled, other: Scaled, sign: 1n | -1n = 1n): Scaled => {
  const places = Math.max(one.places, other.places)
  const at = ({ digits, places: own }: Scaled): bigint => digits * 10n ** BigInt(places - own)
  return { digits: at(one) + sign * at(other), places }
}

const ZERO: Scaled = { digits: 0n, places: 0 }

/** What a bill earns at the rate: each amount by the factor of its group. Null for groups that are more than the whole bill. */
function earningAmount(bill: Scaled, groups: BillAmounts['groups'] = [], rule: EarningRule): Scaled | null {
  const factors = new Map(rule.groups.map(({ name, factor }) => [name, factor]))
  let [rest, earning] = [bill, ZERO]
  for (const { name, amount } of groups) {
    rest = sum(rest, scaled(amount), -1n)
    earning = sum(earning, product(scaled(amount), scaled(factors.get(name) ?? '1')))
  }
  return rest.digits < 0n ? null : sum(earning, rest)
}

/**
 * The points that `rule` gives for a bill: its amount by the factors of its groups, the rate, and the factors of now and of the
 * customer's level, rounded once. The smallest bill is that of all goods. A group that the rule does not know earns at the rate.
 * Failures: `invalid-input` for the field `amount`, `points-too-many` above what one code may carry.
 */
export function calculatePoints(
  { amount, groups, level }: BillAmounts,
  rule: EarningRule
): Result<PointsCalculation> {
  if (amount.trim() === '') return err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
  const malformed = err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
  if (!DECIMAL_PATTERN.test(amount) || groups?.some((group) => !DECIMAL_PATTERN.test(group.amount)))
    return malformed
  const bill = scaled(amount)
  const earning = earningAmount(bill, groups, rule)
  if (earning === null) return malformed
  if (isBelow(bill, scaled(rule.minimum))) return ok({ kind: 'below-minimum', minimum: rule.minimum })
  const exact = factorsOf(level, rule).reduce(
    (points, { factor }) => product(points, scaled(factor)),
    product(earning, scaled(rule.pointsPerUnit))
  )
  const points = rounded(exact, rule.rounding)
  const isCapped = rule.maximum !== null && points > BigInt(rule.maximum)
  const given = isCapped ? BigInt(rule.maximum) : points
  if (given > BigInt(MAX_POINTS)) return err({ kind: 'points-too-many', maximum: MAX_POINTS })
  return ok(given === 0n ? { kind: 'no-points' } : { kind: 'points', points: Number(given), isCapped })
}
