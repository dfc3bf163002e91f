/**
 * What a policy says: which settings have another default, which are locked, and how the till connects. Its forms are in
 * `policy-sources.ts`; docs/managed-tills.md describes them for administrators.
 */
import { win32 } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import {
  type ManagedTill,
  type PolicyName,
  SERVICE_ADDRESS,
  settingIn,
  type SettingName,
  SETTINGS,
  type TillSettings
} from '../../contract/settings.ts'
import { pairingCodeIn } from '../../contract/pairing-code.ts'
import { parseBaseUrl } from '../loyalty/credentials.ts'
import type { StoredPolicy } from '../settings/settings-schema.ts'

/** Parsed values by the names of their settings. */
type PolicyValues = StoredPolicy['locked']

/** A policy, as far as it has no mistake. */
export interface Policy {
  /** or empty */
  readonly managedBy: string
  readonly locked: PolicyValues
  /** of settings that nobody has changed at the till */
  readonly defaults: PolicyValues
  /** path of a file with the token of the service; or null */
  readonly tokenFile: string | null
  /** for a token of the project's own service; or null */
  readonly pairingCode: string | null
}

/** A value that does not count. */
export interface PolicyMistake {
  /** where it stands: `locked.printer.paperSize` */
  readonly name: string
  /** in English, for administrators */
  readonly message: string
}

/** A policy without content. */
export const EMPTY_POLICY: Policy = {
  managedBy: '',
  locked: {},
  defaults: {},
  tokenFile: null,
  pairingCode: null
}

const MAX_NAME_LENGTH = 80

const addressSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseBaseUrl(dataset.value)
    if (parsed.ok) return parsed.value
    addIssue({ message: 'An https address without a query, such as "https://points.example/"' })
    return NEVER
  })
)

/** What stands beside `locked` and `default`. */
export const POLICY_OPTIONS = {
  managedBy: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_NAME_LENGTH)),
  tokenFile: v.pipe(
    v.string(),
    v.check((path) => win32.isAbsolute(path), 'The full path of a file')
  ),
  pairingCode: v.pipe(
    v.string(),
    v.check((text) => pairingCodeIn(text) !== null, 'Eight letters of a pairing code')
  )
} as const

/** The sections of a policy, and whether each locks. */
export const POLICY_SECTIONS = ['locked', 'default'] as const

export const PRINTER: SettingName = 'printer.destination'

/** Every value that `locked` and `default` can hold, by its name. */
export const POLICY_SCHEMAS: ReadonlyMap<PolicyName, v.GenericSchema> = new Map<PolicyName, v.GenericSchema>([
  [SERVICE_ADDRESS, addressSchema],
  ...[...SETTINGS].map(([name, { schema }]) => [name, schema] as const)
])

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Returns what a value may mean, the likeliest first. The registry and a profile have no null, and no objects in a value:
 * these are JSON there, and 0 and 1 a choice. A printer is known by the name of its queue.
 */
function meanings(name: PolicyName, value: unknown, isText: boolean): unknown[] {
  const none = isText && value === 'null' ? [null] : []
  const text = isText && typeof value === 'string' ? [parsedJson(value)] : []
  const choice = isText && (value === 0 || value === 1) ? [value === 1] : []
  const queue = name === PRINTER && typeof value === 'string' ? [{ kind: 'queue', name: value }] : []
  return [...none, value, ...text, ...choice, ...queue]
}

/** Which values are text, as in the registry, where JSON has types. */
export interface PolicyForm {
  readonly isText: boolean
}

/** Reads a policy of any source. */
class PolicyParser {
  readonly mistakes: PolicyMistake[] = []
  readonly #isText: boolean

  constructor({ isText }: PolicyForm) {
    this.#isText = isText
  }

  parse(content: unknown): Policy {
    if (!isObject(content)) {
      this.#refuse('', 'A policy is an object')
      return EMPTY_POLICY
    }
    for (const name of Object.keys(content)) {
      const isKnown =
        name === '$schema' || name in POLICY_OPTIONS || POLICY_SECTIONS.some((one) => one === name)
      if (!isKnown) this.#refuse(name, 'There is no such option')
    }
    return {
      managedBy: this.#option('managedBy', content) ?? '',
      locked: this.#section('locked', content['locked']),
      defaults: this.#section('default', content['default']),
      tokenFile: this.#option('tokenFile', content),
      pairingCode: this.#option('pairingCode', content)
    }
  }

