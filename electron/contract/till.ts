/** What the page knows about this till: where it is connected, how it is set, what it issued. Never the token. */
import * as v from 'valibot'
import type { Failure } from './failure.ts'
import type { Language } from './language.ts'
import { customerSchema, type Account } from './loyalty.ts'
import { MAX_COPIES, type TillSettings } from './settings.ts'
import type { StaffState } from './staff.ts'
import type { UpdateState } from './updates.ts'

/** Where the till is: not set up yet, training without value, or serving a business. */
export type Mode = 'onboarding' | 'training' | 'business'

/** Something the till wants known without being asked; shown until dismissed. */
export type Notice =
  /** The settings could not be read; the old file was kept under `file`, and the defaults hold. */
  | { readonly kind: 'settings-set-aside'; readonly file: string }
  /** Some settings could not be read and have their defaults; the file as it was is kept under `file`. */
  | { readonly kind: 'settings-partly-read'; readonly file: string }
  /** The settings folder cannot be written: the till runs, and forgets changes when it closes. */
  | { readonly kind: 'settings-not-saved' }
  /** The journal was damaged; it was kept under `file`, and a new one began. `backup`: the newest one's path. */
  | { readonly kind: 'journal-set-aside'; readonly file: string; readonly backup: string | null }
  /** The journal cannot be written: no points can be issued. */
  | { readonly kind: 'journal-not-saved' }
  /** The stored token cannot be decrypted here (another user, another machine): connect again. */
  | { readonly kind: 'token-unreadable' }
  /** A token from the environment was used and not stored, since the system offers no encryption. */
  | { readonly kind: 'token-not-kept' }
  /** What the environment asked for at the first start could not be used. */
  | { readonly kind: 'provisioning-failed'; readonly failure: Failure }

/** Longest text of a field of the counter that is kept through a crash of the page. */
export const MAX_TYPED_LENGTH = 500

/** The connected business. `logo` is a path of the till's own pictures, never a remote address. */
export type Business = Account

/** All that the page shows around the work itself. Sent whole, whenever any of it changes. */
export interface TillState {
  readonly mode: Mode
  /** false after a 401: the service no longer accepts this till */
  readonly accepted: boolean
  /** base address of the connected service; null outside a business */
  readonly baseUrl: string | null
  /** null until the profile was read once */
  readonly business: Business | null
  readonly settings: TillSettings
  readonly staff: StaffState
  /** the language of the screen now */
  readonly language: Language
  /** the language of the slips now */
  readonly slipLanguage: Language
  /** the country that phones are read with now, and whose way of writing numbers and dates the till follows */
  readonly country: string
  /** since when the service has not answered, ISO 8601, UTC; null while it answers, or was not asked */
  readonly offlineSince: string | null
  /** whether customers see their display now: it is turned on, and its screen is there */
  readonly customerDisplayOpen: boolean
  readonly notices: readonly Notice[]
  /** folder that slips are written to */
  readonly slipsFolder: string
  readonly version: string
  /** how far an update of the till has come */
  readonly update: UpdateState
}

/* from draft.ts: What stands on the counter and is not issued yet. Main keeps it in memory, so that a page that crashes loses nothing. */

/** Longest customer that is kept, as JSON; one of the service's has some hundred characters. */
const LONGEST_CUSTOMER = 20_000

const typed = v.pipe(v.string(), v.maxLength(MAX_TYPED_LENGTH))

export const checkoutDraftSchema = v.strictObject({
  /** of the form as it stands: the same press, also after a crash */
  intentId: v.pipe(v.string(), v.uuid()),
  /** whether Print slip was pressed for this intent, and what came of it is not settled yet */
  pressed: v.boolean(),
  customer: v.nullable(
    v.pipe(
      customerSchema,
      v.check((customer) => JSON.stringify(customer).length <= LONGEST_CUSTOMER)
    )
  ),
  /** as typed */
  points: typed,
  /** the bill as typed, where points follow from one */
  bill: typed,
  copies: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES))),
  /** what is looked for, as typed */
  search: typed,
  /** the form for a new customer, as typed; null while it is closed */
  registration: v.nullable(v.strictObject({ name: typed, phone: typed }))
})
/** The counter as the cashier left it. */
export type CheckoutDraft = Readonly<v.InferOutput<typeof checkoutDraftSchema>>
