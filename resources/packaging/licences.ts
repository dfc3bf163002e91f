/**
 * `npm run licences`, part of every build: writes `out/THIRD-PARTY-LICENCES.txt`, which every installation contains.
 * license-checker finds the npm packages of `dependencies`; fonts and compiled code inside packages are listed here.
 */
import { init, type ModuleInfos } from 'license-checker-rseidelsohn'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { PROJECT } from '../scripts/tools.ts'

/** A component of the app that others wrote. */
export interface Component {
  readonly name: string
  /** null for a component without releases */
  readonly version: string | null
  /** SPDX identifier or expression */
  readonly licence: string
  readonly text: string
}

/** Licences that allow distribution in a closed-source app with the licence text beside it. */
const ALLOWED_LICENCES: ReadonlySet<string> = new Set([
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Python-2.0'
])

const textOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'licence-texts', `${name}.txt`), 'utf8').trim()

/** Code inside packages that has a licence of its own. */
const embeddedComponents = (): Component[] => [
  {
    name: 'PDFium (in @hyzyla/pdfium)',
    version: null,
    licence: 'BSD-3-Clause',
    text: textOf('pdfium')
  },
  {
    name: 'HarfBuzz (in harfbuzzjs)',
    version: null,
    licence: 'MIT-Modern-Variant',
    text: textOf('harfbuzz')
  },
  {
    name: 'Brotli decoder (in brotli)',
    version: null,
    licence: 'Apache-2.0',
    text: textOf('brotli')
  },
  {
    name: 'SumatraPDF (in pdf-to-printer, on Windows only)',
    version: '3.4.6',
    licence: 'GPL-3.0-only',
    text: textOf('sumatrapdf')
  }
]

/** The slips' fonts: one component for each licence file in `folder`, named after its family. */
const fontComponents = (folder: string): Component[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('-LICENSE.txt'))
    .map((file) => ({
      name: `${file.replace('-LICENSE.txt', '')} (font)`,
      version: null,
      licence: 'OFL-1.1',
      text: readFileSync(join(folder, file), 'utf8').trim()
    }))

/**
 * Converts license-checker's result.
 * @throws one error that names every package without a licence, without a licence text, or with one that is not allowed.
 * An MIT package without a text gets the standard text with its author.
 */
export function packageComponents(modules: ModuleInfos): Component[] {
  const problems: string[] = []
  const components = Object.entries(modules).map(([id, module]): Component => {
    const at = id.lastIndexOf('@')
    // The asterisk marks a licence that license-checker recognized by its text.
    const licence = String(module.licenses ?? 'UNKNOWN').replace(/\*$/u, '')
    if (!ALLOWED_LICENCES.has(licence))
      problems.push(`${id} has the licence ${licence}, which is not allowed`)
    // license-checker falls back to the README, which is no licence text.
    const hasText = module.licenseFile !== undefined && !/^readme/iu.test(basename(module.licenseFile))
    if (!hasText && licence !== 'MIT') problems.push(`${id} has no licence text`)
    const mit = textOf('MIT').replace('<copyright holder>', module.publisher ?? `the authors of ${id}`)
    const notice = module.noticeFile === undefined ? '' : readFileSync(module.noticeFile, 'utf8').trim()
    return {
      name: id.slice(0, at),
      version: id.slice(at + 1),
      licence,
      text: [hasText ? (module.licenseText ?? '').trim() : mit, notice].filter(Boolean).join('\n\n')
    }
  })
  if (problems.length > 0) throw new Error(`Licences:\n${problems.join('\n')}`)
  return components
}

const SEPARATOR = '='.repeat(80)

const title = ({ name, version, licence }: Component): string =>
  `${name}${version === null ? '' : ` ${version}`}: ${licence}`

const APP_INTRODUCTION = [
  'Tillpoints contains the following third-party software and fonts. The licences of Electron and Chromium are in',
  'LICENSE.electron.txt and LICENSES.chromium.html beside the program.'
]

/** Returns the file's text: the list of all components, then each licence under its component's title. */
export function thirdPartyText(
  components: readonly Component[],
  introduction: readonly string[] = APP_INTRODUCTION
): string {
  const sorted = components.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
  return [
    ...introduction,
    '',
    ...sorted.map((component) => `- ${title(component)}`),
    ...sorted.flatMap((component) => ['', SEPARATOR, title(component), SEPARATOR, '', component.text]),
    ''
  ].join('\n')
}

/** @param production whether only `dependencies` are looked at */
const npmPackages = (production: boolean): Promise<ModuleInfos> =>
  promisify(init)({
    start: PROJECT,
    production,
    excludePrivatePackages: true,
    customFormat: { name: '', version: '', licenseText: '', publisher: '' }
  })

/** Returns the components in the folders of npm packages. @throws as `packageComponents` */
export async function componentsIn(folders: ReadonlySet<string>): Promise<Component[]> {
  const modules = Object.entries(await npmPackages(false))
  return packageComponents(Object.fromEntries(modules.filter(([, { path = '' }]) => folders.has(path))))
}

/** Returns every third-party component of the app. @throws as `packageComponents` */
export async function thirdPartyComponents(): Promise<Component[]> {
  return [
    ...packageComponents(await npmPackages(true)),
    ...embeddedComponents(),
    ...fontComponents(join(PROJECT, 'resources/fonts'))
  ]
}

if (import.meta.main) {
  // license-checker calls a deprecated function of Node for packages without a licence file.
  process.noDeprecation = true
  mkdirSync(join(PROJECT, 'out'), { recursive: true })
  writeFileSync(join(PROJECT, 'out/THIRD-PARTY-LICENCES.txt'), thirdPartyText(await thirdPartyComponents()))
}
