/**
 * The view and the bridge of the customer display. Strangers can read the display, so a view holds no e-mail, no family name,
 * and no phone but the one that is being typed there. Main parses each view with these schemas before it is sent, and drops
 * everything else.
 */
import * as v from 'valibot'
import { affordableRewardsSchema } from './affordable-rewards.ts'
import { displayedStandingSchema } from './earning-rules.ts'
import { LANGUAGES } from './language.ts'

/** The maximum length of a first name, in UTF-16 code units. */
export const MAX_FIRST_NAME_LENGTH = 32

/** The longest name of a reward on the display, in UTF-16 code units: that of a list's row. */
const MAX_REWARD_LENGTH = 500

/** The longest formatted phone on the display. */
const MAX_PHONE_TEXT_LENGTH = 40

/** The keys of the number pad on which the customer types a phone: all that the display's page can send of it. */
export const phoneKeySchema = v.picklist([
  ...(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+'] as const),
  ...(['delete', 'done', 'cancel'] as const)
])
export type PhoneKey = v.InferOutput<typeof phoneKeySchema>

/** Why the customer does not type any more. */
export type PhoneEntryEnd =
  /** the customer pressed Done: the phone is complete */
  | 'done'
  /** the customer pressed Cancel */
  | 'cancelled'
  /** no key was pressed for some time */
  | 'timed-out'
  /** the display was closed, or has no touch any more */
  | 'closed'
  /** the display shows a customer, a slip or a redemption */
  | 'replaced'
  /** by the till: its form was closed, it was locked, or it serves another business */
  | 'stopped'

/** The phone that the customer types on the display, formatted, with its country code. */
export interface TypedPhone {
  readonly text: string
  /** null: the customer is typing */
  readonly end: PhoneEntryEnd | null
}

/** How long the numbers of the screens are shown, after Identify displays. */
export const NUMBERS_DISPLAY_MS = 5000

/** Letters in one word, joined by hyphens or apostrophes: no digits, no `@`, no dots, no spaces. */
const FIRST_NAME = /^\p{L}[\p{L}\p{M}]*(?:[-'’‐][\p{L}\p{M}]+)*(?: \p{L}[\p{L}\p{M}]*)?$/u

/** The name that a customer is greeted with. Only this schema creates one. */
export const firstNameSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_FIRST_NAME_LENGTH),
  v.regex(FIRST_NAME),
  v.brand('FirstName')
)
export type FirstName = v.InferOutput<typeof firstNameSchema>

const points = v.pipe(v.number(), v.finite())

/** Dark modules as one path, as `QrDrawing` of `till.ts` has them. */
const drawing = v.object({
  size: v.pipe(v.number(), v.integer(), v.minValue(21), v.maxValue(177)),
  path: v.pipe(v.string(), v.regex(/^[Mhvz0-9 -]*$/u))
})

/** null: not known */
const affordable = v.nullable(affordableRewardsSchema)

/** The content of the display. */
const showsSchema = v.variant('kind', [
  /** no customer is selected */
  v.object({
    kind: v.literal('idle'),
    /** empty while the profile was not read */
    businessName: v.string(),
    /** a path of the till's own pictures */
    logo: v.nullable(v.string()),
    /** QR code for new customers; null if the business has no such link */
    joinUs: v.nullable(drawing)
  }),
  /** a customer is selected */
  v.object({
    kind: v.literal('serving'),
    /** null: no first name could be derived */
    firstName: v.nullable(firstNameSchema),
    /** null: the service did not send it, and the display shows none */
    balance: v.nullable(points),
    /** null: not known */
    standing: v.nullable(displayedStandingSchema),
    affordable
  }),
  /** points were issued */
  v.object({
    kind: v.literal('points-issued'),
    firstName: v.nullable(firstNameSchema),
    points,
    /** null: the code was printed only */
    qr: v.nullable(drawing),
    /** once the points are collected */
    affordable,
    /** remaining display time */
    seconds: v.pipe(v.number(), v.integer(), v.minValue(0))
  }),
  /** a reward was redeemed */
  v.object({
    kind: v.literal('redeemed'),
    firstName: v.nullable(firstNameSchema),
    reward: v.pipe(v.string(), v.maxLength(MAX_REWARD_LENGTH)),
    /** points that it cost */
    cost: points,
    /** points afterwards; null: not known */
    balance: v.nullable(points),
    /** remaining display time */
    seconds: v.pipe(v.number(), v.integer(), v.minValue(0))
  }),
  /** points were credited, without a code */
  v.object({
    kind: v.literal('credited'),
    firstName: v.nullable(firstNameSchema),
    points,
    /** points before and afterwards; null: not known */
    balanceBefore: v.nullable(points),
    balance: v.nullable(points),
    /** remaining display time */
    seconds: v.pipe(v.number(), v.integer(), v.minValue(0))
  }),
  /** the customer types a phone */
  v.object({
    kind: v.literal('phone-entry'),
    businessName: v.string(),
    /** the country code that is assumed; empty if it was typed */
    prefix: v.pipe(v.string(), v.regex(/^(?:\+\d{1,3})?$/u)),
    /** as it is typed, formatted */
    text: v.pipe(v.string(), v.maxLength(MAX_PHONE_TEXT_LENGTH)),
    /** whether Done was pressed and this cannot be a phone */
    isInvalid: v.boolean()
  }),
  /** the number of this screen, while the settings identify the screens */
  v.object({ kind: v.literal('screen-number'), number: v.pipe(v.number(), v.integer(), v.minValue(1)) })
])
export type CustomerDisplayShows = v.InferOutput<typeof showsSchema>

/** The whole view, sent whenever a part of it changes. */
export const customerDisplayViewSchema = v.object({
  shows: showsSchema,
  /** marks codes of training mode, which have no value */
  training: v.boolean(),
  /** the language of the slips: what customers read */
  language: v.picklist(LANGUAGES),
  direction: v.picklist(['ltr', 'rtl']),
  /** BCP 47, for the numbers */
  locale: v.string(),
  contrast: v.picklist(['system', 'more']),
  /** `#rrggbb`; null: the till's own */
  accent: v.nullable(v.string())
})
export type CustomerDisplayView = v.InferOutput<typeof customerDisplayViewSchema>

/** A screen of this machine, for the settings. */
export interface CustomerScreen {
  /** assigned by the operating system; stable when the screen is unplugged and connected again */
  readonly id: number
  /** the screen's own name, or empty */
  readonly label: string
  /** from 1: what *Show me which* shows on it */
  readonly number: number
  /** in device-independent pixels */
  readonly width: number
  readonly height: number
  readonly primary: boolean
  /** the till's own window is there: the customer display would cover it */
  readonly tillIsHere: boolean
}

/** The bridge of the customer display's page. */
export interface CustomerDisplayBridge {
  view(): Promise<CustomerDisplayView>
  /** Adds a listener for new views; returns a function that removes it. */
  onView(listener: (view: CustomerDisplayView) => void): () => void
  /** Tells main whether customers can touch the display. */
  reportTouch(hasTouch: boolean): Promise<void>
  /** Presses a key of the number pad. Main ignores it unless the till asked for a phone. */
  pressKey(key: PhoneKey): Promise<void>
}

/** The name of that bridge on the page's `window`. */
export const CUSTOMER_DISPLAY_BRIDGE_NAME = 'customerDisplay'

/** Its IPC channels. */
export const CUSTOMER_DISPLAY_CHANNELS = {
  view: 'customer-display.view',
  viewChanged: 'customer-display.view-changed',
  touch: 'customer-display.touch',
  key: 'customer-display.key'
} as const
