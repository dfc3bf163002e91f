import { memoized } from '../../../electron/contract/memoized.ts'
import {
  durationIn,
  isTimeZone,
  slipBucketLabel,
  slipDays,
  slipMoment
} from '../../../electron/contract/slip-numbers-and-dates.ts'
import type { ReportBucketSize, ReportRange } from '../../../electron/contract/slip-report.ts'
import { currentLocale, memoizeByLocale, screenLocale } from '../i18n/locale.svelte.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'

/**
 * Returns a time zone if this machine knows it, otherwise undefined for the machine's own: the service calls its
 * field only "current time zone".
 */
export const supportedTimeZone = (timeZone: string | undefined): string | undefined =>
  timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined

const STYLES = {
  'day and time': { dateStyle: 'medium', timeStyle: 'short' },
  day: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  'day and time of this year': { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  'day of this year': { day: 'numeric', month: 'long' },
  numeric: {},
  // The label of a bar of a report's chart: `14` or `2 PM`, `21`, `Nov`, `2026`.
  'hour bar': { hour: 'numeric' },
  'day bar': { day: 'numeric' },
  'month bar': { month: 'short' },
  'year bar': { year: 'numeric' }
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/** An empty time zone is the machine's own. */
const formatters = memoized(
  (locale: string, style: keyof typeof STYLES, timeZone: string) =>
    new Intl.DateTimeFormat(locale, { ...STYLES[style], timeZone: timeZone || undefined })
)

const formatterOf = (
  style: keyof typeof STYLES,
  timeZone: string | undefined,
  locale = screenLocale()
): Intl.DateTimeFormat => formatters(locale, style, supportedTimeZone(timeZone) ?? '')

const format = (moment: Date | string, timeZone: string | undefined, style: keyof typeof STYLES): string =>
  formatterOf(style, timeZone).format(typeof moment === 'string' ? new Date(moment) : moment)

/**
 * `21 Nov 2026, 14:02`. `moment` is an ISO 8601 text or a date; `timeZone` is an IANA name, the machine's own if
 * unknown.
 */
export const formatDateTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, 'day and time')

/** `21 Nov 2026`. */
export const formatDate = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, 'day')

/** `14:02`. */
export const formatTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, 'time')

/** `14:02` for a moment of today, otherwise with the day. `now` decides which day is today. */
export const formatRecent = (moment: string, now: Date, timeZone: string | undefined): string =>
  formatDate(moment, timeZone) === formatDate(now, timeZone)
    ? formatTime(moment, timeZone)
    : formatDateTime(moment, timeZone)

/** Whether a moment is of the year of `now`, and not of its day. */
const isOfYear = (moment: string, now: Date, timeZone: string | undefined): boolean =>
  dayOf(new Date(moment), timeZone).slice(0, 4) === dayOf(now, timeZone).slice(0, 4) &&
  formatDate(moment, timeZone) !== formatDate(now, timeZone)

/** `14:02` for a moment of today, `24 Nov, 14:02` for one of this year, otherwise with the year. */
export const formatShort = (moment: string, now: Date, timeZone: string | undefined): string =>
  isOfYear(moment, now, timeZone)
    ? format(moment, timeZone, 'day and time of this year')
    : formatRecent(moment, now, timeZone)

/** `14:02` for a moment of today, `24 November` for one of this year, otherwise `24 Nov 2025`. */
export function formatTimeOrDay(moment: string, now: Date, timeZone: string | undefined): string {
  if (isOfYear(moment, now, timeZone)) return format(moment, timeZone, 'day of this year')
  const day = formatDate(moment, timeZone)
  return day === formatDate(now, timeZone) ? formatTime(moment, timeZone) : day
}

/** Returns a duration in the largest unit of which it has at least two: `90 minutes`, `3 hours`, `12 days`. */
export const formatDuration = (minutes: number): string => durationIn(screenLocale(), minutes * 60_000)

