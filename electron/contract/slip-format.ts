/** How numbers and moments are spelled on a slip, printed or shown: one way, so that the paper on the screen tells no lie. */
import type { ReportBucketSize } from './slips.ts'

/** English as most of the world spells dates: what is fallen back to. */
export const FALLBACK_LOCALE = 'en-GB'

const usableLocale = (locale: string): string => {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? FALLBACK_LOCALE
  } catch {
    return FALLBACK_LOCALE
  }
}

/** Remembers what `make` came to for each key: the system's formatters take longer to make than a slip may. */
const remembering = <Key extends readonly string[], Value>(make: (...key: Key) => Value): typeof make => {
  const known = new Map<string, Value>()
  return (...key) => {
    const name = key.join(' ')
    const value = known.get(name) ?? make(...key)
    known.set(name, value)
    return value
  }
}

/** True when the system knows this time zone. */
export const isTimeZone = remembering((timeZone: string) => {
  try {
    new Intl.DateTimeFormat(FALLBACK_LOCALE, { timeZone })
    return timeZone !== ''
  } catch {
    return false
  }
})

const numbers = remembering(
  (locale: string) => new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: 'always' })
)

const moments = remembering(
  (locale: string, timeZone: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone
    })
)

/** Points with the grouping of `locale` (BCP 47), in Latin digits: they are what the cashier typed. */
export const slipPoints = (points: number, locale: string): string =>
  numbers(usableLocale(locale)).format(points)

/**
 * Day and time in a time zone (IANA; UTC when the system does not know it), spelled as in `locale` (BCP 47): Gregorian
 * calendar, Latin digits.
 */
export const slipMoment = (moment: Date, timeZone: string, locale: string): string =>
  moments(usableLocale(locale), isTimeZone(timeZone) ? timeZone : 'UTC').format(moment)

const days = remembering(
  (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'medium',
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone: 'UTC'
    })
)

/** One day, or the first and the last of several (`YYYY-MM-DD`), spelled as in `locale` (BCP 47), in Latin digits. */
export const slipDays = (from: string, to: string, locale: string): string =>
  days(usableLocale(locale)).formatRange(new Date(from), new Date(to))

const PART_OPTIONS: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
  hour: { timeStyle: 'short' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' }
}

const parts = remembering(
  (locale: string, timeZone: string, step: ReportBucketSize) =>
    new Intl.DateTimeFormat(locale, {
      ...PART_OPTIONS[step],
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone
    })
)

/** What a part of a report is called: an hour by its beginning, a day by its date, a month or a year by its name. */
export const slipPart = (start: Date, step: ReportBucketSize, timeZone: string, locale: string): string =>
  parts(usableLocale(locale), isTimeZone(timeZone) ? timeZone : 'UTC', step).format(start)
