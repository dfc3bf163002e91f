/** What happened in a shop, by customer, till and cashier, without what was taken back: see `day-sums.ts`. */
import * as v from 'valibot'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { CashierKey } from '../domain/cashiers.ts'
import { daysBetween } from '../domain/days.ts'
import type { Queries } from './database.ts'
import { JOINED, type Tally } from './day-sums.ts'

/** A customer with what it has collected, those merged into it included. */
export interface Collector {
  readonly id: string
  readonly name: string
  /** E.164 */
  readonly phone: string
  readonly points: number
  readonly codes: number
}

/** What one cashier did at one till; `null`: the till has named no cashier. */
export interface MakerStatistics {
  /** id */
  readonly till: string
  readonly cashier: CashierKey | null
  /** codes */
  readonly issued: Tally
  readonly credited: Tally
  readonly returned: Tally
  readonly redeemed: Tally
}

/** Kinds of entries that are listed by day. */
const DAY_KINDS = ['collected', 'credited', 'redeemed'] as const

const makerRow = v.object({
  till: v.string(),
  cashier: v.nullable(v.number()),
  what: v.picklist(['issued', 'credited', 'returned', 'redeemed']),
  count: v.number(),
  points: v.number()
})
const dayEntryRow = v.object({
  kind: v.picklist(DAY_KINDS),
  at: v.string(),
  points: v.number(),
  by: v.string(),
  cashier: v.nullable(v.number()),
  code: v.nullable(v.string()),
  reward: v.nullable(v.string()),
  customer: v.string(),
  name: v.string(),
  phone: v.nullable(v.string())
})

/** An entry with its customer, who has no phone when erased. */
type DayEntry = v.InferOutput<typeof dayEntryRow>

const joinedRow = v.object({
  id: v.string(),
  name: v.string(),
  phone: v.nullable(v.string()),
  at: v.string()
})

/** A customer and when they joined (ISO 8601, UTC); without name and phone when erased. */
type JoinedCustomer = v.InferOutput<typeof joinedRow>

const collectorRow = v.object({
  id: v.string(),
  name: v.string(),
  phone: v.string(),
  points: v.number(),
  codes: v.number()
})

