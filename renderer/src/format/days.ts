/** Days of the calendar as `YYYY-MM-DD`, and what they are called in a report. */
import type { ReportRange, ReportBucketSize } from '../../../electron/contract/slips.ts'
import { knownTimeZone } from './dates.ts'
import { screenLocale } from './locale.ts'

const DAY = 24 * 60 * 60 * 1000

/** The day that a moment falls on in `timeZone` (IANA; the machine's own if unknown). */
const dayOf = (moment: Date, timeZone: string | undefined): string =>
  // The Swedish spelling is the international one.
  new Intl.DateTimeFormat('sv-SE', { timeZone: knownTimeZone(timeZone) }).format(moment)

/** The day that it is now in `timeZone`. */
export const today = (timeZone: string | undefined): string => dayOf(new Date(), timeZone)

const midnight = (day: string): number => Date.parse(`${day}T00:00:00.000Z`)

/** The day `days` later, or earlier. */
export const dayAfter = (day: string, days: number): string =>
  new Date(midnight(day) + days * DAY).toISOString().slice(0, 10)

/** The first day of the month that `day` is in. */
export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** `21 Nov 2026`, or `16 – 22 Nov 2026`. */
export function formatRange({ from, to }: ReportRange): string {
  const format = new Intl.DateTimeFormat(screenLocale(), { dateStyle: 'medium', timeZone: 'UTC' })
  return format.formatRange(midnight(from), midnight(to))
}

/** How a part of a report is called: an hour by its beginning, a day by date, a month or a year by name. */
export function formatPart(start: string, step: ReportBucketSize, timeZone: string): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { timeStyle: 'short' },
    day: { weekday: 'short', day: 'numeric', month: 'short' },
    month: { month: 'short', year: 'numeric' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[step],
    timeZone: knownTimeZone(timeZone)
  }).format(new Date(start))
}

/** The same as short as a bar's foot allows: `14`, `21`, `Nov`, `2026`. */
export function formatPartShort(start: string, step: ReportBucketSize, timeZone: string): string {
  const options: Readonly<Record<ReportBucketSize, Intl.DateTimeFormatOptions>> = {
    hour: { hour: 'numeric', hourCycle: 'h23' },
    day: { day: 'numeric' },
    month: { month: 'short' },
    year: { year: 'numeric' }
  }
  return new Intl.DateTimeFormat(screenLocale(), {
    ...options[step],
    timeZone: knownTimeZone(timeZone)
  }).format(new Date(start))
}
