import { screenLocale } from './locale.ts'

/** A number with the locale's grouping, at most two decimals: `1250` → `1,250`. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(screenLocale(), { maximumFractionDigits: 2 }).format(value)
