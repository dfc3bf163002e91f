/** SECURITY.md promises nothing that no test holds: every test that it names is there, for every item. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../../resources/scripts/tools.ts'

const text = readFileSync(join(PROJECT, 'SECURITY.md'), 'utf8')
const named = [
  ...new Set(
    Array.from(text.matchAll(/`((?:test|\.github|electron|resources)\/[^`*]+)`/g), ([, path = '']) => path)
  )
]
/** Rows of the checklist: number, item, how it is met, what fails otherwise. */
const rows = Array.from(
  text.matchAll(/^\| (\d+) +\|([^|]+)\|([^|]+)\|([^|]+)\|$/gm),
  ([, number, item, how, tests]) => ({
    number: Number(number),
    item: item?.trim(),
    how: how?.trim(),
    tests: tests?.trim() ?? ''
  })
)

test.each(named)('%s is there', (path) => {
  expect(existsSync(join(PROJECT, path))).toBe(true)
})

test('the checklist has its twenty items, each once, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_none, index) => index + 1))
})

test.each(rows)(
  'item $number says how it is met, and which test fails when it is not',
  ({ item, how, tests }) => {
    expect(item).not.toBe('')
    expect(how).not.toBe('')
    expect(tests).toMatch(/`test\/[^`]+\.(test|spec)\.ts`/)
  }
)

test('names more than a few tests', () => {
  expect(named.length).toBeGreaterThan(20)
})
