/** The schema of the settings file, and the defaults of a new till. */
import * as v from 'valibot'
import { rulesAnswerSchema } from '../../contract/earning-rules.ts'
import type { Caller } from '../../contract/local-interface.ts'
import { accountSchema } from '../../contract/loyalty.ts'
import { offlineKeyEntries } from '../../contract/offline.ts'
import {
  persistedSettingsEntries,
  SERVICE_ADDRESS,
  type SettingName,
  SETTINGS
} from '../../contract/settings.ts'

/** The token as stored, never in plain text. */
const sealedTokenSchema = v.object({
  /** encrypted by the operating system, base64 */
  ciphertext: v.string(),
  /** true if the manager accepted that the system has no real key */
  weak: v.boolean()
})
export type SealedToken = v.InferOutput<typeof sealedTokenSchema>

const offlineKeySchema = v.object({
  ...offlineKeyEntries,
  /** `Session.businessKey` */
  owner: v.string(),
  /** its secret */
  sealed: sealedTokenSchema,
  /** of the till's clock before that of the service, when the key was given */
  aheadMs: v.number(),
  /** points that were issued on a day; null: none were */
  spent: v.nullable(v.object({ day: v.string(), points: v.number() }))
})
export type StoredOfflineKey = Readonly<v.InferOutput<typeof offlineKeySchema>>

/** A PIN as stored: an scrypt hash. The bounds keep a damaged file from requesting more than 128 MB of memory. */
export const pinHashSchema = v.object({
  salt: v.string(),
  key: v.string(),
  cost: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(2 ** 17)),
  blockSize: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(8)),
  parallelization: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(4))
})

const cashierNumberSchema = v.pipe(v.number(), v.integer(), v.minValue(0))

/** A cashier of the file: one whom an earlier version wrote has no number. */
const cashierSchema = v.object({
  id: v.string(),
  name: v.string(),
  pin: v.nullable(pinHashSchema),
  number: v.optional(cashierNumberSchema),
  /** names that the service may have, beside the last one */
  formerNames: v.optional(v.pipe(v.array(v.string()), v.readonly()), [])
})

/** A name that the service is to forget. */
const cashierErasureSchema = v.object({
  /** `Session.connectedBusinessId` */
  businessId: v.string(),
  number: cashierNumberSchema,
  name: v.string()
})
export type CashierErasure = Readonly<v.InferOutput<typeof cashierErasureSchema>>

const staffEntries = v.object({
  managerPin: v.optional(v.nullable(pinHashSchema), null),
  /** the hash that a policy gave the manager PIN last, as the policy writes it */
  policyPin: v.optional(v.nullable(v.string()), null),
  cashiers: v.optional(v.pipe(v.array(cashierSchema), v.readonly()), []),
  /** the largest number that a cashier has had: none is given twice */
  lastCashierNumber: v.optional(cashierNumberSchema, 0),
  erasures: v.optional(v.pipe(v.array(cashierErasureSchema), v.readonly()), []),
  wrongPins: v.optional(v.record(v.string(), v.pipe(v.number(), v.integer(), v.minValue(0))), {}),
  locked: v.optional(v.boolean(), false)
})

/** Gives cashiers of an earlier version their numbers, in the order of the list: the same at each start. */
const staffSchema = v.pipe(
  staffEntries,
  v.transform(({ cashiers, lastCashierNumber, ...staff }) => {
    let last = Math.max(lastCashierNumber, ...cashiers.map(({ number }) => number ?? 0))
    const numbered = cashiers.map((one) => ({ ...one, number: one.number ?? ++last }))
    return { ...staff, cashiers: numbered, lastCashierNumber: last }
  })
)

/** A program that was paired with the local interface. */
const callerSchema = v.object({
  id: v.string(),
  name: v.string(),
  /** SHA-256 of the token, hex. A token has 256 random bits, so it needs neither salt nor a slow hash. */
  tokenHash: v.string(),
  pairedAt: v.string(),
  lastUsedAt: v.nullable(v.string()),
  mayIssueWhileLocked: v.boolean()
})

/** Returns the schema of what a policy holds under a name, or undefined. */
const managedSchema = (name: string): v.GenericSchema | undefined =>
  name === SERVICE_ADDRESS ? v.string() : SETTINGS.get(name as SettingName)?.schema

