/**
 * The customer display: what the second window is told (`customer-display-bridge.ts` is its bridge). All of it may be
 * read by strangers, so there is no place here for a phone number, an e-mail or a family name. Main parses each view
 * with these schemas before it goes out; what they do not name is dropped.
 */
import * as v from 'valibot'
import { LANGUAGES } from './language.ts'

/** Longest first name, in UTF-16 units: longer ones are no names that anybody is called by. */
export const MAX_FIRST_NAME_LENGTH = 32

/** Letters in one word, joined by hyphens or apostrophes: no digits, no `@`, no dots, no spaces. */
const FIRST_NAME = /^\p{L}[\p{L}\p{M}]*(?:[-'’‐][\p{L}\p{M}]+)*(?: \p{L}[\p{L}\p{M}]*)?$/u

/** What a customer is greeted with. Only this schema makes one. */
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

/** What stands on the display. */
const showsSchema = v.variant('kind', [
  /** nobody is served */
  v.object({
    kind: v.literal('idle'),
    /** empty while the profile was not read */
    businessName: v.string(),
    /** a path of the till's own pictures */
    logo: v.nullable(v.string()),
    /** where those go who are no customers yet; null when the business has no such link */
    joinUs: v.nullable(drawing)
  }),
  /** a customer was chosen */
  v.object({
    kind: v.literal('serving'),
    /** null: the name tells none that is fit for strangers' eyes */
    firstName: v.nullable(firstNameSchema),
    balance: points
  }),
  /** points were handed over */
  v.object({
    kind: v.literal('handed-over'),
    firstName: v.nullable(firstNameSchema),
    points,
    /** null: the code is on paper alone */
    qr: v.nullable(drawing),
    /** how much longer it stays, unless somebody else is served */
    seconds: v.pipe(v.number(), v.integer(), v.minValue(0))
  }),
  /** which screen this is, while a manager asks */
  v.object({ kind: v.literal('screen-number'), number: v.pipe(v.number(), v.integer(), v.minValue(1)) })
])
export type CustomerDisplayShows = v.InferOutput<typeof showsSchema>

/** What the display is told, whole, whenever any of it changes. Light or dark is the window's own. */
export const customerDisplayViewSchema = v.object({
  shows: showsSchema,
  /** a till in training says so: nobody must take its codes for real */
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
  /** the operating system's; stays when the screen is unplugged and comes back */
  readonly id: number
  /** what the screen calls itself; empty when it does not say */
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

/* from customer-display-bridge.ts: The bridge of the customer display's page: it asks for its view, hears the next one, and can do nothing else. */

/** All that the page of the customer display may ask and hear. */
export interface CustomerDisplayBridge {
  view(): Promise<CustomerDisplayView>
  /** Hears each new view; call what comes back to stop hearing. */
  onView(listener: (view: CustomerDisplayView) => void): () => void
}

/** The name of that bridge on the page's `window`. */
export const CUSTOMER_DISPLAY_BRIDGE_NAME = 'customerDisplay'

/** Its channels: one to ask on, one to hear on. */
export const CUSTOMER_DISPLAY_CHANNELS = {
  view: 'customer-display.view',
  viewChanged: 'customer-display.view-changed'
} as const
