/**
 * The settings of the till that the page can read and change: their schemas and defaults. Their controls are in
 * renderer/src/screens/settings/.
 */
import * as v from 'valibot'
import { creditSettingsSchema, DEFAULT_CREDIT_SETTINGS } from './credits.ts'
import { LANGUAGES } from './language.ts'
import { DEFAULT_LOCAL_INTERFACE_SETTINGS, localInterfaceSettingsSchema } from './local-interface.ts'
import { pointsRuleSchema, quickPointsSchema } from './points-calculation.ts'
import { PAPER_SIZES } from './paper.ts'
import { DEFAULT_PRINTER_SETTINGS, printerSettingsSchema } from './printing.ts'
import { DEFAULT_RETENTION_SETTINGS, retentionSettingsSchema } from './privacy.ts'
import { DEFAULT_REDEMPTION_SETTINGS, redemptionSettingsSchema } from './redemptions.ts'
import { DEFAULT_RETURN_SETTINGS, returnSettingsSchema } from './returns.ts'
import { DEFAULT_UPDATES_SETTINGS, updateRingSchema, updatesSettingsSchema } from './updates.ts'

/** Maximum text lengths, in characters, for the narrowest roll. */
export const MAX_SLIP_TEXT_LENGTHS = { headline: 60, footer: 200, tillName: 40 } as const

const text = (longest: number) => v.pipe(v.string(), v.trim(), v.maxLength(longest))

const slipSettingsSchema = v.strictObject({
  /** above the points; empty: the default text */
  headline: text(MAX_SLIP_TEXT_LENGTHS.headline),
  /** the last line; empty: none */
  footer: text(MAX_SLIP_TEXT_LENGTHS.footer),
  /** identifies the till within the business; empty: not printed */
  tillName: text(MAX_SLIP_TEXT_LENGTHS.tillName),
  /** whether the name of the chosen customer is printed */
  customerName: v.boolean(),
  /** whether the business's logo is printed, when it has one */
  logo: v.boolean(),
  /** whether it shows what the balance of the chosen customer buys once the points are collected */
  rewards: v.boolean(),
  /** whether a second QR code leads new customers to the business's `getStartedLink`, when it has one */
  joinUs: v.boolean()
})
export type SlipSettings = v.InferOutput<typeof slipSettingsSchema>

/** The slip settings of a new till. */
export const DEFAULT_SLIP_SETTINGS: SlipSettings = {
  headline: '',
  footer: '',
  tillName: '',
  customerName: true,
  logo: true,
  rewards: false,
  joinUs: false
}

/** Settings to draw a sample slip with, saved or not. */
export const slipPreviewInputSchema = v.strictObject({
  paperSize: v.picklist(PAPER_SIZES),
  slip: slipSettingsSchema
})
export type SlipPreviewInput = v.InferOutput<typeof slipPreviewInputSchema>

/** A sample slip as it would print. */
export interface SlipPreviewImage {
  /** as a `data:` URL */
  readonly image: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** characters that no font contains, each once; a placeholder is printed for them */
  readonly missing: readonly string[]
}

/** The maximum number of printouts of one slip, the first one included. */
export const MAX_COPIES = 5

/** The number of printouts of one slip. */
export const copiesSchema = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES))

/** How customers get their code: printed, on the customer display, or both. */
export const DELIVERY_METHODS = ['print', 'show', 'both'] as const

export type DeliveryMethod = (typeof DELIVERY_METHODS)[number]

/** The maximum idle time before the till locks. */
const MAX_IDLE_MINUTES = 240

