/** The business that the till serves: what its slips show, and the requests to its service. */
import { createHash } from 'node:crypto'
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import type { SlipExpiry } from '../../contract/earning-rules.ts'
import { err, type Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import { localeOf } from '../../contract/language.ts'
import type { SlipSettings } from '../../contract/settings.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import type { Images } from '../images/images.ts'
import type { BusinessSnapshot, Scope } from '../journal/rows.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { Languages, Settings } from '../settings/index.ts'
import type { Session } from './session.ts'
import type { ShopRules } from './shop-rules.ts'

/** A business, with the till's settings for its slips. */
export interface SlipBusiness {
  /** `Session.journalBusinessId` */
  readonly id: string
  readonly name: string
  readonly address: Account['address']
  /** as the service returns it; may be empty or unknown to this system */
  readonly timeZone: string
  readonly training: boolean
  /** what its service offers beside the interface document */
  readonly extensions: Account['extensions']
  /** BCP 47, for numbers and dates on the slip */
  readonly locale: string
  readonly slip: SlipSettings
  /** when points end that are earned now; null: they do not, or slips do not say so */
  readonly expiry: SlipExpiry | null
  /** where new customers join */
  readonly getStartedLink: Account['getStartedLink']
  /** the bytes of its logo; null: none, or not loaded yet */
  readonly logo: Uint8Array | null
}

/** Hashes by image: a till issues with the same logo all day. */
const hashes = new WeakMap<Uint8Array, string>()

/** Returns the key of a logo: the SHA-256 of its bytes. */
function logoHash(image: Uint8Array): string {
  const known = hashes.get(image)
  if (known !== undefined) return known
  const hash = createHash('sha256').update(image).digest('hex')
  hashes.set(image, hash)
  return hash
}

/** Returns the scope of the business's slips in the journal. */
export const scopeOf = ({ id, training }: SlipBusiness): Scope => ({ training, businessId: id })

/**
 * Returns what a slip issued now shows of the business, and of what the customer's balance buys. A time zone that this system does not know is replaced by its
 * own, once: a later change of the system's time zone changes no slip.
 */
export const snapshotOf = (
  business: SlipBusiness,
  affordable: AffordableRewards | null = null
): BusinessSnapshot => {
  const { name, address, timeZone, locale, slip, expiry, getStartedLink, logo } = business
  return {
    name,
    address,
    timeZone: isTimeZone(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale,
    headline: slip.headline,
    footer: slip.footer,
    tillName: slip.tillName,
    customerName: slip.customerName,
    affordable: slip.rewards ? affordable : null,
    expiry,
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? logoHash(logo) : null
  }
}

/** The requests that are sent for a business, and not for whichever is connected. */
export type BusinessClient = Pick<
  LoyaltyClient,
  | 'createQr'
  | 'issueCode'
  | 'collections'
  | 'redeem'
  | 'reverseRedemption'
  | 'credit'
  | 'reverseCredit'
  | 'takeBack'
  | 'forgetCashier'
  | 'offlineKey'
  | 'reportOfflineCodes'
>

/** What tells one business, or training mode, from another. */
export type BusinessId = Pick<SlipBusiness, 'id' | 'training'>

export interface CurrentBusinessDependencies {
  readonly session: Session
  readonly settings: Pick<Settings, 'values'>
  readonly shopRules: Pick<ShopRules, 'expiry'>
  readonly images: Pick<Images, 'getStored'>
  readonly languages: Languages
  readonly country: ShopCountry
}

export class CurrentBusiness {
  readonly #dependencies: CurrentBusinessDependencies

  constructor(dependencies: CurrentBusinessDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the business; null: nothing can be issued yet. */
  current(): SlipBusiness | null {
    const { session, settings, images } = this.#dependencies
    const { business, journalBusinessId, mode } = session
    return (
      business && {
        ...business,
        id: journalBusinessId ?? business.id,
        training: mode === 'training',
        locale: this.slipLocale(),
        slip: settings.values.slip,
        expiry: this.#slipExpiry(),
        logo: business.logo === null ? null : images.getStored(business.logo)
      }
    )
  }

  #slipExpiry(): SlipExpiry | null {
    const { expiry } = this.#dependencies.shopRules
    return expiry?.onSlips === true ? { months: expiry.months, since: expiry.since } : null
  }

  /** Returns the id of the connected business, also during training; null: none is known. */
  connectedId(): string | null {
    return this.#dependencies.session.connectedBusinessId
  }

  /** Returns the locale of slips issued now, BCP 47. */
  slipLocale(): string {
    const { languages, country } = this.#dependencies
    return localeOf(languages.slip, country.code)
  }

  /** Returns whether the till serves this business now. */
  isServed({ id, training }: BusinessId): boolean {
    const { session } = this.#dependencies
    return session.journalBusinessId === id && (session.mode === 'training') === training
  }

  /** Returns whether the service was reachable lately. */
  isReachable(): boolean {
    const { session } = this.#dependencies
    return session.accepted && session.offlineSince === null
  }

  /**
   * Sends a request of the interface document for a business. `not-connected` when the till serves another one meanwhile: the
   * slips of a batch wait for the disk before their requests.
   */
  async ask<Value>(
    business: BusinessId,
    request: (client: BusinessClient) => Promise<Result<Value>>
  ): Promise<Result<Value>> {
    return this.isServed(business) ? this.#dependencies.session.ask(request) : err({ kind: 'not-connected' })
  }

  /** As `ask`, for a request that the interface document does not have. */
  async askExtension<Value>(
    business: BusinessId,
    request: (client: BusinessClient) => Promise<Result<Value>>
  ): Promise<Result<Value>> {
    return this.isServed(business)
      ? this.#dependencies.session.askExtension(request)
      : err({ kind: 'not-connected' })
  }
}
