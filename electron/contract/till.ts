/** The state of the till that is sent to the page, without the token, and the draft of the checkout. */
import * as v from 'valibot'
import { type BillLinkFault, linkedBillSchema, type LocalInterfaceState } from './local-interface.ts'
import type { Expiry } from './earning-rules.ts'
import type { Failure } from './failure.ts'
import type { Language } from './language.ts'
import { customerSchema, type Account } from './loyalty.ts'
import type { EarningRule } from './points-calculation.ts'
import type { OfflineSlips } from './offline.ts'
import { MAX_COPIES, type ManagedTill, type TillSettings } from './settings.ts'
import type { HinderedPrint } from './slips.ts'
import type { StaffState } from './staff.ts'
import type { UpdateState } from './updates.ts'

/** Not set up yet, training mode, or connected to a business. */
export type Mode = 'onboarding' | 'training' | 'business'

/** A message of the till, shown until it is dismissed. */
export type Notice =
  /** The settings could not be read; the old file is kept as `file`, and the defaults apply. */
  | { readonly kind: 'settings-quarantined'; readonly file: string }
  /** Some settings could not be read and have their defaults; the old file is kept as `file`. */
  | { readonly kind: 'settings-partly-read'; readonly file: string }
  /** The settings folder cannot be written: changes last until the till closes. */
  | { readonly kind: 'settings-not-saved' }
  /** The journal was damaged: it is kept as `file`, and a new one was created. `backup`: path of the newest backup. */
  | { readonly kind: 'journal-quarantined'; readonly file: string; readonly backup: string | null }
  /** The journal was missing, and a new one was created. `backup`: path of the newest backup. */
  | { readonly kind: 'journal-missing'; readonly backup: string }
  /** The journal cannot be written: no points can be issued. */
  | { readonly kind: 'journal-not-saved' }
  /** Damage was found in the journal while it is open: the next start replaces it. */
  | { readonly kind: 'journal-damaged' }
  /** Another till has the journal of this folder open: no points can be issued. */
  | { readonly kind: 'journal-in-use' }
  /** The system asks for the password of its keyring: the till connects when it has decrypted the token. */
  | { readonly kind: 'keyring-locked' }
  /** The stored token cannot be decrypted here (another user, another machine): connect again. */
  | { readonly kind: 'token-unreadable' }
  /** A token from the environment was used and not stored, since the system offers no encryption. */
  | { readonly kind: 'token-not-kept' }
  /** The till's clock differs from the service's by so many minutes; negative: it is behind. */
  | { readonly kind: 'clock-differs'; readonly minutesAhead: number }
  /** What the shop's time zone (IANA) is ahead of UTC now, such as `+02:00`, differs from what the service says. */
  | {
      readonly kind: 'time-zone-differs'
      readonly timeZone: string
      readonly tillOffset: string
      readonly serviceOffset: string
    }
  /** A bill link of another program was refused. */
  | { readonly kind: 'bill-link-refused'; readonly fault: BillLinkFault }
  /** A bill that waited was replaced by a newer one; its reference, or null. */
  | { readonly kind: 'bill-replaced'; readonly reference: string | null }
  /**
   * The policy in `file` is not used: its owner is not the administrator, or others may write it. Or it cannot be read: what
   * was in force before still is, unless it is no file.
   */
  | {
      readonly kind: 'policy-ignored'
      readonly file: string
      readonly reason: 'owner' | 'writable' | 'unreadable'
    }
  /** The policy in `file` is incomplete or no valid text from this line on: what was in force before still is. */
  | { readonly kind: 'policy-broken'; readonly file: string; readonly line: number }
  /** Values of a policy do not count: the first one, with its line where there are lines. */
  | {
      readonly kind: 'policy-mistakes'
      readonly file: string
      readonly name: string
      readonly line: number | null
    }
  /** The connection from the environment or the policy was invalid. */
  | { readonly kind: 'provisioning-failed'; readonly failure: Failure }

/** The maximum length of a text in the draft of the checkout. */
export const MAX_TYPED_LENGTH = 500

