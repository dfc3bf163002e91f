/**
 * What the parts of the slip service share: the business that the till serves (what its slips show, and its service), and their
 * context.
 */
import { createHash } from 'node:crypto'
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { err, type Result } from '../../contract/failure.ts'
import type {
  Account,
  CollectionPage,
  NewQrCode,
  RedeemedAnswer,
  ReversedAnswer
} from '../../contract/loyalty.ts'
import { localeOf } from '../../contract/language.ts'
import type { SlipSettings } from '../../contract/settings.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import type { Batch, Slip } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import type { Images } from '../images/images.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Session } from '../session/session.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { ShopCountry } from '../loyalty/country.ts'
import type { Settings, Languages } from '../settings/index.ts'
import type { Staff } from '../staff/staff.ts'
import type { Journal, UnwrittenChanges } from './journal/journal.ts'
import type { BusinessSnapshot, JournalListener, Scope } from './journal/rows.ts'

/** A business, with the till's settings for its slips. */
export interface SlipBusiness {
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
  const { name, address, timeZone, locale, slip, getStartedLink, logo } = business
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
    joinUrl: slip.joinUs ? getStartedLink : null,
    logo: slip.logo && logo !== null ? logoHash(logo) : null
  }
}

/** Implemented by `ServedBusiness`. */
export interface BusinessSource {
  /** Returns the business; null: nothing can be issued yet. */
  current(): SlipBusiness | null
  /** Returns the locale of slips issued now, BCP 47. */
  slipLocale(): string
  /** Returns the language of the screen, BCP 47, which exports have, too. */
  language(): string
  /** Returns who serves; null: no cashier is known. */
  cashier(): Slip['cashier']
  /** Returns what the balance of a customer buys once these points are collected; null when that is not known. */
  affordable(customerId: string, points: number): AffordableRewards | null
  /**
   * `POST /qr` for the business of a slip; never repeated: the service cannot recognise a repeated request. `not-connected`
   * when the till serves another business meanwhile: the slips of a batch wait for the disk before their requests.
   */
  createQr(points: number, business: Pick<SlipBusiness, 'id' | 'training'>): Promise<Result<NewQrCode>>
  /** Returns whether the service tells which codes were collected. */
  tellsCollections(): boolean
  /** Reads a page of the collected codes of a business; `not-connected` unless it is served and was reachable. */
  readCollections(
    since: string,
    business: Pick<SlipBusiness, 'id' | 'training'>,
    signal: AbortSignal
  ): Promise<Result<CollectionPage>>
  /** Returns whether the till serves this business now. */
  isServed(business: Pick<SlipBusiness, 'id' | 'training'>): boolean
  /** `POST /ext/redemptions` for a business, as `LoyaltyClient.redeem`; `not-connected` when the till serves another one. */
  redeem(
    key: string,
    asked: { readonly customer: string; readonly reward: string; readonly cost: number },
    business: Pick<SlipBusiness, 'id' | 'training'>
  ): Promise<Result<RedeemedAnswer>>
  /** `POST /ext/redemptions/{id}/reversal`, as `redeem`. */
  reverseRedemption(
    key: string,
    asked: { readonly redemption: string; readonly reason: string },
    business: Pick<SlipBusiness, 'id' | 'training'>
  ): Promise<Result<ReversedAnswer>>
  /** Corrects the points of a customer in the memory of the till; null: not known. */
  setBalance(customerId: string, balance: number | null): void
}

/** Hears what happens to slips: every changed row, after the change is on disk. Implemented by `SlipServices`. */
export interface SlipListener extends Pick<JournalListener, 'rowChanged' | 'redemptionChanged'> {
  /** Receives every changed batch of the served business, after the change is on disk; its progress at most every 100 ms. */
  batchChanged(batch: Batch): void
  /** Receives how far the till's clock is ahead of the service with each code, as `clockDifference` returns it. */
  clockCompared(differenceMs: number): void
  /** Every code that was collected is in the journal now. */
  collectionsRead(): void
  /** The journal turned out to be damaged while it is open; the next start replaces it. */
  journalDamaged(): void
}

