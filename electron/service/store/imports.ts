/** Brings customers of another system. */
import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerIdentity } from '../domain/customers.ts'
import { CustomerStore } from './customers.ts'
import type { Queries } from './database.ts'
import { appendEntry } from './ledger.ts'

export interface ImportedCustomer extends CustomerIdentity {
  readonly balance: number
  readonly lifetimePoints: number
}

const namedRow = v.object({ id: v.string(), key: v.number() })

/** Finds who has a phone: the id under which they registered, and the customer that they were merged into. */
const findByPhone = async (queries: Queries, business: BusinessKey, phone: string) => {
  const [row] = await queries.read(
    'SELECT id, coalesce(merged_into, customer) AS key FROM customers WHERE business = $1 AND phone = $2',
    [business, phone]
  )
  return row === undefined ? null : v.parse(namedRow, row)
}

/** Whether the business has a customer with this phone. */
export const hasPhone = async (queries: Queries, business: BusinessKey, phone: string): Promise<boolean> =>
  (await findByPhone(queries, business, phone)) !== null

/**
 * Adds customers that the business does not have by their phone, and their points, in a transaction of the caller. Points
 * are brought once for each customer, whatever the file: the id of the entry is derived from the customer's.
 */
export const importCustomers = async (
  queries: Queries,
  business: BusinessKey,
  customers: readonly ImportedCustomer[],
  { at, by }: { readonly at: string; readonly by: string }
): Promise<void> => {
  const missing: ImportedCustomer[] = []
  for (const customer of customers) {
    if (!(await hasPhone(queries, business, customer.phone))) missing.push(customer)
  }
  if (missing.length > 0) await new CustomerStore(queries).addAll(business, missing, at)
  for (const { phone, balance, lifetimePoints } of customers) {
    const found = await findByPhone(queries, business, phone)
    if (found === null || lifetimePoints === 0) continue
    const id = `ent_${createHash('sha256').update(`imported ${found.id}`).digest('hex').slice(0, 16)}`
    const rest = { code: null, reward: null, reason: null, reverses: null }
    const entry = { ...rest, id, kind: 'imported', points: balance, lifetimePoints, at, by } as const
    await appendEntry(queries, { business, customer: found.key }, entry)
  }
}
