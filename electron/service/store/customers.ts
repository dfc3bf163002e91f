/** The customers of the store: who they are. Their points change by the ledger only. */
import { setImmediate } from 'node:timers'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerIdentity, CustomerKey, CustomerLookup, StoredCustomer } from '../domain/customers.ts'
import { customerSearchText, FIELD_SEPARATOR, searchTerms } from '../domain/search-text.ts'
import type { Database, Queries } from './database.ts'
import type { RowRange, SqlValue, Statement } from './rows.ts'

const MAX_CUSTOMERS = 2 ** 32
/** Customers that a scan reads at a time: some 2 ms. */
const SCAN_SLICE = 5000

/**
 * Key of the customer with number `number` (from 1) of a business. It combines the business with the order of
 * registration, so a business's customers are a contiguous range, in the search index too.
 */
const customerKey = (business: BusinessKey, number: number): CustomerKey => business * MAX_CUSTOMERS + number

/** The first and the last key that a customer of `business` can have. */
export const customerKeys = (business: BusinessKey): readonly [CustomerKey, CustomerKey] => [
  customerKey(business, 1),
  customerKey(business + 1, 0)
]

const COLUMNS = ['id', 'name', 'email', 'phone', 'balance', 'lifetime_points AS "lifetimePoints"']
const LISTED = 'erased_at IS NULL AND merged_into IS NULL'

const customerRow = v.object({
  id: v.string(),
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.string(),
  balance: v.number(),
  lifetimePoints: v.number()
})

const identityRow = v.object({ name: v.string(), email: v.nullable(v.string()), phone: v.string() })
const ownerRow = v.object({ key: v.number(), id: v.string() })
const addedRow = v.object({ key: v.number(), phone: v.string() })
const countRow = v.object({ count: v.number() })
const searchedRow = v.object({ last: v.nullable(v.number()), country: v.string() })

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()

type SelectOne = Readonly<Record<CustomerLookup, string>>

const SELECT_LISTED = `SELECT ${COLUMNS.join(', ')} FROM customers
  WHERE customer BETWEEN $1 AND $2 AND ${LISTED} ORDER BY customer LIMIT $3 OFFSET $4`

/** By one statement: of a customer who joins between two, a page would begin with another one. */
const SELECT_LISTED_FROM_LAST = `
  WITH behind (count) AS (
    SELECT CAST(customers + (SELECT count(*) FROM joined_customers WHERE customer BETWEEN $1 AND $2) - $4 AS BIGINT)
    FROM businesses WHERE business = $5
  ),
  found AS (
    SELECT * FROM customers WHERE customer BETWEEN $1 AND $2 AND ${LISTED} ORDER BY customer DESC
    LIMIT (SELECT CASE WHEN count <= 0 THEN 0 WHEN count < $3 THEN count ELSE $3 END FROM behind)
    OFFSET (SELECT CASE WHEN count > $3 THEN count - $3 ELSE 0 END FROM behind)
  )
  SELECT ${COLUMNS.join(', ')} FROM found ORDER BY customer`

/** Selects one customer by what it is named by. Of a merged customer, the one that it was joined to. */
const selectOne = (columns: string): SelectOne => {
  const by = (column: string): string =>
    `SELECT ${columns} FROM customers AS named
     JOIN customers AS kept ON kept.customer = coalesce(named.merged_into, named.customer)
     WHERE named.business = $1 AND named.${column} = $2 AND kept.erased_at IS NULL
     ORDER BY named.customer LIMIT 1`
  return { id: by('id'), phone: by('phone'), email: by('email_key') }
}
const SELECT_CUSTOMER = selectOne(COLUMNS.map((column) => `kept.${column}`).join(', '))
const SELECT_OWNER = selectOne('kept.customer AS key, kept.id AS id')

