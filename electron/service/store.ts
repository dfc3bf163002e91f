/** Reads and writes the tables of the data file, one class for each table, and generates identifiers and codes. */
import { createHash, randomBytes } from 'node:crypto'
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import { inTransaction } from './database.ts'
import { customerSearchText, searchTerms } from './search-text.ts'

/** Returns `size` random bytes. */
export type RandomBytes = (size: number) => Uint8Array

/** Random bytes from the operating system. */
export const systemRandomBytes: RandomBytes = (size) => randomBytes(size)

/** Crockford's base 32. It has no I, L, O or U, which are misread on paper. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Characters of a code: 60 bits cannot be guessed and fit on one line of a slip. */
const CODE_LENGTH = 12

const randomCharacters = (random: RandomBytes, length: number): string =>
  Array.from(random(length), (byte) => ALPHABET.charAt(byte & 31)).join('')

/** Returns a new QR code, such as `7QK2M0ZC4T9A`. The interface document specifies no format. */
export const newCode = (random: RandomBytes): string => randomCharacters(random, CODE_LENGTH)

/** Returns a new identifier, such as `cus_7qk2m0zc4t9ax3bd`. The interface document specifies no format. */
export const newIdentifier = (prefix: 'cus' | 'rew' | 'usr', random: RandomBytes): string =>
  `${prefix}_${randomCharacters(random, 16).toLowerCase()}`

/** Key of a business, which every other row refers to. */
export type BusinessId = number

/** The hash by which a token is stored and looked up. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const businessRow = v.object({ business: v.number() })

/** The businesses of the data file, one for each token (interface document, part 1). */
export class BusinessStore {
  readonly #find: StatementSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#find = database.prepare('SELECT business FROM businesses WHERE token_hash = ?')
    this.#insert = database.prepare('INSERT INTO businesses (token_hash) VALUES (?) RETURNING business')
  }

  /** Returns the business of a token, or null. */
  find(tokenHash: string): BusinessId | null {
    const row = this.#find.get(tokenHash)
    return row === undefined ? null : v.parse(businessRow, row).business
  }

  add(tokenHash: string): BusinessId {
    return v.parse(businessRow, this.#insert.get(tokenHash)).business
  }
}

const MAX_CUSTOMERS = 2 ** 32

/**
 * Row id of the customer that `business` registered after `count` others. A row id combines the business with the order
 * of registration, so a business's customers are a contiguous range: a page is read without counting the rows before it,
 * and the search index needs no column for the business. Customers are never deleted.
 */
export const customerRowId = (business: BusinessId, count: number): number =>
  business * MAX_CUSTOMERS + count + 1

/** The largest row id that a customer of `business` can have. */
export const lastCustomerRowId = (business: BusinessId): number => (business + 1) * MAX_CUSTOMERS

/** A customer without the avatar link, which is derived from the id. */
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

const CUSTOMER_COLUMNS = 'id, name, email, phone, balance, lifetime_points AS lifetimePoints'

/** The fields by which a customer is read (interface document, 4.4). */
export type CustomerKey = 'id' | 'phone' | 'email'

interface RowRange {
  readonly limit: number
  readonly offset: number
}

/** Whether the trigram index can be used, which needs three characters. Shorter terms need a scan. */
const isIndexable = (term: string): boolean => Array.from(term).length >= 3

/** An FTS5 query for any of the terms, taken literally. */
const ftsQuery = (terms: readonly string[]): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')

