/** The pairings of the store: codes that tills trade for a token. */
import * as v from 'valibot'
import type { BusinessKey } from '../domain/businesses.ts'
import {
  hashToken,
  newIdentifier,
  newToken,
  SECRET_FORM_TIME_MS,
  type RandomBytes
} from '../domain/identifiers.ts'
import { MAX_PAIRING_TRIES, newPairingCode, PAIRING_TIME_MS, parsePairingCode } from '../domain/pairing.ts'
import { RequestOver } from '../domain/refusal.ts'
import type { Database } from './database.ts'
import { TillStore } from './tills.ts'

export interface PairingDependencies {
  readonly database: Database
  readonly now: () => Date
  readonly random: RandomBytes
}

/** A code, to be shown once. */
export interface OfferedPairing {
  readonly code: string
  /** ISO 8601, UTC */
  readonly expiresAt: string
}

/** What a till gets for its code. */
export interface PairedTill {
  readonly token: string
  readonly name: string
  readonly business: BusinessKey
}

const MAX_CODE_ATTEMPTS = 20

const madeRow = v.object({ expiresAt: v.string() })
const triedRow = v.object({ secretHash: v.string(), business: v.number(), name: v.string() })
const confirmedRow = v.object({ secretHash: v.string(), businessId: v.string() })

export class PairingStore {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({ database, now, random }: PairingDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /**
   * Makes a code for a till of this name, valid once for ten minutes and five tries.
   *
   * @param random with bytes that it has given before, returns the code that was made of them while that is valid. Throws a
   *   `Refusal` when that was used or has expired.
   */
  async add(business: BusinessKey, tillName: string, random = this.#random): Promise<OfferedPairing> {
    const now = this.#now()
    // It stays while its form may be sent, so that no such code is made again.
    const forgotten = new Date(now.getTime() - SECRET_FORM_TIME_MS).toISOString()
    await this.#database.write('DELETE FROM pairings WHERE expires_at <= $1', [forgotten])
    const expiresAt = new Date(now.getTime() + PAIRING_TIME_MS).toISOString()
    for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
      const code = newPairingCode(random)
      const parsed = parsePairingCode(code)
      if (parsed === null) continue
      const added = await this.#database.write(
        `INSERT INTO pairings (id, secret_hash, business, till_name, expires_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO NOTHING RETURNING id`,
        [parsed.id, parsed.secretHash, business, tillName, expiresAt]
      )
      if (added.length > 0) return { code, expiresAt }
      const [made] = await this.#database.read(
        `SELECT CASE WHEN tries < $4 AND till IS NULL THEN expires_at ELSE '' END AS "expiresAt" FROM pairings
         WHERE id = $1 AND secret_hash = $2 AND business = $3`,
        [parsed.id, parsed.secretHash, business, MAX_PAIRING_TRIES]
      )
      if (made === undefined) continue
      const { expiresAt: until } = v.parse(madeRow, made)
      if (until <= now.toISOString()) throw new RequestOver()
      return { code, expiresAt: until }
    }
    throw new Error('Too many tills are being paired; try again in ten minutes.')
  }

  /** Trades a code for a new token. Returns null, and counts the try, for a wrong, used or expired code. */
  async trade(text: string): Promise<PairedTill | null> {
    const code = parsePairingCode(text)
    if (code === null) return null
    const at = this.#now().toISOString()
    const till = newIdentifier('till', this.#random)
    const token = newToken(this.#random)
    return this.#database.transaction(async (queries) => {
      // The till's id lets a run after a lost answer find that the code was traded for this token.
      const [row] = await queries.write(
        `UPDATE pairings SET tries = tries + 1
         WHERE id = $1 AND tries < $2 AND expires_at > $3 AND (till IS NULL OR till = $4)
         RETURNING secret_hash AS "secretHash", business, till_name AS "name"`,
        [code.id, MAX_PAIRING_TRIES, at, till]
      )
      if (row === undefined) return null
      const { secretHash, business, name } = v.parse(triedRow, row)
      // Hashes are compared: the time of the comparison says nothing about the code.
      if (secretHash !== code.secretHash) return null
      await new TillStore(queries).add({ id: till, business, name, createdAt: at }, hashToken(token))
      await queries.write('UPDATE pairings SET till = $2 WHERE id = $1', [code.id, till])
      return { token, name, business }
    })
  }

  /**
   * Ends a code of the business with this id, without a token: who has the code may do what its owner may. Counts the try.
   * A code of another business stays valid for a till of that one.
   */
  async confirm(text: string, businessId: string): Promise<'confirmed' | 'other-business' | 'unknown'> {
    const code = parsePairingCode(text)
    if (code === null) return 'unknown'
    const at = this.#now().toISOString()
    return this.#database.transaction(async (queries) => {
      const [row] = await queries.write(
        `UPDATE pairings SET tries = tries + 1
         WHERE id = $1 AND tries < $2 AND expires_at > $3 AND till IS NULL
         RETURNING secret_hash AS "secretHash",
           (SELECT businesses.id FROM businesses WHERE businesses.business = pairings.business) AS "businessId"`,
        [code.id, MAX_PAIRING_TRIES, at]
      )
      if (row === undefined) return 'unknown'
      const { secretHash, businessId: own } = v.parse(confirmedRow, row)
      if (secretHash !== code.secretHash) return 'unknown'
      if (own !== businessId) return 'other-business'
      await queries.write('UPDATE pairings SET expires_at = $2 WHERE id = $1', [code.id, at])
      return 'confirmed'
    })
  }
}
