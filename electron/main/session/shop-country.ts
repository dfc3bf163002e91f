/** The country of the shop, for phones without a country code and for numbers on slips. */
import { resolveCountry } from '../loyalty/country.ts'
import type { Settings } from '../settings/index.ts'
import type { Session } from './session.ts'

/** What the operating system knows of the country. */
export interface SystemRegion {
  /** ISO 3166-1 alpha-2; empty if unknown */
  readonly country: string
  /** a BCP 47 tag */
  readonly locale: string
}

export class ShopCountry {
  readonly #settings: Pick<Settings, 'values'>
  readonly #session: Pick<Session, 'business'>
  readonly #system: SystemRegion

  constructor(settings: Pick<Settings, 'values'>, session: Pick<Session, 'business'>, system: SystemRegion) {
    this.#settings = settings
    this.#session = session
    this.#system = system
  }

  /** ISO 3166-1 alpha-2: the chosen country, that of the business, or that of the system. */
  get code(): string {
    const { business } = this.#session
    return resolveCountry({
      setting: this.#settings.values.country,
      accountCountry: business?.address.country ?? null,
      accountTimeZone: business?.timeZone ?? null,
      systemCountry: this.#system.country,
      systemLocale: this.#system.locale
    })
  }
}