const entries = {
  /** of the screen, and sent to the service as `x-lang`; null: the system's */
  language: v.nullable(v.picklist(LANGUAGES)),
  /** of slips; null: the language of the till */
  slipLanguage: v.nullable(v.picklist(LANGUAGES)),
  /** ISO 3166-1 alpha-2 of the shop, for phones typed without a country; null: derived from the account or the system */
  country: v.nullable(
    v.pipe(v.string(), v.regex(/^[A-Z]{2}$/, 'A country as two capital letters, such as "GR"'))
  ),
  /** the printer and its paper size */
  printer: printerSettingsSchema,
  /** printouts of each slip, 1 to `MAX_COPIES`; the default of the form */
  copies: copiesSchema,
  /** true: all slips of a batch, and all printouts of a slip, are one print job */
  oneJob: v.boolean(),
  /** calculates points from a bill; null: the cashier types the points */
  pointsRule: v.nullable(pointsRuleSchema),
  /** the keys beside the points: what each adds. Not shown with a points rule */
  quickPoints: quickPointsSchema,
  /** the content of slips */
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
  /** `system`: the operating system's */
  theme: v.picklist(['system', 'light', 'dark']),
  /** `more`: high contrast; `system`: the operating system's */
  contrast: v.picklist(['system', 'more']),
  /** accent colour as `#rrggbb`, used where its contrast is sufficient; null: the default */
  accent: v.nullable(
    v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, 'A colour in small letters, such as "#0b6b4f"'))
  ),
  /** the on-screen number pad; `auto`: on a touch screen */
  numberPad: v.picklist(['auto', 'shown', 'hidden']),
  /** idle minutes before the till locks; null: never. A till without cashiers and PIN does not lock */
  lockAfterMinutes: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_IDLE_MINUTES))),
  /** who redeems rewards, and whether the customer gets a slip of it */
  redemptions: redemptionSettingsSchema,
  /** whether known customers get their points without a code */
  credits: creditSettingsSchema,
  /** @see ReturnSettings */
  returns: returnSettingsSchema,
  /** how long personal data stays on this till */
  retention: retentionSettingsSchema,
  /** through which the shop's own programs issue points */
  localInterface: localInterfaceSettingsSchema,
  /** whether the tour was finished or skipped */
  tourSeen: v.boolean(),
  /** the update server */
  updates: updatesSettingsSchema,
  /** which tills get an update first; for a policy, and without a control */
  updateRing: updateRingSchema
}

export const tillSettingsSchema = v.object(entries)

/** Settings the page may read and change. */
export type TillSettings = Readonly<v.InferOutput<typeof tillSettingsSchema>>

/** The settings of a new till. */
export const DEFAULT_TILL_SETTINGS: TillSettings = {
  language: null,
  slipLanguage: null,
  country: null,
  printer: DEFAULT_PRINTER_SETTINGS,
  copies: 1,
  oneJob: false,
  pointsRule: null,
  quickPoints: [10, 50, 100],
  slip: DEFAULT_SLIP_SETTINGS,
  deliveryMethod: 'print',
  clearCustomer: true,
  customerDisplay: { shown: false, screenId: null },
  theme: 'system',
  contrast: 'system',
  accent: null,
  numberPad: 'auto',
  lockAfterMinutes: null,
  redemptions: DEFAULT_REDEMPTION_SETTINGS,
  credits: DEFAULT_CREDIT_SETTINGS,
  returns: DEFAULT_RETURN_SETTINGS,
  retention: DEFAULT_RETENTION_SETTINGS,
  localInterface: DEFAULT_LOCAL_INTERFACE_SETTINGS,
  tourSeen: false,
  updates: DEFAULT_UPDATES_SETTINGS,
  updateRing: null
}

type Entries = typeof entries

/** Settings in a group are told apart: `slip.footer` is one. */
type NamesOf<Name extends keyof Entries> = Entries[Name] extends {
  readonly type: 'strict_object'
  readonly entries: infer Own
}
  ? `${Name}.${keyof Own & string}`
  : Name

/** The name of one setting, as a policy can manage it: `theme`, `slip.footer`. */
export type SettingName = { [Name in keyof Entries]: NamesOf<Name> }[keyof Entries]

/** The schema of one setting, and its value in a new till. */
export interface Setting {
  readonly schema: v.GenericSchema
  readonly standard: unknown
}

const settingsOf = (
  name: string,
  schema: v.GenericSchema | v.StrictObjectSchema<v.ObjectEntries, undefined>,
  standard: unknown
): [SettingName, Setting][] =>
  'entries' in schema
    ? Object.entries(schema.entries).map(([own, part]) => [
        `${name}.${own}` as SettingName,
        { schema: part, standard: Reflect.get(Object(standard), own) as unknown }
      ])
    : [[name as SettingName, { schema, standard }]]

/** Every setting by its name, in the order of the schema. */
export const SETTINGS: ReadonlyMap<SettingName, Setting> = new Map(
  Object.entries(entries).flatMap(([name, schema]) =>
    settingsOf(name, schema, DEFAULT_TILL_SETTINGS[name as keyof Entries])
  )
)

