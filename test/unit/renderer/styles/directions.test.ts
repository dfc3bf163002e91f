/** No style has a left and a right: where the page runs from right to left, each of them would be at the wrong end. */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../renderer/src/', import.meta.url))

/** The values of a declaration; what is in parentheses is one. */
const valuesOf = (text: string): readonly string[] =>
  text.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/gu) ?? []

/** Returns the declarations that differ between left and right. */
function sidedIn(source: string): readonly string[] {
  const shorthands = [...source.matchAll(/(?:margin|padding|inset|border-width):\s*([^;{}]+);/gu)].filter(
    ([, text = '']) => {
      const [, right, , left] = valuesOf(text)
      return left !== undefined && left !== right
    }
  )
  const sides = source.matchAll(
    /(?:(?:margin|padding|border|inset)-(?:left|right)|(?<![-\w])(?:left|right)):[^;]+;/gu
  )
  return [...shorthands, ...sides].map(([declaration]) => declaration)
}

test.each([
  ['padding: 0 4px 0 8px;', 1],
  ['margin: calc(-1 * var(--gap)) 0 0 calc(-1 * (2px + 1px));', 1],
  ['margin-left: 4px;', 1],
  ['inset: 0 4px auto;', 0],
  ['padding: calc(-1 * var(--a)) 1px calc(2px) 1px;', 0],
  ['border-width: 0 2px 2px 0;', 1],
  ['margin-inline: 4px 8px;', 0]
])('%s', (declaration, count) => {
  expect(sidedIn(declaration)).toHaveLength(count)
})

test('in no component and style sheet', async () => {
  const found: string[] = []
  for await (const file of glob('**/*.{svelte,css}', { cwd: root })) {
    const style = readFileSync(root + file, 'utf8').replace(/<script[^]*?<\/script>/gu, '')
    found.push(...sidedIn(style).map((declaration) => `${file}: ${declaration}`))
  }
  expect(found).toEqual([])
})
