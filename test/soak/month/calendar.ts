/** The time that the month soak covers, in a European time zone. */

/** The shop's time zone, and the machine's. */
export const TIME_ZONE = 'Europe/Athens'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

/** Hours in a row with a change of the clocks. */
export interface Period {
  /** ms since 1970 */
  readonly start: number
  readonly hours: number
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

/** Returns the beginning of the last Sunday of a month (1 to 12) in UTC. The clocks change an hour later in Europe. */
function lastSunday(year: number, month: number): number {
  const end = Date.UTC(year, month, 0)
  return end - new Date(end).getUTCDay() * DAY_MS
}

/**
 * Returns the `hours` before one o'clock of the last Monday in March of `year`, and the same in October: the clocks
 * changed in the night before, so the Sunday is whole.
 */
export const periodsOf = (year: number, hours: number): readonly [Period, Period] => {
  // One o'clock is at 22:00 UTC in summer time (UTC+3), and at 23:00 UTC in winter time.
  const [spring, autumn] = [lastSunday(year, 3) + 22 * HOUR_MS, lastSunday(year, 10) + 23 * HOUR_MS]
  return [
    { start: spring - hours * HOUR_MS, hours },
    { start: autumn - hours * HOUR_MS, hours }
  ]
}