/** Returns the value of one setting. `settings` may be a part; undefined where the setting is missing. */
export function settingIn(settings: Readonly<Partial<TillSettings>>, name: SettingName): unknown {
  return name.split('.').reduce<unknown>((value, part) => Reflect.get(Object(value), part), settings)
}

/** Returns the settings with another value of one of them, which has passed its schema. */
export function withSetting<Settings extends TillSettings>(
  settings: Settings,
  name: SettingName,
  value: unknown
): Settings {
  const [group = name, own] = name.split('.')
  if (own === undefined) return { ...settings, [group]: value }
  return { ...settings, [group]: { ...(Reflect.get(settings, group) as object), [own]: value } }
}

/** What a policy can hold: the settings, and the address of the service. */
export const SERVICE_ADDRESS = 'service.address'
export type PolicyName = SettingName | typeof SERVICE_ADDRESS

/** The messages of the screen (resources/locales/screen) that name them. */
export const SETTING_LABELS = {
  [SERVICE_ADDRESS]: 'serviceAddress',
  language: 'language',
  slipLanguage: 'slipLanguage',
  country: 'country',
  'printer.destination': 'whereSlipsGo',
  'printer.paperSize': 'paperLabel',
  copies: 'copiesOfEach',
  oneJob: 'jobs',
  pointsRule: 'pointsRule',
  quickPoints: 'quickPoints',
  'slip.headline': 'headline',
  'slip.footer': 'footer',
  'slip.tillName': 'tillName',
  'slip.customerName': 'showCustomerName',
  'slip.logo': 'showLogo',
  'slip.rewards': 'showRewardsOnSlip',
  'slip.joinUs': 'joinUsHint',
  deliveryMethod: 'delivery',
  clearCustomer: 'clearCustomerAfterSlip',
  'customerDisplay.shown': 'customerDisplayEnabled',
  'customerDisplay.screenId': 'displayScreen',
  theme: 'theme',
  contrast: 'highContrast',
  accent: 'accent',
  numberPad: 'numberPadSetting',
  lockAfterMinutes: 'lockAfter',
  'retention.pdfs': 'keepPdfs',
  'retention.names': 'keepNames',
  'retention.quarantinedJournals': 'keepOldJournals',
  'retention.slips': 'keepSlips',
  'localInterface.enabled': 'localInterfaceEnable',
  'localInterface.port': 'port',
  tourSeen: 'tourShown',
  'updates.feed': 'updateServer',
  updateRing: 'updateRing',
  'redemptions.byCashiers': 'redeemByCashiers',
  'redemptions.slip': 'redeemSlip',
  'credits.knownCustomers': 'knownCustomers',
  'credits.slip': 'creditSlip',
  'returns.slip': 'returnSlip'
} as const satisfies Readonly<Record<PolicyName, string>>

/** What a policy manages on this till. */
export interface ManagedTill {
  /** who manages it, as the policy says; or empty */
  readonly managedBy: string
  /** the file, the registry key or the profile; the strongest first */
  readonly sources: readonly string[]
  /** since when it is in force here, ISO 8601, UTC */
  readonly since: string
  /** what nobody can change at the till */
  readonly locked: readonly PolicyName[]
  /** what has another value until somebody changes it */
  readonly defaults: readonly PolicyName[]
  /** the address of the service, if it is locked */
  readonly serviceAddress: string | null
}

/** A change of some settings: each one is optional. */
export const settingsChangeSchema = v.strictObject(
  // Object.entries loses the type of each entry.
  Object.fromEntries(
    Object.entries(entries).map(([name, schema]) => [name, v.exactOptional<v.GenericSchema>(schema)])
  ) as { [Name in keyof Entries]: v.ExactOptionalSchema<Entries[Name], undefined> }
)

/** The entries of the settings file: a missing setting gets its default. */
export const persistedSettingsEntries = Object.fromEntries(
  Object.entries(entries).map(([name, schema]) => [
    name,
    v.optional<v.GenericSchema, unknown>(schema, DEFAULT_TILL_SETTINGS[name as keyof Entries])
  ])
) as { [Name in keyof Entries]: v.OptionalSchema<Entries[Name], v.InferInput<Entries[Name]>> }
