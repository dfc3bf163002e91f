/**
 * What `unusual-activity.ts` looks at. It is read day by day, so that no statement keeps the thread of SQLite busy for long, and
 * what was undone counts as done: undoing is looked at by itself.
 */
import * as v from 'valibot'
import type { CreditLimits } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { dayOf, daysBetween, shiftDay, type ShopDay } from '../domain/days.ts'
import {
  ACTIVITY_DAYS,
  OFTEN,
  USUAL_DAYS,
  unusualActivity,
  type GivenDay,
  type Hour,
  type MakerWeek,
  type UnusualActivity,
  type WeekActivity
} from '../domain/unusual-activity.ts'
import type { Queries } from './database.ts'

/** Customers who got points most often in a week: more than these are not looked at. */
const MOST_CUSTOMERS = 1_000
/** Up to the ten minutes: `2026-11-25T18:3`. No time zone is off by less. */
const TEN_MINUTES = 15
const BUCKET_TEXT = '0:00Z'

/** Who made it: a cashier, or the till where it has named none. */
const maker = (till: string, cashier: string): string =>
  `CASE WHEN ${cashier} IS NULL THEN ${till} ELSE 'cashier:' || CAST(${cashier} AS TEXT) END`
const CODE_MAKER = maker("'till:' || codes.till", 'codes.cashier')
const ENTRY_MAKER = maker('entries.made_by', 'entries.cashier')

const oftenRow = v.object({ customer: v.number(), count: v.number() })
const givenRow = v.object({
  maker: v.string(),
  customer: v.number(),
  count: v.number(),
  points: v.number(),
  credits: v.number()
})
const issuedRow = v.object({ maker: v.string(), bucket: v.string(), count: v.number(), points: v.number() })
const madeRow = v.object({
  maker: v.string(),
  till: v.string(),
  bucket: v.string(),
  kind: v.picklist(['credited', 'redeemed', 'reversed']),
  count: v.number(),
  points: v.number()
})
const customerRow = v.object({
  key: v.number(),
  id: v.string(),
  name: v.string(),
  phone: v.nullable(v.string())
})
const usualRow = v.object({ bucket: v.string(), count: v.number() })

/** A customer of a pattern, without name and phone when erased. */
type ActiveCustomer = Omit<v.InferOutput<typeof customerRow>, 'key'>