export class CustomerStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns the customers in the order of registration. A page of the second half is counted from the last customer. */
  async list(business: BusinessKey, { limit, offset }: RowRange): Promise<readonly StoredCustomer[]> {
    const { last } = offset > 0 ? await this.#searched(business) : { last: 1 }
    if (offset >= last) return []
    const [sql, values] = offset * 2 < last ? [SELECT_LISTED, []] : [SELECT_LISTED_FROM_LAST, [business]]
    const rows = await this.#queries.read(sql, [...customerKeys(business), limit, offset, ...values])
    return rows.map((row) => v.parse(customerRow, row))
  }

  /** Returns the customers whose name, e-mail or phone contains `text`, or all of them if it is blank. */
  async search(business: BusinessKey, text: string, rows: RowRange): Promise<readonly StoredCustomer[]> {
    if (searchTerms(text, '').length === 0) return this.list(business, rows)
    const { last, country } = await this.#searched(business)
    if (rows.offset >= last) return []
    const terms = searchTerms(text, country)
    if (this.#queries.dialect.isScan(terms, last)) return this.#scan(business, terms, rows, last)
    const range = { business, keys: customerKeys(business), ...rows }
    const { sql, values } = this.#queries.dialect.searchCustomers(COLUMNS.join(', '), terms, range)
    return (await this.#queries.read(sql, values)).map((row) => v.parse(customerRow, row))
  }

  /** The number of the last customer of a business, 0 without one, and the country in which it reads phones. */
  async #searched(business: BusinessKey): Promise<{ readonly last: number; readonly country: string }> {
    const [row] = await this.#queries.read(
      `SELECT (SELECT max(customer) FROM customers WHERE customer BETWEEN $2 AND $3) AS last, country
       FROM businesses WHERE business = $1`,
      [business, ...customerKeys(business)]
    )
    if (row === undefined) return { last: 0, country: '' }
    const { last, country } = v.parse(searchedRow, row)
    return { last: last === null ? 0 : last - customerKey(business, 0), country }
  }

  /**
   * Searches in slices, between which other requests are answered. A slice that a page skips is counted, not read: so the
   * memory of a search does not grow with the number of its page.
   */
  async #scan(
    business: BusinessKey,
    terms: readonly string[],
    { limit, offset }: RowRange,
    last: number
  ): Promise<readonly StoredCustomer[]> {
    const found: StoredCustomer[] = []
    let skipped = offset
    for (let from = 1; from <= last && found.length < limit; from += SCAN_SLICE) {
      const keys = [
        customerKey(business, from),
        customerKey(business, Math.min(last, from + SCAN_SLICE - 1))
      ] as const
      const read = (columns: string, rows: RowRange): Promise<readonly unknown[]> => {
        const range = { business, keys, ...rows, isScan: true }
        const { sql, values } = this.#queries.dialect.searchCustomers(columns, terms, range)
        return this.#queries.read(sql, values)
      }
      const [counted] = skipped === 0 ? [] : await read('count(*) AS count', { limit: 1, offset: 0 })
      const count = counted === undefined ? Infinity : v.parse(countRow, counted).count
      if (count > skipped) {
        const rows = await read(COLUMNS.join(', '), { limit: limit - found.length, offset: skipped })
        for (const row of rows) found.push(v.parse(customerRow, row))
      }
      skipped = Math.max(0, skipped - count)
      await new Promise(setImmediate)
    }
    return found
  }

  /** Returns one customer, or null. `value` has to match exactly, except that an e-mail matches in any case. */
  async find(business: BusinessKey, lookup: CustomerLookup, value: string): Promise<StoredCustomer | null> {
    const row = await this.#find(SELECT_CUSTOMER, business, lookup, value)
    return row === undefined ? null : v.parse(customerRow, row)
  }

  /** Returns the key of a customer, or null. */
  async findKey(business: BusinessKey, lookup: CustomerLookup, value: string): Promise<CustomerKey | null> {
    return (await this.findOwner(business, lookup, value))?.key ?? null
  }

  /** Returns the key and the id of a customer, of a merged one those of the one that it was joined to, or null. */
  async findOwner(
    business: BusinessKey,
    lookup: CustomerLookup,
    value: string
  ): Promise<v.InferOutput<typeof ownerRow> | null> {
    const row = await this.#find(SELECT_OWNER, business, lookup, value)
    return row === undefined ? null : v.parse(ownerRow, row)
  }

  async #find(
    select: SelectOne,
    business: BusinessKey,
    lookup: CustomerLookup,
    value: string
  ): Promise<unknown> {
    const [row] = await this.#queries.read(select[lookup], [
      business,
      lookup === 'email' ? emailKey(value) : value
    ])
    return row
  }

  /**
   * Adds customers without points, in a transaction of the caller, and returns the keys of those added; null for one
   * whose phone the business has already. The search index is filled once at the end: one row at a time takes ten times
   * as long.
   */
  async addAll(
    business: BusinessKey,
    customers: readonly CustomerIdentity[],
    createdAt: string
  ): Promise<readonly (CustomerKey | null)[]> {
    const rows = customers.map((customer) => ({ customer, balance: 0, lifetimePoints: 0 }))
    return this.#addAll(business, rows, createdAt, false)
  }

  /** Does as `addAll`, for customers whom an import brings, with the points of the entries that the caller writes. */
  addImported(
    business: BusinessKey,
    customers: readonly StoredCustomer[],
    createdAt: string
  ): Promise<readonly (CustomerKey | null)[]> {
    const rows = customers.map(({ balance, lifetimePoints, ...customer }) => ({
      ...{ customer, balance, lifetimePoints }
    }))
    return this.#addAll(business, rows, createdAt, true)
  }

  async #addAll(
    business: BusinessKey,
    rows: readonly AddedCustomer[],
    createdAt: string,
    isImported: boolean
  ): Promise<readonly (CustomerKey | null)[]> {
    const keys = await this.#insert(business, rows, createdAt, isImported)
    await this.#queries.write('UPDATE businesses SET customers = customers + $2 WHERE business = $1', [
      business,
      keys.filter((key) => key !== null).length
    ])
    return keys
  }

  /**
   * Adds a customer without points, unless the business has the phone, in a transaction of the caller, and returns the key; null
   * for a known phone, which runs the same statements as a new one. Customers who join at the same moment do not wait for each
   * other.
   */
  async join(
    business: BusinessKey,
    customer: CustomerIdentity,
    createdAt: string
  ): Promise<CustomerKey | null> {
    const { sql, values } = this.joining(business, customer, createdAt, 0)
    const [row] = await this.#queries.write(sql, values)
    const key = row === undefined ? null : v.parse(addedRow, row).key
    for (const each of this.joined(key)) await this.#queries.write(each.sql, each.values)
    return key
  }

  /** Returns the first statement of `join`, RETURNING key, phone, id and sums, for a customer who has points at once. */
  joining(business: BusinessKey, customer: CustomerIdentity, createdAt: string, points: number): Statement {
    const row = { customer, balance: points, lifetimePoints: points }
    return {
      sql: this.#queries.dialect.insertCustomers(1),
      values: [business, createdAt, 0, ...columnsOf(row)]
    }
  }

  /** Returns the other statements of `join`, which count the customer and let a search find it. @param key null for a known phone */
  joined(key: CustomerKey | null): readonly Statement[] {
    const { addToSearchIndex } = this.#queries.dialect
    const counting = {
      sql: `INSERT INTO joined_customers (customer)
        SELECT customer FROM (SELECT CAST($1 AS BIGINT) AS customer) AS joined WHERE customer IS NOT NULL
        ON CONFLICT DO NOTHING`,
      values: [key]
    }
    // There is no customer 0.
    return addToSearchIndex === null
      ? [counting]
      : [counting, { sql: addToSearchIndex, values: [key ?? 0, key ?? 0] }]
  }

  async #insert(
    business: BusinessKey,
    customers: readonly AddedCustomer[],
    createdAt: string,
    isImported: boolean
  ): Promise<readonly (CustomerKey | null)[]> {
    const { addToSearchIndex, insertCustomers, rowsPerInsert } = this.#queries.dialect
    const added = new Map<string, CustomerKey>()
    for (let from = 0; from < customers.length; from += rowsPerInsert) {
      const part = customers.slice(from, from + rowsPerInsert)
      const rows = await this.#queries.write(insertCustomers(part.length), [
        ...[business, createdAt, isImported ? 1 : 0],
        ...part.flatMap(columnsOf)
      ])
      for (const { key, phone } of rows.map((row) => v.parse(addedRow, row))) added.set(phone, key)
    }
    if (addToSearchIndex !== null) {
      const keys = [...added.values()]
      const [first = 0, last = 0] = [keys[0], keys.at(-1)]
      await this.#queries.write(addToSearchIndex, [first, last])
    }
    // A phone that stands twice is added once.
    return customers.map(({ customer: { phone } }) => {
      const key = added.get(phone) ?? null
      added.delete(phone)
      return key
    })
  }
}

