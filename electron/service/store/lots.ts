/** Lots in the store: what the points of customers are made of, and when they end. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import type { Standing } from '../../contract/earning-rules.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { ENTRY_KINDS } from '../domain/ledger.ts'
import { Lots, type LotMerge } from '../domain/lots.ts'
import type { Queries, ReadOptions } from './database.ts'
import { ENTRIES_PART } from './ledger-entries.ts'
import { expiriesOf } from './rules.ts'

const entryRow = v.object({
  entry: v.number(),
  id: v.string(),
  customer: v.number(),
  kind: v.picklist(ENTRY_KINDS),
  points: v.number(),
  at: v.string(),
  expiry: v.nullable(v.string()),
  reverses: v.nullable(v.string()),
  lot: v.nullable(v.string()),
  purchase: v.nullable(v.string())
})
const ownedRow = v.object({ ...entryRow.entries, owner: v.number(), balance: v.number() })
const mergeRow = v.object({ owner: v.number(), customer: v.number(), into: v.number(), entry: v.number() })
const businessRow = v.object({ business: v.number() })

const COLUMNS = `entries.entry AS entry, entries.id AS id, entries.customer AS customer, kind, points, at, expiry, reverses, lot,
  CASE kind WHEN 'returned' THEN (
    SELECT coalesce(returns.credit, (SELECT given.id FROM entries AS given WHERE given.code = returns.code))
    FROM returns WHERE returns.entry = entries.id
  ) END AS purchase`

/** The customers from `$1` to `$2` and those merged into them, each with whose points it has. */
const OWNED = `(
  SELECT customer, customer AS owner FROM customers WHERE customer BETWEEN $1 AND $2 AND merged_into IS NULL
  UNION ALL SELECT customer, merged_into FROM customers WHERE merged_into >= $1 AND merged_into <= $2
) AS owned`

interface OwnedLots {
  readonly lots: Lots
  /** as it is stored, of the same moment */
  readonly balance: number
}

/** Returns the lots of each customer who has entries, of those with keys from `first` to `last`. Reads all at once. */
export const readLots = async (
  queries: Pick<Queries, 'read'>,
  [first, last]: readonly [CustomerKey, CustomerKey]
): Promise<ReadonlyMap<CustomerKey, OwnedLots>> => {
  const rows = await queries.read(
    `SELECT owned.owner AS owner, kept.balance AS balance, ${COLUMNS}
     FROM ${OWNED} JOIN customers AS kept ON kept.customer = owned.owner
       JOIN entries ON entries.customer = owned.customer ORDER BY entries.entry`,
    [first, last],
    { isLong: true }
  )
  const entries = Map.groupBy(
    rows.map((row) => v.parse(ownedRow, row)),
    ({ owner }) => owner
  )
  const hasMerged = entries.values().some((all) => all.some(({ owner, customer }) => owner !== customer))
  const merges = hasMerged ? await readMerges(queries, [first, last], { isLong: true }) : null
  return new Map(
    entries
      .entries()
      .map(([owner, all]) => [
        owner,
        { lots: new Lots(merges?.get(owner)).add(all), balance: all[0]?.balance ?? 0 }
      ])
  )
}

const readMerges = async (
  queries: Pick<Queries, 'read'>,
  range: readonly [CustomerKey, CustomerKey],
  options?: ReadOptions
): Promise<ReadonlyMap<CustomerKey, readonly LotMerge[]>> => {
  const rows = await queries.read(
    `SELECT owned.owner AS owner, merges.customer AS customer, into_customer AS "into", entry
     FROM ${OWNED} JOIN merges ON merges.customer = owned.customer ORDER BY merge`,
    range,
    options
  )
  return Map.groupBy(
    rows.map((row) => v.parse(mergeRow, row)),
    ({ owner }) => owner
  )
}

/** Returns the lots of a customer who is not merged into another: in parts, outside of transactions. */
export const lotsOf = async (queries: Pick<Queries, 'read'>, customer: CustomerKey): Promise<Lots> => {
  const merges = await readMerges(queries, [customer, customer])
  const lots = new Lots(merges.get(customer))
  for (let last = 0; ;) {
    const rows = await queries.read(
      `SELECT ${COLUMNS} FROM entries
       WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1) AND entry > $2
       ORDER BY entries.entry LIMIT ${String(ENTRIES_PART)}`,
      [customer, last]
    )
    const entries = rows.map((row) => v.parse(entryRow, row))
    lots.add(entries)
    last = entries.at(-1)?.entry ?? last
    if (entries.length < ENTRIES_PART) return lots
    await setImmediate()
  }
}

/** The next points of a customer that end on a day or later (UTC, such as `2026-11-25`); null: none do. */
export const nextEnding = async (
  queries: Pick<Queries, 'read'>,
  customer: CustomerKey,
  today: string
): Promise<Standing['ending']> => {
  const [row] = await queries.read('SELECT business FROM customers WHERE customer = $1', [customer])
  const { business } = v.parse(businessRow, row)
  // Most shops have no such rule: their entries are not read.
  if ((await expiriesOf(queries, business)).length === 0) return null
  return (await lotsOf(queries, customer)).ending(today)
}
