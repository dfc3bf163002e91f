import { slipMoment } from '../../../electron/contract/slip-numbers-and-dates.ts'
import type { ReportBucketSize, ReportRange } from '../../../electron/contract/slips.ts'
import { screenLocale, currentLocale } from '../i18n/locale.svelte.ts'

/**
 * Returns a time zone if this machine knows it, otherwise undefined for the machine's own: the service calls its
 * field only "current time zone".
 */
export function supportedTimeZone(timeZone: string | undefined): string | undefined {
  if (!timeZone) return undefined
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch {
    return undefined
  }
}

const format = (moment: Date | string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(screenLocale(), { ...options, timeZone: supportedTimeZone(timeZone) }).format(
    typeof moment === 'string' ? new Date(moment) : moment
  )

/**
 * `21 Nov 2026, 14:02`. `moment` is an ISO 8601 text or a date; `timeZone` is an IANA name, the machine's own if
 * unknown.
 */
export const formatDateTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { dateStyle: 'medium', timeStyle: 'short' })

/** `21 Nov 2026`. */
export const formatDate = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { dateStyle: 'medium' })

/** `14:02`. */
export const formatTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { timeStyle: 'short' })

/** `14:02` for a moment of today, otherwise with the day. `now` decides which day is today. */
export const formatRecent = (moment: string, now: Date, timeZone: string | undefined): string =>
  formatDate(moment, timeZone) === formatDate(now, timeZone)
    ? formatTime(moment, timeZone)
    : formatDateTime(moment, timeZone)

/** Returns a duration in the largest unit of which it has at least two: `90 minutes`, `3 hours`, `12 days`. */
export function formatDuration(minutes: number): string {
  const [value, unit] =
    minutes < 120 ? [minutes, 'minute'] : minutes < 48 * 60 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  return new Intl.NumberFormat(screenLocale(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0
  }).format(value)
}

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
  new Intl.DateTimeFormat('sv-SE', { timeZone: supportedTimeZone(timeZone) }).format(moment)

/** Returns the current day in `timeZone`, as `YYYY-MM-DD`. */
export const today = (timeZone: string | undefined): string => dayOf(new Date(), timeZone)

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** Returns the day `days` later, or earlier if negative. Days are `YYYY-MM-DD`. */
export const addDays = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY).toISOString().slice(0, 10)

/** Returns the first day of the month of `day`. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** `21 Nov 2026`, or `16 – 22 Nov 2026`. */
export function formatDateRange({ from, to }: ReportRange): string {
  const format = new Intl.DateTimeFormat(screenLocale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(midnight(from), midnight(to))
}

/**
 * Returns the label of a bucket of a report: the time of an hour, the date of a day, the name of a month or year.
 */
export function formatReportBucket(start: string, bucketSize: ReportBucketSize, timeZone: string): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { timeStyle: 'short' },
    day: { weekday: 'short', day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[bucketSize],
    timeZone: supportedTimeZone(timeZone)
  }).format(new Date(start))
}

/** Returns the same label, short enough for a bar of the chart: `14`, `21`, `Nov`, `2026`. */
export function formatReportBucketShort(
  start: string,
  bucketSize: ReportBucketSize,
  timeZone: string
): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { hour: 'numeric', hourCycle: 'h23' },
    day: { day: 'numeric' },
    month: { month: 'short' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[bucketSize],
    timeZone: supportedTimeZone(timeZone)
  }).format(new Date(start))
}
