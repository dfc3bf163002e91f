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
import { printerNamed } from './policy-printer.ts'
import { wrongValueSentence, unknownNameSentence, valueSentence } from './policy-sentences.ts'
import { parsePinHash } from '../staff/pin.ts'
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
  /** hash of the manager PIN that a till gets until it is changed there; or null */
  readonly managerPin: string | null
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
  pairingCode: null,
  managerPin: null
}

const MAX_NAME_LENGTH = 80

const ADDRESS_WORDS = 'an https address without a query, such as "https://points.example/"'

const addressSchema = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = parseBaseUrl(dataset.value)
    if (parsed.ok) return parsed.value
    addIssue({ message: ADDRESS_WORDS })
    return NEVER
  })
)

/** What stands beside `locked` and `default`. */
export const POLICY_OPTIONS = {
  managedBy: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(MAX_NAME_LENGTH)),
  tokenFile: v.pipe(
    v.string(),
    v.check((path) => win32.isAbsolute(path), 'the full path of a file, such as "/etc/tillpoints/token"')
  ),
  managerPin: v.pipe(
    v.string(),
    v.check((text) => parsePinHash(text) !== null, 'the text that "tillpoints --hash-pin PIN" prints')
  ),
  pairingCode: v.pipe(
    v.string(),
    v.check(
      (text) => pairingCodeIn(text) !== null,
      'the eight letters of a pairing code, such as "BCDF-GHJK"'
    )
  )
} as const

/** The sections of a policy, and whether each locks. */
export const POLICY_SECTIONS = ['locked', 'default'] as const

export const PRINTER: SettingName = 'printer.destination'

/** What a policy may say where the schema of the setting has no words for it. */
const ALLOWED: Partial<Record<PolicyName, string>> = {
  [SERVICE_ADDRESS]: ADDRESS_WORDS,
  [PRINTER]:
    'the name of a print queue, the address of a network printer such as "192.168.1.50" or "printer.local:9100", a device such as "/dev/usb/lp0" or "COM3", or an object such as { "kind": "folder" }'
}

/** Values of these are not printed. */
const SECRETS: ReadonlySet<string> = new Set(['pairingCode', 'managerPin'])

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
 * these are JSON there, and 0 and 1 a choice. A printer may be a text, which is no queue where it is an address.
 */
function meanings(name: PolicyName, value: unknown, isText: boolean): unknown[] {
  const none = isText && value === 'null' ? [null] : []
  const text = isText && typeof value === 'string' ? [parsedJson(value)] : []
  const choice = isText && (value === 0 || value === 1) ? [value === 1] : []
  const printer = name === PRINTER && typeof value === 'string' ? [printerNamed(value)] : []
  return [...none, value, ...text, ...choice, ...printer]
}

/** Which values are text, as in the registry, where JSON has types. */
export interface PolicyForm {
  readonly isText: boolean
}

/** The names that may stand in a section, or in a group of it. */
const namesBelow = (group: string): string[] => [
  ...new Set(
    [...POLICY_SCHEMAS.keys()]
      .filter((name) => name.startsWith(group))
      .map((name) => name.slice(group.length).split('.')[0] ?? '')
  )
]

/** Returns what is wrong with a value where settings belong. @param group a section, or a group of settings */
const groupSentence = (group: string, value: unknown): string => {
  const isSection = POLICY_SECTIONS.some((one) => one === group)
  const names = namesBelow(isSection ? '' : `${group}.`)
  return valueSentence(group, `an object of settings: ${names.map((name) => `"${name}"`).join(', ')}`, value)
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
      this.#refuse(
        '',
        'A policy must be an object, such as { "locked": { "copies": 2 } }. Put braces around its content.'
      )
      return EMPTY_POLICY
    }
    const known = [...POLICY_SECTIONS, ...Object.keys(POLICY_OPTIONS)]
    for (const name of Object.keys(content))
      if (name !== '$schema' && !known.includes(name)) this.#refuse(name, unknownNameSentence(name, known))
    return {
      managedBy: this.#option('managedBy', content) ?? '',
      locked: this.#section('locked', content['locked']),
      defaults: this.#section('default', content['default']),
      tokenFile: this.#option('tokenFile', content),
      pairingCode: this.#option('pairingCode', content),
      managerPin: this.#option('managerPin', content)
    }
  }

  #refuse(name: string, message: string): void {
    this.mistakes.push({ name, message })
  }

  #option(name: keyof typeof POLICY_OPTIONS, content: Readonly<Record<string, unknown>>): string | null {
    if (content[name] === undefined) return null
    const parsed = v.safeParse(POLICY_OPTIONS[name], content[name])
    if (parsed.success) return parsed.output
    const value = SECRETS.has(name) ? '(hidden)' : content[name]
    this.#refuse(name, wrongValueSentence({ name, schema: POLICY_OPTIONS[name], value }, parsed.issues[0]))
    return null
  }

  #section(section: string, content: unknown): PolicyValues {
    if (content === undefined) return {}
    if (isObject(content)) return Object.fromEntries(this.#values(section, '', content))
    this.#refuse(section, groupSentence(section, content))
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
      const place = `${section}.${name}`
      this.#refuse(place, isGroup ? groupSentence(name, value) : unknownNameSentence(own, namesBelow(group)))
      return []
    })
  }

  #value(section: string, name: PolicyName, schema: v.GenericSchema, value: unknown): [string, unknown][] {
    const parsed = meanings(name, value, this.#isText).map((meaning) => v.safeParse(schema, meaning))
    const fits = parsed.find(({ success }) => success)
    if (fits) return [[name, fits.output]]
    // An object, or a text that is JSON, says by itself what it was meant to be.
    const meant = parsed.find(({ output }) => isObject(output)) ?? parsed.at(-1)
    const shown = isObject(meant?.output) ? meant.output : value
    const issue = isObject(shown) ? meant?.issues?.[0] : undefined
    this.#refuse(
      `${section}.${name}`,
      wrongValueSentence({ name, schema, value: shown, allowed: ALLOWED[name] }, issue)
    )
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
  pairingCode: stronger.pairingCode ?? weaker.pairingCode,
  managerPin: stronger.managerPin ?? weaker.managerPin
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
