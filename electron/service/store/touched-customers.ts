/** Which customers other rules touch: by a level that they lose or that earns less, and by points whose end is asked about. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { levelOf, type EarningRules, type Level } from '../../contract/earning-rules.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { expiryText } from '../domain/last-days.ts'
import { customerKeys } from './customers.ts'
import type { Database } from './database.ts'
import { earnedSince, twelveMonthsBefore } from './standing.ts'

/** Customers that are read at a time, in which others are answered in between: a few milliseconds' work. */
const PART = 200

export const touchedSchema = v.object({
  /** customers by the level that they have and the one that they would have; null: none */
  levels: v.array(v.object({ from: v.string(), to: v.nullable(v.string()), customers: v.number() })),
  /** customers with points, where the rules change when points end or are switched off; null: they do neither */
  withPoints: v.nullable(v.number())
})
export type TouchedCustomers = v.InferOutput<typeof touchedSchema>

const customerRow = v.object({ customer: v.number(), balance: v.number(), earned: v.number() })

/** What a customer has earned, with those merged into it, since `$3`: see `earnedSince`. */
const EARNED_POINTS = `(
    SELECT CAST(coalesce(sum(entries.lifetime_points), 0) AS BIGINT) FROM entries
    WHERE entries.customer IN (
        SELECT own.customer FROM customers AS own WHERE own.customer = listed.customer OR own.merged_into = listed.customer
      ) AND ${earnedSince('$3')}
  )`

const selectPart = (earned: string): string => `
  SELECT customer, balance, ${earned} AS earned FROM customers AS listed
  WHERE customer > $1 AND customer <= $2 AND erased_at IS NULL AND merged_into IS NULL
  ORDER BY customer LIMIT ${String(PART)}`
const SELECT_EARNED = selectPart(EARNED_POINTS)
const SELECT_BALANCES = selectPart('0')

const endOf = (rules: EarningRules | null): string => (rules?.expiry ? expiryText(rules.expiry) : '')

/** Whether a customer loses by having another level: it is none, earns less, or no more under another name. */
const isLower = (level: Level, next: Level | null): boolean =>
  next === null ||
  Number(next.factor) < Number(level.factor) ||
  (next.name !== level.name && next.factor === level.factor)

/**
 * Counts the customers whom a change of the rules touches, in parts. Null rules are those that are switched off.
 */
export const countTouched = async (
  database: Database,
  business: BusinessKey,
  before: EarningRules | null,
  after: EarningRules | null,
  now: Date
): Promise<TouchedCustomers> => {
  const levels = { before: before?.levels ?? [], after: after?.levels ?? [] }
  const isOtherLevels =
    levels.before.length > 0 && JSON.stringify(levels.before) !== JSON.stringify(levels.after)
  const isOtherEnd = (before !== null && after === null) || endOf(before) !== endOf(after)
  if (!isOtherLevels && !isOtherEnd) return { levels: [], withPoints: null }
  const changes = new Map<string, TouchedCustomers['levels'][number]>()
  let withPoints = 0
  const [first, last] = customerKeys(business)
  const since = isOtherLevels ? [twelveMonthsBefore(now)] : []
  for (let read = first - 1; ;) {
    const rows = await database.read(isOtherLevels ? SELECT_EARNED : SELECT_BALANCES, [read, last, ...since])
    for (const row of rows) {
      const { customer, balance, earned } = v.parse(customerRow, row)
      read = customer
      if (balance > 0) withPoints += 1
      const [level, next] = [levelOf(levels.before, earned), levelOf(levels.after, earned)]
      if (level === null || !isLower(level, next)) continue
      const change = { from: level.name, to: next?.name ?? null }
      const key = JSON.stringify(change)
      changes.set(key, { ...change, customers: (changes.get(key)?.customers ?? 0) + 1 })
    }
    if (rows.length < PART) break
    await setImmediate()
  }
  return {
    // The highest level first.
    levels: [...changes.values()].toSorted(
      (one, other) => rankOf(levels.before, other) - rankOf(levels.before, one)
    ),
    withPoints: isOtherEnd ? withPoints : null
  }
}

const rankOf = (levels: readonly Level[], { from }: { readonly from: string }): number =>
  levels.findIndex(({ name }) => name === from)
