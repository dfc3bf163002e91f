/**
 * The files for administrators, made from the settings' schema: a JSON Schema for editors, an administrative template (ADMX,
 * with ADML in two languages) for Windows, and a configuration profile for macOS. `npm run policy` writes them beside this
 * file; they are checked in, so that they can be had without a build, and a review shows what a setting changes in them.
 */
import { toJsonSchema } from '@valibot/to-json-schema'
import { join } from 'node:path'
import { format } from 'prettier'
import {
  type PolicyName,
  SERVICE_ADDRESS,
  SETTING_LABELS,
  SETTINGS
} from '../../electron/contract/settings.ts'
import {
  POLICY_OPTIONS,
  POLICY_SCHEMAS,
  POLICY_SECTIONS,
  PRINTER
} from '../../electron/main/policy/policy.ts'
import { POLICY_KEY } from '../../electron/main/policy/policy-sources.ts'
import { APP_ID } from '../packaging/electron-builder.config.ts'
import { PROJECT } from '../scripts/tools.ts'
import { readMessages, textsOf } from '../scripts/message-source.ts'

/** A JSON Schema, as far as these files look into it. */
type JsonSchema = ReturnType<typeof toJsonSchema>

const EXAMPLE_ADDRESS = 'https://points.example/'

const EXAMPLES = {
  managedBy: 'Example IT',
  tokenFile: '/Library/Application Support/Tillpoints/token',
  pairingCode: 'BCDF-GHJK',
  // of 47114711
  managerPin: '$scrypt$ln=15,r=8,p=1$MDEyMzQ1Njc4OWFiY2RlZg$eCB/gKkMh1ET46vQPyY/pnI8cm00bnwuRpPTun8gskc'
} as const satisfies Record<keyof typeof POLICY_OPTIONS, string>

const OPTION_NAMES = Object.keys(POLICY_OPTIONS) as (keyof typeof POLICY_OPTIONS)[]

/** A check that is written as a function has no counterpart: the till refuses such a value. */
function schemaOf(schema: Parameters<typeof toJsonSchema>[0]): JsonSchema {
  const converted = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore' })
  delete converted.$schema
  return converted
}

/** The schema of a value of `locked` and `default`. */
function valueSchema(name: PolicyName): JsonSchema {
  const schema = POLICY_SCHEMAS.get(name)
  if (schema === undefined) throw new Error(`There is no setting ${name}`)
  return name === PRINTER ? { anyOf: [{ type: 'string' }, schemaOf(schema)] } : schemaOf(schema)
}

/** The texts of the screen for the names of settings. */
const labelsIn = (language: string): ReadonlyMap<PolicyName, string> => {
  const messages = readMessages(join(PROJECT, `resources/locales/screen/${language}.json`))
  return new Map(
    [...POLICY_SCHEMAS.keys()].map((name) => {
      const message = messages[SETTING_LABELS[name]]
      // Of a message with variants the first one: of a till that prints.
      const [text] = message === undefined ? [] : textsOf(message)
      if (text === undefined) throw new Error(`${name} has no name in ${language}`)
      return [name, text]
    })
  )
}

/** Values by the names of their settings, as an object with groups. */
function grouped(values: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const [group = name, own] = name.split('.')
    if (own === undefined) result[group] = value
    else result[group] = { ...(result[group] as object | undefined), [own]: value }
  }
  return result
}

function jsonSchema(): Promise<string> {
  const labels = labelsIn('en')
  const object = (properties: Record<string, unknown>): object => ({
    type: 'object',
    properties,
    additionalProperties: false
  })
  const groups = grouped(
    [...labels].map(([name, description]) => [name, { description, ...valueSchema(name) }])
  )
  const section = object(
    Object.fromEntries(
      Object.entries(groups).map(([name, value]) => [
        name,
        POLICY_SCHEMAS.has(name as PolicyName) ? value : object(value as Record<string, unknown>)
      ])
    )
  )
  const options = OPTION_NAMES.map((name): [string, JsonSchema] => [name, schemaOf(POLICY_OPTIONS[name])])
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Policy of Tillpoints',
    ...object({
      $schema: { type: 'string' },
      ...Object.fromEntries(options),
      ...Object.fromEntries(POLICY_SECTIONS.map((name) => [name, { $ref: '#/definitions/settings' }]))
    }),
    definitions: { settings: section }
  }
  return format(JSON.stringify(schema), { parser: 'json', printWidth: 110 })
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** An element of XML on one line, or with its children on lines of their own. */
function xml(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | string[] = []
): string {
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)]
  if (typeof content === 'string') return `<${head.join(' ')}>${escaped(content)}</${name}>`
  if (content.length === 0) return `<${head.join(' ')} />`
  const lines = content.flatMap((child) => child.split('\n')).map((line) => `  ${line}`)
  return [`<${head.join(' ')}>`, ...lines, `</${name}>`].join('\n')
}

