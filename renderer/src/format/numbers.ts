import { perLocale } from './per-locale.ts'

const format = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }))

/** A number with the locale's grouping, at most two decimals: `1250` → `1,250`. */
export const formatNumber = (value: number): string => format().format(value)

/** The sign before the decimals: `.` or `,`. */
export const decimalSign = (): string =>
  format()
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value ?? '.'
