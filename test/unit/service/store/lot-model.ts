/**
 * What the lots of customers have to be: a second implementation, which takes point by point and keeps what it knows instead of
 * replaying a ledger. Plain data, so that a model with it can be copied.
 */

import { memoized } from '../../../../electron/contract/memoized.ts'

export interface ModelLot {
  /** such as `earned 12`; null: the points do not end */
  readonly rule: string | null
  /** UTC */
  readonly day: string
  readonly number: number
  readonly brought: number
  left: number
  spent: number
  returned: number
  /** points that have expired; null before that */
  expired: number | null
}

/** The points of customers who are one. */
export interface ModelPool {
  lots: ModelLot[]
  debt: number
  lastVisit: string
}

/** Of each point that was taken, its lot; null for one that the customer did not have. */
export type ModelTaken = readonly (ModelLot | null)[]

export const newPool = (): ModelPool => ({ lots: [], debt: 0, lastVisit: '' })

let lotNumber = 0

/** A day so many months later, or the last day of that month: searched backwards. */
const later = memoized((day: string, count: string): string => {
  const months = Number(count)
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  for (let shorter = 0; ; shorter += 1) {
    const end = new Date(Date.UTC(year, month - 1 + months, date - shorter))
    if (end.getUTCMonth() === (month - 1 + months) % 12) return end.toISOString().slice(0, 10)
  }
})

const FOREVER = '9999-12-31'

/** The last day of a lot. */
export const endOf = ({ rule, day, expired }: ModelLot, { lastVisit }: ModelPool): string => {
  if (rule === null || expired !== null) return FOREVER
  const [since, months = ''] = rule.split(' ')
  return later(since === 'visit' && lastVisit > day ? lastVisit : day, months)
}

const isSooner = (one: ModelLot, other: ModelLot, pool: ModelPool): boolean => {
  const [end, otherEnd] = [endOf(one, pool), endOf(other, pool)]
  return end === otherEnd ? one.number < other.number : end < otherEnd
}

const takeOne = (pool: ModelPool, first: ModelLot | null, use: 'spent' | 'returned'): ModelLot | null => {
  let best = first?.left ? first : null
  if (best === null) {
    for (const lot of pool.lots) if (lot.left > 0 && (best === null || isSooner(lot, best, pool))) best = lot
  }
  if (best === null) {
    pool.debt += 1
    return null
  }
  best.left -= 1
  best[use] += 1
  return best
}

/** Takes points, first from one lot. */
export const takeFrom = (
  pool: ModelPool,
  points: number,
  { first = null, use = 'spent' }: { first?: ModelLot | null; use?: 'spent' | 'returned' } = {}
): ModelTaken => Array.from({ length: points }, () => takeOne(pool, first, use))

const payDebt = (pool: ModelPool): void => {
  while (pool.debt > 0 && pool.lots.some(({ left }) => left > 0)) {
    pool.debt -= 1
    takeOne(pool, null, 'returned')
  }
}

/** Adds a lot, and pays with it what was owed. */
export const bring = (pool: ModelPool, points: number, rule: string | null, day: string): ModelLot => {
  lotNumber += 1
  const fresh = { rule, day, number: lotNumber, brought: points, left: points }
  const lot = { ...fresh, spent: 0, returned: 0, expired: null }
  pool.lots.push(lot)
  payDebt(pool)
  return lot
}

/** Gives points back to their lots, and those of ended ones as a new lot. */
export const giveBackTo = (pool: ModelPool, taken: ModelTaken, rule: string | null, day: string): void => {
  let fresh = 0
  for (const lot of taken) {
    if (lot?.expired !== null || endOf(lot, pool) < day) fresh += 1
    else {
      lot.left += 1
      lot.spent -= 1
    }
  }
  if (fresh > 0) bring(pool, fresh, rule, day)
  else payDebt(pool)
}

/** Notes that a customer did something in the shop. */
export const visitOn = (pool: ModelPool, day: string): void => {
  if (day > pool.lastVisit) pool.lastVisit = day
}

/** Ends what ended before a day. Returns the points. */
export const expireBefore = (pool: ModelPool, day: string): number => {
  let points = 0
  for (const lot of pool.lots) {
    if (lot.left === 0 || endOf(lot, pool) >= day) continue
    points += lot.left
    lot.expired = lot.left
    lot.left = 0
  }
  return points
}

/** Joins the points of another pool. */
export const join = (pool: ModelPool, other: ModelPool): void => {
  pool.lots.push(...other.lots)
  pool.debt += other.debt
  visitOn(pool, other.lastVisit)
  payDebt(pool)
}

/** What the customer has: the points of each lot with its last day, sorted. */
export const openLots = (pool: ModelPool): readonly (readonly [number, string | null])[] =>
  pool.lots
    .filter(({ left }) => left > 0)
    .map((lot) => [lot.left, endOf(lot, pool)] as const)
    .map(([left, end]) => [left, end === FOREVER ? null : end] as const)
