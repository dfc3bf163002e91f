/**
 * Each promise of SECURITY.md and docs/privacy.md is a link to the test that fails when it is broken: a file, and words of a
 * title in it, joined by dashes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { hasTitle, testTitles } from './test-titles.ts'

const TEST_LINK = /\]\(([^)\s#]+\.(?:test|spec)\.ts)(?:#([^)\s]*))?\)/g

/** Returns the text of a document, with links in place of the names of links. */
function readDocument(path: string): string {
  const text = readFileSync(join(PROJECT, path), 'utf8')
  const targets = new Map(
    Array.from(text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm), ([, name, url]) => [name, url])
  )
  return text.replaceAll(/\]\[([^\]]+)\]/g, (_all, name: string) => `](${targets.get(name) ?? 'missing'})`)
}

const linksIn = (path: string, text: string) =>
  Array.from(text.matchAll(TEST_LINK), ([, file = '', words = '']) => ({
    file: relative(PROJECT, resolve(PROJECT, dirname(path), file)),
    words
  }))

/** Returns the items of lists and the rows of tables below a heading, each as one line. */
function itemsBelow(text: string, heading: string): string[] {
  const section = new RegExp(`^## ${heading}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(text)?.[1] ?? ''
  const [lists, rows] = [/^(?:- |\d+\. )[^]*?(?=^\S|^\n|(?![^]))/gm, /^\|.*\|$/gm]
  return [...(section.match(lists) ?? []), ...(section.match(rows)?.slice(2) ?? [])].map((item) =>
    item.replaceAll(/\s+/g, ' ').trim()
  )
}

const security = readDocument('SECURITY.md')
const privacy = readDocument('docs/privacy.md')
const links = [...linksIn('SECURITY.md', security), ...linksIn('docs/privacy.md', privacy)]

test.each(links)('$file has a test with the words $words', ({ file, words }) => {
  expect(existsSync(join(PROJECT, file))).toBe(true)
  expect(words).toMatch(/^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)+$/u)
  expect(hasTitle(testTitles(join(PROJECT, file)), words)).toBe(true)
})

describe.each([
  ['SECURITY.md', security, 'Promises', 30],
  ['SECURITY.md', security, "Electron's checklist", 20],
  ['docs/privacy.md', privacy, 'What is kept, and what leaves the machine', 12],
  ['docs/privacy.md', privacy, 'Whose it is', 10],
  ['docs/privacy.md', privacy, 'The data of one customer', 2]
])('%s', (_path, text, heading, count) => {
  const items = itemsBelow(text, heading)

  it(`has items below “${heading}”`, () => {
    expect(items.length).toBeGreaterThanOrEqual(count)
  })

  it.each(items)('links a test: %s', (item) => {
    expect(item.match(TEST_LINK)?.length ?? 0).toBeGreaterThan(0)
  })
})

test('the checklist has its twenty items, each once, in order', () => {
  const numbers = itemsBelow(security, "Electron's checklist").map((item) => Number.parseInt(item))
  expect(numbers).toEqual(Array.from({ length: 20 }, (_none, index) => index + 1))
})

describe('a reference to a test', () => {
  const titles = testTitles(join(PROJECT, 'test/unit/security/document.test.ts'))

  it('is found by words of its title, also where a value stands in them', () => {
    expect(hasTitle(titles, 'is-found-by-words-of-its-title')).toBe(true)
    expect(hasTitle(titles, 'has-a-test-with-the-words')).toBe(true)
    expect(hasTitle(titles, 'the-checklist-has-its-twenty-items')).toBe(true)
  })

  it.each(['is-found-by-word', 'titles-of-another-file', 'PROJECT'])('is not found: %s', (words) => {
    expect(hasTitle(titles, words)).toBe(false)
  })
})
