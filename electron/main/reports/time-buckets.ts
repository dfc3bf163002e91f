/** Days and ranges of time in the business's time zone. */
import { memoized } from '../../contract/memoized.ts'
import type { ReportBucketSize, ReportRange } from '../../contract/slip-report.ts'

const MS_PER_HOUR = 60 * 60 * 1000
const MS_PER_DAY = 24 * MS_PER_HOUR

/** Longest ranges with a bucket per day and per month: that many bars stay readable side by side. */
const MAX_DAYS = 45
const MAX_MONTHS = 36

/** Formats as `2026-11-21 14:05:33`: the Swedish date format equals the international one. */
const formatterOf = memoized(
  (timeZone: string) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
)

/** Returns a formatter of moments (ISO 8601, UTC) as day and time in `timeZone`, such as `2026-11-21 14:05:33`. */
export function localTimes(timeZone: string): (moment: string) => string {
  const format = formatterOf(timeZone)
  return (moment) => format.format(new Date(moment))
}

/**
 * Returns the first moment of a day (`YYYY-MM-DD`) in `timeZone`, plus `days`, as ISO 8601 in UTC. Where the clocks go
 * forward at midnight, the day starts at one o'clock.
 */
export function dayStart(day: string, timeZone: string, days = 0): string {
  const format = formatterOf(timeZone)
  const midnight = new Date(`${day}T00:00:00.000Z`).getTime() + days * MS_PER_DAY
  const wanted = new Date(midnight).toISOString().slice(0, 10)
  const offsetAt = (moment: number): number =>
    new Date(`${format.format(moment).replace(' ', 'T')}.000Z`).getTime() - moment
  // The offset from UTC is the one of the day before, or the one of the day after.
  const candidates = [
    midnight - offsetAt(midnight - MS_PER_DAY),
    midnight - offsetAt(midnight + MS_PER_DAY)
  ].sort((a, b) => a - b)
  const start = candidates.find((moment) => format.format(moment).startsWith(wanted)) ?? midnight
  return new Date(start).toISOString()
}

/** A time range, ISO 8601, UTC; `until` is excluded. */
export interface TimeBucket {
  readonly from: string
  readonly until: string
}

const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) / MS_PER_DAY
const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1

/** Returns the first day of a month, counted from the year 0 on. */
const firstOfMonth = (month: number): string =>
  `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}-01`

/** Returns the bucket size that divides `range` into a readable number of buckets. */
export function bucketSizeOf({ from, to }: ReportRange): ReportBucketSize {
  if (from === to) return 'hour'
  if (dayNumber(to) - dayNumber(from) < MAX_DAYS) return 'day'
  return monthNumber(to) - monthNumber(from) < MAX_MONTHS ? 'month' : 'year'
}

function bucketStarts({ from, to }: ReportRange, size: ReportBucketSize, timeZone: string): string[] {
  switch (size) {
    case 'hour': {
      // By elapsed hours: a day on which the clocks change has 23 or 25 of them.
      const [first, end] = [Date.parse(dayStart(from, timeZone)), Date.parse(dayStart(to, timeZone, 1))]
      const count = Math.ceil((end - first) / MS_PER_HOUR)
      return Array.from({ length: count }, (_, hour) => new Date(first + hour * MS_PER_HOUR).toISOString())
    }
    case 'day':
      return Array.from({ length: dayNumber(to) - dayNumber(from) + 1 }, (_, days) =>
        dayStart(from, timeZone, days)
      )
    case 'month':
    case 'year': {
      const length = size === 'month' ? 1 : 12
      const first = Math.floor(monthNumber(from) / length)
      const count = Math.floor(monthNumber(to) / length) - first + 1
      return Array.from({ length: count }, (_, index) =>
        dayStart(index === 0 ? from : firstOfMonth((first + index) * length), timeZone)
      )
    }
  }
}

/** Divides `range` into consecutive buckets, with days of `timeZone`. The first and the last may be shorter. */
export function timeBuckets(range: ReportRange, size: ReportBucketSize, timeZone: string): TimeBucket[] {
  const starts = bucketStarts(range, size, timeZone)
  const end = dayStart(range.to, timeZone, 1)
  return starts.map((from, index) => ({ from, until: starts[index + 1] ?? end }))
}
