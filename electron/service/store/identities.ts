/** Changes of who a customer is: correct, merge, erase, export. The entries of the ledger stay as they are. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import {
  IDENTITY_FIELDS,
  type Correction,
  type CustomerIdentity,
  type CustomerKey,
  type StoredCustomer
} from '../domain/customers.ts'
import type { LinkedDevice } from '../domain/devices.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import { Refusal } from '../domain/refusal.ts'
import { findBirthday } from './birthdays.ts'
import { CustomerStore, emailKey, updateSearchText } from './customers.ts'
import { ConflictError, type Database, type Queries } from './database.ts'
import { devicesOf } from './devices.ts'
import { explanationsOf, forgetExplanations } from './explanations.ts'
import { rememberErased } from './erased-phones.ts'
import { entriesOf, newestEntriesOf } from './ledger-entries.ts'

/** All that the store keeps of one customer. */
export interface CustomerExport {
  readonly customer: StoredCustomer
  /** day and month, such as `02-29`; null where the customer has entered none */
  readonly birthday: string | null
  /** the customers that were merged into this one */
  readonly merged: readonly v.InferOutput<typeof mergedRow>[]
  readonly entries: readonly LedgerEntry[]
  readonly corrections: readonly Correction[]
  /** what an owner has explained of unusual activity with this customer */
  readonly explanations: Awaited<ReturnType<typeof explanationsOf>>
  /** the devices that are linked to this customer */
  readonly devices: readonly LinkedDevice[]
}

const mergedRow = v.object({
  id: v.string(),
  name: v.string(),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  createdAt: v.string()
})
const correctionRow = v.object({
  at: v.string(),
  by: v.string(),
  fields: v.pipe(
    v.string(),
    v.transform((fields) => fields.split(',')),
    v.array(v.picklist(IDENTITY_FIELDS))
  )
})
const sumsRow = v.object({
  balance: v.number(),
  lifetimePoints: v.number(),
  birthday: v.nullable(v.string())
})
const erasedRow = v.object({ customer: v.number(), business: v.number(), merged: v.nullable(v.number()) })

const unknownCustomer = (): Refusal => new Refusal('customer-unknown', 'There is no such customer.')

export class Identities {
  readonly #database: Database
  readonly #now: () => Date

  constructor(database: Database, now: () => Date) {
    this.#database = database
    this.#now = now
  }

