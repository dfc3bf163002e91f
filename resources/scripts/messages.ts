/**
 * `npm run messages`: turns the messages of `resources/locales/` into modules of functions, one for each group and
 * language, in `generated/messages/<group>/<language>.js`. `resources/locales/README.md` tells how they are written.
 *
 * paraglide compiles them. It gives most functions a name of its own (`findcustomer1`) and takes anything for a
 * parameter, so each language gets a module beside it with the names of the source, typed by the English messages:
 * a count is a number, a choice is one of the words it is made between, and all else is text.
 *
 * `<group>/load.js` loads the messages of a language on demand.
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
import { directionOf, LANGUAGES, type Language } from '../../electron/contract/language.ts'
import { filledInOf, parametersOf, readMessages } from './message-source.ts'
import { PROJECT } from './tools.ts'

const SOURCES = join(PROJECT, 'resources/locales')
const TARGET = join(PROJECT, 'generated/messages')
const PLUGIN = join(PROJECT, 'node_modules/@inlang/plugin-message-format/dist/index.js')
const BASE = 'en'

const groups = (): string[] =>
  readdirSync(SOURCES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()

/** Changes with everything that the result depends on. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const files = [
    ...groups().flatMap((group) => LANGUAGES.map((language) => join(SOURCES, group, `${language}.json`))),
    join(PROJECT, 'resources/scripts/messages.ts'),
    join(PROJECT, 'resources/scripts/message-source.ts'),
    join(PROJECT, 'electron/contract/language.ts'),
    join(PROJECT, 'node_modules/@inlang/paraglide-js/package.json'),
    join(PROJECT, 'node_modules/@inlang/plugin-message-format/package.json')
  ]
  for (const file of files) hash.update(file).update(existsSync(file) ? readFileSync(file) : '')
  return hash.digest('hex')
}

/** The names that paraglide gave to the messages' functions, by the name in the source. */
function namesIn(index: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const [, name = ''] of index.matchAll(/^export const (\w+) =/gmu)) names.set(name, name)
  for (const [, safe = '', name = ''] of index.matchAll(/^export \{ (\w+) as "([^"]+)" \}$/gmu)) {
    names.set(name, safe)
  }
  return names
}

/** A message as a module offers it. */
interface Face {
  readonly key: string
  /** paraglide's name for it */
  readonly safe: string
  /** parameters that are shown as they come */
  readonly texts: readonly string[]
}

/**
 * A module of one language. `apart`: phones, codes and names that are filled in get Unicode's isolates around them,
 * so that they keep their own direction in a line that runs from right to left.
 */
function moduleOf(language: Language, faces: readonly Face[], apart: boolean): string {
  const compiled = `'./compiled/messages/${language}.js'`
  const isolated = (face: Face): boolean => apart && face.texts.length > 0
  const same = faces.filter((face) => !isolated(face))
  const plain = same.map(({ key, safe }) => `  ${safe === key ? key : `${safe} as ${key}`}`)
  const others = faces.filter(isolated).map(({ key, safe, texts }) => {
    const inputs = texts.map((name) => `${name}: apart(i.${name})`).join(', ')
    return `export const ${key} = (i) => words.${safe}({ ...i, ${inputs} })\n`
  })
  return [
    `export {\n${plain.join(',\n')}\n} from ${compiled}\n`,
    ...(others.length === 0 ? [] : [`import * as words from ${compiled}\n${APART}`, ...others])
  ].join('')
}

/** First strong isolate, and pop directional isolate (UAX 9). */
const APART = 'const apart = (text) => `\\u2068${text}\\u2069`\n'

async function compileGroup(group: string, folder: string): Promise<void> {
  const home = join(folder, group)
  const project = join(home, 'project.inlang')
  const compiled = join(home, 'compiled')
  mkdirSync(project, { recursive: true })
  for (const language of LANGUAGES) {
    copyFileSync(join(SOURCES, group, `${language}.json`), join(project, `${language}.json`))
  }
  writeFileSync(
    join(project, 'settings.json'),
    JSON.stringify({
      baseLocale: BASE,
      locales: LANGUAGES,
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

  const messages = Object.entries(readMessages(join(SOURCES, group, `${BASE}.json`)))
  const names = namesIn(readFileSync(join(compiled, 'messages/_index.js'), 'utf8'))
  const types: string[] = []
  const faces: Face[] = []
  for (const [key, message] of messages) {
    const safe = names.get(key)
    if (safe === undefined) throw new Error(`paraglide left out "${key}" of ${group}/${BASE}.json`)
    faces.push({ key, safe, texts: filledInOf(message) })
    const parameters = Object.entries(parametersOf(message)).map(([name, type]) => `${name}: ${type}`)
    types.push(
      `export declare const ${key}: (${parameters.length === 0 ? '' : `inputs: { ${parameters.join('; ')} }`}) => string`
    )
  }
  for (const language of LANGUAGES) {
    // What a slip prints is laid out with marks of its own.
    const apart = group !== 'slip' && directionOf(language) === 'rtl'
    writeFileSync(join(home, `${language}.js`), moduleOf(language, faces, apart))
    writeFileSync(join(home, `${language}.d.ts`), `${types.join('\n')}\n`)
  }
  writeFileSync(join(home, 'load.js'), LOADER)
  writeFileSync(join(home, 'load.d.ts'), LOADER_TYPES)
}

/** Loads the messages of one language on demand. */
const LOADER = [
  'const messages = {',
  LANGUAGES.map((language) => `  ${language}: () => import('./${language}.js')`).join(',\n'),
  '}',
  'export const loadMessages = (language) => messages[language]()',
  ''
].join('\n')

const LOADER_TYPES = [
  `import type { Language } from '../../../electron/contract/language.ts'`,
  `export declare const loadMessages: (language: Language) => Promise<typeof import('./${BASE}.js')>`,
  ''
].join('\n')

/** Compiles all groups, unless nothing changed since the last time. Whoever reads meanwhile finds the old or the new. */
export async function compileMessages(): Promise<void> {
  const now = fingerprint()
  const stamp = join(TARGET, 'fingerprint')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  const folder = `${TARGET}.${String(process.pid)}`
  rmSync(folder, { recursive: true, force: true })
  for (const group of groups()) await compileGroup(group, folder)
  writeFileSync(join(folder, 'fingerprint'), now)
  const old = `${folder}.old`
  if (existsSync(TARGET)) renameSync(TARGET, old)
  renameSync(folder, TARGET)
  rmSync(old, { recursive: true, force: true })
}

if (import.meta.main) await compileMessages()
