/** Formats numbers and dates of slips. Shared by printer and preview, so both match. */
import { memoized } from './memoized.ts'
import type { ReportBucketSize } from './slip-report.ts'

/** The fallback: English with the day before the month. */
export const FALLBACK_LOCALE = 'en-GB'

const usableLocale = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? FALLBACK_LOCALE
  } catch {
    return FALLBACK_LOCALE
  }
}

/** Returns whether the runtime supports a time zone. */
export const isTimeZone = memoized((timeZone: string) => {
  try {
    new Intl.DateTimeFormat(FALLBACK_LOCALE, { timeZone })
    return timeZone !== ''
  } catch {
    return false
  }
})

/** The locale of numbers. Swiss French groups by spaces in some releases of ICU, by apostrophes in others. */
const numberLocale = (locale: string): string => usableLocale(locale).replace(/^fr-CH\b/, 'fr')

/** When a number is written with its sign. */
type Sign = 'auto' | 'always' | 'exceptZero'

const numberFormats = memoized(
  (locale: string, signDisplay: Sign) =>
    new Intl.NumberFormat(numberLocale(locale), {
      signDisplay,
      numberingSystem: 'latn',
      useGrouping: 'always',
      maximumFractionDigits: 2
    })
)

/** Returns how numbers of every output are written: grouped, also where a language groups from five digits only. */
export const numberFormat = (locale: string, sign: Sign = 'auto'): Intl.NumberFormat =>
  numberFormats(locale, sign)

const moments = memoized(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone
    })
)

/** Formats points with the grouping of `locale` (BCP 47) and Latin digits, as the cashier typed them. */
export const slipPoints = (points: number, locale: string): string => numberFormat(locale).format(points)

/**
 * Formats date and time in a time zone (IANA; UTC if it is unknown) and a locale (BCP 47), with the Gregorian
 * calendar and Latin digits.
 */
export const slipMoment = (moment: Date, timeZone: string, locale: string): string =>
  moments(usableLocale(locale), isTimeZone(timeZone) ? timeZone : 'UTC').format(moment)

const days = memoized(
  (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone: 'UTC'
    })
)

/**
 * Formats one day or a range of days (`YYYY-MM-DD`) in a locale (BCP 47), with Latin digits. Chromium sets spaces where
 * ICU has thin ones.
 */
export const slipDays = (from: string, to: string, locale: string): string =>
  days(usableLocale(locale)).formatRange(new Date(from), new Date(to)).replaceAll('\u2009', ' ')

const BUCKET_LABEL_OPTIONS: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
  hour: { timeStyle: 'short' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' }
}

const bucketLabels = memoized(
  (locale: string, timeZone: string, bucketSize: ReportBucketSize) =>
    new Intl.DateTimeFormat(locale, {
      ...BUCKET_LABEL_OPTIONS[bucketSize],
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone
    })
)

/** Formats the label of a time bucket: the start of an hour, the date of a day, the name of a month or a year. */
export const slipBucketLabel = (
  start: Date,
  bucketSize: ReportBucketSize,
  timeZone: string,
  locale: string
): string =>
  bucketLabels(usableLocale(locale), isTimeZone(timeZone) ? timeZone : 'UTC', bucketSize).format(start)

/** Formats a share from 0 to 1 in whole percent. */
export const slipPercent = (share: number, locale: string): string =>
  new Intl.NumberFormat(numberLocale(locale), { numberingSystem: 'latn', style: 'percent' }).format(share)

/** Returns a duration in the largest unit of which it has at least two: `90 minutes`, `3 hours`, `12 days`. */
export function durationIn(locale: string, ms: number, options: Intl.NumberFormatOptions = {}): string {
  const minutes = ms / 60_000
  const [value, unit] =
    minutes < 120 ? [minutes, 'minute'] : minutes < 48 * 60 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  return new Intl.NumberFormat(numberLocale(locale), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
    ...options
  }).format(value)
}

/** Formats a duration as `durationIn`, with Latin digits. */
export const slipDuration = (ms: number, locale: string): string =>
  durationIn(locale, ms, { numberingSystem: 'latn' })
