/** The files that comments, documents, scripts and workflows name exist. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: PROJECT,
  encoding: 'utf8'
})
  .trim()
  .split('\n')

const FOLDERS = new Set<string>()
for (const file of FILES)
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) FOLDERS.add(folder)
const PATHS = [...FILES, ...FOLDERS]

/** A file by its extension, or a folder with a stroke at its end; with the wildcards of a glob. */
const NAMED =
  /(?<![\w/.@~$\-{}*])(?:\.{1,2}\/)*([\w@{},*-][\w.@{},*-]*(?:\/[\w.@{},*-]+)*(?:\.(?:[cm]?js|jsonc?|ts|svelte|md|sh|css|html|ya?ml|svg)|\/))(?![\w/])/gu

/** What builds, tests and the app itself make, and what belongs to libraries and standards. */
const ELSEWHERE =
  /^(?:out|generated|node_modules|@expo-google-fonts|region|Cache|logs|logos|backups|lib\/browser|(?:.*\/)?1\.0|src\{,|standard-fonts\{,|s|1)\/|^[\w-]+\.(?:org|com)\/|^(?:settings|rewards|customer-removal|chunks|c)\.json$|policy\.json$|^(?:latest\*|app-update|pilot)\.yml$|^main\.mjs$|^x\.ts$|^Node\.js$/u

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*|<!--[\s\S]*?-->|^\s*#[^\n!]*/gmu

/** Returns what a file says about other files: of a document and a workflow everything, of a source its comments. */
function wordsOf(file: string): string {
  const text = readFileSync(join(PROJECT, file), 'utf8')
  const words = /\.(?:md|ya?ml|json)$/u.test(file) ? text : (text.match(COMMENT) ?? []).join('\n')
  return words.replace(/\w+:\/\/\S+/gu, '')
}

const escaped = (path: string): string =>
  path
    .replace(/[.+?^$()|[\]\\]/gu, '\\$&')
    .replace(/\{([^}]*)\}/gu, (_, names: string) => `(?:${names.split(',').join('|')})`)
    .replaceAll('**', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '.*')

/** Whether a path of the project ends with `path`; what a folder's README names without folders is in that folder. */
function exists(path: string, file: string): boolean {
  const isOwn = basename(file) === 'README.md' && !path.includes('/') && !path.endsWith('.md')
  const pattern = new RegExp(
    `${isOwn ? `^${escaped(dirname(file))}/(?:.*/)?` : '(?:^|/)'}${escaped(path)}$`,
    'u'
  )
  return PATHS.some((one) => pattern.test(one))
}

/** Returns the paths that a file names and that do not exist. */
const missingIn = (file: string): string[] =>
  [...wordsOf(file).matchAll(NAMED)]
    .map(([, path = '']) => path)
    .filter((path) => !ELSEWHERE.test(path) && !exists(path.replace(/\/$/u, ''), file))

test('every file that is named in a comment or a document exists', () => {
  // A finding names files of the packages that it installs.
  const documents = FILES.filter(
    (file) =>
      /\.(?:ts|svelte|[cm]js|sh|css|md)$|^\.github\/.*\.yml$/u.test(file) &&
      !/licence-texts\/|^findings\//u.test(file)
  )
  expect(documents.length).toBeGreaterThan(500)
  expect(documents.flatMap((file) => missingIn(file).map((path) => `${file}: ${path}`))).toEqual([])
})

test('every file that package.json names exists', () => {
  expect(missingIn('package.json')).toEqual([])
})

test('a documenting comment stands before what it documents, and a file has one at its head', () => {
  const alone = FILES.filter((file) => file.endsWith('.ts')).flatMap((file) => {
    const text = readFileSync(join(PROJECT, file), 'utf8')
    return [...text.matchAll(/(?<=\n)\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\n/gu)].map(
      ([comment]) => `${file}: ${comment}`
    )
  })
  expect(alone).toEqual([])
})