/** How a value of a setting is asked for, and written to the registry. */
type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly values: readonly (string | number | null)[] }
  | { readonly kind: 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly kind: 'text'; readonly maxLength: number; readonly isJson: boolean }

/** Longer than any JSON of a setting. */
const MAX_TEXT_LENGTH = 4000

function controlOf(name: PolicyName): Control {
  const schema = valueSchema(name)
  const parts = schema.anyOf ?? [schema]
  const [own, ...others] = parts.filter((part) => typeof part === 'object')
  const isNullable = others.some(({ type }) => type === 'null')
  if (own?.enum !== undefined && others.length === (isNullable ? 1 : 0)) {
    const values = own.enum.filter((value) => typeof value === 'string' || typeof value === 'number')
    return { kind: 'choice', values: isNullable ? [...values, null] : values }
  }
  if (own?.type === 'boolean') return { kind: 'switch' }
  if (own?.type === 'integer' && !isNullable)
    return { kind: 'number', minimum: own.minimum ?? 0, maximum: own.maximum ?? 2 ** 31 - 1 }
  const isPlain = own?.type === 'string' && !isNullable && name !== PRINTER
  return { kind: 'text', maxLength: (isPlain ? own.maxLength : null) ?? MAX_TEXT_LENGTH, isJson: !isPlain }
}

/** One policy of the template: a setting in a section, or an option. */
interface AdmxPolicy {
  readonly id: string
  /** the category */
  readonly parent: string
  readonly key: string
  readonly valueName: string
  /** string of its display name */
  readonly label: string
  readonly control: Control
}

const idOf = (name: string): string => name.replaceAll('.', '_')
const ROOT = 'Tillpoints'
const categoryOf = (section: string): string => `${ROOT}_${section}`
const ELEMENT = 'Value'

const ADMX_POLICIES: readonly AdmxPolicy[] = [
  ...OPTION_NAMES.map((name) => ({
    id: name,
    parent: ROOT,
    key: POLICY_KEY,
    valueName: name,
    label: idOf(name),
    control: { kind: 'text', maxLength: MAX_TEXT_LENGTH, isJson: false } as const
  })),
  ...POLICY_SECTIONS.flatMap((section) =>
    [...POLICY_SCHEMAS.keys()].map((name) => ({
      id: `${section}_${idOf(name)}`,
      parent: categoryOf(section),
      key: `${POLICY_KEY}\\${section}`,
      valueName: name,
      label: idOf(name),
      control: controlOf(name)
    }))
  )
]

const valueElement = (value: string | number | null): string =>
  typeof value === 'number' ? xml('decimal', { value: String(value) }) : xml('string', {}, value ?? 'null')

const choiceId = (value: string | number | null): string =>
  `choice_${String(value).replaceAll(/[^\w]/gu, '_')}`

/** What a policy of the template writes. */
function effect({ valueName, control }: AdmxPolicy): string[] {
  const own = { id: ELEMENT, valueName }
  switch (control.kind) {
    case 'switch':
      return [xml('enabledValue', {}, [valueElement(1)]), xml('disabledValue', {}, [valueElement(0)])]
    case 'choice':
      return [
        xml('elements', {}, [
          xml(
            'enum',
            { ...own, required: 'true' },
            control.values.map((value) =>
              xml('item', { displayName: `$(string.${choiceId(value)})` }, [
                xml('value', {}, [valueElement(value)])
              ])
            )
          )
        ])
      ]
    case 'number':
      return [
        xml('elements', {}, [
          xml('decimal', {
            ...own,
            required: 'true',
            minValue: String(control.minimum),
            maxValue: String(control.maximum)
          })
        ])
      ]
    case 'text':
      return [xml('elements', {}, [xml('text', { ...own, maxLength: String(control.maxLength) })])]
  }
}

