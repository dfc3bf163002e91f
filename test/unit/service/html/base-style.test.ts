import { describe, expect, it } from 'vitest'
import { STYLE } from '../../../../electron/service/pages/style.ts'
import { BASE_CSS } from '../../../../electron/service/html/base-style.ts'
import { contrastRatio, parseColour } from '../../../../renderer/src/styles/appearance.ts'

/** WCAG 2.2: 1.4.6 for what is read in the sun, 1.4.3 for the other text, 1.4.11 for the edges of fields. */
const [ENHANCED, TEXT] = [7, 4.5]

/** The colours of the n-th block of the root, by name. */
const coloursOf = (block: number): ReadonlyMap<string, string> =>
  new Map(
    [
      ...(BASE_CSS.split(':root {')[block + 1] ?? '')
        .split('}', 1)
        .join('')
        .matchAll(/--([\w-]+): (#\w{6})/g)
    ].map(([, name = '', hex = '']) => [name, hex])
  )

describe.each([
  ['light', coloursOf(0)],
  ['dark', coloursOf(1)]
])('in the %s theme', (_theme, colours) => {
  it.each([
    ['ink', 'sheet', ENHANCED],
    ['ink', 'paper', ENHANCED],
    ['on-accent', 'accent', ENHANCED],
    ['danger', 'sheet', ENHANCED],
    ['accent', 'paper', TEXT],
    ['muted', 'paper', TEXT],
    ['muted', 'sheet', TEXT]
  ])('--%s can be read on --%s', (ink, ground, least) => {
    const [one, other] = [colours.get(ink) ?? '', colours.get(ground) ?? '']
    expect(contrastRatio(parseColour(one), parseColour(other))).toBeGreaterThanOrEqual(least)
  })
})

it('has no size of letters that leaves the browser’s own out of account', () => {
  expect(STYLE.css.match(/font(-size)?:[^;]*\dpx/g)).toBeNull()
})
