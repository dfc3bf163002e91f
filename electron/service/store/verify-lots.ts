/** Proves the lots of customers: what they have left is the balance, and none expired before its last day. */
import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { BusinessStore } from './businesses.ts'
import { customerKeys } from './customers.ts'
import type { Queries } from './database.ts'
import { readLots } from './lots.ts'
import { expiriesOf } from './rules.ts'

/** Customers whose entries are read at a time. */
const PART = 200

const customerRow = v.object({ customer: v.number(), id: v.string() })

/** Returns the ids of customers whose lots are wrong. Reads all entries of shops whose points end, in parts. */
export const wrongLots = async (queries: Queries): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const { key } of await new BusinessStore(queries).list()) {
    if ((await expiriesOf(queries, key)).length === 0) continue
    const [first, last] = customerKeys(key)
    for (let after = first - 1; ;) {
      const rows = await queries.read(
        `SELECT customer, id FROM customers WHERE customer > $1 AND customer <= $2 AND merged_into IS NULL
         ORDER BY customer LIMIT ${String(PART)}`,
        [after, last]
      )
      const customers = rows.map((row) => v.parse(customerRow, row))
      const end = customers.at(-1)
      if (end === undefined) break
      const lots = await readLots(queries, [after + 1, end.customer])
      for (const { customer, id } of customers) {
        const owned = lots.get(customer)
        if (owned && (owned.lots.balance !== owned.balance || owned.lots.hasEndedEarly)) wrong.push(id)
      }
      after = end.customer
      await setImmediate()
    }
  }
  return wrong
}
