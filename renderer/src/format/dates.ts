import { slipMoment } from '../../../electron/contract/slip-format.ts'
import type { ReportBucketSize, ReportRange } from '../../../electron/contract/slips.ts'
import { screenLocale, currentLocale } from '../i18n/locale.svelte.ts'

/** A time zone that this machine knows, or undefined for the machine's own: the service only says "current time zone". */
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

/** `21 Nov 2026, 14:02`. An ISO 8601 text or a date, shown in `timeZone` (IANA; the machine's own if unknown). */
export const formatDateTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { dateStyle: 'medium', timeStyle: 'short' })

/** `21 Nov 2026`. */
export const formatDate = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { dateStyle: 'medium' })

/** `14:02`. */
export const formatTime = (moment: Date | string, timeZone: string | undefined): string =>
  format(moment, timeZone, { timeStyle: 'short' })

/** `14:02` for a moment of today, with its day otherwise. `now` says which day is today. */
export const formatRecent = (moment: string, now: Date, timeZone: string | undefined): string =>
  formatDate(moment, timeZone) === formatDate(now, timeZone)
    ? formatTime(moment, timeZone)
    : formatDateTime(moment, timeZone)

/** A moment as the slip prints it, in `timeZone` (IANA; the machine's own if unknown). */
export const formatSlipMoment = (moment: Date | string, timeZone: string | undefined): string =>
  slipMoment(
    new Date(moment),
    supportedTimeZone(timeZone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    currentLocale().slipTag
  )

/* from days.ts: Days of the calendar as `YYYY-MM-DD`, and what they are called in a report. */

const DAY = 24 * 60 * 60 * 1000

/** The day that a moment falls on in `timeZone` (IANA; the machine's own if unknown). */
const dayOf = (moment: Date, timeZone: string | undefined): string =>
  // The Swedish spelling is the international one.
  new Intl.DateTimeFormat('sv-SE', { timeZone: supportedTimeZone(timeZone) }).format(moment)

/** The day that it is now in `timeZone`. */
export const today = (timeZone: string | undefined): string => dayOf(new Date(), timeZone)

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** The day `days` later, or earlier. */
export const addDays = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY).toISOString().slice(0, 10)

/** The first day of the month that `day` is in. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** `21 Nov 2026`, or `16 – 22 Nov 2026`. */
export function formatDateRange({ from, to }: ReportRange): string {
  const format = new Intl.DateTimeFormat(screenLocale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(midnight(from), midnight(to))
}

/** How a part of a report is called: an hour by its beginning, a day by date, a month or a year by name. */
export function formatReportPeriod(start: string, step: ReportBucketSize, timeZone: string): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { timeStyle: 'short' },
    day: { weekday: 'short', day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[step],
    timeZone: supportedTimeZone(timeZone)
  }).format(new Date(start))
}

/** The same as short as a bar's foot allows: `14`, `21`, `Nov`, `2026`. */
export function formatReportPeriodShort(start: string, step: ReportBucketSize, timeZone: string): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { hour: 'numeric', hourCycle: 'h23' },
    day: { day: 'numeric' },
    month: { month: 'short' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[step],
    timeZone: supportedTimeZone(timeZone)
  }).format(new Date(start))
}
