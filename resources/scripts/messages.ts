/**
 * `npm run messages`: compiles the messages of `resources/locales/` to modules of functions, one for each group and
 * language: `generated/messages/<group>/<language>.js`. `resources/locales/README.md` describes the source format.
 *
 * paraglide compiles them. It renames most functions (`findcustomer1`) and accepts any parameter, so each language gets a
 * second module with the keys of the source, typed by the English messages: a count is a number, a choice is one of its
 * values, and everything else is text.
 *
 * `<group>/load.js` loads the messages of one language on demand, `<group>/all.js` has those of all languages.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { compile } from '@inlang/paraglide-js'
import { directionOf, languageOf, LANGUAGES } from '../../electron/contract/language.ts'
import { filledInOf, parametersOf, readMessages } from './message-source.ts'
import { PROJECT } from './tools.ts'

const PLUGIN = join(PROJECT, 'node_modules/@inlang/plugin-message-format/dist/index.js')
const BASE = 'en'

/** Where messages are read from and written to, and in which languages. */
export interface CompileOptions {
  /** folder with one folder for each group */
  readonly sources: string
  readonly target: string
  readonly languages: readonly string[]
  readonly isRightToLeft: (language: string) => boolean
}

const PROJECT_OPTIONS: CompileOptions = {
  sources: join(PROJECT, 'resources/locales'),
  target: join(PROJECT, 'generated/messages'),
  languages: LANGUAGES,
  isRightToLeft: (tag) => directionOf(languageOf(tag) ?? BASE) === 'rtl'
}

const groupsIn = (sources: string): string[] =>
  readdirSync(sources, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

/** Returns a hash of everything that the result depends on. */
function fingerprint({ sources, languages }: CompileOptions): string {
  const hash = createHash('sha256')
  const files = [
    ...groupsIn(sources).flatMap((group) =>
      languages.map((language) => join(sources, group, `${language}.json`))
    ),
    join(PROJECT, 'resources/scripts/messages.ts'),
    join(PROJECT, 'resources/scripts/message-source.ts'),
    join(PROJECT, 'electron/contract/language.ts'),
    join(PROJECT, 'node_modules/@inlang/paraglide-js/package.json'),
    join(PROJECT, 'node_modules/@inlang/plugin-message-format/package.json')
  ]
  for (const file of files) hash.update(file).update(existsSync(file) ? readFileSync(file) : '')
  return hash.digest('hex')
}

/** Returns the names of paraglide’s functions by message key. */
function functionNames(index: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [, name = ''] of index.matchAll(/^export const (\w+) =/gmu)) names.set(name, name)
  for (const [, safe = '', name = ''] of index.matchAll(/^export \{ (\w+) as "([^"]+)" \}$/gmu)) {
    names.set(name, safe)
  }
  return names
}

/** A message as a module exports it. */
interface ExportedMessage {
  readonly key: string
  /** name of paraglide's function */
  readonly functionName: string
  /** parameters that are inserted unchanged */
  readonly texts: readonly string[]
}

/** First strong isolate and pop directional isolate (UAX 9). */
const ISOLATE = 'const isolate = (text) => `\\u2068${text}\\u2069`\n'

/**
 * Returns the source of one language's module. With `isolated`, inserted phones, codes and names are enclosed in
 * Unicode isolates, which keeps their direction in right-to-left text.
 */
function moduleSource(language: string, messages: readonly ExportedMessage[], isolated: boolean): string {
  const compiled = `'./compiled/messages/${language}.js'`
  const needsIsolates = ({ texts }: ExportedMessage): boolean => isolated && texts.length > 0
  const reexports = messages
    .filter((message) => !needsIsolates(message))
    .map(({ key, functionName }) => `  ${functionName === key ? key : `${functionName} as ${key}`}`)
  const wrappers = messages.filter(needsIsolates).map(({ key, functionName, texts }) => {
    const inputs = texts.map((name) => `${name}: isolate(i.${name})`).join(', ')
    return `export const ${key} = (i) => messages.${functionName}({ ...i, ${inputs} })\n`
  })
  return [
    `export {\n${reexports.join(',\n')}\n} from ${compiled}\n`,
    ...(wrappers.length === 0 ? [] : [`import * as messages from ${compiled}\n${ISOLATE}`, ...wrappers])
  ].join('')
}

const NEW_PLURAL_RULES = 'new Intl.PluralRules(locale, options)'

