/**
 * Ends the points of customers. Their entries are read and replayed outside of transactions, in parts; in a transaction, which
 * others wait for, the points of those end to whom nothing has happened since.
 */
import * as v from 'valibot'
import { memoized } from '../../contract/memoized.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { identifierOfRequest } from '../domain/identifiers.ts'
import { BY_SERVICE, entryChange, NO_DETAILS } from '../domain/ledger.ts'
import type { Lot } from '../domain/lots.ts'
import type { Database, Queries } from './database.ts'
import { insertEntries } from './ledger-entries.ts'
import { lotsOf } from './lots.ts'

/** Lots that end in one transaction: some milliseconds' work. */
const MAX_LOTS = 100

/** A lot that ends. */
interface DueLot {
  readonly customer: CustomerKey
  readonly lot: Lot
}

/** What ends of some customers. */
interface Due {
  /** what the customers were when their lots were read: see `statesOf` */
  readonly states: Map<CustomerKey, string>
  /** for a transaction each */
  readonly parts: readonly (readonly DueLot[])[]
}

const ownerRow = v.object({ owner: v.number() })
const stateRow = v.object({
  customer: v.number(),
  balance: v.number(),
  lifetime: v.number(),
  merged: v.number(),
  last: v.nullable(v.number())
})

/** `$1, $2, …` */
const places = memoized((count: string) =>
  Array.from({ length: Number(count) }, (_, index) => `$${String(index + 1)}`).join(', ')
)
const placesOf = (customers: readonly unknown[]): string => places(String(customers.length))

/** Takes points from so many customers: each by its key and them. */
const takingSql = memoized((count: string) => {
  const rows = Array.from(
    { length: Number(count) },
    (_, index) => `(CAST($${String(2 * index + 1)} AS BIGINT), CAST($${String(2 * index + 2)} AS BIGINT))`
  )
  return `UPDATE customers SET balance = balance - gone.column2 FROM (VALUES ${rows.join(', ')}) AS gone
    WHERE customer = gone.column1`
})

/** What differs when anything has happened to a customer; of those who are neither erased nor merged. */
const statesOf = async (
  queries: Pick<Queries, 'read'>,
  customers: readonly CustomerKey[]
): Promise<Map<CustomerKey, string>> => {
  const rows = await queries.read(
    `SELECT customer, balance, lifetime_points AS lifetime,
       (SELECT count(*) FROM customers AS own WHERE own.merged_into = kept.customer) AS merged,
       (SELECT max((SELECT max(entry) FROM entries WHERE entries.customer = own.customer)) FROM customers AS own
        WHERE own.customer = kept.customer OR own.merged_into = kept.customer) AS last
     FROM customers AS kept
     WHERE customer IN (${placesOf(customers)}) AND erased_at IS NULL AND merged_into IS NULL ORDER BY customer`,
    customers
  )
  return new Map(
    rows.map((row) => {
      const state = v.parse(stateRow, row)
      return [state.customer, JSON.stringify(state)]
    })
  )
}

/** Returns what has ended before a day, of some customers or whom they were merged into. */
export const readDue = async (
  database: Database,
  named: readonly CustomerKey[],
  until: string
): Promise<Due> => {
  const owners = await database.read(
    `SELECT DISTINCT coalesce(merged_into, customer) AS owner FROM customers WHERE customer IN (${placesOf(named)})`,
    named
  )
  const states = await statesOf(
    database,
    owners.map((row) => v.parse(ownerRow, row).owner)
  )
  const lots: DueLot[] = []
  for (const customer of states.keys()) {
    for (const lot of (await lotsOf(database, customer)).endedBefore(until)) lots.push({ customer, lot })
  }
  const parts = Array.from({ length: Math.ceil(lots.length / MAX_LOTS) }, (_, index) =>
    lots.slice(index * MAX_LOTS, (index + 1) * MAX_LOTS)
  )
  return { states, parts }
}

/** Ends lots at a moment (ISO 8601, UTC). Returns the customers to whom something had happened: theirs are read again. */
export const writeExpired = async (
  database: Database,
  business: BusinessKey,
  { states, part }: Pick<Due, 'states'> & { readonly part: Due['parts'][number] },
  at: string
): Promise<readonly CustomerKey[]> => {
  const customers = [...new Set(part.map(({ customer }) => customer))]
  const after = await database.transaction(async (queries) => {
    await queries.write(
      `UPDATE customers SET balance = balance WHERE customer IN (${placesOf(customers)})`,
      customers
    )
    const now = await statesOf(queries, customers)
    const unchanged = customers.filter(
      (customer) => now.has(customer) && now.get(customer) === states.get(customer)
    )
    const ended = part.filter(({ customer }) => unchanged.includes(customer))
    await insertEntries(
      queries,
      ended.map(({ customer, lot: { id, left } }) => ({
        owner: { business, customer },
        entry: {
          ...NO_DETAILS,
          ...{
            id: identifierOfRequest('ent', 'expired', id),
            kind: 'expired',
            ...entryChange('expired', -left)
          },
          ...{ at, by: BY_SERVICE, lot: id }
        }
      }))
    )
    if (unchanged.length === 0) return new Map<CustomerKey, string>()
    const sums = unchanged.flatMap((customer) => [
      customer,
      ended.reduce((sum, { customer: other, lot }) => sum + (other === customer ? lot.left : 0), 0)
    ])
    await queries.write(takingSql(String(unchanged.length)), sums)
    return statesOf(queries, unchanged)
  })
  const changed = customers.filter((customer) => !after.has(customer))
  for (const customer of changed) states.delete(customer)
  for (const [customer, state] of after) states.set(customer, state)
  return changed
}
