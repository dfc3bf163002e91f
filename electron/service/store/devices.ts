/** The devices of the store: what was collected with each, and to which customer staff have linked it. */
import * as v from 'valibot'
import { toAsciiDigits } from '../../contract/text.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { LINK_TIME_MS, newLinkDigits, type LinkedDevice } from '../domain/devices.ts'
import {
  hashOrderedToken,
  newOrderedIdentifier,
  newOrderedToken,
  type RandomBytes
} from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { CustomerStore } from './customers.ts'
import { ConflictError, type Database, type Queries } from './database.ts'
import { flagColumn, type Statement } from './rows.ts'

export interface DeviceDependencies {
  readonly database: Database
  readonly now: () => Date
  readonly random: RandomBytes
}

/** The device that a cookie names. */
export interface StoredDevice {
  readonly id: string
  readonly business: BusinessKey
  /** id of the customer that staff have linked it to; null: none, or one that was erased */
  readonly customer: string | null
}

/** A device that gets its cookie. */
export interface NewDevice extends Pick<StoredDevice, 'id' | 'business'> {
  readonly cookie: string
}

/** A code that was collected with a device. */
export interface CollectedCode {
  readonly code: string
  readonly points: number
  /** ISO 8601, UTC */
  readonly at: string
  /** whether staff have taken the points back */
  readonly isReversed: boolean
}

const MAX_ATTEMPTS = 20
/** How long unlinking can be taken back. */
const UNDO_TIME_MS = 10 * 60_000

const storedRow = v.object({ id: v.string(), business: v.number(), customer: v.nullable(v.string()) })
const collectedRow = v.object({
  code: v.string(),
  points: v.number(),
  at: v.string(),
  isReversed: flagColumn
})
const linkedRow = v.object({ id: v.string(), createdAt: v.string(), lastSeenAt: v.string() })
const digitsRow = v.object({ digits: v.string(), expiresAt: v.string() })
const idRow = v.object({ id: v.string() })
const linkRow = v.object({ device: v.string() })

/** Codes that are read of a device. */
export const SHOWN_COLLECTED = 100

