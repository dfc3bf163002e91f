/** What one package is licensed under, and its licence's text. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestOf, type Manifest } from './packages.ts'

/** A part of the till that others wrote. */
export interface Part {
  readonly name: string
  /** null where a part has no releases of its own */
  readonly version: string | null
  /** SPDX identifier */
  readonly licence: string
  readonly text: string
}

/** Licences under which a package may go into the till: each lets it be given away closed, with the text beside it. */
export const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1'
])

/** Packages whose package.json does not name a licence that their own text names. */
const NAMED_BY_TEXT: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'svelte-toolbelt': 'MIT' }

/** A licence's text from `texts/`. `project`: the project's folder, since a build's configuration is bundled elsewhere. */
export const textOf = (project: string, file: string): string =>
  readFileSync(join(project, 'resources/packaging/licences/texts', file), 'utf8').trim()

const holderOf = ({ author, name }: Manifest): string =>
  (typeof author === 'string' ? author.replace(/\s*<.*$/, '') : author?.name) ?? `the authors of ${name}`

/**
 * Reads the licence of the package in `folder`. A package that says MIT and has no text gets MIT's, with the name of
 * its author.
 * @throws when there is no licence, no text, or a licence that is not allowed
 */
export function licenceOf(folder: string, project: string): Part {
  const manifest = manifestOf(folder)
  const { name, version } = manifest
  const licence = manifest.license ?? NAMED_BY_TEXT[name]
  if (licence === undefined) throw new Error(`${name} ${version} names no licence`)
  if (!ALLOWED.has(licence)) {
    throw new Error(
      `${name} ${version} is under ${licence}, which is not among the allowed licences (licence.ts)`
    )
  }
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-].*)?$/i.test(file))
    .sort()
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  if (texts.length === 0) {
    if (licence !== 'MIT') throw new Error(`${name} ${version} has no licence text`)
    texts.push(textOf(project, 'MIT.txt').replace('<copyright holder>', holderOf(manifest)))
  }
  return { name, version, licence, text: texts.join('\n\n') }
}
