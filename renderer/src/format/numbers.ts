import { err, ok, type Result } from '../../../electron/contract/failure.ts'
import { currencyPlaces, pointsFailure } from '../../../electron/contract/points-calculation.ts'
import { memoized } from '../../../electron/contract/memoized.ts'
import { numberFormat, slipPercent, slipPoints } from '../../../electron/contract/slip-numbers-and-dates.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { currentLocale, screenLocale } from '../i18n/locale.svelte.ts'

/** Returns a number with the locale's grouping and at most two decimals: `1250` → `1,250`. */
export const formatNumber = (value: number): string => numberFormat(screenLocale()).format(value)

/** Returns a number with its sign: `50` → `+50`. */
export const formatSigned = (value: number): string => numberFormat(screenLocale(), 'always').format(value)

/** Returns the decimal separator of the locale: `.` or `,`. */
export const decimalSeparator = (): string =>
  numberFormat(screenLocale())
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.'

/** The arguments of a message with a count: `count` selects the plural form, `number` is shown. */
export interface PluralArguments {
  readonly count: number
  readonly number: string
}

/** `m.customersFound(pluralArguments(3))`. */
export const pluralArguments = (count: number): PluralArguments => ({ count, number: formatNumber(count) })

/** Returns whole percent in the format of the locale: `5` → `5%`. */
export const formatPercent = (percent: number): string => slipPercent(percent / 100, screenLocale())

/** Returns a number of days in words of the locale, whole years as years: `30` → `30 days`, `730` → `2 years`. */
export function formatDays(days: number): string {
  const [count, unit] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day']
  return new Intl.NumberFormat(screenLocale(), { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

/** Returns a number of months in words of the locale: `12` → `12 months`. */
export const formatMonths = (months: number): string =>
  new Intl.NumberFormat(screenLocale(), { style: 'unit', unit: 'month', unitDisplay: 'long' }).format(months)

/**
 * Parses typed points, in the digits of any keyboard. Spaces are ignored. A comma or a full stop is refused, since
 * "1.250" is ambiguous. Returns whole points from 1 to `MAX_POINTS`, or `invalid-input` or `points-too-many`.
 */
export function parsePoints(text: string): Result<number> {
  const digits = toAsciiDigits(text)
  if (digits === '') return err({ kind: 'invalid-input', field: 'points', fault: 'missing' })
  if (/^-\d+$/u.test(digits)) return err({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
  if (!/^\d+$/u.test(digits)) {
    return err({ kind: 'invalid-input', field: 'points', fault: 'not-a-whole-number' })
  }
  const points = Number(digits)
  const failure = pointsFailure(points)
  return failure === null ? ok(points) : err(failure)
}

/** The most digits of typed points that are kept: more than one code can carry, so that a digit too many is seen. */
const MAX_TYPED_DIGITS = 12

/** Returns typed points with the locale's digits and grouping, also above `MAX_POINTS`; text that is no number as it is. */
export const groupTypedPoints = (text: string): string => {
  const digits = toAsciiDigits(text)
  return /^[1-9]\d*$/u.test(digits) ? numberFormat(screenLocale()).format(BigInt(digits)) : text
}

/** Returns the character between the groups of digits: `,`, `.` or a space. */
export const groupSeparator = (): string =>
  numberFormat(screenLocale())
    .formatToParts(1000)
    .find(({ type }) => type === 'group')?.value ?? ''

/** Returns the length of the text that both begin with. */
function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

const reversed = (text: string): string => Array.from(text).reverse().join('')

/**
 * Returns what the points are after an edit: `typed` was shown as `groupTypedPoints` returns it, and the field has `value` now.
 * The separators of the till are removed, those of the cashier stay. `isRestored`: the field had this value before.
 */
export function editedPoints(typed: string, value: string, isRestored = false): string {
  const separator = groupSeparator()
  const ungroup = (text: string): string => text.replaceAll(separator, '')
  const shown = groupTypedPoints(typed)
  let text = value
  if (isRestored && value === groupTypedPoints(ungroup(value))) text = ungroup(value)
  else if (shown !== typed) {
    const start = commonLength(shown, value)
    const end = value.length - commonLength(reversed(shown.slice(start)), reversed(value.slice(start)))
    text = ungroup(value.slice(0, start)) + value.slice(start, end) + ungroup(value.slice(end))
  }
  return /^\p{Nd}+$/u.test(text) ? text.slice(0, MAX_TYPED_DIGITS) : text
}

/** Returns points as the slip prints them. */
export const formatSlipPoints = (points: number): string => slipPoints(points, currentLocale().slipTag)

const currencyFormat = memoized(
  (locale: string, currency: string) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: currencyPlaces(currency),
      maximumFractionDigits: currencyPlaces(currency),
      useGrouping: 'always'
    })
)

/**
 * Parses a typed bill amount, in the digits of any keyboard: `12.5`, `12,50` and `١٢٫٥` are the same amount. More
 * decimals than `currency` (ISO 4217) has are refused: `1.250` is ambiguous. Returns digits with a full stop, as
 * `calculatePoints` takes them, or `invalid-input`.
 */
export function parseAmount(text: string, currency: string): Result<string> {
  const typed = toAsciiDigits(text)
  if (typed === '') return err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:[.,٫](\d*))?$/u.exec(typed) ?? []
  if (whole === '' || fraction.length > currencyPlaces(currency)) {
    return err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
  }
  return ok(fraction === '' ? whole : `${whole}.${fraction}`)
}

/** Returns an amount with a full stop as a cashier would type it: `12.50` → `12,50` where the comma is the separator. */
export const typedAmount = (amount: string): string => amount.replace('.', decimalSeparator())

/**
 * Parses a decimal number, such as points per unit, with a full stop or a comma of any script. Returns null if it
 * is invalid.
 */
export function parseDecimal(text: string): string | null {
  const typed = toAsciiDigits(text).replace(/[,٫]/u, '.')
  return /^\d{1,9}(\.\d{1,6})?$/u.test(typed) ? typed : null
}

/** `€12.50`. `amount` is a result of `parseAmount`, `currency` an ISO 4217 code. */
export const formatAmount = (amount: string, currency: string): string =>
  currencyFormat(screenLocale(), currency).format(Number(amount))

/** Returns the symbol of a currency: `€`. */
export const currencySymbol = (currency: string): string =>
  currencyFormat(screenLocale(), currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Returns all currencies and `chosen`, which this runtime may not list, with their names, sorted by name. */
export function currenciesByName(chosen: string): { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(screenLocale(), { type: 'currency' })
  const order = new Intl.Collator(screenLocale())
  return [...new Set([...Intl.supportedValuesOf('currency'), chosen])]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => order.compare(one.name, other.name))
}