export class ActivityStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns what is unusual in the week that ends with the day of `now`. */
  async unusual(business: CreditLimits, now: Date): Promise<readonly UnusualActivity[]> {
    const last = dayOf(now, business.timeZone)
    const first = shiftDay(last, 1 - ACTIVITY_DAYS)
    const week = daysBetween(first, last, business.timeZone)
    const before = daysBetween(shiftDay(first, -USUAL_DAYS), shiftDay(first, -1), business.timeZone)
    const hourOf = hours(business.timeZone)
    const made = new WeekOfMakers()
    const creditedDays: WeekActivity['creditedDays'][number][] = []
    const weekHours: WeekActivity['hours'][number][] = []
    for (const day of week) {
      const credited = new Map<string, number>()
      for (const row of await this.#issued(business, day)) {
        made.of(row.maker).points += row.points
        weekHours.push({ maker: row.maker, count: row.count, ...hourOf(row.bucket) })
      }
      for (const { kind, maker: by, till, bucket, count, points } of await this.#made(business, day)) {
        const sums = made.of(by)
        if (kind === 'reversed') {
          sums.undone += count
          sums.lastUndone = day.day
        } else sums.undoable += count
        if (kind !== 'credited') continue
        sums.points += points
        sums.credits += count
        credited.set(till, (credited.get(till) ?? 0) + points)
        weekHours.push({ maker: by, count, ...hourOf(bucket) })
      }
      creditedDays.push(...[...credited].map(([till, points]) => ({ till, day: day.day, points })))
    }
    const usualHours: Hour[] = []
    for (const day of before) {
      for (const { bucket, count } of await this.#usual(business, day)) {
        usualHours.push({ count, ...hourOf(bucket) })
      }
    }
    return unusualActivity({
      given: await this.#given(business, week),
      makers: made.all,
      creditedDays,
      // The limit below which no manager approves a credit.
      creditLimit: business.creditApprovalLimit ?? business.creditLimit,
      hours: weekHours,
      usualHours
    })
  }

  /** Returns the customers of patterns by their keys; one who was merged as the one they were joined to. */
  async customers(keys: readonly CustomerKey[]): Promise<ReadonlyMap<CustomerKey, ActiveCustomer>> {
    if (keys.length === 0) return new Map()
    const rows = await this.#queries.read(
      `SELECT named.customer AS key, kept.id AS id, kept.name AS name, kept.phone AS phone
       FROM customers AS named JOIN customers AS kept ON kept.customer = coalesce(named.merged_into, named.customer)
       WHERE named.customer IN (${keys.map((_, index) => `$${index + 1}`).join(', ')})`,
      keys
    )
    return new Map(
      rows.map((row) => {
        const { key, ...customer } = v.parse(customerRow, row)
        return [key, customer]
      })
    )
  }

  /** What customers got who got points often. */
  async #given({ key }: CreditLimits, week: readonly ShopDay[]): Promise<readonly GivenDay[]> {
    const often = new Map<number, number>()
    for (const { start, end } of week) {
      const rows = await this.#queries.read(
        `SELECT customer, CAST(count(*) AS BIGINT) AS count FROM entries
         WHERE business = $1 AND at >= $2 AND at < $3 AND kind IN ('collected', 'credited') GROUP BY customer`,
        [key, start, end]
      )
      for (const row of rows) {
        const { customer, count } = v.parse(oftenRow, row)
        often.set(customer, (often.get(customer) ?? 0) + count)
      }
    }
    const customers = [...often]
      .filter(([, count]) => count >= OFTEN)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, MOST_CUSTOMERS)
      .map(([customer]) => customer)
    if (customers.length === 0) return []
    const given: GivenDay[] = []
    for (const { day, start, end } of week) {
      const rows = await this.#queries.read(
        `SELECT maker, customer, CAST(count(*) AS BIGINT) AS count, CAST(sum(points) AS BIGINT) AS points,
           CAST(sum(credit) AS BIGINT) AS credits
         FROM (
           SELECT CASE WHEN entries.code IS NULL THEN ${ENTRY_MAKER} ELSE ${CODE_MAKER} END AS maker,
             entries.customer AS customer, entries.points AS points,
             CASE WHEN entries.code IS NULL THEN 1 ELSE 0 END AS credit
           FROM entries LEFT JOIN codes ON codes.code = entries.code
           WHERE entries.business = $1 AND entries.at >= $2 AND entries.at < $3
             AND entries.kind IN ('collected', 'credited')
             AND entries.customer IN (${customers.map((_, index) => `$${index + 4}`).join(', ')})
         ) AS given WHERE maker IS NOT NULL GROUP BY maker, customer`,
        [key, start, end, ...customers]
      )
      given.push(...rows.map((row) => ({ day, ...v.parse(givenRow, row) })))
    }
    return given
  }

  async #issued(
    { key }: CreditLimits,
    { start, end }: ShopDay
  ): Promise<readonly v.InferOutput<typeof issuedRow>[]> {
    const rows = await this.#queries.read(
      `SELECT ${CODE_MAKER} AS maker, substr(created_at, 1, ${TEN_MINUTES}) AS bucket,
         CAST(count(*) AS BIGINT) AS count, CAST(sum(points) AS BIGINT) AS points
       FROM codes WHERE business = $1 AND created_at >= $2 AND created_at < $3 AND till IS NOT NULL GROUP BY 1, 2`,
      [key, start, end]
    )
    return rows.map((row) => v.parse(issuedRow, row))
  }

  async #made(
    { key }: CreditLimits,
    { start, end }: ShopDay
  ): Promise<readonly v.InferOutput<typeof madeRow>[]> {
    const rows = await this.#queries.read(
      `SELECT ${ENTRY_MAKER} AS maker, made_by AS till, substr(at, 1, ${TEN_MINUTES}) AS bucket, kind,
         CAST(count(*) AS BIGINT) AS count, CAST(sum(points) AS BIGINT) AS points
       FROM entries WHERE business = $1 AND at >= $2 AND at < $3 AND kind IN ('credited', 'redeemed', 'reversed')
         AND made_by LIKE 'till:%' GROUP BY 1, 2, 3, 4`,
      [key, start, end]
    )
    return rows.map((row) => v.parse(madeRow, row))
  }

  async #usual(
    { key }: CreditLimits,
    { start, end }: ShopDay
  ): Promise<readonly v.InferOutput<typeof usualRow>[]> {
    const of = (table: string, at: string, which: string): string =>
      `SELECT substr(${at}, 1, ${TEN_MINUTES}) AS bucket, count(*) AS count FROM ${table}
       WHERE business = $1 AND ${at} >= $2 AND ${at} < $3 AND ${which} GROUP BY 1`
    const rows = await this.#queries.read(
      `SELECT bucket, CAST(sum(count) AS BIGINT) AS count FROM (
         ${of('codes', 'created_at', '1 = 1')} UNION ALL ${of('entries', 'at', "kind = 'credited'")}
       ) AS opens GROUP BY bucket`,
      [key, start, end]
    )
    return rows.map((row) => v.parse(usualRow, row))
  }
}

/** What each maker did, added up. */
class WeekOfMakers {
  readonly #sums = new Map<string, { -readonly [Field in keyof MakerWeek]: MakerWeek[Field] }>()

  of(name: string): { -readonly [Field in keyof MakerWeek]: MakerWeek[Field] } {
    const known = this.#sums.get(name) ?? {
      maker: name,
      points: 0,
      credits: 0,
      undoable: 0,
      undone: 0,
      lastUndone: null
    }
    this.#sums.set(name, known)
    return known
  }

  get all(): readonly MakerWeek[] {
    return [...this.#sums.values()]
  }
}

/** Returns a function that says in which hour of the shop ten minutes are. */
const hours = (timeZone: string): ((bucket: string) => Omit<Hour, 'count'>) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    calendar: 'gregory',
    numberingSystem: 'latn'
  })
  return (bucket) => {
    const [day = '', time = ''] = format.format(new Date(`${bucket}${BUCKET_TEXT}`)).split(' ')
    return { day, hour: Number(time.slice(0, 2)), weekday: new Date(`${day}T00:00Z`).getUTCDay() }
  }
}
