/**
 * What an owner should look at: patterns of a week that are rare in sales, and common where a cashier gives points away. A
 * pattern proves nothing: each has honest causes, too.
 *
 * The limits were set by simulated shops with and without a thief (`unusual-activity.test.ts`).
 */

/** Days in which patterns are looked for, today included. */
export const ACTIVITY_DAYS = 7
/** Days before them that say when the shop is open. */
export const USUAL_DAYS = 28

/** Points that one customer got from one maker on a day. */
export interface GivenDay {
  /** who gave them, such as `cashier:3`; the till where it has named no cashier */
  readonly maker: string
  readonly customer: number
  /** such as `2026-11-25` */
  readonly day: string
  readonly count: number
  readonly points: number
  /** those of them that were given without a code */
  readonly credits: number
}

/** What a maker did in the week. */
export interface MakerWeek {
  readonly maker: string
  /** points of codes that were issued, and of credits */
  readonly points: number
  /** credits */
  readonly credits: number
  /** credits and redemptions */
  readonly undoable: number
  /** of them, those that were undone */
  readonly undone: number
  /** the last day on which something was undone; null: nothing was */
  readonly lastUndone: string | null
}

/** Slips and credits of an hour. */
export interface Hour {
  /** 0: Sunday */
  readonly weekday: number
  /** 0 to 23, in the shop's time zone */
  readonly hour: number
  readonly day: string
  readonly count: number
}

export interface WeekActivity {
  /** of customers who got points `OFTEN` times or more */
  readonly given: readonly GivenDay[]
  readonly makers: readonly MakerWeek[]
  /** points that each till credited on each day */
  readonly creditedDays: readonly { readonly till: string; readonly day: string; readonly points: number }[]
  /** points that a till may credit on a day; null: any number */
  readonly creditLimit: number | null
  /** of this week */
  readonly hours: readonly (Hour & { readonly maker: string })[]
  /** of the `USUAL_DAYS` before */
  readonly usualHours: readonly Hour[]
}

/** A pattern, with the last day on which it happened. */
export type UnusualActivity = Pattern & { readonly last: string }

type Pattern =
  /** one customer gets most of the points of one maker, or gets points from one maker many times a day */
  | {
      readonly kind: 'one-customer'
      readonly maker: string
      readonly customer: number
      readonly count: number
      readonly points: number
    }
  /** nearly all credits of a maker go to a few customers */
  | {
      readonly kind: 'few-customers'
      readonly maker: string
      readonly customers: readonly number[]
      readonly count: number
    }
  /** a maker undoes much of what they do */
  | { readonly kind: 'undone'; readonly maker: string; readonly count: number; readonly of: number }
  /** a till credits nearly all that it may, day after day */
  | { readonly kind: 'near-limit'; readonly maker: string; readonly days: number }
  /** slips or credits while the shop is usually closed */
  | { readonly kind: 'closed-hours'; readonly maker: string; readonly count: number }

/** The customers that a pattern is about. */
export const customersOf = (found: UnusualActivity): readonly number[] => {
  if (found.kind === 'one-customer') return [found.customer]
  return found.kind === 'few-customers' ? found.customers : []
}

/** How often a customer gets points in a week before it is looked at. */
export const OFTEN = 3

/** A customer who has half of a maker's points, in more purchases than one on each day. */
const MOST = 0.5
const MOST_COUNT = 9
/** So often on a day, on most days: a guest comes twice, and friends who pay one by one come on one day. */
const MANY_A_DAY = 3
const MANY_DAYS = 4
/** What more customers do is how the shop sells. */
const MANY_CUSTOMERS = 3

const FEW_CUSTOMERS = 3
const FEW_SHARE = 0.7
const FEW_COUNT = 9

const UNDONE_COUNT = 5
/** Of what a maker can undo: mistakes that each shop makes. */
const UNDONE_SHARE = 0.03
/** In standard deviations above what the others undo, or above those mistakes. */
const UNDONE_ABOVE = 4

const NEAR_LIMIT = 0.9
const NEAR_LIMIT_DAYS = 3

/** The opening hours are known after so many slips on so many days. */
const KNOWN_COUNT = 100
const KNOWN_DAYS = 14
/** Less of a weekday's slips is no opening hour, and less of a week's slips is a day on which the shop is closed. */
const HOUR_SHARE = 0.01
const WEEKDAY_SHARE = 0.02
const CLOSED_COUNT = 3
const CLOSED_DAYS = 2
const CLOSED_COUNT_AT_ONCE = 5

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number =>
  rows.reduce((sum, row) => sum + value(row), 0)

const lastOf = (rows: readonly { readonly day: string }[]): string =>
  rows.reduce((last, { day }) => (day > last ? day : last), '')

