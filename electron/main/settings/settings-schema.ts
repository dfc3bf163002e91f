/** What the settings file holds: its schema, its type, and what a till starts with. */
import * as v from 'valibot'
import { accountSchema } from '../../contract/loyalty.ts'
import { persistedSettingsEntries } from '../../contract/settings.ts'

/** The token as it lies on disk: never in plain. */
const sealedTokenSchema = v.object({
  /** ciphertext of the operating system's encryption, base64 */
  ciphertext: v.string(),
  /** true when the manager accepted that the system has no real key to encrypt with */
  weak: v.boolean()
})
export type SealedToken = v.InferOutput<typeof sealedTokenSchema>

/** A PIN as it lies on disk: never in plain. The bounds keep a damaged file from asking for all of the memory. */
const keptPinSchema = v.object({
  salt: v.string(),
  key: v.string(),
  cost: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(2 ** 20)),
  blockSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(32)),
  parallelization: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(16))
})

/** The people at the till, as `staff/` keeps them. */
const keptStaffSchema = v.object({
  managerPin: v.optional(v.nullable(keptPinSchema), null),
  cashiers: v.optional(
    v.pipe(
      v.array(v.object({ id: v.string(), name: v.string(), pin: v.nullable(keptPinSchema) })),
      v.readonly()
    ),
    []
  ),
  wrongPins: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))), {}),
  locked: v.optional(v.boolean(), false)
})

export const storedSettingsSchema = v.object({
  mode: v.optional(v.picklist(['onboarding', 'training', 'business']), 'onboarding'),
  ...persistedSettingsEntries,
  // Older tills kept any tag that a header can carry.
  language: v.fallback(persistedSettingsEntries.language, null),
  baseUrl: v.optional(v.nullable(v.string()), null),
  token: v.optional(v.nullable(sealedTokenSchema), null),
  staff: v.optional(keptStaffSchema, {}),
  /** the profile as last read, so that the till opens with its name while the network is down */
  business: v.optional(v.nullable(accountSchema), null)
})

/** Everything the till remembers between starts, apart from slips. */
export type StoredSettings = v.InferOutput<typeof storedSettingsSchema>

/** Whose till it is, and who may use it: these stand or fall together. A token without its PIN would let everybody in. */
const GUARDED: ReadonlySet<string> = new Set(['mode', 'baseUrl', 'token', 'staff'])

/** What could be read of a settings file. */
export interface ReadSettings {
  readonly values: StoredSettings
  /** false: some settings could not be read, and have their defaults */
  readonly isWhole: boolean
}

/**
 * Reads what a settings file holds. One setting that cannot be read costs that setting, and not the business's token;
 * undefined where it is no settings at all, or does not say for sure whose till it is and who may use it.
 */
export function readStored(stored: unknown): ReadSettings | undefined {
  // To a schema of optional fields an array is an empty object.
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
  const whole = v.safeParse(storedSettingsSchema, stored)
  if (whole.success) return { values: whole.output, isWhole: true }
  const unread = new Set(whole.issues.map(({ path }) => String(path?.[0].key)))
  if ([...unread].some((name) => GUARDED.has(name))) return undefined
  const rest = v.safeParse(
    storedSettingsSchema,
    Object.fromEntries(Object.entries(stored).filter(([name]) => !unread.has(name)))
  )
  return rest.success ? { values: rest.output, isWhole: false } : undefined
}

/** Right for the first start. */
export const DEFAULT_SETTINGS: StoredSettings = v.parse(storedSettingsSchema, {})
