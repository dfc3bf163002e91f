/** The customers of the store: who they are. Their points change by the ledger only. */
import { setImmediate } from 'node:timers'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerIdentity, CustomerKey, CustomerLookup, StoredCustomer } from '../domain/customers.ts'
import { customerSearchText, FIELD_SEPARATOR, searchTerms } from '../domain/search-text.ts'
import type { Database, Queries } from './database.ts'
import type { RowRange } from './rows.ts'

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
const keyRow = v.object({ key: v.number() })
const numberRow = v.object({ number: v.number() })
const countRow = v.object({ count: v.number() })
const searchedRow = v.object({ last: v.number(), country: v.string() })

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.toLowerCase()

type SelectOne = Readonly<Record<CustomerLookup, string>>

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
const SELECT_KEY = selectOne('kept.customer AS key')

export class CustomerStore {
  readonly #queries: Queries

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /** Returns the customers in the order of registration. */
  async list(business: BusinessKey, { limit, offset }: RowRange): Promise<readonly StoredCustomer[]> {
    if (offset > 0 && offset >= (await this.#searched(business)).last) return []
    const rows = await this.#queries.read(
      `SELECT ${COLUMNS.join(', ')} FROM customers WHERE customer BETWEEN $1 AND $2 AND ${LISTED}
       ORDER BY customer LIMIT $3 OFFSET $4`,
      [...customerKeys(business), limit, offset]
    )
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

  /** The number that the business gave last, and the country in which it reads phones. */
  async #searched(business: BusinessKey): Promise<v.InferOutput<typeof searchedRow>> {
    const [row] = await this.#queries.read(
      'SELECT customer_numbers AS last, country FROM businesses WHERE business = $1',
      [business]
    )
    return row === undefined ? { last: 0, country: '' } : v.parse(searchedRow, row)
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
    const row = await this.#find(SELECT_KEY, business, lookup, value)
    return row === undefined ? null : v.parse(keyRow, row).key
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
   * @param isImported whether an import brings them; false: they join
   */
  async addAll(
    business: BusinessKey,
    customers: readonly CustomerIdentity[],
    createdAt: string,
    isImported = false
  ): Promise<readonly (CustomerKey | null)[]> {
    // The numbers first: this locks the row of the business, so that registrations are numbered one after the other.
    const [numbers] = await this.#queries.write(
      `UPDATE businesses SET customer_numbers = customer_numbers + $2 WHERE business = $1
       RETURNING customer_numbers AS number`,
      [business, customers.length]
    )
    const first = v.parse(numberRow, numbers).number - customers.length + 1
    const keys: (CustomerKey | null)[] = []
    for (const [index, customer] of customers.entries()) {
      const { id, name, email, phone } = customer
      const key = customerKey(business, first + index)
      const added = await this.#queries.write(
        `INSERT INTO customers (customer, business, id, name, email, email_key, phone, search_text, created_at, imported)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING customer`,
        [
          ...[key, business, id, name, email, email === null ? null : emailKey(email), phone],
          ...[customerSearchText(customer), createdAt, isImported ? 1 : 0]
        ]
      )
      keys.push(added.length > 0 ? key : null)
    }
    const { addToSearchIndex } = this.#queries.dialect
    if (addToSearchIndex !== null) {
      const range = [customerKey(business, first), customerKey(business, first + customers.length - 1)]
      await this.#queries.write(addToSearchIndex, range)
    }
    // The last numbers are free again if they were not given.
    const unused = keys.length - 1 - keys.findLastIndex((key) => key !== null)
    await this.#queries.write(
      `UPDATE businesses SET customers = customers + $2, customer_numbers = customer_numbers - $3 WHERE business = $1`,
      [business, keys.filter((key) => key !== null).length, unused]
    )
    return keys
  }
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
    await customers.addAll(business, [customer], createdAt)
    return (await customers.find(business, 'phone', customer.phone))?.id === customer.id
  })