/** The customers of the data file, in order of registration. */
export class CustomerStore {
  readonly #database: DatabaseSync
  readonly #list: StatementSync
  readonly #match: StatementSync
  readonly #scan: StatementSync
  readonly #find: Readonly<Record<CustomerKey, StatementSync>>
  readonly #insert: StatementSync
  readonly #index: StatementSync
  readonly #count: StatementSync
  readonly #setCount: StatementSync

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#list = database.prepare(
      `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE row_id BETWEEN ? AND ? ORDER BY row_id LIMIT ?`
    )
    this.#match = database.prepare(
      `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE row_id IN (
         SELECT rowid FROM customer_search WHERE customer_search MATCH ? AND rowid BETWEEN ? AND ?
         ORDER BY rowid LIMIT ? OFFSET ?
       ) ORDER BY row_id`
    )
    this.#scan = database.prepare(
      `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE row_id BETWEEN ? AND ? AND instr(search_text, ?) > 0
       ORDER BY row_id LIMIT ? OFFSET ?`
    )
    const select = `SELECT ${CUSTOMER_COLUMNS} FROM customers WHERE business = ?`
    this.#find = {
      id: database.prepare(`${select} AND id = ?`),
      phone: database.prepare(`${select} AND phone = ?`),
      email: database.prepare(`${select} AND email = ? COLLATE NOCASE ORDER BY row_id LIMIT 1`)
    }
    this.#insert = database.prepare(
      `INSERT INTO customers (row_id, business, id, name, email, phone, balance, lifetime_points, search_text)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (business, phone) DO NOTHING`
    )
    this.#index = database.prepare(
      `INSERT INTO customer_search (rowid, search_text)
       SELECT row_id, search_text FROM customers WHERE row_id BETWEEN ? AND ?`
    )
    this.#count = database.prepare('SELECT customers FROM businesses WHERE business = ?')
    this.#setCount = database.prepare('UPDATE businesses SET customers = ? WHERE business = ?')
  }

  count(business: BusinessId): number {
    return v.parse(countRow, this.#count.get(business)).customers
  }

  list(business: BusinessId, { limit, offset }: RowRange): readonly StoredCustomer[] {
    return this.#list
      .all(customerRowId(business, offset), lastCustomerRowId(business), limit)
      .map((row) => v.parse(customerRow, row))
  }

  /** Returns the customers whose name, e-mail or phone contains `text`, or all of them if it is blank. */
  search(business: BusinessId, text: string, rows: RowRange): readonly StoredCustomer[] {
    const terms = searchTerms(text)
    const [whole] = terms
    if (whole === undefined) return this.list(business, rows)
    const range = [customerRowId(business, 0), lastCustomerRowId(business)] as const
    const found = isIndexable(whole)
      ? this.#match.all(ftsQuery(terms), ...range, rows.limit, rows.offset)
      : this.#scan.all(...range, whole, rows.limit, rows.offset)
    return found.map((row) => v.parse(customerRow, row))
  }

  /** Returns one customer, or null. `value` has to match exactly, except that an e-mail matches in any case. */
  find(business: BusinessId, key: CustomerKey, value: string): StoredCustomer | null {
    const row = this.#find[key].get(business, value)
    return row === undefined ? null : v.parse(customerRow, row)
  }

  /** Adds a customer. Returns false, and adds nothing, if the business has a customer with this phone. */
  add(business: BusinessId, customer: StoredCustomer): boolean {
    return inTransaction(this.#database, () => this.addAll(business, [customer])) === 1
  }

  /**
   * Adds customers, except those whose phone exists already, and returns the number added. Has to run in a transaction.
   * The search index is filled once at the end: one row at a time takes ten times as long.
   */
  addAll(business: BusinessId, customers: Iterable<StoredCustomer>): number {
    const before = this.count(business)
    let after = before
    for (const customer of customers) {
      const { id, name, email, phone, balance, lifetimePoints } = customer
      const rowId = customerRowId(business, after)
      const searchText = customerSearchText(customer)
      const values = [rowId, business, id, name, email, phone, balance, lifetimePoints, searchText]
      after += Number(this.#insert.run(...values).changes)
    }
    this.#index.run(customerRowId(business, before), customerRowId(business, after) - 1)
    this.#setCount.run(after, business)
    return after - before
  }
}

/** A reward with the field names of the interface document (part 2). Cost in points; dates in ISO 8601, UTC. */
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

/** SQLite has no booleans: 1 is true. */
const booleanColumn = v.pipe(
  v.number(),
  v.transform((flag) => flag === 1)
)

const rewardListRow = v.object({ id: v.string(), name: v.string(), cost: v.number(), index: v.number() })
const rewardRow = v.object({
  ...rewardListRow.entries,
  createdAt: v.string(),
  updatedAt: v.string(),
  isEnable: booleanColumn
})

const REWARD_LIST_COLUMNS = 'id, name, cost, position AS "index"'

/** The rewards of the data file, in the order of the catalogue, including disabled ones. */
export class RewardStore {
  readonly #list: StatementSync
  readonly #find: StatementSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#list = database.prepare(
      `SELECT ${REWARD_LIST_COLUMNS} FROM rewards WHERE business = ? ORDER BY position LIMIT ? OFFSET ?`
    )
    this.#find = database.prepare(
      `SELECT ${REWARD_LIST_COLUMNS}, created_at AS createdAt, updated_at AS updatedAt, enabled AS isEnable
       FROM rewards WHERE business = ? AND id = ?`
    )
    this.#insert = database.prepare(
      `INSERT INTO rewards (business, position, id, name, cost, enabled, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
    )
  }

  /** Returns the list items, which have fewer fields than a reward that is read by id. */
  list(business: BusinessId, { limit, offset }: RowRange) {
    return this.#list.all(business, limit, offset).map((row) => v.parse(rewardListRow, row))
  }

  /** Returns one reward, or null. */
  find(business: BusinessId, id: string): StoredReward | null {
    const row = this.#find.get(business, id)
    return row === undefined ? null : v.parse(rewardRow, row)
  }

  /** Adds a reward. Only the seed does: the interface has no such operation. */
  add(business: BusinessId, reward: StoredReward): void {
    const { index, id, name, cost, isEnable, createdAt, updatedAt } = reward
    this.#insert.run(business, index, id, name, cost, isEnable ? 1 : 0, createdAt, updatedAt)
  }
}

/** A QR code without its links, which are derived from the code. Dates in ISO 8601, UTC. */
export interface StoredCode {
  readonly code: string
  readonly points: number
  /** whether an image was requested when the code was created */
  readonly image: boolean
  readonly createdAt: string
  readonly updatedAt: string
  /** null until the code is used */
  readonly usedAt: string | null
}

const codeRow = v.object({
  code: v.string(),
  points: v.number(),
  image: booleanColumn,
  createdAt: v.string(),
  updatedAt: v.string(),
  usedAt: v.nullable(v.string())
})

/** The QR codes of the data file. */
export class CodeStore {
  readonly #find: StatementSync
  readonly #insert: StatementSync

  constructor(database: DatabaseSync) {
    this.#find = database.prepare(
      `SELECT code, points, image, created_at AS createdAt, updated_at AS updatedAt, used_at AS usedAt
       FROM codes WHERE business = ? AND code = ?`
    )
    this.#insert = database.prepare(
      `INSERT INTO codes (business, code, points, image, created_at, updated_at, used_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
    )
  }

  /** Returns one code, or null. */
  find(business: BusinessId, code: string): StoredCode | null {
    const row = this.#find.get(business, code)
    return row === undefined ? null : v.parse(codeRow, row)
  }

  /** Adds a code. Returns false, and adds nothing, if the business has this code. */
  add(business: BusinessId, stored: StoredCode): boolean {
    const { code, points, image, createdAt, updatedAt, usedAt } = stored
    return this.#insert.run(business, code, points, image ? 1 : 0, createdAt, updatedAt, usedAt).changes > 0
  }
}
