/** What the settings file holds: its schema, its type, and what a till starts with. */
import * as v from 'valibot'
import { accountSchema } from '../../contract/loyalty.ts'
import { pointsRuleSchema } from '../../contract/points-rule.ts'
import { DEFAULT_PRINTER_SETTINGS, printerSettingsSchema } from '../../contract/printing.ts'
import { DEFAULT_SLIP_SETTINGS, slipSettingsSchema } from '../../contract/slip-settings.ts'
import { MAXIMUM_COPIES } from '../../contract/till.ts'

/** The token as it lies on disk: never in plain. */
const sealedTokenSchema = v.object({
  /** ciphertext of the operating system's encryption, base64 */
  ciphertext: v.string(),
  /** true when the manager accepted that the system has no real key to encrypt with */
  weak: v.boolean()
})
export type SealedToken = v.InferOutput<typeof sealedTokenSchema>

export const storedSettingsSchema = v.object({
  mode: v.optional(v.picklist(['first-start', 'practice', 'business']), 'first-start'),
  language: v.optional(v.string(), 'en'),
  country: v.optional(v.nullable(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/))), null),
  qrImageParameter: v.optional(v.nullable(v.string()), null),
  printer: v.optional(printerSettingsSchema, DEFAULT_PRINTER_SETTINGS),
  copies: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAXIMUM_COPIES)), 1),
  oneJob: v.optional(v.boolean(), false),
  pointsRule: v.optional(v.nullable(pointsRuleSchema), null),
  slip: v.optional(slipSettingsSchema, DEFAULT_SLIP_SETTINGS),
  baseUrl: v.optional(v.nullable(v.string()), null),
  token: v.optional(v.nullable(sealedTokenSchema), null),
  /** the profile as last read, so that the till opens with its name while the network is down */
  business: v.optional(v.nullable(accountSchema), null)
})

/** Everything the till remembers between starts, apart from slips. */
export type StoredSettings = v.InferOutput<typeof storedSettingsSchema>

/** Right for the first start. */
export const DEFAULT_SETTINGS: StoredSettings = v.parse(storedSettingsSchema, {})
