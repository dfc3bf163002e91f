/** What a till's slips say beside the business, the points and the code. Their paper is the printer's: `printing.ts`. */
import * as v from 'valibot'
import { LANGUAGES } from './language.ts'
import { pointsRuleSchema } from './points-calculation.ts'
import { DEFAULT_PRINTER_SETTINGS, PAPER_SIZES, printerSettingsSchema } from './printing.ts'
import { DEFAULT_UPDATES_SETTINGS, updatesSettingsSchema } from './updates.ts'

/** Longest texts, in characters: what still looks well on the narrowest roll. */
export const MAX_SLIP_TEXT_LENGTHS = { headline: 60, footer: 200, tillName: 40 } as const

const text = (longest: number) => v.pipe(v.string(), v.trim(), v.maxLength(longest))

const slipSettingsSchema = v.strictObject({
  /** above the points; empty: the slip's own words */
  headline: text(MAX_SLIP_TEXT_LENGTHS.headline),
  /** the last line; empty: none */
  footer: text(MAX_SLIP_TEXT_LENGTHS.footer),
  /** tells the tills of a business apart; empty: not printed */
  tillName: text(MAX_SLIP_TEXT_LENGTHS.tillName),
  /** whether the name of the chosen customer is printed */
  customerName: v.boolean(),
  /** whether the business's logo is printed, when it has one */
  logo: v.boolean(),
  /** whether a second QR code leads new customers to the business's `getStartedLink`, when it has one */
  joinUs: v.boolean()
})
export type SlipSettings = v.InferOutput<typeof slipSettingsSchema>

/** What slips look like before anybody chose. */
export const DEFAULT_SLIP_SETTINGS: SlipSettings = {
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  logo: true,
  joinUs: false
}

/** Settings to draw a sample slip with, saved or not. */
export const slipPreviewInputSchema = v.strictObject({
  paper: v.picklist(PAPER_SIZES),
  slip: slipSettingsSchema
})
export type SlipPreviewInput = v.InferOutput<typeof slipPreviewInputSchema>

/** A sample slip as it would print. */
export interface SlipPreview {
  /** a picture of its paper, as a `data:` address */
  readonly image: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** characters that no font of the till has, each once: a mark is printed in their place */
  readonly missing: readonly string[]
}

/* from settings.ts: The till's settings that the page may read and change: one schema and one default for each. */

/** Most papers of one slip that are printed at once. */
export const MAX_COPIES = 5

/** How many papers of one slip are printed at once. */
export const copiesSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES))

/** How a slip reaches the customer: on paper, on the customer display, or on both. */
export const DELIVERY_METHODS = ['print', 'show', 'both'] as const

export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** Longest time without a touch or a key before the till locks, in minutes. */
const MAX_IDLE_MINUTES = 240

const entries = {
  /** of the screen, and asked of the service as `x-lang`; null: as the system says */
  language: v.nullable(v.picklist(LANGUAGES)),
  /** of the words on the slip; null: as the till */
  slipLanguage: v.nullable(v.picklist(LANGUAGES)),
  /** ISO 3166-1 alpha-2 of the shop, for phones typed without a country; null: told from the account or system */
  country: v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))),
  /** name of the query parameter that asks the service for a QR image; null: none is sent */
  qrImageParameter: v.nullable(v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/))),
  /** where slips go, and on which paper */
  printer: printerSettingsSchema,
  /** papers of each slip, 1 to `MAX_COPIES`: what the form offers first */
  copies: copiesSchema,
  /** true: the slips of a batch, and all papers of a slip, are one print job */
  oneJob: v.boolean(),
  /** how points follow from a bill; null: the cashier types the points */
  pointsRule: v.nullable(pointsRuleSchema),
  /** what the business puts on its slips */
  slip: slipSettingsSchema,
  /** how a slip reaches the customer; `show` and `both` need the customer display */
  deliveryMethod: v.picklist(DELIVERY_METHODS),
  /** whether the customer is cleared after each slip, so that two customers never mix */
  clearCustomer: v.boolean(),
  /** whether the customer display is open, and on which screen; null: the first one beside the till's own */
  customerDisplay: v.strictObject({
    shown: v.boolean(),
    screenId: v.nullable(v.pipe(v.number(), v.integer()))
  }),
  /** light or dark; `system`: as the operating system has it */
  theme: v.picklist(['system', 'light', 'dark']),
  /** `more`: high contrast, whatever the operating system says */
  contrast: v.picklist(['system', 'more']),
  /** the business's own accent as `#rrggbb`; used only on grounds where its contrast holds. null: the till's own */
  accent: v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))),
  /** the number pad on the screen; `auto`: where there is a touch screen */
  numberPad: v.picklist(['auto', 'shown', 'hidden']),
  /** minutes without a touch or a key before the till locks; null: never. Without cashiers and PIN nothing locks */
  lockAfterMinutes: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_IDLE_MINUTES))),
  /** whether the first steps have been shown, or skipped */
  tourSeen: v.boolean(),
  /** where updates of the till come from */
  updates: updatesSettingsSchema
}

export const tillSettingsSchema = v.object(entries)

/** Settings the page may read and change. */
export type TillSettings = Readonly<v.InferOutput<typeof tillSettingsSchema>>

/** Right for the first start. */
export const DEFAULT_TILL_SETTINGS: TillSettings = {
  language: null,
  slipLanguage: null,
  country: null,
  qrImageParameter: null,
  printer: DEFAULT_PRINTER_SETTINGS,
  copies: 1,
  oneJob: false,
  pointsRule: null,
  slip: DEFAULT_SLIP_SETTINGS,
  deliveryMethod: 'print',
  clearCustomer: true,
  customerDisplay: { shown: false, screenId: null },
  theme: 'system',
  contrast: 'system',
  accent: null,
  numberPad: 'auto',
  lockAfterMinutes: null,
  tourSeen: false,
  updates: DEFAULT_UPDATES_SETTINGS
}

type Entries = typeof entries

/** Each setting may be absent: what the page sends to change some. */
export const settingsChangeSchema = v.strictObject(
  // Object.entries forgets which schema belongs to which name; nothing else is lost on the way.
  Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, v.exactOptional<v.GenericSchema>(schema)])
  ) as { [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined> }
)

/** Each setting as it is kept: an absent one has its default, so that a file of an older till opens. */
export const persistedSettingsEntries = Object.fromEntries(
  Object.entries(entries).map(([name, schema]) => [
    name,
    v.optional<v.GenericSchema, unknown>(schema, DEFAULT_TILL_SETTINGS[name as keyof Entries])
  ])
) as { [Name in keyof Entries]: v.OptionalSchema<Entries[Name], v.InferInput<Entries[Name]>> }
