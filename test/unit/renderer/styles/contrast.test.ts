import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const css = readFileSync(new URL('../../../../renderer/src/styles/tokens.css', import.meta.url), 'utf8')

type Colour = readonly [red: number, green: number, blue: number]
type Theme = ReadonlyMap<string, Colour>

const fromHex = (hex: string): Colour => {
  const part = (from: number): number => parseInt(hex.slice(from, from + 2), 16)
  return [part(1), part(3), part(5)]
}

/** `color-mix(in srgb, var(--a) N%, var(--b))`, as CSS Color 5 mixes opaque colours. */
const mix = (first: Colour, share: number, second: Colour): Colour => {
  const at = (index: 0 | 1 | 2): number => first[index] * share + second[index] * (1 - share)
  return [at(0), at(1), at(2)]
}

/** The colours that a block of the style sheet sets, over those of `base`. */
function themeOf(block: string, base: Theme = new Map()): Theme {
  const plain = new Map(base)
  for (const [, name, hex] of block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/gu)) {
    if (name && hex) plain.set(name, fromHex(hex))
  }
  const all = new Map(plain)
  const mixes = css.matchAll(
    /--([\w-]+): color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\);/gu
  )
  for (const [, name, first, share, second] of mixes) {
    const [one, other] = [plain.get(first ?? ''), plain.get(second ?? '')]
    if (!name || !one || !other) throw new Error(`--${String(name)} mixes colours that are not set`)
    all.set(name, mix(one, Number(share) / 100, other))
  }
  return all
}

const [lightBlock = '', rest = ''] = css.split('@media (prefers-color-scheme: dark)')
const [darkBlock = ''] = rest.split('@media')
const light = themeOf(lightBlock)
const dark = themeOf(darkBlock, light)

/** WCAG 2.2, relative luminance. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2, contrast ratio. */
function contrast(theme: Theme, one: string, other: string): number {
  const [first, second] = [theme.get(one), theme.get(other)]
  if (!first || !second) throw new Error(`no such colour: --${one} or --${other}`)
  const [dim = 0, bright = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

const GROUNDS = ['paper', 'sheet', 'pale']
const TEXT_PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...GROUNDS.flatMap((ground) => [
    ['ink', ground] as const,
    ['muted', ground] as const,
    ['accent', ground] as const
  ]),
  ...['paper', 'sheet'].flatMap((ground) => [
    ['danger', ground] as const,
    ['warn', ground] as const,
    ['practice', ground] as const
  ]),
  ...['accent-ground', 'danger-ground', 'warn-ground'].flatMap((ground) => [
    ['ink', ground] as const,
    ['muted', ground] as const
  ]),
  ['accent', 'accent-ground'],
  ['danger', 'danger-ground'],
  ['warn', 'warn-ground'],
  // Words on filled buttons, badges and the practice mark.
  ['sheet', 'accent'],
  ['sheet', 'warn'],
  ['sheet', 'practice']
]

describe.each([
  ['light', light],
  ['dark', dark]
] as const)('in the %s theme', (_, theme) => {
  test.each(TEXT_PAIRS)('%s on %s reads at 4.5 to 1', (text, ground) => {
    expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5)
  })

  test.each([
    ['muted', 'sheet'],
    ['accent', 'paper'],
    ['danger', 'sheet'],
    ['practice', 'paper']
  ])('the edge %s shows on %s at 3 to 1', (edge, ground) => {
    expect(contrast(theme, edge, ground)).toBeGreaterThanOrEqual(3)
  })
})

test('the two themes are two', () => {
  expect(light.get('paper')).toEqual([251, 250, 247])
  expect(dark.get('paper')).toEqual([21, 21, 19])
})