const XML_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'
const NAMESPACE = { xmlns: 'http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions' }

const explanationId = ({ id }: AdmxPolicy): string => `explain_${id}`

function admx(): string {
  const category = (name: string, label: string, parent: string[] = []): string =>
    xml('category', { name, displayName: `$(string.${label})` }, parent)
  const policy = (one: AdmxPolicy): string =>
    xml(
      'policy',
      {
        name: one.id,
        class: 'Machine',
        displayName: `$(string.${one.label})`,
        explainText: `$(string.${explanationId(one)})`,
        ...(one.control.kind !== 'switch' && { presentation: `$(presentation.${one.id})` }),
        key: one.key,
        ...(one.control.kind === 'switch' && { valueName: one.valueName })
      },
      [xml('parentCategory', { ref: one.parent }), xml('supportedOn', { ref: 'every' }), ...effect(one)]
    )
  return `${XML_HEAD}${xml('policyDefinitions', { ...NAMESPACE, revision: '1.0', schemaVersion: '1.0' }, [
    xml('policyNamespaces', {}, [xml('target', { prefix: 'tillpoints', namespace: 'Tillpoints.Policies' })]),
    xml('resources', { minRequiredRevision: '1.0' }),
    xml('supportedOn', {}, [
      xml('definitions', {}, [xml('definition', { name: 'every', displayName: '$(string.Tillpoints)' })])
    ]),
    xml('categories', {}, [
      category(ROOT, ROOT),
      ...POLICY_SECTIONS.map((section) =>
        category(categoryOf(section), categoryOf(section), [xml('parentCategory', { ref: ROOT })])
      )
    ]),
    xml('policies', {}, ADMX_POLICIES.map(policy))
  ])}\n`
}

/** The words of the template that the screen does not have. */
const ADML_TEXTS = {
  en: {
    locked: 'Locked settings',
    default: 'Preset settings',
    managedBy: 'Who manages the till',
    tokenFile: 'File with the token of the service',
    pairingCode: 'Pairing code',
    managerPin: 'Hash of the manager PIN',
    none: 'None',
    description: 'Settings of the till Tillpoints',
    inLocked: 'Nobody can change it at the till.',
    inDefault: 'It counts until somebody changes it at the till.',
    name: 'Its name in a policy file:',
    switch: 'Enabled: yes. Disabled: no.',
    number: 'A whole number.',
    text: 'A text.',
    json: 'Written as in a policy file; null: none.',
    printer: 'The name of a print queue, or a printer as in a policy file.'
  },
  de: {
    locked: 'Gesperrte Einstellungen',
    default: 'Voreinstellungen',
    managedBy: 'Wer die Kasse verwaltet',
    tokenFile: 'Datei mit dem Token des Dienstes',
    pairingCode: 'Kopplungscode',
    managerPin: 'Hash der PIN der Leitung',
    none: 'Ohne',
    description: 'Einstellungen der Kasse Tillpoints',
    inLocked: 'An der Kasse lässt sie sich nicht ändern.',
    inDefault: 'Sie gilt, bis sie an der Kasse geändert wird.',
    name: 'Ihr Name in einer Richtliniendatei:',
    switch: 'Aktiviert: ja. Deaktiviert: nein.',
    number: 'Eine ganze Zahl.',
    text: 'Ein Text.',
    json: 'Geschrieben wie in einer Richtliniendatei; null: ohne.',
    printer: 'Der Name einer Druckerwarteschlange oder ein Drucker wie in einer Richtliniendatei.'
  }
} as const

