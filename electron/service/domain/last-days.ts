/** When points end: the rule of a shop as each entry keeps it, and the days that it makes (UTC, such as `2026-11-25`). */
import type { Expiry } from '../../contract/earning-rules.ts'
import { memoized } from '../../contract/memoized.ts'

/** When the points of an entry end, as it is kept with it: `earned 12` or `visit 12`, in months. */
export const expiryText = ({ since, months }: Pick<Expiry, 'since' | 'months'>): string =>
  `${since} ${String(months)}`

/** Returns the rule of a text of `expiryText`; null for another text, whose points do not end. */
export const parseExpiry = (text: string): Pick<Expiry, 'since' | 'months'> | null => {
  const [, since, months] = /^(earned|visit) (\d+)$/.exec(text) ?? []
  return since === 'earned' || since === 'visit' ? { since, months: Number(months) } : null
}

const dayText = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10)

/** A day of the month that is so many months later, counted from 0, the day as it is, and the last day of that month. */
const inMonth = (day: string, months: number) => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const later = month - 1 + months
  return { year, month: later, date, last: new Date(Date.UTC(year, later + 1, 0)).getUTCDate() }
}

/** Returns the day so many months later, at most the last one of its month: `2027-02-28` a month after `2027-01-31`. */
export const monthsAfter = (day: string, months: number): string => {
  const { year, month, date, last } = inMonth(day, months)
  return dayText(year, month, Math.min(date, last))
}

/** Returns the first day from which so many months end on `day` or later. */
export const firstDayUntil = (day: string, months: number): string => {
  const { year, month, date, last } = inMonth(day, -months)
  return date <= last ? dayText(year, month, date) : dayText(year, month + 1, 1)
}

/** After every day. */
export const NEVER = '~'

/** Returns the last day of points that count from a day by a rule as `expiryText`; `NEVER` for another text. */
export const lastDayFrom = memoized((expiry: string, day: string): string => {
  const rule = parseExpiry(expiry)
  return rule === null ? NEVER : monthsAfter(day, rule.months)
})
