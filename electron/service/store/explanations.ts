/** What owners have explained of unusual activity: it is not shown again until it happens on a later day. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { hashToken } from '../domain/identifiers.ts'
import { customersOf, type UnusualActivity } from '../domain/unusual-activity.ts'
import type { Database, Queries } from './database.ts'

const explanationRow = v.object({
  pattern: v.string(),
  day: v.string(),
  note: v.nullable(v.string()),
  at: v.string(),
  by: v.string()
})

/** Who explained a pattern, when (ISO 8601, UTC), and how. */
export type Explanation = Pick<v.InferOutput<typeof explanationRow>, 'note' | 'at' | 'by'>

const aboutRow = v.object({ kind: v.string(), note: v.nullable(v.string()), at: v.string(), by: v.string() })

/** What a pattern is the same by on another day. */
const patternOf = (found: UnusualActivity): string =>
  [found.kind, found.maker, ...(found.kind === 'one-customer' ? [found.customer] : [])].join(' ')

/** The id of a pattern on its last day. */
export const patternId = (business: BusinessKey, found: UnusualActivity): string =>
  hashToken([business, patternOf(found), found.last].join(' '))

export class ExplanationStore {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns those of the patterns that are explained, each with its explanation. */
  async of(
    business: BusinessKey,
    found: readonly UnusualActivity[]
  ): Promise<ReadonlyMap<UnusualActivity, Explanation>> {
    if (found.length === 0) return new Map()
    const patterns = found.map(patternOf)
    const rows = await this.#database.read(
      `SELECT pattern, day, note, at, made_by AS "by" FROM explanations
       WHERE business = $1 AND pattern IN (${patterns.map((_, index) => `$${String(index + 2)}`).join(', ')})
       ORDER BY day`,
      [business, ...patterns]
    )
    const newest = new Map(
      rows.map((row) => {
        const { pattern, ...explanation } = v.parse(explanationRow, row)
        return [pattern, explanation]
      })
    )
    return new Map(
      found.flatMap((each) => {
        const known = newest.get(patternOf(each))
        return known === undefined || known.day < each.last ? [] : [[each, known] as const]
      })
    )
  }

  /** Explains a pattern. The first explanation of a day stays; one about an erased customer has no note. */
  add(business: BusinessKey, found: UnusualActivity, { note, at, by }: Explanation): Promise<void> {
    return this.#database.transaction(async (queries) => {
      const customers = customersOf(found)
      const standing: unknown[] = []
      // An erasure that is under way ends first.
      for (const customer of customers.toSorted((one, other) => one - other)) {
        standing.push(
          ...(await queries.write(
            'UPDATE customers SET name = name WHERE customer = $1 AND erased_at IS NULL RETURNING customer',
            [customer]
          ))
        )
      }
      const id = patternId(business, found)
      const kept = standing.length === customers.length ? note : null
      const added = await queries.write(
        `INSERT INTO explanations (id, business, pattern, maker, day, note, at, made_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING RETURNING id`,
        [id, business, patternOf(found), found.maker, found.last, kept, at, by]
      )
      if (added.length === 0) return
      for (const customer of customers) {
        await queries.write('INSERT INTO explained_customers (customer, explanation) VALUES ($1, $2)', [
          customer,
          id
        ])
      }
    })
  }
}

/** Selects what is explained about a customer and those who were merged into it. */
const ABOUT = `SELECT explanation FROM explained_customers
  WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1)`

/** Returns what is explained about a customer, the oldest first. */
export const explanationsOf = async (
  queries: Pick<Queries, 'read'>,
  customer: CustomerKey
): Promise<readonly v.InferOutput<typeof aboutRow>[]> => {
  const rows = await queries.read(
    `SELECT pattern AS kind, note, at, made_by AS "by" FROM explanations WHERE id IN (${ABOUT}) ORDER BY at, id`,
    [customer]
  )
  return rows
    .map((row) => v.parse(aboutRow, row))
    .map((about) => ({ ...about, kind: about.kind.replace(/ .*/, '') }))
}

/** Forgets what is explained about a customer. */
export const forgetExplanations = async (queries: Queries, customer: CustomerKey): Promise<void> => {
  await queries.write(`DELETE FROM explanations WHERE id IN (${ABOUT})`, [customer])
}
