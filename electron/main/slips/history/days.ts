/** Days of the calendar in a business's time zone, as moments. */

const DAY = 24 * 60 * 60 * 1000

/** The clock that was asked for last: a till serves one business, and making one takes longer than a day's report. */
let last: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | null = null

/** Reads as `2026-11-21 14:05:33`: the Swedish spelling is the international one. */
function clock(timeZone: string): Intl.DateTimeFormat {
  if (last?.timeZone === timeZone) return last.format
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  last = { timeZone, format }
  return format
}

/** Spells moments (ISO 8601, UTC) as day and time in `timeZone`, such as `2026-11-21 14:05:33`. */
export function localTimes(timeZone: string): (moment: string) => string {
  const format = clock(timeZone)
  return (moment) => format.format(new Date(moment))
}

/**
 * The first moment of a day (`YYYY-MM-DD`) in `timeZone`, plus `days` more, as ISO 8601 in UTC. Where clocks are put
 * forward at midnight, the day begins at one o'clock.
 */
export function dayStart(day: string, timeZone: string, days = 0): string {
  const format = clock(timeZone)
  const midnight = new Date(`${day}T00:00:00.000Z`).getTime() + days * DAY
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  // The zone's distance from UTC differs at most between the day before and the day after.
  const offsetAt = (moment: number): number =>
    new Date(`${format.format(moment).replace(' ', 'T')}.000Z`).getTime() - moment
  const candidates = [midnight - offsetAt(midnight - DAY), midnight - offsetAt(midnight + DAY)].sort(
    (a, b) => a - b
  )
  const start = candidates.find((moment) => format.format(moment).startsWith(wanted)) ?? midnight
  return new Date(start).toISOString()
}
