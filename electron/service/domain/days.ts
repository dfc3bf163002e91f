/** Days of a shop's calendar: when they begin depends on its time zone. */
import { memoized } from '../../contract/memoized.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** No time zone is further from UTC. */
const MAX_OFFSET_MINUTES = 15 * 60

/** What was later than so far ahead was made when the clock was wrong: processes of a service may differ a little. */
export const AHEAD_MINUTES = 1

/** Returns a moment (ISO 8601, UTC) so many minutes later. */
export const minutesAfter = (at: string, minutes: number): string =>
  new Date(Date.parse(at) + minutes * MINUTE_MS).toISOString()

/** A day and the moments at which it begins and ends (ISO 8601, UTC). It can be empty where a calendar left one out. */
export interface ShopDay {
  /** such as `2026-11-25` */
  readonly day: string
  readonly start: string
  /** when the next day begins */
  readonly end: string
}

const dayFormat = memoized(
  (timeZone: string): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      calendar: 'gregory',
      numberingSystem: 'latn'
    })
)

/** Returns the day of a moment in a time zone, such as `2026-11-25`. */
export const dayOf = (moment: Date, timeZone: string): string => dayFormat(timeZone).format(moment)

/** Returns the day that is `days` after a day, or before it. */
export const shiftDay = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The first minute of a day or of one after it. Not every day begins at midnight: clocks are changed then, too. */
const startOf = (day: string, format: Intl.DateTimeFormat): string => {
  const midnight = Date.parse(`${day}T00:00Z`)
  let [before, from] = [-MAX_OFFSET_MINUTES, MAX_OFFSET_MINUTES]
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2)
    if (format.format(midnight + middle * MINUTE_MS) >= day) from = middle
    else before = middle
  }
  return new Date(midnight + from * MINUTE_MS).toISOString()
}

/** Returns the days from `first` to `last` in a time zone. */
export const daysBetween = (first: string, last: string, timeZone: string): readonly ShopDay[] => {
  const format = dayFormat(timeZone)
  const days: ShopDay[] = []
  for (let day = first, start = startOf(day, format); day <= last;) {
    const next = shiftDay(day, 1)
    const end = startOf(next, format)
    days.push({ day, start, end })
    day = next
    start = end
  }
  return days
}
