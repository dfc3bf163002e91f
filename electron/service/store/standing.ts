/** What a customer has by the shop's rules: a level, and points that end. */
import * as v from 'valibot'
import { levelOf, type Standing } from '../../contract/earning-rules.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { CustomerStore } from './customers.ts'
import type { Database } from './database.ts'
import { nextEnding } from './lots.ts'
import { RulesStore } from './rules.ts'

/**
 * Entries since a moment that count for a level: gifts and points of another system do not, and a return as long as its purchase.
 * @param since place of the moment in the statement
 */
export const earnedSince = (since: string): string => `at > ${since}
  AND kind IN ('collected', 'credited', 'adjusted', 'returned')
  AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
  AND (kind <> 'returned' OR (
    SELECT coalesce(
      (SELECT given.at FROM entries AS given WHERE given.id = returns.credit),
      (SELECT given.at FROM entries AS given WHERE given.code = returns.code)
    ) FROM returns WHERE returns.entry = entries.id
  ) > ${since})`

const earnedRow = v.object({ earned: v.number() })

/** Returns the moment twelve months earlier (ISO 8601, UTC). */
export const twelveMonthsBefore = (moment: Date): string => {
  const earlier = new Date(moment)
  earlier.setUTCFullYear(earlier.getUTCFullYear() - 1)
  return earlier.toISOString()
}

export class StandingStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #rules: RulesStore

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
    this.#rules = new RulesStore(database)
  }

  /** Returns the standing of a customer; null if the business has no such customer. @param id of the customer */
  async find(business: BusinessKey, id: string): Promise<Standing | null> {
    const customer = await new CustomerStore(this.#database).findKey(business, 'id', id)
    if (customer === null) return null
    const { rules } = await this.#rules.current(business)
    const levels = rules?.levels ?? []
    const earned = levels.length === 0 ? 0 : await this.#earned(customer)
    const level = levelOf(levels, earned)
    const next = levels.find(({ from }) => from > earned)
    return {
      level: level && { name: level.name, factor: level.factor },
      next: next === undefined ? null : { name: next.name, missing: next.from - earned },
      ending: await nextEnding(this.#database, customer, this.#now().toISOString().slice(0, 10))
    }
  }

  /** Points that a customer, with those merged into it, has earned within twelve months. */
  async #earned(customer: CustomerKey): Promise<number> {
    const [row] = await this.#database.read(
      `SELECT CAST(coalesce(sum(lifetime_points), 0) AS BIGINT) AS earned FROM entries
       WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1) AND ${earnedSince('$2')}`,
      [customer, twelveMonthsBefore(this.#now())]
    )
    return v.parse(earnedRow, row).earned
  }
}