/** The connected business. `logo` is a path of the till's own origin, never a remote URL. */
export type Business = Account

/** What differs between the systems that a till runs on. */
export interface SystemSupport {
  /** whether each screen lock of the system also locks the till; false: only that of the common desktops of Linux */
  readonly everyScreenLock: boolean
  /** whether the customer display can be placed on another screen; false: a native Wayland session */
  readonly customerDisplay: boolean
}

/** The state that every screen depends on. Sent whole, whenever a part of it changes. */
export interface TillState {
  readonly mode: Mode
  /**
   * another number for another mode, address or business: everything that was loaded or typed before belongs to the previous
   * one. The first read of a profile does not change it.
   */
  readonly owner: number
  /** false after a 401: the service no longer accepts this till */
  readonly accepted: boolean
  /** base URL of the connected service, or null */
  readonly baseUrl: string | null
  /** null until the profile was read once */
  readonly business: Business | null
  /** whether the service has refused to register a customer without a name */
  readonly isNameRequired: boolean
  readonly settings: TillSettings
  /** what a policy manages; null without one */
  readonly managed: ManagedTill | null
  readonly staff: StaffState
  /** of the screen */
  readonly language: Language
  /** of slips */
  readonly slipLanguage: Language
  /** ISO 3166-1 alpha-2; for phone numbers, and for the format of numbers and dates */
  readonly country: string
  /** since when the service is unreachable, ISO 8601, UTC; null while it is reachable */
  readonly offlineSince: string | null
  /** what can be issued meanwhile; null while it is reachable, and where the service does not offer it */
  readonly offlineSlips: OfflineSlips | null
  /** what bills earn with now by the shop's rules; null: it has none, and the points rule of the settings holds */
  readonly shopRule: EarningRule | null
  /** when points end that are earned now; null: they do not, or the shop has no rules */
  readonly pointsExpiry: Expiry | null
  /** whether the customer display is open */
  readonly customerDisplayOpen: boolean
  /** whether customers can type on it */
  readonly customerDisplayTouch: boolean
  /** whether a bill of another program waits; see `bridge.billLinks` */
  readonly billWaiting: boolean
  readonly system: SystemSupport
  readonly notices: readonly Notice[]
  /** the folder that slips are saved to */
  readonly slipsFolder: string
  readonly version: string
  /** the progress of an update */
  readonly update: UpdateState
  readonly localInterface: LocalInterfaceState
  /**
   * when the till last knew all codes that were collected, ISO 8601, UTC; null: the service does not tell them, or they were
   * not read yet
   */
  readonly collectionsAsOf: string | null
  /** the running print job while something delays it; null: nothing does */
  readonly hinderedPrint: HinderedPrint | null
}

/** The maximum length of a customer as JSON; a typical one has a few hundred characters. */
const MAX_CUSTOMER_LENGTH = 20_000

const typed = v.pipe(v.string(), v.maxLength(MAX_TYPED_LENGTH))

export const checkoutDraftSchema = v.strictObject({
  /** of the form, so that a reloaded page repeats the same intent */
  intentId: v.pipe(v.string(), v.uuid()),
  /** whether Print slip was pressed for this intent, and its result is pending */
  pressed: v.boolean(),
  /** how the points reach the customer; of the request, while it is pending */
  way: v.picklist(['credit', 'slip']),
  customer: v.nullable(
    v.pipe(
      customerSchema,
      v.check((customer) => JSON.stringify(customer).length <= MAX_CUSTOMER_LENGTH)
    )
  ),
  /** as typed */
  points: typed,
  /** the amount of the bill as typed, with a points rule */
  bill: typed,
  copies: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES))),
  /** the bill of another program that the form was filled in from */
  linkedBill: v.nullable(linkedBillSchema),
  /** the search text as typed */
  search: typed,
  /** the registration form as typed; null while it is closed */
  registration: v.nullable(v.strictObject({ name: typed, phone: typed }))
})
/** The unsubmitted input of the checkout, which main keeps in memory for a page that crashes. */
export type CheckoutDraft = Readonly<v.InferOutput<typeof checkoutDraftSchema>>