const oneCustomer = ({ given, makers }: WeekActivity): readonly UnusualActivity[] => {
  const found = makers.flatMap(({ maker, points: all }) =>
    [
      ...Map.groupBy(
        given.filter((row) => row.maker === maker),
        ({ customer }) => customer
      )
    ].flatMap(([customer, days]) => {
      const [count, points] = [sumOf(days, (day) => day.count), sumOf(days, (day) => day.points)]
      const isMost = count >= MOST_COUNT && points >= all * MOST
      const isMany = days.filter((day) => day.count >= MANY_A_DAY).length >= MANY_DAYS
      return isMost || isMany
        ? [{ kind: 'one-customer' as const, maker, customer, count, points, last: lastOf(days) }]
        : []
    })
  )
  return new Set(found.map(({ customer }) => customer)).size > MANY_CUSTOMERS ? [] : found
}

const fewCustomers = ({ given, makers }: WeekActivity): readonly UnusualActivity[] =>
  makers.flatMap(({ maker, credits }) => {
    if (credits < FEW_COUNT) return []
    const byCustomer = Map.groupBy(
      given.filter((row) => row.maker === maker),
      ({ customer }) => customer
    )
    const most = [...byCustomer]
      .map(([customer, days]) => ({ customer, credits: sumOf(days, (day) => day.credits) }))
      .toSorted((a, b) => b.credits - a.credits)
      .slice(0, FEW_CUSTOMERS)
      .filter((each) => each.credits > 0)
    const count = sumOf(most, (each) => each.credits)
    const customers = most.map(({ customer }) => customer)
    const days = customers.flatMap((customer) => byCustomer.get(customer) ?? [])
    const last = lastOf(days.filter((day) => day.credits > 0))
    return count >= credits * FEW_SHARE
      ? [{ kind: 'few-customers' as const, maker, customers, count, last }]
      : []
  })

const undoneOften = ({ makers }: WeekActivity): readonly UnusualActivity[] =>
  makers.flatMap(({ maker, undone, undoable, lastUndone }) => {
    const others = makers.filter((other) => other.maker !== maker)
    const share =
      sumOf(others, (other) => other.undone) /
      Math.max(
        1,
        sumOf(others, (other) => other.undoable)
      )
    const expected = undoable * Math.max(UNDONE_SHARE, share)
    return undone >= UNDONE_COUNT && undone >= expected + UNDONE_ABOVE * Math.sqrt(expected)
      ? [{ kind: 'undone' as const, maker, count: undone, of: undoable, last: lastUndone ?? '' }]
      : []
  })

const nearLimit = ({ creditedDays, creditLimit }: WeekActivity): readonly UnusualActivity[] =>
  [...Map.groupBy(creditedDays, ({ till }) => till)].flatMap(([till, days]) => {
    const near = days.filter(
      ({ points }) => creditLimit !== null && points >= creditLimit * NEAR_LIMIT && points <= creditLimit
    )
    return near.length >= NEAR_LIMIT_DAYS
      ? [{ kind: 'near-limit' as const, maker: till, days: near.length, last: lastOf(near) }]
      : []
  })

/**
 * Returns whether a shop is usually open, by its slips: from an hour before the first to an hour after the last usual hour
 * of a weekday. Null when too little is known.
 */
const openingHours = (usual: readonly Hour[]): ((hour: Hour) => boolean) | null => {
  const all = sumOf(usual, ({ count }) => count)
  if (all < KNOWN_COUNT || new Set(usual.map(({ day }) => day)).size < KNOWN_DAYS) return null
  const ranges = new Map(
    [...Map.groupBy(usual, ({ weekday }) => weekday)].flatMap(([weekday, rows]) => {
      const count = sumOf(rows, (row) => row.count)
      if (count < all * WEEKDAY_SHARE) return []
      const hours = [...Map.groupBy(rows, ({ hour }) => hour)]
        .filter(([, some]) => sumOf(some, (row) => row.count) >= count * HOUR_SHARE)
        .map(([hour]) => hour)
      return [[weekday, [Math.min(...hours) - 1, Math.max(...hours) + 1]] as const]
    })
  )
  return ({ weekday, hour }) => {
    const range = ranges.get(weekday)
    return range !== undefined && hour >= range[0] && hour <= range[1]
  }
}

const closedHours = ({ hours, usualHours }: WeekActivity): readonly UnusualActivity[] => {
  const isOpen = openingHours(usualHours)
  if (isOpen === null) return []
  return [
    ...Map.groupBy(
      hours.filter((hour) => !isOpen(hour)),
      ({ maker }) => maker
    )
  ].flatMap(([maker, rows]) => {
    const count = sumOf(rows, (row) => row.count)
    const days = new Set(rows.map(({ day }) => day)).size
    return count >= CLOSED_COUNT_AT_ONCE || (count >= CLOSED_COUNT && days >= CLOSED_DAYS)
      ? [{ kind: 'closed-hours' as const, maker, count, last: lastOf(rows) }]
      : []
  })
}

/** Returns the patterns of a week. */
export const unusualActivity = (week: WeekActivity): readonly UnusualActivity[] =>
  [oneCustomer, fewCustomers, undoneOften, nearLimit, closedHours].flatMap((look) => look(week))
