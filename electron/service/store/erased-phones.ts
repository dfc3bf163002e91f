/** The phones of erased customers, as salted hashes: an old file must not bring them back. */
import { createHmac, randomBytes } from 'node:crypto'
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import type { ImportedCustomer } from '../domain/imports.ts'
import type { Queries } from './database.ts'

const hashRow = v.object({ salt: v.string(), hash: v.string() })
const saltRow = v.object({ salt: v.string() })
const phoneRow = v.object({ business: v.number(), phone: v.string() })
const idRow = v.object({ id: v.string() })

const hashOf = (phone: string, salt: string): string => createHmac('sha256', salt).update(phone).digest('hex')

/** Keeps the hashes of the phones of a customer, and of those merged into it, in the transaction that erases them. */
export const rememberErased = async (queries: Queries, customer: CustomerKey): Promise<void> => {
  const rows = await queries.read(
    'SELECT business, phone FROM customers WHERE (customer = $1 OR merged_into = $1) AND phone IS NOT NULL',
    [customer]
  )
  for (const { business, phone } of rows.map((row) => v.parse(phoneRow, row))) {
    // One salt for a shop, so that a file needs one hash a line; a restored backup may bring another.
    const [known] = await queries.read('SELECT salt FROM erased_phones WHERE business = $1 LIMIT 1', [
      business
    ])
    const salt = known === undefined ? randomBytes(16).toString('hex') : v.parse(saltRow, known).salt
    await queries.write(
      'INSERT INTO erased_phones (business, salt, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [business, salt, hashOf(phone, salt)]
    )
  }
}

/** The salts of a shop, one after the other: its hashes are many. */
const SALTS = `WITH RECURSIVE salts (salt) AS (
    SELECT min(salt) FROM erased_phones WHERE business = $1
    UNION ALL
    SELECT (SELECT min(salt) FROM erased_phones WHERE business = $1 AND salt > salts.salt) FROM salts WHERE salt IS NOT NULL
  ) SELECT salt FROM salts WHERE salt IS NOT NULL`

/** Returns whether a customer with this phone was erased. It runs the same statements for every phone. */
export const wasErased = async (queries: Queries, business: BusinessKey, phone: string): Promise<boolean> => {
  let isErased = false
  for (const { salt } of (await queries.read(SALTS, [business])).map((row) => v.parse(saltRow, row))) {
    const found = await queries.read(
      'SELECT 1 FROM erased_phones WHERE business = $1 AND salt = $2 AND hash = $3',
      [business, salt, hashOf(phone, salt)]
    )
    if (found.length > 0) isErased = true
  }
  return isErased
}

/** Returns how to tell that a line of a file is of a customer who was erased: by the phone, or by the id of an export. */
export const erasedTest = async (
  queries: Queries,
  business: BusinessKey
): Promise<(row: ImportedCustomer) => boolean> => {
  const rows = await queries.read('SELECT salt, hash FROM erased_phones WHERE business = $1', [business])
  const found = rows.map((row) => v.parse(hashRow, row))
  const hashes = new Set(found.map(({ hash }) => hash))
  const salts = [...new Set(found.map(({ salt }) => salt))]
  const erased = await queries.read(
    'SELECT id FROM customers WHERE business = $1 AND erased_at IS NOT NULL',
    [business]
  )
  const ids = new Set(erased.map((row) => v.parse(idRow, row).id))
  return ({ phone, exportedId }) =>
    (exportedId !== null && ids.has(exportedId)) || salts.some((salt) => hashes.has(hashOf(phone, salt)))
}
