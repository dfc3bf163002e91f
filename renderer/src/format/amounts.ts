import { err, ok, type Result } from '../../../electron/contract/failure.ts'
import { asciiDigits } from './digits.ts'
import { screenLocale } from './locale.ts'

const formatter = (currency: string): Intl.NumberFormat =>
  new Intl.NumberFormat(screenLocale(), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })

/** Decimal places that a currency is counted in: 2 for the euro, 0 for the yen. */
const placesOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/**
 * Reads a bill as a cashier types it, in the digits of any keyboard: `12.5`, `12,50` and `١٢٫٥` are the same amount. More
 * places than `currency` (ISO 4217) has are refused: `1.250` means two different things in two shops.
 *
 * @returns digits with a full stop, as `calculatePoints` takes them, or `invalid-input` for the amount
 */
export function parseAmount(text: string, currency: string): Result<string> {
  const typed = asciiDigits(text)
  if (typed === '') return err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
  const [, whole = '', fraction = ''] = /^(\d{1,9})(?:[.,٫](\d*))?$/u.exec(typed) ?? []
  if (whole === '' || fraction.length > placesOf(currency)) {
    return err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
  }
  return ok(fraction === '' ? whole : `${whole}.${fraction}`)
}

/** Reads a plain decimal number, such as points per unit: a comma of any script counts as a full stop. Null if it is none. */
export function parseDecimal(text: string): string | null {
  const typed = asciiDigits(text).replace(/[,٫]/u, '.')
  return /^\d{1,9}(\.\d{1,6})?$/u.test(typed) ? typed : null
}

/** `€12.50`. `amount` as `parseAmount` gives it, `currency` an ISO 4217 code. */
export const formatAmount = (amount: string, currency: string): string =>
  formatter(currency).format(Number(amount))

/** The sign of a currency where it stands alone: `€`. */
export const currencySign = (currency: string): string =>
  formatter(currency)
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

/** Every currency with its name, in the order a reader looks for them. */
export function currenciesByName(): { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(screenLocale(), { type: 'currency' })
  const order = new Intl.Collator(screenLocale())
  return Intl.supportedValuesOf('currency')
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((one, other) => order.compare(one.name, other.name))
}
