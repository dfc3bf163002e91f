/** The keys with which tills make codes without a connection: docs/service-extension.md. */
import * as v from 'valibot'
import type { BusinessKey, StoredBusiness } from '../domain/businesses.ts'
import { dayOf, shiftDay } from '../domain/days.ts'
import { hashToken, newOfflineKey, newToken } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import type { LedgerDependencies } from './ledger.ts'

/** A key of a till, valid from today. */
interface RenewedKey {
  readonly key: string
  /** 32 bytes, base64url; only of a new key */
  readonly secret?: string
  /** that the till shows when it asks next */
  readonly ticket: string
  /** today, in the shop */
  readonly day: string
}

/** Days after which a key is replaced. */
const KEY_DAYS = 30
/** Names that are tried: of 30 bits two are rarely equal. */
const MAX_ATTEMPTS = 5

const stoppedRow = v.object({ stoppedAt: v.nullable(v.string()) })
const tillRow = v.object({ id: v.string(), name: v.string(), ...stoppedRow.entries, points: v.number() })

export class OfflineKeyStore {
  readonly #dependencies: LedgerDependencies

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Lets a till make codes from today. A till that has the last ticket of a key of this month keeps it; any other one, such as a
   * copy of the till, gets a new key, and the one that it names is not extended any more. Rejects with a `Refusal` where
   * the owner has none of such codes.
   */
  renew(
    { key: business, timeZone, offlineLimits }: Pick<StoredBusiness, 'key' | 'timeZone' | 'offlineLimits'>,
    till: string,
    known: Pick<RenewedKey, 'key' | 'ticket'> | null
  ): Promise<RenewedKey> {
    const { database, now, random } = this.#dependencies
    const at = now()
    const day = dayOf(at, timeZone)
    const lastDay = shiftDay(day, offlineLimits.days)
    const [ticket, secret] = [newToken(random), newToken(random)]
    const names = Array.from({ length: MAX_ATTEMPTS }, () => newOfflineKey(random))
    return database.transaction(async (queries) => {
      const [row] = await queries.read('SELECT offline_stopped_at AS "stoppedAt" FROM tokens WHERE id = $1', [
        till
      ])
      if (offlineLimits.days === 0 || v.parse(stoppedRow, row).stoppedAt !== null) {
        throw new Refusal('offline-codes-off', 'The owner has switched codes without a connection off.')
      }
      if (known !== null) {
        // The new ticket is there where this is a second run.
        const kept = await queries.write(
          `UPDATE offline_keys SET ticket_hash = $4, confirmed_day = $5, last_day = $6
           WHERE key = $1 AND till = $2 AND ticket_hash IN ($3, $4) AND replaced_at IS NULL AND revoked_at IS NULL
             AND made_at > $7 RETURNING key`,
          [
            ...[known.key, till, hashToken(known.ticket), hashToken(ticket), day, lastDay],
            new Date(at.getTime() - KEY_DAYS * 24 * 60 * 60_000).toISOString()
          ]
        )
        if (kept.length > 0) return { key: known.key, ticket, day }
        await queries.write(
          'UPDATE offline_keys SET replaced_at = coalesce(replaced_at, $3) WHERE key = $1 AND till = $2',
          [known.key, till, at.toISOString()]
        )
      }
      for (const key of names) {
        const added = await queries.write(
          `INSERT INTO offline_keys (key, business, till, secret, ticket_hash, made_at, confirmed_day, last_day)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           ON CONFLICT (key) DO UPDATE SET key = excluded.key WHERE offline_keys.secret = excluded.secret RETURNING key`,
          [key, business, till, secret, hashToken(ticket), at.toISOString(), day, lastDay]
        )
        if (added.length > 0) return { key, secret, ticket, day }
      }
      throw new Error(`${MAX_ATTEMPTS} generated keys existed already: the random source is broken`)
    })
  }

  /** Returns the tills of a business that have access, with the points that were taken of a day of each. */
  async tills(business: BusinessKey, day: string): Promise<readonly v.InferOutput<typeof tillRow>[]> {
    const rows = await this.#dependencies.database.read(
      `SELECT id, name, offline_stopped_at AS "stoppedAt", coalesce((
         SELECT points FROM offline_days WHERE offline_days.till = tokens.id AND offline_days.day = $2
       ), 0) AS points
       FROM tokens WHERE business = $1 AND revoked_at IS NULL ORDER BY created_at, id`,
      [business, day]
    )
    return rows.map((row) => v.parse(tillRow, row))
  }

  /** Stops the codes of a till, also those of its keys that come later. Returns false if the business has no such till. */
  async stop(business: BusinessKey, till: string): Promise<boolean> {
    const stopped = await this.#dependencies.database.write(
      `UPDATE tokens SET offline_stopped_at = coalesce(offline_stopped_at, $3) WHERE business = $1 AND id = $2
       RETURNING id`,
      [business, till, this.#dependencies.now().toISOString()]
    )
    return stopped.length > 0
  }

  /** Lets a till have a new key. The keys that it had stay revoked. Returns false if the business has no such till. */
  resume(business: BusinessKey, till: string): Promise<boolean> {
    const { database, now } = this.#dependencies
    const at = now().toISOString()
    return database.transaction(async (queries) => {
      await queries.write(
        `UPDATE offline_keys SET revoked_at = coalesce(revoked_at, $3) WHERE business = $1 AND till = $2
           AND EXISTS (SELECT 1 FROM tokens WHERE id = $2 AND offline_stopped_at IS NOT NULL)`,
        [business, till, at]
      )
      const resumed = await queries.write(
        'UPDATE tokens SET offline_stopped_at = NULL WHERE business = $1 AND id = $2 RETURNING id',
        [business, till]
      )
      return resumed.length > 0
    })
  }
}
