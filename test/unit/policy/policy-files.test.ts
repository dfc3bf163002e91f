/** The files for administrators: that they are up to date, complete, and keep the rules of their formats. */
import { type Document, DOMParser, type Element, onErrorStopParsing } from '@xmldom/xmldom'
import { Ajv } from 'ajv'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type PolicyName, SERVICE_ADDRESS, SETTINGS } from '../../../electron/contract/settings.ts'
import { POLICY_OPTIONS, POLICY_SECTIONS } from '../../../electron/main/policy/policy.ts'
import { policyFiles, POLICY_FILES_FOLDER } from '../../../resources/policy/policy-files.ts'

const NAMES: readonly PolicyName[] = [SERVICE_ADDRESS, ...SETTINGS.keys()]
const ADMX = 'tillpoints.admx'
const ADMLS = ['en-US/tillpoints.adml', 'de-DE/tillpoints.adml']
const SCHEMA = 'tillpoints.schema.json'
const PROFILE = 'tillpoints.mobileconfig'

const readFile = (name: string): string => readFileSync(join(POLICY_FILES_FOLDER, name), 'utf8')

const parsed = new Map<string, Document>()

/** Parses a file of XML once. Throws where it is not well-formed. */
function parseXml(name: string): Document {
  const parser = new DOMParser({ onError: onErrorStopParsing })
  const known = parsed.get(name) ?? parser.parseFromString(readFile(name), 'text/xml')
  parsed.set(name, known)
  return known
}

const elements = (parent: Document | Element, name: string): Element[] => [
  ...parent.getElementsByTagName(name)
]
const idOf = (one: Element): string | null => one.getAttribute('id')
const values = (found: readonly Element[], attribute: string): string[] =>
  found.flatMap((one) => one.getAttribute(attribute) ?? [])

it('are as `npm run policy` writes them', async () => {
  for (const [name, content] of await policyFiles()) expect(readFile(name), name).toBe(content)
})

describe.each(NAMES)('%s', (name) => {
  const path = name.split('.')

  it('is in the JSON Schema', () => {
    const schema: unknown = JSON.parse(readFile(SCHEMA))
    const settings = ['definitions', 'settings', ...path.flatMap((part) => ['properties', part])]
    expect(schema).toHaveProperty(settings)
  })

  it('is in the administrative template, locked and preset, with a name in each language', () => {
    const policies = elements(parseXml(ADMX), 'policy')
    for (const section of POLICY_SECTIONS) {
      const id = `${section}_${name.replace('.', '_')}`
      const policy = policies.find((one) => one.getAttribute('name') === id)
      if (policy === undefined) throw new Error(`There is no policy ${id}`)
      expect(policy.getAttribute('key')).toBe(`Software\\Policies\\Tillpoints\\${section}`)
      expect(values([policy, ...elements(policy, '*')], 'valueName')).toEqual([name])
    }
    for (const adml of ADMLS) {
      const texts = elements(parseXml(adml), 'string')
      expect(texts.find((one) => idOf(one) === name.replace('.', '_'))?.textContent).toMatch(/\w/)
    }
  })

  it('is in the profile', () => {
    for (const key of path) expect(readFile(PROFILE)).toContain(`<key>${key}</key>`)
  })
})

describe.each(Object.keys(POLICY_OPTIONS))('%s', (name) => {
  it('is in each file', () => {
    expect(JSON.parse(readFile(SCHEMA))).toHaveProperty(['properties', name])
    expect(readFile(PROFILE)).toContain(`<key>${name}</key>`)
    expect(values(elements(parseXml(ADMX), 'policy'), 'name')).toContain(name)
  })
})

describe('the JSON Schema', () => {
  const validate = new Ajv({ allErrors: true }).compile(JSON.parse(readFile(SCHEMA)))

  it.each([...SETTINGS])('allows what a new till has: %s', (name, { standard }) => {
    const [group = name, own] = name.split('.')
    for (const section of POLICY_SECTIONS)
      expect(validate({ [section]: { [group]: own === undefined ? standard : { [own]: standard } } })).toBe(
        true
      )
  })

  it('allows a whole policy', () => {
    const policy = {
      $schema: SCHEMA,
      managedBy: 'Example IT',
      locked: { service: { address: 'https://points.example/' }, printer: { destination: 'Receipt' } },
      default: { tourSeen: true, updateRing: 'pilot' },
      tokenFile: '/etc/tillpoints/token',
      pairingCode: 'BCDF-GHJK'
    }
    expect(validate(policy)).toBe(true)
  })

  it.each([
    [{ locked: { theme: 'blue' } }],
    [{ locked: { thema: 'dark' } }],
    [{ locked: { slip: { foot: '' } } }],
    [{ default: { copies: 9 } }],
    [{ lock: {} }]
  ])('refuses %j', (policy) => {
    expect(validate(policy)).toBe(false)
  })
})

/** What Microsoft's schema of both files does not check: that each name which one file uses is in the other. */
describe.each(ADMLS)('the administrative template with %s', (adml) => {
  let template: Document
  let texts: Document
  beforeAll(() => {
    template = parseXml(ADMX)
    texts = parseXml(adml)
  })

  const referencesIn = (kind: string): Set<string> =>
    new Set(
      [...readFile(ADMX).matchAll(new RegExp(`\\$\\(${kind}\\.(\\w+)\\)`, 'g'))].map(([, id = '']) => id)
    )

  it('has each text once, and no other', () => {
    const ids = values(elements(texts, 'string'), 'id')
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(ids)).toEqual(referencesIn('string'))
  })

  it('has the control of each value', () => {
    const presentations = elements(texts, 'presentation')
    expect(new Set(values(presentations, 'id'))).toEqual(referencesIn('presentation'))
    const controls = { text: 'textBox', enum: 'dropdownList', decimal: 'decimalTextBox' }
    for (const policy of elements(template, 'policy')) {
      const asked = Object.entries(controls).flatMap(([element, control]) =>
        elements(policy, element).flatMap((one) => (idOf(one) === null ? [] : [`${control} ${idOf(one)}`]))
      )
      const presentation = presentations.find(
        (one) => policy.getAttribute('presentation') === `$(presentation.${idOf(one)})`
      )
      const shown = presentation ? elements(presentation, '*') : []
      expect(
        shown.flatMap((one) =>
          one.getAttribute('refId') === null ? [] : [`${one.tagName} ${one.getAttribute('refId')}`]
        )
      ).toEqual(asked)
    }
  })

  it('names each category and what it is for, and each policy once', () => {
    const names = values(elements(template, 'policy'), 'name')
    expect(new Set(names).size).toBe(names.length)
    const categories = values(elements(template, 'category'), 'name')
    for (const ref of values(elements(template, 'parentCategory'), 'ref')) expect(categories).toContain(ref)
    const supported = values(elements(template, 'definition'), 'name')
    for (const policy of elements(template, 'policy'))
      expect(supported).toEqual(values(elements(policy, 'supportedOn'), 'ref'))
  })
})
