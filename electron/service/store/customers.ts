/** Customers in the data file. */
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { inTransaction } from '../database.ts'
import { searchTermsOf, searchTextOf } from '../search-text.ts'
import type { BusinessNumber } from './businesses.ts'
import { lastPlace, placeAfter } from './places.ts'

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

const countRow = v.object({ customers: v.number() })

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
  const between = database.prepare(
    `SELECT ${columns} FROM customers WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ?`
  )
  const match = database.prepare(
    `SELECT ${columns} FROM customers WHERE place IN (
       SELECT rowid FROM customer_search WHERE customer_search MATCH ? AND rowid BETWEEN ? AND ?
       ORDER BY rowid LIMIT ? OFFSET ?
     ) ORDER BY place`
  )
  const scan = database.prepare(
    `SELECT ${columns} FROM customers WHERE place BETWEEN ? AND ? AND instr(search_text, ?) > 0
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
    `INSERT INTO customers (place, business, id, name, email, phone, balance, lifetime_points, search_text)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business, phone) DO NOTHING`
  )
  const index = database.prepare(
    `INSERT INTO customer_search (rowid, search_text)
     SELECT place, search_text FROM customers WHERE place BETWEEN ? AND ?`
  )
  const count = database.prepare('SELECT customers FROM businesses WHERE business = ?')
  const recount = database.prepare('UPDATE businesses SET customers = ? WHERE business = ?')

  const countOf = (business: BusinessNumber): number => v.parse(countRow, count.get(business)).customers

  /**
   * Adds customers, apart from those whose phone the business has already; gives how many were added. The index
   * is filled once at the end: for each row by itself it takes ten times as long. Wants a transaction around it.
   */
  const addAll = (business: BusinessNumber, customers: Iterable<StoredCustomer>): number => {
    const before = countOf(business)
    let after = before
    for (const customer of customers) {
      const { id, name, email, phone, balance, lifetimePoints } = customer
      const place = placeAfter(business, after)
      const searchText = searchTextOf(customer)
      const values = [place, business, id, name, email, phone, balance, lifetimePoints, searchText]
      after += Number(insert.run(...values).changes)
    }
    index.run(placeAfter(business, before), placeAfter(business, after) - 1)
    recount.run(after, business)
    return after - before
  }

  return {
    /** How many customers the business has. */
    count: countOf,
    /** All customers, from `offset` on. */
    list(business: BusinessNumber, { limit, offset }: Rows): readonly StoredCustomer[] {
      return between
        .all(placeAfter(business, offset), lastPlace(business), limit)
        .map((found) => v.parse(row, found))
    },
    /** The customers whose name, e-mail or phone holds `text`; all of them when it says nothing. */
    search(business: BusinessNumber, text: string, rows: Rows): readonly StoredCustomer[] {
      const terms = searchTermsOf(text)
      const [whole] = terms
      if (whole === undefined) return this.list(business, rows)
      const range = [placeAfter(business, 0), lastPlace(business)] as const
      const found = indexable(whole)
        ? match.all(queryFor(terms), ...range, rows.limit, rows.offset)
        : scan.all(...range, whole, rows.limit, rows.offset)
      return found.map((each) => v.parse(row, each))
    },
    /** One customer, or null. `value` is compared as it is stored; an e-mail in any case. */
    find(business: BusinessNumber, key: CustomerKey, value: string): StoredCustomer | null {
      const found = lookUp[key].get(business, value)
      return found === undefined ? null : v.parse(row, found)
    },
    /** Adds a customer; false, and nothing added, when the business has this phone already. */
    add(business: BusinessNumber, customer: StoredCustomer): boolean {
      return inTransaction(database, () => addAll(business, [customer])) === 1
    },
    addAll
  }
}

export type CustomerStore = ReturnType<typeof customerStore>