export class DeviceStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({ database, now, random }: DeviceDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /** Returns a device that is not in the store yet. */
  create(business: BusinessKey): NewDevice {
    const at = this.#now()
    const id = newOrderedIdentifier('dev', at, this.#random)
    return { id, business, cookie: newOrderedToken(at, this.#random) }
  }

  /** Adds a device. Of its cookie only the hash is kept. */
  async add(device: NewDevice): Promise<void> {
    const { sql, values } = this.#adding(device)
    await this.#database.write(sql, values)
  }

  #adding({ id, business, cookie }: NewDevice): Statement {
    return {
      sql: `INSERT INTO devices (id, business, hash, created_at, last_seen_at) VALUES ($1, $2, $3, $4, $4)
        ON CONFLICT (id) DO NOTHING`,
      values: [id, business, hashOrderedToken(cookie), this.#now().toISOString()]
    }
  }

  /** Returns the business's device that a cookie names, or null. */
  async find(business: BusinessKey, cookie: string): Promise<StoredDevice | null> {
    const [row] = await this.#database.read(
      `SELECT devices.id, devices.business, kept.id AS customer FROM devices
       LEFT JOIN customers AS named ON named.customer = devices.customer
       LEFT JOIN customers AS kept
         ON kept.customer = coalesce(named.merged_into, named.customer) AND kept.erased_at IS NULL
       WHERE devices.hash = $1 AND devices.business = $2`,
      [hashOrderedToken(cookie), business]
    )
    return row === undefined ? null : v.parse(storedRow, row)
  }

  /**
   * Returns what records that a code is collected with a device, which may be new, in the transaction that collects it. It is
   * seen at that moment.
   */
  collecting(device: NewDevice | StoredDevice, code: string): readonly Statement[] {
    const seen =
      'cookie' in device
        ? this.#adding(device)
        : {
            sql: 'UPDATE devices SET last_seen_at = $2 WHERE id = $1',
            values: [device.id, this.#now().toISOString()]
          }
    const collected = {
      sql: 'INSERT INTO device_codes (device, code) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      values: [device.id, code]
    }
    return [seen, collected]
  }

  /** Returns what was collected with a device, the newest first, at most `SHOWN_COLLECTED` codes. */
  async collected({ id }: Pick<StoredDevice, 'id'>): Promise<readonly CollectedCode[]> {
    const rows = await this.#database.read(
      `SELECT codes.code, codes.points, codes.used_at AS at,
         CASE WHEN reversals.id IS NULL THEN 0 ELSE 1 END AS "isReversed"
       FROM device_codes
         JOIN codes ON codes.code = device_codes.code
         LEFT JOIN entries ON entries.code = codes.code
         LEFT JOIN entries AS reversals ON reversals.reverses = entries.id
       WHERE device_codes.device = $1 AND codes.used_at IS NOT NULL ORDER BY codes.used_at DESC, codes.code LIMIT ${String(SHOWN_COLLECTED)}`,
      [id]
    )
    return rows.map((row) => v.parse(collectedRow, row))
  }

  /** Returns six digits for staff, valid once for ten minutes: those that the device has, or new ones. */
  async offerLink(device: StoredDevice): Promise<string> {
    const now = this.#now()
    await this.#database.write(
      'DELETE FROM link_codes WHERE expires_at <= $1 OR (device = $2 AND customer IS NOT NULL)',
      [now.toISOString(), device.id]
    )
    const expiresAt = new Date(now.getTime() + LINK_TIME_MS).toISOString()
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // Also another page of the device, which was faster, and a run whose answer was lost.
      const offered = await this.offered(device)
      if (offered !== null) return offered.digits
      await this.#database.write(
        `INSERT INTO link_codes (device, business, digits, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [device.id, device.business, newLinkDigits(this.#random), expiresAt]
      )
    }
    throw new Error('Too many devices are being linked; try again in ten minutes.')
  }

  /** Returns the digits that a device shows, and until when (ISO 8601, UTC); null without valid ones. */
  async offered({
    id
  }: Pick<StoredDevice, 'id'>): Promise<{ readonly digits: string; readonly expiresAt: string } | null> {
    const [row] = await this.#database.read(
      `SELECT digits, expires_at AS "expiresAt" FROM link_codes
       WHERE device = $1 AND expires_at > $2 AND customer IS NULL`,
      [id, this.#now().toISOString()]
    )
    return row === undefined ? null : v.parse(digitsRow, row)
  }

  /**
   * Links the device that shows the typed digits to a customer, and returns its id. Rejects with a `Refusal` for an unknown
   * customer, and for digits that are wrong or expired, or were used for another.
   */
  link(business: BusinessKey, customerId: string, typed: string): Promise<string> {
    const at = this.#now().toISOString()
    const digits = toAsciiDigits(typed).replaceAll(/\D/g, '')
    return this.#database.transaction(async (queries) => {
      const customer = await new CustomerStore(queries).findKey(business, 'id', customerId)
      if (customer === null) throw new Refusal('customer-unknown', 'There is no such customer.')
      const [row] = await queries.write(
        `UPDATE link_codes SET customer = $4
         WHERE business = $1 AND digits = $2 AND expires_at > $3 AND (customer IS NULL OR customer = $4)
         RETURNING device`,
        [business, digits, at, customer]
      )
      if (row === undefined) {
        throw new Refusal(
          'link-unknown',
          'No device shows these digits now; open the page again for new ones.'
        )
      }
      const { device } = v.parse(linkRow, row)
      // A customer that is merged or erased meanwhile gets no device.
      const linked = await queries.write(
        `UPDATE devices SET customer = $2 WHERE id = $1
           AND EXISTS (SELECT 1 FROM customers WHERE customer = $2 AND erased_at IS NULL AND merged_into IS NULL)
         RETURNING id`,
        [device, customer]
      )
      if (linked.length === 0) throw new ConflictError('the customer was merged or erased meanwhile')
      return device
    })
  }

  /** Unlinks a device for good; done already if it is not linked. Rejects with a `Refusal` if it is another's. */
  unlink(business: BusinessKey, customerId: string, device: string): Promise<void> {
    return this.#unlink(business, customerId, device, null)
  }

  /** Unlinks a device as `unlink` does, but so that `relink` takes it back for ten minutes. */
  unlinkOwn(business: BusinessKey, customerId: string, device: string): Promise<void> {
    return this.#unlink(business, customerId, device, this.#now().toISOString())
  }

  /** Voids the digits of the device, too. @param undoneFrom when it may be taken back from; null: never */
  async #unlink(
    business: BusinessKey,
    customerId: string,
    device: string,
    undoneFrom: string | null
  ): Promise<void> {
    const customer = await new CustomerStore(this.#database).findKey(business, 'id', customerId)
    const unlinked = await this.#database.transaction(async (queries) => {
      const rows = await queries.write(
        undoneFrom === null
          ? `UPDATE devices SET customer = NULL, unlinked_from = NULL
             WHERE id = $1 AND business = $2 AND (customer IS NULL OR customer = $3) RETURNING id`
          : `UPDATE devices SET customer = NULL, unlinked_from = coalesce(customer, unlinked_from),
               unlinked_at = CASE WHEN customer IS NULL THEN unlinked_at ELSE $4 END
             WHERE id = $1 AND business = $2 AND (customer IS NULL OR customer = $3) RETURNING id`,
        [device, business, customer, ...(undoneFrom === null ? [] : [undoneFrom])]
      )
      if (rows.length > 0) await queries.write('DELETE FROM link_codes WHERE device = $1', [device])
      return rows
    })
    if (unlinked.length === 0) throw new Refusal('device-unknown', 'The customer has no such device.')
  }

  /** Returns the ids of devices that a device can link again: itself, or others of its customer. */
  async unlinked(by: StoredDevice): Promise<readonly string[]> {
    const rows = await this.#database.read(
      `SELECT id FROM devices WHERE customer IS NULL AND unlinked_at > $1 AND unlinked_from IS NOT NULL
         AND (id = $2 OR unlinked_from = (SELECT customer FROM devices WHERE id = $2))
       ORDER BY unlinked_at, id`,
      [this.#lastUnlinked(), by.id]
    )
    return rows.map((row) => v.parse(idRow, row).id)
  }

  /** Links a device again, once, by itself or by another one of its customer; not after ten minutes. */
  async relink(by: StoredDevice, device: string): Promise<void> {
    // A customer that was merged meanwhile has the devices of both; an erased one has none.
    await this.#database.write(
      `UPDATE devices SET unlinked_from = NULL, customer = (
         SELECT coalesce(merged_into, customer) FROM customers
         WHERE customer = devices.unlinked_from AND erased_at IS NULL
       ) WHERE id = $3 AND customer IS NULL AND unlinked_at > $1 AND unlinked_from IS NOT NULL
         AND (id = $2 OR unlinked_from = (SELECT customer FROM devices AS own WHERE own.id = $2))`,
      [this.#lastUnlinked(), by.id, device]
    )
  }

  /** Forgets of whom devices were that cannot be linked again. Call now and then. */
  async clean(): Promise<void> {
    await this.#database.write(
      'UPDATE devices SET unlinked_from = NULL WHERE unlinked_from IS NOT NULL AND unlinked_at <= $1',
      [this.#lastUnlinked()]
    )
  }

  #lastUnlinked(): string {
    return new Date(this.#now().getTime() - UNDO_TIME_MS).toISOString()
  }
}

/** Returns the devices that are linked to a customer, in the order in which they were first seen. */
export const devicesOf = async (
  queries: Queries,
  customer: CustomerKey
): Promise<readonly LinkedDevice[]> => {
  const rows = await queries.read(
    `SELECT id, created_at AS "createdAt", last_seen_at AS "lastSeenAt" FROM devices WHERE customer = $1
     ORDER BY created_at, id`,
    [customer]
  )
  return rows.map((row) => v.parse(linkedRow, row))
}
