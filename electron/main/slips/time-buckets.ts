/** Cutting days of the calendar into the steps of a report. */
import type { ReportRange, ReportBucketSize } from '../../contract/slips.ts'

/** A stretch of time, ISO 8601, UTC; `until` is not part of it. */
interface TimeBucket {
  readonly from: string
  readonly until: string
}

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** Longest ranges that are shown by the day and by the month: as many bars as stay readable side by side. */
const MOST_DAYS = 45
const MOST_MONTHS = 36

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / DAY
const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** The first day of a month that is counted from the year 0 on. */
const firstOfMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`

/** The step that cuts `range` into the fewest parts that still tell something. */
export function stepOf({ from, to }: ReportRange): ReportBucketSize {
  if (from === to) return 'hour'
  if (dayNumber(to) - dayNumber(from) < MOST_DAYS) return 'day'
  return monthNumber(to) - monthNumber(from) < MOST_MONTHS ? 'month' : 'year'
}

/** Moments at which the parts of `range` begin, the first of them at the range's own beginning. */
function starts({ from, to }: ReportRange, step: ReportBucketSize, timeZone: string): string[] {
  switch (step) {
    case 'hour': {
      // By elapsed hours: a day on which the clocks change has 23 or 25 of them.
      const [first, end] = [Date.parse(dayStart(from, timeZone)), Date.parse(dayStart(to, timeZone, 1))]
      const count = Math.ceil((end - first) / HOUR)
      return Array.from({ length: count }, (_, hour) => new Date(first + hour * HOUR).toISOString())
    }
    case 'day':
      return Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, days) =>
        dayStart(from, timeZone, days)
      )
    case 'month':
    case 'year': {
      const length = step === 'month' ? 1 : 12
      const first = Math.floor(monthNumber(from) / length)
      const count = Math.floor(monthNumber(to) / length) - first + 1
      return Array.from({ length: count }, (_, index) =>
        dayStart(index === 0 ? from : firstOfMonth((first + index) * length), timeZone)
      )
    }
  }
}

/** Every part of `range` in order, without a gap, with days of `timeZone`. */
export function timeBuckets(range: ReportRange, step: ReportBucketSize, timeZone: string): TimeBucket[] {
  const begins = starts(range, step, timeZone)
  const end = dayStart(range.to, timeZone, 1)
  return begins.map((from, index) => ({ from, until: begins[index + 1] ?? end }))
}

/** Days of the calendar in a business's time zone, as moments. */

const MS_PER_DAY = 24 * 60 * 60 * 1000

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
  const midnight = new Date(`${day}T00:00:00.000Z`).getTime() + days * MS_PER_DAY
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  // The zone's distance from UTC differs at most between the day before and the day after.
  const offsetAt = (moment: number): number =>
    new Date(`${format.format(moment).replace(' ', 'T')}.000Z`).getTime() - moment
  const candidates = [
    midnight - offsetAt(midnight - MS_PER_DAY),
    midnight - offsetAt(midnight + MS_PER_DAY)
  ].sort((a, b) => a - b)
  const start = candidates.find((moment) => format.format(moment).startsWith(wanted)) ?? midnight
  return new Date(start).toISOString()
}
