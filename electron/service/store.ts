/** Identifiers and codes. The interface document does not show their formats (part 2). */
import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { inTransaction } from './database.ts'
import { searchTermsOf, searchTextOf } from './search-text.ts'

/** Gives that many random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** The system's randomness. */
export const systemRandom: RandomBytes = (size) => randomBytes(size)

/** Crockford's base 32: no I, L, O or U, so that a printed code is read back right. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const draw = (random: RandomBytes, length: number): string =>
  Array.from(random(length), (byte) => alphabet.charAt(byte & 31)).join('')

/** Length of a generated code, in characters: 60 bits cannot be guessed, and fit on a slip in one line. */
const codeLength = 12

/** A new QR code, such as `7QK2M0ZC4T9A`. */
export const newCode = (random: RandomBytes): string => draw(random, codeLength)

/** A new identifier, such as `cus_7qk2m0zc4t9ax3bd`. */
export const newIdentifier = (prefix: 'cus' | 'rew' | 'usr', random: RandomBytes): string =>
  `${prefix}_${draw(random, 16).toLowerCase()}`

/* from places.ts:
 * Places of customers: the business and the order of registration in one number. So the customers of a business are
 * one unbroken run of numbers: a page is read without counting through the pages before it, and the search index
 * keeps businesses apart by number alone. It holds because customers are never removed.
 */

/** Customers that a business has room for. */
const room = 2 ** 32

/** The place of the first customer of `business` after `count` others. */
export const placeAfter = (business: BusinessNumber, count: number): number => business * room + count + 1

/** The last place that a customer of `business` can have. */
export const lastPlace = (business: BusinessNumber): number => (business + 1) * room

/* from businesses.ts: The businesses of the data file, each known by its token (interface document, part 1). */

/** Row number of a business: what everything else in the data belongs to. */
export type BusinessNumber = number

const numberRow = v.object({ business: v.number() })

/** What is kept of a token, and what tokens are compared by: equal time for near and far misses. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Reads and adds businesses. */
export const businessStore = (database: DatabaseSync) => {
  const find = database.prepare('SELECT business FROM businesses WHERE token_hash = ?')
  const insert = database.prepare('INSERT INTO businesses (token_hash) VALUES (?) RETURNING business')
  return {
    /** The business of a token, or null where the file has none yet. */
    find(tokenHash: string): BusinessNumber | null {
      const row = find.get(tokenHash)
      return row === undefined ? null : v.parse(numberRow, row).business
    },
    /** Adds the business of a token. */
    add(tokenHash: string): BusinessNumber {
      return v.parse(numberRow, insert.get(tokenHash)).business
    }
  }
}

/* from customers.ts: Customers in the data file. */

/** A customer without the avatar, which is no data but a link made from the id. Points as whole numbers. */
export interface StoredCustomer {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string
  readonly balance: number
  readonly lifetimePoints: number
}

const customerRow = v.object({
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

/** The trigram index needs three characters; a shorter text is looked for customerRow by customerRow. */
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
   * is filled once at the end: for each customerRow by itself it takes ten times as long. Wants a transaction around it.
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
        .map((found) => v.parse(customerRow, found))
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
      return found.map((each) => v.parse(customerRow, each))
    },
    /** One customer, or null. `value` is compared as it is stored; an e-mail in any case. */
    find(business: BusinessNumber, key: CustomerKey, value: string): StoredCustomer | null {
      const found = lookUp[key].get(business, value)
      return found === undefined ? null : v.parse(customerRow, found)
    },
    /** Adds a customer; false, and nothing added, when the business has this phone already. */
    add(business: BusinessNumber, customer: StoredCustomer): boolean {
      return inTransaction(database, () => addAll(business, [customer])) === 1
    },
    addAll
  }
}

export type CustomerStore = ReturnType<typeof customerStore>

/* from rewards.ts: The rewards catalogue in the data file. */

/** A reward as the interface document calls its fields (part 2). Cost in points; dates in ISO 8601, UTC. */
export interface StoredReward {
  readonly id: string
  readonly name: string
  readonly cost: number
  /** position in the catalogue, from 1 */
  readonly index: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly isEnable: boolean
}

const listRow = v.object({ id: v.string(), name: v.string(), cost: v.number(), index: v.number() })
const detailRow = v.object({
  ...listRow.entries,
  createdAt: v.string(),
  updatedAt: v.string(),
  isEnable: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  )
})

const listColumns = 'id, name, cost, position AS "index"'

/** Reads and adds rewards. Lists are in catalogue order, disabled rewards included. */
export const rewardStore = (database: DatabaseSync) => {
  const list = database.prepare(
    `SELECT ${listColumns} FROM rewards WHERE business = ? ORDER BY position LIMIT ? OFFSET ?`
  )
  const find = database.prepare(
    `SELECT ${listColumns}, created_at AS createdAt, updated_at AS updatedAt, enabled AS isEnable
     FROM rewards WHERE business = ? AND id = ?`
  )
  const insert = database.prepare(
    `INSERT INTO rewards (business, position, id, name, cost, enabled, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
  )
  return {
    /** The list items of the catalogue, from `offset` on. */
    list(business: BusinessNumber, { limit, offset }: { readonly limit: number; readonly offset: number }) {
      return list.all(business, limit, offset).map((found) => v.parse(listRow, found))
    },
    /** One reward with its dates, or null. */
    find(business: BusinessNumber, id: string): StoredReward | null {
      const found = find.get(business, id)
      return found === undefined ? null : v.parse(detailRow, found)
    },
    /** Adds a reward; only the seed does, since the interface has no such operation. */
    add(business: BusinessNumber, reward: StoredReward): void {
      const { index, id, name, cost, isEnable, createdAt, updatedAt } = reward
      insert.run(business, index, id, name, cost, isEnable ? 1 : 0, createdAt, updatedAt)
    }
  }
}

export type RewardStore = ReturnType<typeof rewardStore>

/* from codes.ts: QR codes in the data file. */

/** A QR code without its links, which are made from the code. Dates in ISO 8601, UTC. */
export interface StoredCode {
  readonly code: string
  readonly points: number
  /** an image was asked for when the code was made */
  readonly image: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** null until the code is used */
  readonly usedAt: string | null
}

const codeRow = v.object({
  code: v.string(),
  points: v.number(),
  image: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1)
  ),
  createdAt: v.string(),
  updatedAt: v.string(),
  usedAt: v.nullable(v.string())
})

/** Reads and adds QR codes. */
export const codeStore = (database: DatabaseSync) => {
  const find = database.prepare(
    `SELECT code, points, image, created_at AS createdAt, updated_at AS updatedAt, used_at AS usedAt
     FROM codes WHERE business = ? AND code = ?`
  )
  const insert = database.prepare(
    `INSERT INTO codes (business, code, points, image, created_at, updated_at, used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
  )
  return {
    /** One code, or null. */
    find(business: BusinessNumber, code: string): StoredCode | null {
      const found = find.get(business, code)
      return found === undefined ? null : v.parse(codeRow, found)
    },
    /** Adds a code; false, and nothing added, when it exists. */
    add(business: BusinessNumber, stored: StoredCode): boolean {
      const { code, points, image, createdAt, updatedAt, usedAt } = stored
      return insert.run(business, code, points, image ? 1 : 0, createdAt, updatedAt, usedAt).changes > 0
    }
  }
}

export type CodeStore = ReturnType<typeof codeStore>
