/** The days that the month soak covers, in a European time zone. */

/** The shop's time zone, and the machine's. */
export const TIME_ZONE = 'Europe/Athens'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Days in a row with a change of the clocks; each begins and ends at six in the morning. */
export interface Period {
  /** ms since 1970 */
  readonly start: number
  readonly days: number
}

const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: TIME_ZONE,
  dateStyle: 'short',
  timeStyle: 'short'
})

/** Returns day (`YYYY-MM-DD`) and hour of a moment in the shop. */
export function shopTime(moment: number): { readonly day: string; readonly hour: number } {
  const [day = '', time = ''] = format.format(moment).split(' ')
  return { day, hour: Number(time.slice(0, 2)) }
}

/** Returns 02:00 UTC of the last Sunday of a month (1 to 12): the hour after the change of the clocks in Europe. */
function lastSunday(year: number, month: number): number {
  const end = Date.UTC(year, month, 0, 2)
  return end - new Date(end).getUTCDay() * DAY_MS
}

/**
 * Returns `days` days before and around the change to summer time in `year`, and as many around the one back: the change
 * is in the last night but one, so that its day is whole.
 */
export const periodsOf = (year: number, days: number): readonly [Period, Period] => {
  // Six o'clock before the change: winter time (UTC+2) before the one in March, summer time before the other.
  const spring = lastSunday(year, 3) + 2 * HOUR_MS
  const autumn = lastSunday(year, 10) + HOUR_MS
  return [
    { start: spring - (days - 1) * DAY_MS, days },
    { start: autumn - (days - 1) * DAY_MS, days }
  ]
}
