/**
 * What is drawn first says only what is there by then: nothing that is loaded before the first paint takes its words from
 * `m.ts`, and the list of the first words names no others.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { readNames } from '../../../../resources/scripts/message-source.ts'
import { PROJECT } from '../../../../resources/scripts/tools.ts'

/** An import or export from a file of the project, unless it is of types alone; `import()` is none. */
const IMPORT = /^\s*(?:import|export)\b(?!\s+type\b)(?:[^;'"]*?\bfrom\b)?\s*['"](\.[^'"]+)['"]/gmu

/** Everything that these files load with themselves, as paths below the project. */
function loadedWith(entries: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const todo = [...entries]
  for (let path = todo.pop(); path !== undefined; path = todo.pop()) {
    if (found.has(path)) continue
    found.add(path)
    if (!/\.(?:ts|svelte)$/u.test(path)) continue
    for (const [, address = ''] of readFileSync(join(PROJECT, path), 'utf8').matchAll(IMPORT)) {
      todo.push(relative(PROJECT, join(PROJECT, dirname(path), address)))
    }
  }
  return [...found]
}

/** Components that say they make do with the first words: `whenWanted(() => import('…'), 'first')`. */
const componentsWithFirstWords = (path: string): string[] =>
  [...readFileSync(join(PROJECT, path), 'utf8').matchAll(/import\('([^']+)'\),\s*'first'/gu)].map(
    ([, address = '']) => join(dirname(path), address)
  )

const atStart = loadedWith(['renderer/src/main.ts'])
const first = loadedWith([
  ...atStart,
  ...atStart.filter((path) => path.endsWith('.ts')).flatMap(componentsWithFirstWords)
])

test('what is loaded before the first paint takes its words from first.ts', () => {
  expect(first).toContain('renderer/src/screens/till/TillScreen.svelte')
  expect(first).toContain('renderer/src/screens/till/AmountField.svelte')
  expect(first.every((path) => existsSync(join(PROJECT, path)))).toBe(true)
  expect(first).not.toContain('renderer/src/i18n/m.ts')
})

test('every first word is said there', () => {
  const said = new Set(
    first.flatMap((path) =>
      /\.(?:ts|svelte)$/u.test(path)
        ? [...readFileSync(join(PROJECT, path), 'utf8').matchAll(/\bm\.(\w+)/gu)].map(([, name]) => name)
        : []
    )
  )
  const names = [...readNames(join(PROJECT, 'resources/locales/screen/first.json'))]
  expect(names.filter((name) => !said.has(name))).toEqual([])
})
