/** The till's settings that the page may read and change: one schema and one default for each. */
import * as v from 'valibot'
import { LANGUAGES } from './language.ts'
import { pointsRuleSchema } from './points-rule.ts'
import { DEFAULT_PRINTER_SETTINGS, printerSettingsSchema } from './printing.ts'
import { DEFAULT_SLIP_SETTINGS, slipSettingsSchema } from './slip-settings.ts'
import { HANDING_OVER, LONGEST_IDLE_MINUTES, MAXIMUM_COPIES } from './till.ts'

/** How many papers of one slip are printed at once. */
export const copiesSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_COPIES))
import { DEFAULT_UPDATES_SETTINGS, updatesSettingsSchema } from './updates.ts'

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
  /** papers of each slip, 1 to `MAXIMUM_COPIES`: what the form offers first */
  copies: copiesSchema,
  /** true: the slips of a batch, and all papers of a slip, are one print job */
  oneJob: v.boolean(),
  /** how points follow from a bill; null: the cashier types the points */
  pointsRule: v.nullable(pointsRuleSchema),
  /** what the business puts on its slips */
  slip: slipSettingsSchema,
  /** how a slip reaches the customer; `show` and `both` need the customer display */
  handingOver: v.picklist(HANDING_OVER),
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
  lockAfterMinutes: v.nullable(
    v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_IDLE_MINUTES))
  ),
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
  handingOver: 'print',
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
export const keptSettingsEntries = Object.fromEntries(
  Object.entries(entries).map(([name, schema]) => [
    name,
    v.optional<v.GenericSchema, unknown>(schema, DEFAULT_TILL_SETTINGS[name as keyof Entries])
  ])
) as { [Name in keyof Entries]: v.OptionalSchema<Entries[Name], v.InferInput<Entries[Name]>> }
