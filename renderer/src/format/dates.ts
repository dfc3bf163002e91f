import { screenLocale } from './locale.ts'

/** A time zone that this machine knows, or undefined for the machine's own: the service only says "current time zone". */
export function knownTimeZone(timeZone: string | undefined): string | undefined {
  if (!timeZone) return undefined
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch {
    return undefined
  }
}

const format = (moment: Date | string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(screenLocale(), { ...options, timeZone: knownTimeZone(timeZone) }).format(
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

/** This moment, as the till keeps moments: ISO 8601, UTC. */
export const momentNow = (): string => new Date().toISOString()
