import { screenLocale } from './locale.ts'

/** Whole percent as the locale writes them: `5` → `5%`. */
export const formatPercent = (percent: number): string =>
  new Intl.NumberFormat(screenLocale(), { style: 'percent' }).format(percent / 100)