/** A customer who is added, with the points of entries that are written in the same transaction. */
interface AddedCustomer extends Pick<StoredCustomer, 'balance' | 'lifetimePoints'> {
  readonly customer: CustomerIdentity
}

const columnsOf = ({ customer, balance, lifetimePoints }: AddedCustomer): readonly SqlValue[] => {
  const { id, name, email, phone } = customer
  const key = email === null ? null : emailKey(email)
  return [id, name, email, key, phone, customerSearchText(customer), balance, lifetimePoints]
}

/** Lets a search find a customer by name, e-mail and phone, also by those of the customers merged into it. */
export const updateSearchText = async (queries: Queries, customer: CustomerKey): Promise<void> => {
  const rows = await queries.read(
    `SELECT name, email, phone FROM customers WHERE customer = $1 OR merged_into = $1 ORDER BY customer`,
    [customer]
  )
  const texts = rows.map((row) => customerSearchText(v.parse(identityRow, row)))
  await queries.write('UPDATE customers SET search_text = $2 WHERE customer = $1', [
    customer,
    texts.join(FIELD_SEPARATOR)
  ])
  const { addToSearchIndex, removeFromSearchIndex } = queries.dialect
  if (removeFromSearchIndex !== null) await queries.write(removeFromSearchIndex, [customer])
  if (addToSearchIndex !== null) await queries.write(addToSearchIndex, [customer, customer])
}

/**
 * Adds a customer without points. Returns false, and adds nothing, if the business has a customer with this phone, unless
 * it is this one, added by a run whose answer was lost.
 */
export const addCustomer = (
  database: Database,
  business: BusinessKey,
  customer: CustomerIdentity,
  createdAt: string
): Promise<boolean> =>
  database.transaction(async (queries) => {
    const customers = new CustomerStore(queries)
    const added = await customers.join(business, customer, createdAt)
    return added !== null || (await customers.find(business, 'phone', customer.phone))?.id === customer.id
  })
