/** Whose the till's data is, in memory and in the journal. */
import type { Mode } from '../../contract/till.ts'
import type { Settings } from '../settings/index.ts'

/**
 * Whose data the till works with: a business at an address, or training mode. It is one object for as long as both stay the
 * same. What is kept in memory for a customer or a shop belongs to one, and goes with it.
 */
export interface DataOwner {
  /** another one for each owner, for the page */
  readonly number: number
}

/**
 * Ids that no two services give: those of this project's service, of 80 random bits (`newIdentifier`), and random UUIDs
 * (RFC 9562, versions 4 and 7).
 */
const RANDOM_ID =
  /^(?:usr_[\da-hjkmnp-tv-z]{16}|[\da-f]{8}-[\da-f]{4}-[47][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12})$/i

/**
 * Returns what identifies a business in the journal. A random id alone: a service that moves keeps it, and the till its slips.
 * Any other id with the address: at another address, `7` is another business.
 */
export const journalBusinessId = (id: string, baseUrl: string | null): string =>
  RANDOM_ID.test(id) ? id : `${id} ${String(baseUrl)}`

/** The owners of training mode and of the connected business. */
export class DataOwners {
  readonly #settings: Pick<Settings, 'values'>
  readonly #training: DataOwner = { number: 0 }
  #business: DataOwner = { number: 1 }
  /** whose the business's data is: its address, and its id once that is known */
  #owned: { readonly baseUrl: string | null; readonly businessId: string | null }

  constructor(settings: Pick<Settings, 'values'>) {
    this.#settings = settings
    this.#owned = this.#inSettings
  }

  /** Returns the owner in a mode. */
  in(mode: Mode): DataOwner {
    return mode === 'training' ? this.#training : this.#business
  }

  /**
   * Takes another owner if the settings name another business. A profile that was not read yet is of the same one, unless the
   * connection is another. Returns whether the owner is another.
   */
  update(isConnected: boolean): boolean {
    const before = this.#owned
    const now = this.#inSettings
    this.#owned = now
    const isFirst = !isConnected && before.businessId === null
    const isSame =
      before.baseUrl === now.baseUrl && before.businessId === now.businessId && now.businessId !== null
    if (isFirst || isSame) return false
    this.#business = { number: this.#business.number + 1 }
    return true
  }

  get #inSettings() {
    const { baseUrl, business } = this.#settings.values
    return { baseUrl, businessId: business?.id ?? null }
  }
}
