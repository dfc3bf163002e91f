/** What the page knows about this till: where it is connected, how it is set, what it issued. Never the token. */
import type { Failure } from './failure.ts'
import type { Language } from './language.ts'
import type { Account, Customer, QrCode } from './loyalty.ts'
import type { PrintDestination } from './printing.ts'
import type { TillSettings } from './settings.ts'
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

/** Most papers of one slip that are printed at once. */
export const MAXIMUM_COPIES = 5

/** Longest text of a field of the counter that is kept through a crash of the page. */
export const LONGEST_TYPED = 500

/** How a slip reaches the customer: on paper, on the customer display, or on both. */
export const HANDING_OVER = ['print', 'show', 'both'] as const
export type HandingOver = (typeof HANDING_OVER)[number]

/** Longest time without a touch or a key before the till locks, in minutes. */
export const LONGEST_IDLE_MINUTES = 240

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

/** A phone as the till understands it. */
export interface Phone {
  /** international format with a leading plus sign and no spaces: what is sent */
  readonly e164: string
  /** the same, spaced for reading */
  readonly display: string
}

/** What `Find customer` found. */
export type Found =
  | {
      readonly kind: 'customers'
      readonly customers: readonly Customer[]
      readonly page: number
      readonly hasMore: boolean
      /** set when the text reads as a phone: what a registration would use */
      readonly phone: Phone | null
    }
  | { readonly kind: 'code'; readonly code: CheckedCode }

/** A points code as the service and this till's journal know it. */
export interface CheckedCode {
  readonly code: string
  /** null when the service did not answer: only what this till's journal knows is told then */
  readonly qr: QrCode | null
  /** the service says so by a date or by its status; null when neither tells, and when it did not answer */
  readonly used: boolean | null
  /** this till's own slip for it, if it issued it */
  readonly slip: Slip | null
}

/** A slip's life; see the diagram in electron/main/slips/README.md. */
export const SLIP_STATES = [
  'requested',
  'issued',
  'printing',
  'printed',
  'print-failed',
  'unknown',
  'refused',
  /** its code stands, or stood, on the customer display; no paper was asked for */
  'shown',
  /** a person says that the customer has it, whatever the printer said */
  'given',
  /** a person put it away, with a reason: nobody will print it */
  'discarded'
] as const
export type SlipState = (typeof SLIP_STATES)[number]

/** One row of the journal, as the page sees it. */
export interface Slip {
  /** made by the page when the form opens; one intent is issued at most once */
  readonly intentId: string
  readonly state: SlipState
  /** grows by one with each change of the row: of two versions of a slip, the higher one is the newer */
  readonly revision: number
  readonly points: number
  readonly customer: { readonly id: string; readonly name: string } | null
  /** who served when the points were asked for, with the name of the time; null: nobody was chosen */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** null until the service has answered */
  readonly code: string | null
  readonly url: string | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
  readonly issuedAt: string | null
  readonly printedAt: string | null
  /** when its code came on the customer display; null where it never did */
  readonly shownAt: string | null
  /** the PDF's path; null until it was written */
  readonly file: string | null
  /** where its paper went, or was to go, at the last try; null before the first */
  readonly destination: PrintDestination | null
  /** why it was refused, is unknown or did not print; kept when a person marks it as given or discards it */
  readonly failure: Failure | null
  /** when and why a person marked it as given or discarded it */
  readonly ending: { readonly at: string; readonly note: string } | null
  /** papers asked for beside the first one, each marked COPY with its number */
  readonly copies: number
  /** the newest of them */
  readonly lastCopy: Copy | null
  /** the batch it is part of, and its place there, from 1 */
  readonly batch: { readonly batchId: string; readonly position: number } | null
  readonly training: boolean
}

/** A paper marked COPY. */
export interface Copy {
  /** 1 is the first copy of the first paper */
  readonly number: number
  readonly state: 'printing' | 'printed' | 'print-failed'
  /** when it was asked for; ISO 8601, UTC */
  readonly startedAt: string
  readonly failure: Failure | null
}

/** A QR code ready to draw: dark modules as one SVG path in a square of `size` modules, quiet zone excluded. */
export interface QrDrawing {
  readonly size: number
  readonly path: string
}

/** What `Print slip` came to: the journal row, and the drawing of its code when it has one. */
export interface IssuedSlip {
  readonly slip: Slip
  readonly qr: QrDrawing | null
}
