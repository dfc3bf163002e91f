/** What the bills of the last days would have earned under other rules, and the points that customers have. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { earningRuleAt, type RulesAnswer } from '../../contract/earning-rules.ts'
import { calculatePoints } from '../../contract/points-calculation.ts'
import { parseBill } from '../domain/bills.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import { shiftDay } from '../domain/days.ts'
import { customerKeys } from './customers.ts'
import type { Database } from './database.ts'
import { RulesStore } from './rules.ts'

/** Days whose bills are looked at. */
export const PREVIEW_DAYS = 30

/** Slips, and as many credits, that are looked at: the newest ones. More take longer than a browser should wait. */
export const MAX_PREVIEWED = 50_000

/** Rows that are read at a time, in which others are answered in between: a few milliseconds' work. */
const PART = 500
const CUSTOMERS_PART = 5000

export const previewSchema = v.object({
  /** that were calculated, with the points that they earned and that they would have earned */
  bills: v.number(),
  earned: v.number(),
  wouldEarn: v.number(),
  /** slips and credits of which nothing is known that these rules could calculate */
  without: v.number(),
  /** whether there were more than `MAX_PREVIEWED` */
  isCut: v.boolean(),
  /** points that customers have */
  open: v.number()
})
export type RulesPreview = v.InferOutput<typeof previewSchema>

const purchaseRow = v.object({
  /** by which rows follow each other */
  key: v.union([v.string(), v.number()]),
  at: v.string(),
  points: v.number(),
  rules: v.nullable(v.number()),
  bill: v.nullable(v.string()),
  counts: v.number()
})
type Purchase = v.InferOutput<typeof purchaseRow>

/** Each selects the purchases of the business `$1` since `$2` before the row (`$3`, `$4`), the newest first. */
const PURCHASES = {
  codes: {
    first: '',
    sql: `SELECT code AS key, created_at AS at, points + returned_points AS points, rules, bill,
        CASE WHEN cancelled_at IS NULL THEN 1 ELSE 0 END AS counts
      FROM codes WHERE business = $1 AND created_at >= $2 AND (created_at, code) < ($3, $4)
      ORDER BY created_at DESC, code DESC LIMIT ${String(PART)}`
  },
  credits: {
    first: 0,
    // All kinds: of few credits among many entries, each part would read them all.
    sql: `SELECT entry AS key, at, points, rules, bill,
        CASE WHEN kind = 'credited' AND NOT EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
          THEN 1 ELSE 0 END AS counts
      FROM entries WHERE business = $1 AND at >= $2 AND (at, entry) < ($3, $4)
      ORDER BY at DESC, entry DESC LIMIT ${String(PART)}`
  }
} as const

/** After every moment (ISO 8601). */
const NEVER = '9999'

const openRow = v.object({ points: v.number(), last: v.nullable(v.number()), count: v.number() })

export class RulesPreviewer {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Calculates the bills of the days before a moment. @param proposed the other rules, with the zone of the shop */
  async preview(business: BusinessKey, proposed: RulesAnswer, now: Date): Promise<RulesPreview> {
    const since = `${shiftDay(now.toISOString().slice(0, 10), -PREVIEW_DAYS)}${now.toISOString().slice(10)}`
    const currencies = await this.#currencies(business)
    const sums = { bills: 0, earned: 0, wouldEarn: 0, without: 0, isCut: false }
    for (const source of ['codes', 'credits'] as const) {
      let looked = 0
      for await (const purchase of this.#purchases(business, since, source)) {
        if (looked === MAX_PREVIEWED) {
          sums.isCut = true
          break
        }
        looked += 1
        const isForeign =
          (currencies.get(purchase.rules) ?? proposed.rules?.currency) !== proposed.rules?.currency
        const points = isForeign ? null : pointsUnder(proposed, purchase)
        if (points === null) {
          sums.without += 1
          continue
        }
        sums.bills += 1
        sums.earned += purchase.points
        sums.wouldEarn += points
      }
    }
    return { ...sums, open: await this.#open(business) }
  }

  /** What was neither cancelled nor undone, the newest first. */
  async *#purchases(
    business: BusinessKey,
    since: string,
    source: keyof typeof PURCHASES
  ): AsyncGenerator<Purchase> {
    const { first, sql } = PURCHASES[source]
    let before: readonly [string, string | number] = [NEVER, first]
    for (;;) {
      const rows = (await this.#database.read(sql, [business, since, ...before])).map((row) =>
        v.parse(purchaseRow, row)
      )
      yield* rows.filter(({ counts }) => counts === 1)
      const end = rows.at(-1)
      if (end === undefined || rows.length < PART) return
      before = [end.at, end.key]
      await setImmediate()
    }
  }

  /** The currency of each version that has rules: the amounts of its bills are in it. */
  async #currencies(business: BusinessKey): Promise<ReadonlyMap<number | null, string>> {
    const versions = await new RulesStore(this.#database).newest(business, Number.MAX_SAFE_INTEGER)
    return new Map(
      versions.flatMap(({ version, rules }) => (rules === null ? [] : [[version, rules.currency] as const]))
    )
  }

  /** The points of all customers who have some. */
  async #open(business: BusinessKey): Promise<number> {
    let open = 0
    const [first, end] = customerKeys(business)
    let last = first - 1
    for (;;) {
      const [row] = await this.#database.read(
        `SELECT CAST(coalesce(sum(CASE WHEN balance > 0 THEN balance ELSE 0 END), 0) AS BIGINT) AS points,
           max(customer) AS last, count(*) AS count
         FROM (SELECT customer, balance FROM customers WHERE customer > $1 AND customer <= $2
           ORDER BY customer LIMIT ${String(CUSTOMERS_PART)}) AS part`,
        [last, end]
      )
      const part = v.parse(openRow, row)
      open += part.points
      if (part.last === null || part.count < CUSTOMERS_PART) return open
      last = part.last
      await setImmediate()
    }
  }
}

/** The points of a purchase under rules; null without a bill, and for one that they cannot calculate. */
const pointsUnder = (proposed: RulesAnswer, { bill, at }: Purchase): number | null => {
  const rule = earningRuleAt(proposed, new Date(at))
  if (rule === null || bill === null) return null
  const calculated = calculatePoints(parseBill(bill), rule)
  if (!calculated.ok) return null
  return calculated.value.kind === 'points' ? calculated.value.points : 0
}
