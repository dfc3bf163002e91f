/** Customers in the data file. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { normalise, searchTermsOf, searchTextOf } from '../search-text.ts'
import type { BusinessNumber } from './businesses.ts'

/** A customer without the avatar, which is no data but a link made from the id. Points as whole numbers. */
export interface StoredCustomer {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string
  readonly balance: number
  readonly lifetimePoints: number
}

const row = v.object({
  id: v.string(),
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.string(),
  balance: v.number(),
  lifetimePoints: v.number()
})

const columns = 'id, name, email, phone, balance, lifetime_points AS lifetimePoints'

/** What a customer can be looked up by (interface document, 4.4). */
export type CustomerKey = 'id' | 'phone' | 'email'

interface Rows {
  readonly limit: number
  readonly offset: number
}

/** The trigram index needs three characters; a shorter text is looked for row by row. */
const indexable = (term: string): boolean => Array.from(term).length >= 3

/** An FTS5 query for any of the terms as they stand. */
const queryFor = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')

/** Reads, finds and adds customers. Lists are in order of registration. */
export const customerStore = (database: DatabaseSync) => {
  const list = database.prepare(
    `SELECT ${columns} FROM customers WHERE business = ? ORDER BY place LIMIT ? OFFSET ?`
  )
  const match = database.prepare(
    `SELECT ${columns} FROM customer_search JOIN customers ON customers.place = customer_search.rowid
     WHERE customer_search MATCH ? AND business = ? ORDER BY customer_search.rowid LIMIT ? OFFSET ?`
  )
  const scan = database.prepare(
    `SELECT ${columns} FROM customers WHERE business = ? AND instr(search_text, ?) > 0
     ORDER BY place LIMIT ? OFFSET ?`
  )
  const lookUp = {
    id: database.prepare(`SELECT ${columns} FROM customers WHERE business = ? AND id = ?`),
    phone: database.prepare(`SELECT ${columns} FROM customers WHERE business = ? AND phone = ?`),
    email: database.prepare(
      `SELECT ${columns} FROM customers WHERE business = ? AND email = ? COLLATE NOCASE ORDER BY place LIMIT 1`
    )
  } as const
  const insert = database.prepare(
    `INSERT INTO customers (business, id, name, email, phone, balance, lifetime_points, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business, phone) DO NOTHING`
  )

  return {
    /** All customers, from `offset` on. */
    list(business: BusinessNumber, { limit, offset }: Rows): readonly StoredCustomer[] {
      return list.all(business, limit, offset).map((found) => v.parse(row, found))
    },
    /** The customers whose name, e-mail or phone holds `text`; all of them when it says nothing. */
    search(business: BusinessNumber, text: string, rows: Rows): readonly StoredCustomer[] {
      const terms = searchTermsOf(text)
      if (terms.length === 0) return this.list(business, rows)
      const { limit, offset } = rows
      const found = terms.every(indexable)
        ? match.all(queryFor(terms), business, limit, offset)
        : scan.all(business, normalise(text), limit, offset)
      return found.map((each) => v.parse(row, each))
    },
    /** One customer, or null. `value` is compared as it is stored; an e-mail in any case. */
    find(business: BusinessNumber, key: CustomerKey, value: string): StoredCustomer | null {
      const found = lookUp[key].get(business, value)
      return found === undefined ? null : v.parse(row, found)
    },
    /** Adds a customer; false, and nothing added, when the business has this phone already. */
    add(business: BusinessNumber, customer: StoredCustomer): boolean {
      const { id, name, email, phone, balance, lifetimePoints } = customer
      const searchText = searchTextOf(customer)
      return insert.run(business, id, name, email, phone, balance, lifetimePoints, searchText).changes > 0
    }
  }
}

export type CustomerStore = ReturnType<typeof customerStore>