/** Values by the names of their settings. What does not fit a setting of this version is left out. */
const managedValuesSchema = v.pipe(
  v.record(v.string(), v.unknown()),
  v.transform((values) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const schema = managedSchema(name)
        const parsed = schema && v.safeParse(schema, value)
        return parsed?.success ? [[name, parsed.output] as const] : []
      })
    )
  ),
  v.readonly()
)

/** The policy that was in force last: it counts until it is read again, and while its file is half-written. */
const policySchema = v.object({
  managedBy: v.string(),
  /** the strongest first */
  sources: v.pipe(v.array(v.string()), v.readonly()),
  /** since when, ISO 8601, UTC */
  since: v.string(),
  locked: managedValuesSchema,
  /** what a setting had before somebody changed it here */
  defaults: managedValuesSchema
})
export type StoredPolicy = Readonly<v.InferOutput<typeof policySchema>>

const storedSettingsSchema = v.object({
  mode: v.optional(v.picklist(['onboarding', 'training', 'business']), 'onboarding'),
  ...persistedSettingsEntries,
  baseUrl: v.optional(v.nullable(v.string()), null),
  /** `Session.businessKey` of the business that refused a customer without a name */
  nameRequiredBy: v.optional(v.nullable(v.string()), null),
  token: v.optional(v.nullable(sealedTokenSchema), null),
  /** with which the till makes codes without a connection */
  offlineKey: v.optional(v.nullable(offlineKeySchema), null),
  /** the last rules that the shop's service told; `owner`: `Session.businessKey` */
  shopRules: v.optional(v.nullable(v.object({ owner: v.string(), answer: rulesAnswerSchema })), null),
  /** the token that was last taken from the policy's file: its SHA-256 as hex, and whether the till is connected with it */
  tokenFile: v.optional(v.nullable(v.object({ hash: v.string(), inUse: v.boolean() })), null),
  staff: v.optional(staffSchema, {}),
  callers: v.optional(v.pipe(v.array(callerSchema), v.readonly()), []),
  policy: v.optional(v.nullable(policySchema), null),
  /** the last profile, so that an offline till starts with its name */
  business: v.optional(v.nullable(accountSchema), null)
})

/** Everything that the till stores between starts, except slips. */
export type StoredSettings = v.InferOutput<typeof storedSettingsSchema>

/** What is stored about the staff. */
export type StoredStaff = StoredSettings['staff']

/** A stored cashier. A null PIN: chosen without one. */
export type StoredCashier = StoredStaff['cashiers'][number]

/** A stored PIN. Includes the parameters, so that a later version can raise them. */
export type PinHash = NonNullable<StoredStaff['managerPin']>

/** A stored program that was paired with the local interface. */
export type StoredCaller = StoredSettings['callers'][number]

/** Returns what the page may see of a stored program: all but the hash of its token. */
export const withoutToken = ({
  id,
  name,
  pairedAt,
  lastUsedAt,
  mayIssueWhileLocked
}: StoredCaller): Caller => ({
  id,
  name,
  pairedAt,
  lastUsedAt,
  mayIssueWhileLocked
})

/** Settings that are valid only together: with a token but without its PIN, everybody could use the till. */
const SECURITY_SETTINGS: ReadonlySet<string> = new Set(['mode', 'baseUrl', 'token', 'staff'])

export interface ParsedSettings {
  readonly values: StoredSettings
  /** false: some settings were invalid and have their defaults */
  readonly isWhole: boolean
}

/**
 * Parses the content of a settings file. An invalid setting gets its default and the others are kept. Returns
 * undefined if it is no object, or if a security setting is invalid.
 */
export function parseSettings(stored: unknown): ParsedSettings | undefined {
  // A schema of optional fields accepts an array as an empty object.
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return undefined
  const whole = v.safeParse(storedSettingsSchema, stored)
  if (whole.success) return { values: whole.output, isWhole: true }
  const invalid = new Set(whole.issues.map(({ path }) => String(path?.[0].key)))
  if ([...invalid].some((name) => SECURITY_SETTINGS.has(name))) return undefined
  const rest = v.safeParse(
    storedSettingsSchema,
    Object.fromEntries(Object.entries(stored).filter(([name]) => !invalid.has(name)))
  )
  return rest.success ? { values: rest.output, isWhole: false } : undefined
}

/** The settings of a new till. */
export const DEFAULT_SETTINGS: StoredSettings = v.parse(storedSettingsSchema, {})
