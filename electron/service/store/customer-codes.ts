/** Customer codes: what the page of a linked device shows, so that a till finds its customer. Valid once, for two minutes. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import { hashToken, newCustomerCode, newIdentifier } from '../domain/identifiers.ts'
import type { Database } from './database.ts'
import type { DeviceDependencies, StoredDevice } from './devices.ts'

/** How long a code is valid. */
export const CUSTOMER_CODE_TIME_MS = 2 * 60_000
/** Codes of a device that are kept, so that an earlier one is told from one that never was. */
const KEPT_CODES = 5
/** How long a code is kept. */
const KEPT_MS = 24 * 60 * 60_000

/** Why a code gives no customer. */
type CustomerCodeFault = 'unknown' | 'used' | 'expired'

const usedRow = v.object({ device: v.string() })
const customerRow = v.object({ customer: v.nullable(v.string()) })
const stateRow = v.object({ isUsed: v.number() })

export class CustomerCodeStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: DeviceDependencies['random']

  constructor({ database, now, random }: DeviceDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /** Returns the secret of a new code of a device, of which only the hash is kept. Earlier ones stay valid for their time. */
  async offer({ id, business }: Pick<StoredDevice, 'id' | 'business'>): Promise<string> {
    const secret = newCustomerCode(this.#random)
    const expiresAt = new Date(this.#now().getTime() + CUSTOMER_CODE_TIME_MS).toISOString()
    await this.#database.write(
      `INSERT INTO customer_codes (hash, device, business, expires_at) VALUES ($1, $2, $3, $4)
       ON CONFLICT (hash) DO NOTHING`,
      [hashToken(secret), id, business, expiresAt]
    )
    await this.#database.write(
      `DELETE FROM customer_codes WHERE device = $1 AND expires_at < (
         SELECT min(expires_at) FROM (
           SELECT expires_at FROM customer_codes WHERE device = $1 ORDER BY expires_at DESC LIMIT $2
         ) AS kept
       )`,
      [id, KEPT_CODES]
    )
    return secret
  }

  /** Uses a code up. Returns the id of the customer, or why there is none. */
  async use(
    business: BusinessKey,
    secret: string
  ): Promise<{ readonly customer: string } | { readonly fault: CustomerCodeFault }> {
    const now = this.#now().toISOString()
    const hash = hashToken(secret)
    // By this a run after a lost answer finds that it has used the code itself.
    const request = newIdentifier('req', this.#random)
    const [used] = await this.#database.write(
      `UPDATE customer_codes SET used_by = $4
       WHERE hash = $1 AND business = $2 AND expires_at > $3 AND (used_by IS NULL OR used_by = $4)
       RETURNING device`,
      [hash, business, now, request]
    )
    if (used === undefined) return { fault: await this.#faultOf(business, hash) }
    const [row] = await this.#database.read(
      `SELECT kept.id AS customer FROM devices
       LEFT JOIN customers AS named ON named.customer = devices.customer
       LEFT JOIN customers AS kept
         ON kept.customer = coalesce(named.merged_into, named.customer) AND kept.erased_at IS NULL
       WHERE devices.id = $1`,
      [v.parse(usedRow, used).device]
    )
    // Unlinked meanwhile, or the customer was erased.
    const customer = row === undefined ? null : v.parse(customerRow, row).customer
    return customer === null ? { fault: 'unknown' } : { customer }
  }

  async #faultOf(business: BusinessKey, hash: string): Promise<CustomerCodeFault> {
    const [row] = await this.#database.read(
      `SELECT CASE WHEN used_by IS NULL THEN 0 ELSE 1 END AS "isUsed" FROM customer_codes
       WHERE hash = $1 AND business = $2`,
      [hash, business]
    )
    if (row === undefined) return 'unknown'
    return v.parse(stateRow, row).isUsed === 1 ? 'used' : 'expired'
  }

  /** Forgets codes that ended long ago. Call now and then. */
  async clean(): Promise<void> {
    await this.#database.write('DELETE FROM customer_codes WHERE expires_at < $1', [
      new Date(this.#now().getTime() - KEPT_MS).toISOString()
    ])
  }
}