export class StatisticsStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns what each till and cashier did from the first day to the last, without what was taken back. */
  async byMaker(
    { key, timeZone }: Pick<StoredBusiness, 'key' | 'timeZone'>,
    first: string,
    last: string
  ): Promise<readonly MakerStatistics[]> {
    const days = daysBetween(first, last, timeZone)
    const [begin, end] = [days[0]?.start, days.at(-1)?.end]
    if (begin === undefined || end === undefined) return []
    const rows = await this.#queries.read(
      `WITH made (till, cashier, what, points) AS (
         SELECT till, cashier, 'issued', points FROM codes
           WHERE business = $1 AND created_at >= $2 AND created_at < $3 AND cancelled_at IS NULL AND till IS NOT NULL
         UNION ALL
         SELECT substr(made_by, 6), cashier, kind, points FROM entries
           WHERE business = $1 AND at >= $2 AND at < $3 AND kind IN ('credited', 'redeemed') AND made_by LIKE 'till:%'
             AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
         UNION ALL
         SELECT substr(made_by, 6), cashier, 'returned', points FROM returns
           WHERE business = $1 AND at >= $2 AND at < $3 AND made_by LIKE 'till:%'
       )
       SELECT till, cashier, what, CAST(count(*) AS BIGINT) AS count, CAST(sum(points) AS BIGINT) AS points
       FROM made GROUP BY till, cashier, what`,
      [key, begin, end]
    )
    const made = Map.groupBy(
      rows.map((row) => v.parse(makerRow, row)),
      ({ till, cashier }) => `${till} ${String(cashier)}`
    )
    return [...made.values()].flatMap((tallies) => {
      const of = (what: (typeof tallies)[number]['what']): Tally => {
        const found = tallies.find((tally) => tally.what === what)
        return { count: found?.count ?? 0, points: Math.abs(found?.points ?? 0) }
      }
      const [one] = tallies
      return one === undefined
        ? []
        : [
            {
              till: one.till,
              cashier: one.cashier,
              issued: of('issued'),
              credited: of('credited'),
              returned: of('returned'),
              redeemed: of('redeemed')
            }
          ]
    })
  }

  /** Returns the customers who have collected most from the first day to the last, at most `limit`. */
  async topCollectors(
    { key, timeZone }: Pick<StoredBusiness, 'key' | 'timeZone'>,
    first: string,
    last: string,
    limit: number
  ): Promise<readonly Collector[]> {
    const days = daysBetween(first, last, timeZone)
    const [begin, end] = [days[0]?.start, days.at(-1)?.end]
    if (begin === undefined || end === undefined) return []
    const rows = await this.#queries.read(
      `WITH tallies (customer, codes, points) AS (
         SELECT customer, count(*), sum(points) FROM entries
           WHERE business = $1 AND at >= $2 AND at < $3 AND kind = 'collected' GROUP BY customer
         UNION ALL
         SELECT entries.customer, -count(*), -sum(entries.points)
           FROM entries AS reversals JOIN entries ON entries.id = reversals.reverses
           WHERE reversals.business = $1 AND reversals.at >= $2 AND reversals.kind = 'reversed'
             AND entries.at >= $2 AND entries.at < $3 AND entries.kind = 'collected'
           GROUP BY entries.customer
       )
       SELECT kept.id AS id, kept.name AS name, kept.phone AS phone,
         CAST(sum(tallies.points) AS BIGINT) AS points, CAST(sum(tallies.codes) AS BIGINT) AS codes
       FROM tallies JOIN customers AS named ON named.customer = tallies.customer
         JOIN customers AS kept ON kept.customer = coalesce(named.merged_into, named.customer)
       WHERE kept.erased_at IS NULL
       GROUP BY kept.customer, kept.id, kept.name, kept.phone HAVING sum(tallies.codes) > 0
       ORDER BY 4 DESC, kept.customer LIMIT $4`,
      [key, begin, end, limit]
    )
    return rows.map((row) => v.parse(collectorRow, row))
  }

  /** Returns the entries of a kind on a day that were not taken back, the newest first, at most `limit`. */
  async entriesOfDay(
    { key, timeZone }: Pick<StoredBusiness, 'key' | 'timeZone'>,
    day: string,
    kind: (typeof DAY_KINDS)[number],
    limit: number
  ): Promise<readonly DayEntry[]> {
    const [only] = daysBetween(day, day, timeZone)
    if (only === undefined) return []
    const rows = await this.#queries.read(
      `SELECT entries.kind AS kind, entries.at AS at, entries.points AS points, entries.made_by AS "by",
         entries.cashier AS cashier, entries.code AS code, entries.reward AS reward, kept.id AS customer, kept.name AS name,
         kept.phone AS phone
       FROM entries JOIN customers AS named ON named.customer = entries.customer
         JOIN customers AS kept ON kept.customer = coalesce(named.merged_into, named.customer)
       WHERE entries.business = $1 AND entries.at >= $2 AND entries.at < $3 AND entries.kind = $4
         AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
       ORDER BY entries.at DESC, entries.entry DESC LIMIT $5`,
      [key, only.start, only.end, kind, limit]
    )
    return rows.map((row) => v.parse(dayEntryRow, row))
  }

  /** Returns the customers who joined on a day, the newest first, at most `limit`. */
  async joinedOnDay(
    { key, timeZone }: Pick<StoredBusiness, 'key' | 'timeZone'>,
    day: string,
    limit: number
  ): Promise<readonly JoinedCustomer[]> {
    const [only] = daysBetween(day, day, timeZone)
    if (only === undefined) return []
    const rows = await this.#queries.read(
      `SELECT id, name, phone, created_at AS at FROM customers
       WHERE business = $1 AND created_at >= $2 AND created_at < $3 AND ${JOINED}
       ORDER BY created_at DESC, customer DESC LIMIT $4`,
      [key, only.start, only.end, limit]
    )
    return rows.map((row) => v.parse(joinedRow, row))
  }
}