/** Each part takes it, with what it needs besides. */
export interface SlipContext {
  readonly journal: Journal
  /** keeps the outcomes that the disk did not take: the next call with their intent calls no service */
  readonly unwritten: UnwrittenChanges
  readonly business: BusinessSource
  readonly settings: Pick<Settings, 'values'>
  readonly listener: SlipListener
  readonly now: () => Date
  readonly log: Logger
}

export interface ServedBusinessDependencies {
  readonly session: Session
  readonly settings: Pick<Settings, 'values'>
  readonly staff: Pick<Staff, 'state'>
  readonly images: Pick<Images, 'getStored'>
  readonly catalogue: Pick<RewardCatalogue, 'affordable'>
  readonly recent: Pick<RecentCustomers, 'balanceOf' | 'setBalance'>
  readonly languages: Languages
  readonly country: ShopCountry
}

export class ServedBusiness implements BusinessSource {
  readonly #dependencies: ServedBusinessDependencies

  constructor(dependencies: ServedBusinessDependencies) {
    this.#dependencies = dependencies
  }

  current(): SlipBusiness | null {
    const { session, settings, images } = this.#dependencies
    const { business, mode } = session
    return (
      business && {
        ...business,
        training: mode === 'training',
        locale: this.slipLocale(),
        slip: settings.values.slip,
        logo: business.logo === null ? null : images.getStored(business.logo)
      }
    )
  }

  slipLocale(): string {
    const { languages, country } = this.#dependencies
    return localeOf(languages.slip, country.code)
  }

  language(): string {
    return this.#dependencies.languages.screen
  }

  cashier(): Slip['cashier'] {
    return this.#dependencies.staff.state.cashier
  }

  affordable(customerId: string, points: number): AffordableRewards | null {
    const { recent, catalogue } = this.#dependencies
    const balance = recent.balanceOf(customerId)
    return balance === null ? null : catalogue.affordable(balance + points)
  }

  isServed({ id, training }: Pick<SlipBusiness, 'id' | 'training'>): boolean {
    const { session } = this.#dependencies
    return session.business?.id === id && (session.mode === 'training') === training
  }

  async createQr(
    points: number,
    business: Pick<SlipBusiness, 'id' | 'training'>
  ): Promise<Result<NewQrCode>> {
    const { session } = this.#dependencies
    return this.isServed(business)
      ? session.ask((client) => client.createQr(points))
      : err({ kind: 'not-connected' })
  }

  async redeem(
    key: string,
    asked: { readonly customer: string; readonly reward: string; readonly cost: number },
    business: Pick<SlipBusiness, 'id' | 'training'>
  ): Promise<Result<RedeemedAnswer>> {
    return this.#askExtension(business, (client) => client.redeem(key, asked))
  }

  async reverseRedemption(
    key: string,
    asked: { readonly redemption: string; readonly reason: string },
    business: Pick<SlipBusiness, 'id' | 'training'>
  ): Promise<Result<ReversedAnswer>> {
    return this.#askExtension(business, (client) => client.reverseRedemption(key, asked))
  }

  setBalance(customerId: string, balance: number | null): void {
    this.#dependencies.recent.setBalance(customerId, balance)
  }

  tellsCollections(): boolean {
    return this.#dependencies.session.business?.extensions.includes('collections/1') ?? false
  }

  async readCollections(
    since: string,
    business: Pick<SlipBusiness, 'id' | 'training'>,
    signal: AbortSignal
  ): Promise<Result<CollectionPage>> {
    const { session } = this.#dependencies
    const isReachable = session.accepted && session.offlineSince === null
    return isReachable
      ? this.#askExtension(business, (client) => client.collections(since, signal))
      : err({ kind: 'not-connected' })
  }

  async #askExtension<Value>(
    business: Pick<SlipBusiness, 'id' | 'training'>,
    question: (client: LoyaltyClient) => Promise<Result<Value>>
  ): Promise<Result<Value>> {
    return this.isServed(business)
      ? this.#dependencies.session.askExtension(question)
      : err({ kind: 'not-connected' })
  }
}