  #refuse(name: string, message: string): void {
    this.mistakes.push({ name, message })
  }

  #option(name: keyof typeof POLICY_OPTIONS, content: Readonly<Record<string, unknown>>): string | null {
    if (content[name] === undefined) return null
    const parsed = v.safeParse(POLICY_OPTIONS[name], content[name])
    if (parsed.success) return parsed.output
    this.#refuse(name, parsed.issues[0].message)
    return null
  }

  #section(section: string, content: unknown): PolicyValues {
    if (content === undefined) return {}
    if (isObject(content)) return Object.fromEntries(this.#values(section, '', content))
    this.#refuse(section, 'An object of settings')
    return {}
  }

  /** Returns names and values of a section, or of a group in it. */
  #values(section: string, group: string, content: Readonly<Record<string, unknown>>): [string, unknown][] {
    return Object.entries(content).flatMap(([own, value]) => {
      const name = group + own
      const schema = POLICY_SCHEMAS.get(name as PolicyName)
      const isGroup = [...POLICY_SCHEMAS.keys()].some((known) => known.startsWith(`${name}.`))
      if (isGroup && isObject(value)) return this.#values(section, `${name}.`, value)
      if (schema) return this.#value(section, name as PolicyName, schema, value)
      this.#refuse(`${section}.${name}`, isGroup ? 'An object of settings' : 'There is no such setting')
      return []
    })
  }

  #value(section: string, name: PolicyName, schema: v.GenericSchema, value: unknown): [string, unknown][] {
    const parsed = meanings(name, value, this.#isText).map((meaning) => v.safeParse(schema, meaning))
    const fits = parsed.find(({ success }) => success)
    if (fits) return [[name, fits.output]]
    this.#refuse(`${section}.${name}`, parsed[0]?.issues?.[0].message ?? '')
    return []
  }
}

/** Parses the content of a policy. A mistake leaves the other values in force. */
export function parsePolicy(
  content: unknown,
  form: PolicyForm
): { readonly policy: Policy; readonly mistakes: readonly PolicyMistake[] } {
  const parser = new PolicyParser(form)
  return { policy: parser.parse(content), mistakes: parser.mistakes }
}

/** Returns two policies as one; where both have a value, that of `stronger` counts. */
export const combinePolicies = (stronger: Policy, weaker: Policy): Policy => ({
  managedBy: stronger.managedBy || weaker.managedBy,
  locked: { ...weaker.locked, ...stronger.locked },
  defaults: { ...weaker.defaults, ...stronger.defaults },
  tokenFile: stronger.tokenFile ?? weaker.tokenFile,
  pairingCode: stronger.pairingCode ?? weaker.pairingCode
})

const lockedAddress = ({ locked }: Pick<StoredPolicy, 'locked'>): string | null =>
  v.parse(v.nullish(v.string(), null), locked[SERVICE_ADDRESS])

/** Returns what the page shows of the policy that is in force. */
export function managedTill(policy: StoredPolicy | null): ManagedTill | null {
  if (policy === null) return null
  const names = (values: PolicyValues): PolicyName[] =>
    [...POLICY_SCHEMAS.keys()].filter((name) => Object.hasOwn(values, name))
  const { managedBy, sources, since } = policy
  const defaults = names(policy.defaults).filter((name) => !Object.hasOwn(policy.locked, name))
  return {
    managedBy,
    sources,
    since,
    locked: names(policy.locked),
    defaults,
    serviceAddress: lockedAddress(policy)
  }
}

const MANAGED: Failure = { kind: 'managed' }

/** Whether an address is that of the service, or below it. */
function isOfService(address: string, service: string): boolean {
  const parsed = parseBaseUrl(address)
  return parsed.ok && parsed.value.startsWith(service)
}

/**
 * Returns the failure of a call that would change what the policy locks, or null. A change that leaves a locked setting as
 * it is is allowed: forms send groups whole.
 * @param input has passed the call's schema
 */
export function managedRefusal(
  { policy, ...settings }: TillSettings & { readonly policy: StoredPolicy | null },
  group: string,
  call: string,
  input: unknown
): Failure | null {
  if (policy === null) return null
  const address = lockedAddress(policy)
  switch (`${group}.${call}`) {
    case 'till.set':
      return [...SETTINGS.keys()].some(
        (name) =>
          Object.hasOwn(policy.locked, name) && !isUnchanged(input as Partial<TillSettings>, settings, name)
      )
        ? MANAGED
        : null
    case 'connection.forget':
      return address === null ? null : MANAGED
    case 'connection.check': {
      const { baseUrl } = input as { readonly baseUrl: string }
      return address === null || isOfService(baseUrl, address) ? null : MANAGED
    }
    default:
      return null
  }
}

/** Whether a change leaves a setting as it is. */
function isUnchanged(change: Partial<TillSettings>, settings: TillSettings, name: SettingName): boolean {
  const wanted = settingIn(change, name)
  return wanted === undefined || isDeepStrictEqual(wanted, settingIn(settings, name))
}
