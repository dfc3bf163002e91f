import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  parseColour,
  contrastRatio,
  BACKGROUNDS as ACCENT_GROUNDS,
  isReadableAccent,
  MIN_CONTRAST,
  type Colour
} from '../../../../renderer/src/styles/appearance.ts'

const css = readFileSync(new URL('../../../../renderer/src/styles/tokens.css', import.meta.url), 'utf8')

type Theme = ReadonlyMap<string, Colour>

/** Mixes two opaque colours as `color-mix(in srgb, …)` does (CSS Color 5). */
const mix = (first: Colour, share: number, second: Colour): Colour => {
  const at = (index: 0 | 1 | 2): number => first[index] * share + second[index] * (1 - share)
  return [at(0), at(1), at(2)]
}

/** Returns the colours of `base`, overridden by those of a block of the style sheet. */
function themeOf(block: string, base: Theme = new Map()): Theme {
  const plain = new Map(base)
  for (const [, name, hex] of block.matchAll(
    /--([\w-]+): (?:var\(--own-accent-\w+, )?(#[0-9a-f]{6})\)?;/gu
  )) {
    if (name && hex) plain.set(name, parseColour(hex))
  }
  const all = new Map(plain)
  const mixes = css.matchAll(
    /--([\w-]+): color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\);/gu
  )
  for (const [, name, first, share, second] of mixes) {
    const [one, other] = [plain.get(first ?? ''), plain.get(second ?? '')]
    if (name !== undefined && block.includes(`--${name}: #`)) continue
    if (!name || !one || !other) throw new Error(`--${String(name)} mixes colours that are not set`)
    all.set(name, mix(one, Number(share) / 100, other))
  }
  return all
}

/** Returns the blocks of one selector, in source order. */
const blocksOf = (selector: string): string[] =>
  css
    .split(`${selector} {`)
    .slice(1)
    .map((after) => after.split('}')[0] ?? '')

const [lightBlock = '', darkBlock = ''] = blocksOf(':root')
const [moreLightBlock = '', moreDarkBlock = ''] = blocksOf(":root[data-contrast='more']")
const light = themeOf(lightBlock)
const dark = themeOf(darkBlock, light)
const moreLight = themeOf(moreLightBlock, light)
const moreDark = themeOf(moreDarkBlock, dark)

function contrast(theme: Theme, one: string, other: string): number {
  const [first, second] = [theme.get(one), theme.get(other)]
  if (!first || !second) throw new Error(`no such colour: --${one} or --${other}`)
  return contrastRatio(first, second)
}

const BACKGROUNDS = ['paper', 'sheet', 'pale']
const TEXT_PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...BACKGROUNDS.flatMap((ground) => [
    ['ink', ground] as const,
    ['muted', ground] as const,
    ['accent', ground] as const
  ]),
  ...['paper', 'sheet'].flatMap((ground) => [
    ['danger', ground] as const,
    ['warn', ground] as const,
    ['training', ground] as const
  ]),
  ...['accent-ground', 'danger-ground', 'warn-ground'].flatMap((ground) => [
    ['ink', ground] as const,
    ['muted', ground] as const
  ]),
  ['accent', 'accent-ground'],
  ['danger', 'danger-ground'],
  ['warn', 'warn-ground'],
  // Text on filled buttons, badges and the training label.
  ['sheet', 'accent'],
  ['sheet', 'warn'],
  ['sheet', 'training']
]

describe.each([
  ['light', light, MIN_CONTRAST.AA],
  ['dark', dark, MIN_CONTRAST.AA],
  ['light, high contrast', moreLight, MIN_CONTRAST.AAA],
  ['dark, high contrast', moreDark, MIN_CONTRAST.AAA]
] as const)('theme %s', (_, theme, least) => {
  test.each(TEXT_PAIRS)('the text colour %s has enough contrast on %s', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(least)
  })

  test.each([
    ['muted', 'sheet'],
    ['accent', 'paper'],
    ['danger', 'sheet'],
    ['training', 'paper']
  ])('the border colour %s has a contrast of 3 to 1 on %s', (edge, ground) => {
    expect(contrast(theme, edge, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('the light and dark themes have different paper colours', () => {
  expect(light.get('paper')).toEqual([251, 250, 247])
  expect(dark.get('paper')).toEqual([21, 21, 19])
})

test('the line colour has a contrast of 3 to 1 in the high-contrast themes', () => {
  expect(contrast(moreLight, 'line', 'sheet')).toBeGreaterThanOrEqual(3)
  expect(contrast(moreDark, 'line', 'sheet')).toBeGreaterThanOrEqual(3)
})

describe('accent colour of a business', () => {
  test.each([
    ['light', 'usual', light],
    ['dark', 'usual', dark],
    ['light', 'more', moreLight],
    ['dark', 'more', moreDark]
  ] as const)(
    'is checked against the backgrounds of the %s theme with contrast %s',
    (name, contrastName, theme) => {
      const grounds = ['paper', 'sheet', 'pale'].map((ground) => theme.get(ground)?.map(Math.round))
      for (const ground of ACCENT_GROUNDS[name][contrastName])
        expect(grounds).toContainEqual([...parseColour(ground)])
    }
  )

  test.each([
    ['#8a1c3c', 'light', false, true],
    ['#8a1c3c', 'dark', false, false],
    ['#ffd166', 'light', false, false],
    ['#ffd166', 'dark', true, true],
    ['#767676', 'light', true, false]
  ] as const)(
    '%s in the %s theme with high contrast %s is readable: %s',
    (accent, theme, highContrast, expected) => {
      expect(isReadableAccent(accent, theme, highContrast)).toBe(expected)
    }
  )
})

test.each([
  ['#000000', '#ffffff', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ffffff', '#ffffff', 1]
])('the contrast of %s and %s is %f', (one, other, ratio) => {
  expect(contrastRatio(parseColour(one), parseColour(other))).toBeCloseTo(ratio, 2)
})
