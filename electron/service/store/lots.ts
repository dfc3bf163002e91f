/** Lots in the store: when the points of customers end. */
import type { Standing } from '../../contract/earning-rules.ts'
import type { CustomerKey } from '../domain/customers.ts'
import type { Queries } from './database.ts'

/** The next points of a customer that end; null: none do. */
export const nextEnding = (
  _queries: Pick<Queries, 'read'>,
  _customer: CustomerKey
): Promise<Standing['ending']> => Promise.resolve(null)
