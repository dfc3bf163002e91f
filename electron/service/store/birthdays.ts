/** The birthdays that customers have entered on their own page. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { CustomerStore } from './customers.ts'
import type { Database, Queries } from './database.ts'

const birthdayRow = v.object({ birthday: v.nullable(v.string()) })

/** Returns the birthday of a customer, such as `02-29`; null without one. */
export const findBirthday = async (
  queries: Pick<Queries, 'read'>,
  customer: CustomerKey
): Promise<string | null> => {
  const [row] = await queries.read('SELECT birthday FROM customers WHERE customer = $1', [customer])
  return v.parse(birthdayRow, row).birthday
}

/** Keeps the birthday of a customer; null removes it. Does nothing for one who was erased. @param id of the customer */
export const keepBirthday = async (
  database: Database,
  business: BusinessKey,
  id: string,
  birthday: string | null
): Promise<void> => {
  const customer = await new CustomerStore(database).findKey(business, 'id', id)
  await database.write('UPDATE customers SET birthday = $2 WHERE customer = $1 AND erased_at IS NULL', [
    customer,
    birthday
  ])
}
