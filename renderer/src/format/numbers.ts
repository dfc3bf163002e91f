import { screenLocale } from './locale.ts'

/** A number with the locale's grouping, at most two decimals: `1250` → `1,250`. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(screenLocale(), { maximumFractionDigits: 2 }).format(value)

/** The sign before the decimals: `.` or `,`. */
export const decimalSign = (): string =>
  new Intl.NumberFormat(screenLocale()).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
  '.'