  /**
   * Replaces name, phone and e-mail, and records who changed which of them. Changes nothing that is so already. Rejects
   * with a `Refusal` for an unknown customer, and for a phone of another one.
   * @param by as of an entry of the ledger
   */
  correct(
    business: BusinessKey,
    { id, ...identity }: CustomerIdentity,
    by: string
  ): Promise<Correction['fields']> {
    const { name, phone, email } = identity
    return this.#database.transaction(async (queries) => {
      // Registrations wait for this row, too: none can take the phone meanwhile.
      await queries.write('UPDATE businesses SET name = name WHERE business = $1', [business])
      const customers = new CustomerStore(queries)
      const customer = await customers.findKey(business, 'id', id)
      const before = await customers.find(business, 'id', id)
      if (customer === null || before === null) throw unknownCustomer()
      const fields = IDENTITY_FIELDS.filter((field) => before[field] !== identity[field])
      if (fields.length === 0) return fields
      if (fields.includes('phone'))
        await freePhone(queries, business, customer, { phone, before: before.phone })
      const corrected = await queries.write(
        `UPDATE customers SET name = $2, phone = $3, email = $4, email_key = $5
         WHERE customer = $1 AND ${STANDING} RETURNING customer`,
        [customer, name, phone, email, email === null ? null : emailKey(email)]
      )
      if (corrected.length === 0) throw new ConflictError('the customer changed meanwhile')
      await updateSearchText(queries, customer)
      await queries.write('INSERT INTO corrections (customer, at, made_by, fields) VALUES ($1, $2, $3, $4)', [
        customer,
        this.#now().toISOString(),
        by,
        fields.join(',')
      ])
      return fields
    })
  }

  /**
   * Joins two customers: `mergedId` and its phone and e-mail stand for `keptId` from now on, and the sums of both are
   * added up. A birthday stays: that of the kept one, if both have entered one. Done already for two customers that are one. Rejects with a `Refusal` for unknown customers.
   */
  merge(business: BusinessKey, keptId: string, mergedId: string): Promise<void> {
    return this.#database.transaction(async (queries) => {
      const customers = new CustomerStore(queries)
      const kept = await customers.findKey(business, 'id', keptId)
      const merged = await customers.findKey(business, 'id', mergedId)
      if (kept === null || merged === null) throw unknownCustomer()
      if (keptId === mergedId) {
        throw new Refusal('customers-identical', 'A customer cannot be merged into itself.')
      }
      if (kept === merged) return
      const [row] = await queries.read(
        'SELECT balance, lifetime_points AS "lifetimePoints", birthday FROM customers WHERE customer = $1',
        [merged]
      )
      const { balance, lifetimePoints, birthday } = v.parse(sumsRow, row)
      const emptied = await queries.write(
        `UPDATE customers SET merged_into = $2, balance = 0, lifetime_points = 0, search_text = '', birthday = NULL
         WHERE customer = $1 AND balance = $3 AND lifetime_points = $4 AND ${STANDING} RETURNING customer`,
        [merged, kept, balance, lifetimePoints]
      )
      const filled = await queries.write(
        `UPDATE customers SET balance = balance + $2, lifetime_points = lifetime_points + $3,
           birthday = coalesce(birthday, $4)
         WHERE customer = $1 AND ${STANDING} RETURNING customer`,
        [kept, balance, lifetimePoints, birthday]
      )
      if (emptied.length === 0 || filled.length === 0) throw new ConflictError('a customer changed meanwhile')
      await queries.write(
        `INSERT INTO merges (customer, into_customer, entry)
         SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), coalesce(max(entry), 0) FROM entries WHERE customer IN (
           SELECT customer FROM customers WHERE customer IN ($1, $2) OR merged_into IN ($1, $2)
         )`,
        [merged, kept]
      )
      await queries.write('UPDATE customers SET merged_into = $2 WHERE merged_into = $1', [merged, kept])
      await queries.write('UPDATE devices SET customer = $2 WHERE customer = $1', [merged, kept])
      await updateSearchText(queries, kept)
      await unlist(queries, business, merged)
    })
  }

  /**
   * Blanks name, phone, e-mail and birthday of a customer and of those merged into it. Points and entries stay, under an id that
   * identifies no person. Data that a backup replaced are deleted. Done already for an erased customer. Rejects with a
   * `Refusal` for an unknown one.
   */
  async erase(business: BusinessKey, customerId: string): Promise<void> {
    const erasedAt = this.#now().toISOString()
    await this.#database.transaction(async (queries) => {
      const customer = await new CustomerStore(queries).findKey(business, 'id', customerId)
      if (customer === null) {
        if (await this.isErased(business, customerId, queries)) return
        throw unknownCustomer()
      }
      // A merge that is under way ends first: who was merged into the customer is erased, too.
      const standing = await queries.write(
        `UPDATE customers SET name = name WHERE customer = $1 AND ${STANDING} RETURNING customer`,
        [customer]
      )
      if (standing.length === 0) throw new ConflictError('the customer changed meanwhile')
      await eraseCustomer(queries, customer, erasedAt)
      // Before the commit: a process that is killed between them would leave the customer there.
      this.#database.deleteReplaced()
    })
  }

  /** Whether a customer was erased. */
  async isErased(
    business: BusinessKey,
    customerId: string,
    queries: Pick<Queries, 'read'> = this.#database
  ): Promise<boolean> {
    const erased = await queries.read(
      'SELECT 1 FROM customers WHERE business = $1 AND id = $2 AND erased_at IS NOT NULL',
      [business, customerId]
    )
    return erased.length > 0
  }

  /** Returns what the page of a customer shows, with so many of the newest entries, the newest first; or null. */
  async overview(
    business: BusinessKey,
    customerId: string,
    limit: number
  ): Promise<Pick<CustomerExport, 'customer' | 'birthday' | 'entries' | 'devices'> | null> {
    const customers = new CustomerStore(this.#database)
    const key = await customers.findKey(business, 'id', customerId)
    const customer = await customers.find(business, 'id', customerId)
    if (key === null || customer === null) return null
    const entries = await newestEntriesOf(this.#database, key, limit)
    const birthday = await findBirthday(this.#database, key)
    return { customer, birthday, entries, devices: await devicesOf(this.#database, key) }
  }

  /** Returns all that is kept of one customer, or null. */
  async export(business: BusinessKey, customerId: string): Promise<CustomerExport | null> {
    const customers = new CustomerStore(this.#database)
    const key = await customers.findKey(business, 'id', customerId)
    const customer = await customers.find(business, 'id', customerId)
    if (key === null || customer === null) return null
    const merged = await this.#database.read(
      `SELECT id, name, email, phone, created_at AS "createdAt" FROM customers WHERE merged_into = $1 ORDER BY customer`,
      [key]
    )
    const corrections = await this.#database.read(
      `SELECT at, made_by AS "by", fields FROM corrections
       WHERE customer IN (SELECT customer FROM customers WHERE customer = $1 OR merged_into = $1) ORDER BY correction`,
      [key]
    )
    return {
      customer,
      birthday: await findBirthday(this.#database, key),
      merged: merged.map((row) => v.parse(mergedRow, row)),
      entries: await entriesOf(this.#database, key),
      corrections: corrections.map((row) => v.parse(correctionRow, row)),
      explanations: await explanationsOf(this.#database, key),
      devices: await devicesOf(this.#database, key)
    }
  }
}

/** Neither erased nor merged. */
const STANDING = 'erased_at IS NULL AND merged_into IS NULL'

/** Takes a phone for a customer from one that was merged into it, who gets the phone of before. Throws for another's. */
const freePhone = async (
  queries: Queries,
  business: BusinessKey,
  customer: CustomerKey,
  { phone, before }: { readonly phone: string; readonly before: string }
): Promise<void> => {
  const [row] = await queries.read(
    'SELECT customer, merged_into AS merged FROM customers WHERE business = $1 AND phone = $2',
    [business, phone]
  )
  if (row === undefined) return
  const owner = v.parse(v.object({ customer: v.number(), merged: v.nullable(v.number()) }), row)
  if (owner.merged !== customer) {
    throw new Refusal('phone-taken', 'Another customer has this phone.')
  }
  // A phone is unique at every moment.
  await queries.write('UPDATE customers SET phone = NULL WHERE customer = $1', [customer])
  await queries.write('UPDATE customers SET phone = $2 WHERE customer = $1', [owner.customer, before])
}

/** Takes a customer out of the count of its business and out of the search. */
const unlist = async (queries: Queries, business: BusinessKey, customer: CustomerKey): Promise<void> => {
  await queries.write('UPDATE businesses SET customers = customers - 1 WHERE business = $1', [business])
  const { removeFromSearchIndex } = queries.dialect
  if (removeFromSearchIndex !== null) await queries.write(removeFromSearchIndex, [customer])
}

const eraseCustomer = async (queries: Queries, customer: CustomerKey, erasedAt: string): Promise<void> => {
  await rememberErased(queries, customer)
  const erased = await queries.write(
    `UPDATE customers SET name = '', email = NULL, email_key = NULL, phone = NULL, search_text = '', birthday = NULL,
       erased_at = $2
     WHERE (customer = $1 OR merged_into = $1) AND erased_at IS NULL
     RETURNING customer, business, merged_into AS merged`,
    [customer, erasedAt]
  )
  await queries.write(
    `INSERT INTO erasures (customer_id, erased_at)
     SELECT id, erased_at FROM customers WHERE customer = $1 OR merged_into = $1 ON CONFLICT DO NOTHING`,
    [customer]
  )
  await queries.write('UPDATE devices SET customer = NULL WHERE customer = $1', [customer])
  await queries.write('DELETE FROM link_codes WHERE customer = $1', [customer])
  await forgetExplanations(queries, customer)
  for (const row of erased.map((found) => v.parse(erasedRow, found))) {
    // A merged customer was taken out when it was merged.
    if (row.merged === null) await unlist(queries, row.business, row.customer)
  }
}

/**
 * Repeats an erasure in data from before it. It is recorded also if they do not have the customer: a later backup, restored
 * next, may have.
 */
export const eraseAgain = async (queries: Queries, customerId: string, erasedAt: string): Promise<void> => {
  await queries.write(
    'INSERT INTO erasures (customer_id, erased_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [customerId, erasedAt]
  )
  const [row] = await queries.read(
    'SELECT coalesce(merged_into, customer) AS customer FROM customers WHERE id = $1',
    [customerId]
  )
  if (row === undefined) return
  await eraseCustomer(queries, v.parse(v.object({ customer: v.number() }), row).customer, erasedAt)
}