/** Keeps the plural rules of each locale: paraglide makes them at each call, which takes longer than the message. */
function keepPluralRules(registry: string): void {
  const source = readFileSync(registry, 'utf8')
  if (!source.includes(NEW_PLURAL_RULES)) throw new Error(`paraglide makes other plural rules in ${registry}`)
  const kept = [
    '',
    'const rules = new Map()',
    'const pluralRules = (locale, options) => {',
    '  const key = `${locale} ${JSON.stringify(options)}`',
    '  const known = rules.get(key) ?? new Intl.PluralRules(locale, options)',
    '  rules.set(key, known)',
    '  return known',
    '}',
    ''
  ].join('\n')
  writeFileSync(registry, source.replace(NEW_PLURAL_RULES, 'pluralRules(locale, options)') + kept)
}

async function compileGroup(group: string, folder: string, options: CompileOptions): Promise<void> {
  const { sources, languages, isRightToLeft } = options
  const home = join(folder, group)
  const project = join(home, 'project.inlang')
  const compiled = join(home, 'compiled')
  mkdirSync(project, { recursive: true })
  for (const language of languages) {
    copyFileSync(join(sources, group, `${language}.json`), join(project, `${language}.json`))
  }
  writeFileSync(
    join(project, 'settings.json'),
    JSON.stringify({
      baseLocale: BASE,
      locales: languages,
      modules: [PLUGIN],
      'plugin.inlang.messageFormat': { pathPattern: join(project, '{locale}.json') }
    })
  )
  await compile({
    project,
    outdir: compiled,
    outputStructure: 'locale-modules',
    strategy: ['globalVariable', 'baseLocale'],
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false
  })
  rmSync(project, { recursive: true })
  keepPluralRules(join(compiled, 'registry.js'))

  const sourceMessages = Object.entries(readMessages(join(sources, group, `${BASE}.json`)))
  const names = functionNames(readFileSync(join(compiled, 'messages/_index.js'), 'utf8'))
  const types: string[] = []
  const messages: ExportedMessage[] = []
  for (const [key, message] of sourceMessages) {
    const functionName = names.get(key)
    if (functionName === undefined) throw new Error(`paraglide left out "${key}" of ${group}/${BASE}.json`)
    messages.push({ key, functionName, texts: filledInOf(message) })
    const parameters = Object.entries(parametersOf(message)).map(([name, type]) => `${name}: ${type}`)
    types.push(
      `export declare const ${key}: (${parameters.length === 0 ? '' : `inputs: { ${parameters.join('; ')} }`}) => string`
    )
  }
  for (const language of languages) {
    // The layout of slips adds its own isolates.
    const isolated = group !== 'slip' && isRightToLeft(language)
    writeFileSync(join(home, `${language}.js`), moduleSource(language, messages, isolated))
    writeFileSync(join(home, `${language}.d.ts`), `${types.join('\n')}\n`)
  }
  writeFileSync(join(home, 'load.js'), loaderSource(languages))
  writeFileSync(join(home, 'load.d.ts'), LOADER_TYPES)
  writeFileSync(join(home, 'all.js'), allLanguagesSource(languages))
  writeFileSync(join(home, 'all.d.ts'), ALL_LANGUAGES_TYPES)
}

/** Loads the messages of one language on demand. */
const loaderSource = (languages: readonly string[]): string =>
  [
    'const messages = {',
    languages.map((language) => `  ${language}: () => import('./${language}.js')`).join(',\n'),
    '}',
    'export const loadMessages = (language) => messages[language]()',
    ''
  ].join('\n')

const LOADER_TYPES = [
  `import type { Language } from '../../../electron/contract/language.ts'`,
  `export declare const loadMessages: (language: Language) => Promise<typeof import('./${BASE}.js')>`,
  ''
].join('\n')

/** The messages of all languages, by language. */
const allLanguagesSource = (languages: readonly string[]): string =>
  [
    ...languages.map((language) => `import * as ${language} from './${language}.js'`),
    `export const messagesByLanguage = { ${languages.join(', ')} }`,
    ''
  ].join('\n')

const ALL_LANGUAGES_TYPES = [
  `import type { Language } from '../../../electron/contract/language.ts'`,
  `export declare const messagesByLanguage: Readonly<Record<Language, typeof import('./${BASE}.js')>>`,
  ''
].join('\n')

/** Compiles all groups, unless nothing has changed. The target is replaced at once, so readers see one version. */
export async function compileMessages(options: CompileOptions = PROJECT_OPTIONS): Promise<void> {
  const { sources, target } = options
  const now = fingerprint(options)
  const stamp = join(target, 'fingerprint')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  const folder = `${target}.${String(process.pid)}`
  rmSync(folder, { recursive: true, force: true })
  for (const group of groupsIn(sources)) await compileGroup(group, folder, options)
  writeFileSync(join(folder, 'fingerprint'), now)
  const old = `${folder}.old`
  if (existsSync(target)) renameSync(target, old)
  renameSync(folder, target)
  rmSync(old, { recursive: true, force: true })
}

if (import.meta.main) await compileMessages()