function adml(language: keyof typeof ADML_TEXTS): string {
  const texts = ADML_TEXTS[language]
  const explanation = ({ parent, valueName, control }: AdmxPolicy): string =>
    [
      ...(parent === categoryOf('locked') ? [texts.inLocked] : []),
      ...(parent === categoryOf('default') ? [texts.inDefault] : []),
      ...(control.kind === 'switch' || control.kind === 'number' ? [texts[control.kind]] : []),
      ...(control.kind === 'text'
        ? [valueName === PRINTER ? texts.printer : control.isJson ? texts.json : texts.text]
        : []),
      `${texts.name} ${valueName}`
    ].join(' ')
  const choices = new Set(
    ADMX_POLICIES.flatMap(({ control }) => (control.kind === 'choice' ? control.values : []))
  )
  const labels = labelsIn(language)
  const strings: [string, string][] = [
    [ROOT, ROOT],
    ...POLICY_SECTIONS.map((section): [string, string] => [categoryOf(section), texts[section]]),
    ...OPTION_NAMES.map((name): [string, string] => [idOf(name), texts[name]]),
    ...[...labels].map(([name, label]): [string, string] => [idOf(name), label]),
    ...[...choices].map((value): [string, string] => [
      choiceId(value),
      value === null ? texts.none : String(value)
    ]),
    ...ADMX_POLICIES.map((one): [string, string] => [explanationId(one), explanation(one)])
  ]
  const presentation = ({ id, control, label }: AdmxPolicy): string[] => {
    const refId = ELEMENT
    const text = new Map(strings).get(label) ?? ''
    switch (control.kind) {
      case 'switch':
        return []
      case 'choice':
        return [xml('presentation', { id }, [xml('dropdownList', { refId, noSort: 'true' }, text)])]
      case 'number': {
        const defaultValue = String(control.minimum)
        return [xml('presentation', { id }, [xml('decimalTextBox', { refId, defaultValue }, text)])]
      }
      case 'text':
        return [xml('presentation', { id }, [xml('textBox', { refId }, [xml('label', {}, text)])])]
    }
  }
  const root = { ...NAMESPACE, revision: '1.0', schemaVersion: '1.0' }
  return `${XML_HEAD}${xml('policyDefinitionResources', root, [
    xml('displayName', {}, ROOT),
    xml('description', {}, texts.description),
    xml('resources', {}, [
      xml(
        'stringTable',
        {},
        strings.map(([id, text]) => xml('string', { id }, text))
      ),
      xml('presentationTable', {}, ADMX_POLICIES.flatMap(presentation))
    ])
  ])}\n`
}

/** A value in a property list, which has no null. */
function plistValue(value: unknown): string {
  if (value === null) return xml('string', {}, 'null')
  if (typeof value === 'boolean') return xml(String(value), {})
  if (typeof value === 'number') return xml('integer', {}, String(value))
  if (Array.isArray(value)) return xml('array', {}, value.map(plistValue))
  if (typeof value === 'string') return xml('string', {}, value)
  return xml(
    'dict',
    {},
    Object.entries(Object(value) as Record<string, unknown>).flatMap(([key, one]) => [
      xml('key', {}, key),
      plistValue(one)
    ])
  )
}

/** Every setting as a new till has it, and examples of the rest. */
function mobileconfig(): string {
  const payload = {
    PayloadType: APP_ID,
    PayloadVersion: 1,
    PayloadIdentifier: `${APP_ID}.policy`,
    PayloadUUID: '6E0F2A0C-7C0B-4E0B-9B43-0D8E1C7A5D21',
    PayloadDisplayName: ROOT,
    ...EXAMPLES,
    locked: grouped([[SERVICE_ADDRESS, EXAMPLE_ADDRESS]]),
    default: grouped([...SETTINGS].map(([name, { standard }]) => [name, standard]))
  }
  const profile = {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: `${APP_ID}.profile`,
    PayloadUUID: 'B6A5E2B4-3C1D-4F58-8A55-52D1F1B3C9E7',
    PayloadDisplayName: ROOT,
    PayloadScope: 'System',
    PayloadContent: [payload]
  }
  const head =
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n'
  return `${XML_HEAD}${head}${xml('plist', { version: '1.0' }, [plistValue(profile)])}\n`
}

/** Returns the content of each file, by its path in this folder. */
export const policyFiles = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    ['tillpoints.schema.json', await jsonSchema()],
    ['tillpoints.admx', admx()],
    ['en-US/tillpoints.adml', adml('en')],
    ['de-DE/tillpoints.adml', adml('de')],
    ['tillpoints.mobileconfig', mobileconfig()]
  ])

/** The folder that holds them. */
export const POLICY_FILES_FOLDER = join(PROJECT, 'resources/policy')