/** The same with a short unit: `90 min`, `3 hrs`. */
export const formatShortDuration = (minutes: number): string =>
  durationIn(screenLocale(), minutes * 60_000, { unitDisplay: 'short' })

/** `4:05` for 245 seconds. */
export function formatCountdown(seconds: number): string {
  const format = (value: number, minimumIntegerDigits: number): string =>
    new Intl.NumberFormat(screenLocale(), { minimumIntegerDigits }).format(value)
  return `${format(Math.floor(seconds / 60), 1)}:${format(seconds % 60, 2)}`
}

/** Returns a moment as the slip prints it. `timeZone` is an IANA name, the machine's own if unknown. */
export const formatSlipMoment = (moment: Date | string, timeZone: string | undefined): string =>
  slipMoment(
    new Date(moment),
    supportedTimeZone(timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    currentLocale().slipTag
  )

const DAY = 24 * 60 * 60 * 1000

/** Returns the day of a moment in `timeZone`, as `YYYY-MM-DD`. */
const dayOf = (moment: Date, timeZone: string | undefined): string =>
  // The Swedish date format is ISO 8601.
  formatterOf('numeric', timeZone, 'sv-SE').format(moment)

/** Returns the current day in `timeZone`, as `YYYY-MM-DD`. */
export const today = (timeZone: string | undefined): string => dayOf(new Date(), timeZone)

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** Returns the day `days` later, or earlier if negative. Days are `YYYY-MM-DD`. */
export const addDays = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY).toISOString().slice(0, 10)

/** Returns the first day of the month of `day`. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

const dayFormat = memoizeByLocale(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      day: '2-digit',
      month: '2-digit',
      year: 'numeric',
      timeZone: 'UTC'
    })
)

/** Returns a day, `YYYY-MM-DD`, as it is typed: `22/11/2026`, in the order of the locale. Empty for an empty day. */
export const formatDay = (day: string): string => (day === '' ? '' : dayFormat().format(midnight(day)))

/**
 * Returns the day, as `YYYY-MM-DD`, of a text with three numbers, in digits of any script, in the order of the locale or,
 * if the first has four digits, of ISO 8601. A year may have two digits. Null if there is no such day.
 */
export function parseDay(text: string): string | null {
  const numbers = text.split(/[^\p{Nd}]+/u).filter((number) => number !== '')
  const ofLocale = dayFormat()
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'year' || type === 'month' || type === 'day')
  const order = numbers[0]?.length === 4 ? (['year', 'month', 'day'] as const) : ofLocale
  const values = new Map(order.map((type, index) => [type, toAsciiDigits(numbers[index] ?? '')]))
  const { year = '', month = '', day = '' } = Object.fromEntries(values)
  const typed = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const isDay = numbers.length === 3 && /^\d{4}-\d\d-\d\d$/u.test(typed) && !Number.isNaN(midnight(typed))
  // The thirty-first of a shorter month would be the first of the next.
  return isDay && addDays(typed, 0) === typed ? typed : null
}

/** `21 Nov 2026`, or `16 – 22 Nov 2026`. */
export const formatDateRange = ({ from, to }: ReportRange): string => slipDays(from, to, screenLocale())

/** Returns the label of a bucket of a report that starts at `start`, in `timeZone` (IANA), as the printed report has it. */
export const formatReportBucket = (start: string, bucketSize: ReportBucketSize, timeZone: string): string =>
  slipBucketLabel(new Date(start), bucketSize, timeZone, screenLocale())

/** Returns the same in as few characters as its bar has room for. */
export const formatShortReportBucket = (
  start: string,
  bucketSize: ReportBucketSize,
  timeZone: string
): string =>
  formatterOf(`${bucketSize} bar`, timeZone)
    .formatToParts(new Date(start))
    // Without the words that some languages set beside an hour: `07 Uhr`.
    .filter(({ type }) => type === bucketSize || type === 'dayPeriod')
    .map(({ value }) => value)
    .join(' ')
