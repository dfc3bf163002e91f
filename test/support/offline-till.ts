/** A till that makes codes without a connection, for tests of the service. */
import { readOfflineCode, writeOfflineCode } from '../../electron/codes/offline-code.ts'
import type { OfflineLimits } from '../../electron/service/domain/businesses.ts'
import {
  newCode,
  newIdentifier,
  newToken,
  systemRandomBytes
} from '../../electron/service/domain/identifiers.ts'
import { BusinessStore } from '../../electron/service/store/businesses.ts'
import { OfflineCodeStore, type ReportedCode } from '../../electron/service/store/offline-codes.ts'
import { OfflineKeyStore } from '../../electron/service/store/offline-keys.ts'
import { TillStore } from '../../electron/service/store/tills.ts'
import type { Shop } from './service-shop.ts'

interface HeldKey {
  readonly key: string
  readonly ticket: string
  readonly secret: Uint8Array
}

export class OfflineTill {
  readonly id: string
  readonly shop: Shop
  held: HeldKey | null = null

  constructor(shop: Shop, id: string) {
    this.shop = shop
    this.id = id
  }

  /** Adds a till to a shop. */
  static async addTo(shop: Shop): Promise<OfflineTill> {
    const id = newIdentifier('till', systemRandomBytes)
    const createdAt = shop.now.toISOString()
    await new TillStore(shop.database).add(
      { id, business: shop.business, name: id, createdAt },
      newToken(systemRandomBytes)
    )
    return new OfflineTill(shop, id)
  }

  get #dependencies() {
    return { database: this.shop.database, now: () => this.shop.now, random: systemRandomBytes }
  }

  get keys(): OfflineKeyStore {
    return new OfflineKeyStore(this.#dependencies)
  }

  get codes(): OfflineCodeStore {
    return new OfflineCodeStore(this.#dependencies)
  }

  /** Asks the service for its key, or to extend it. Resolves with the name of the key. */
  async connect(): Promise<string> {
    const business = await new BusinessStore(this.shop.database).get(this.shop.business)
    const { key, ticket, secret } = await this.keys.renew(business, this.id, this.held)
    const bytes = secret === undefined ? this.held?.secret : Buffer.from(secret, 'base64url')
    if (bytes === undefined) throw new Error('no secret')
    this.held = { key, ticket, secret: bytes }
    return key
  }

  /** Another till with the same disk. */
  copy(): OfflineTill {
    const copy = new OfflineTill(this.shop, this.id)
    copy.held = this.held
    return copy
  }

  /** Makes a code, without the service. */
  make(points: number, day = '2026-11-21'): string {
    if (this.held === null) throw new Error('no key')
    const serial = newCode(systemRandomBytes).slice(0, 10)
    return writeOfflineCode({ key: this.held.key, serial, points, day }, this.held.secret)
  }

  /** Reports codes. Resolves with what became of each. */
  async report(codes: readonly string[], said: Partial<ReportedCode> = {}): Promise<readonly string[]> {
    const reasons = await this.codes.report(
      this.shop.business,
      codes.map((code) => ({
        code,
        issuedAt: `${dayOf(code)}T09:00:00.000Z`,
        reference: null,
        cashier: null,
        ...said
      }))
    )
    return codes.map((code) => reasons.get(code) ?? 'taken')
  }
}

const dayOf = (code: string): string => readOfflineCode(code)?.day ?? '2026-11-21'

/** Sets what codes without a connection may give. */
export const setLimits = async (shop: Shop, limits: Partial<OfflineLimits>): Promise<void> => {
  const businesses = new BusinessStore(shop.database)
  const business = await businesses.get(shop.business)
  await businesses.update({ ...business, offlineLimits: { ...business.offlineLimits, ...limits } })
}

/** Lets a till report a code that is not taken, of `points` that no code may have. Returns it. */
export const addRefused = async (shop: Shop, id: string, points = 9_999_999): Promise<string> => {
  const till = new OfflineTill(shop, id)
  await till.connect()
  const code = till.make(points)
  await till.report([code])
  return code
}
