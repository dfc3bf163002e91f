import { create, type Font as ParsedFont } from 'fontkit'
import type * as HarfBuzzModule from 'harfbuzzjs'
import type { Buffer as ShapingBuffer, Font as ShapingFont, GlyphExtents } from 'harfbuzzjs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'

/** The font families of resources/fonts, and which of them a text is looked for in first. */

export type Weight = 'regular' | 'bold'

/** Families with a bold file of their own. The others' bold is their regular, drawn with a thicker stroke. */
const WITH_BOLD = ['NotoSans', 'IBMPlexSansArabic', 'NotoSansHebrew', 'NotoSansThai'] as const

/**
 * Everything but Han, kana and hangul, in the order of preference. IBM Plex comes before Noto for Arabic: Noto draws
 * dots apart from their letters, so that one letter is several glyphs.
 */
const ALPHABETS = [
  'NotoSans',
  'IBMPlexSansArabic',
  'NotoSansArabic',
  'NotoSansHebrew',
  'NotoSansThai',
  'NotoSansArmenian',
  'NotoSansGeorgian',
  'NotoSansBengali',
  'NotoSansGujarati',
  'NotoSansGurmukhi',
  'NotoSansKannada',
  'NotoSansMalayalam',
  'NotoSansSinhala',
  'NotoSansTamil',
  'NotoSansTelugu',
  'NotoSansKhmer',
  'NotoSansLao',
  'NotoSansMyanmar',
  'NotoSansEthiopic'
] as const

/** Han characters are drawn differently in each of these. */
const HAN_STYLES = ['ja', 'zh-Hans', 'zh-Hant', 'ko'] as const
export type HanStyle = (typeof HAN_STYLES)[number]

const HAN = {
  ja: ['NotoSansJP', 'NotoSansSC', 'NotoSansTC', 'NotoSansKR'],
  'zh-Hans': ['NotoSansSC', 'NotoSansTC', 'NotoSansJP', 'NotoSansKR'],
  'zh-Hant': ['NotoSansTC', 'NotoSansSC', 'NotoSansJP', 'NotoSansKR'],
  ko: ['NotoSansKR', 'NotoSansJP', 'NotoSansSC', 'NotoSansTC']
} as const satisfies Record<HanStyle, readonly string[]>

const EMOJI = 'NotoEmoji'

export type Family = (typeof ALPHABETS)[number] | (typeof HAN)['ja'][number] | typeof EMOJI

export const FAMILIES: readonly Family[] = [...ALPHABETS, ...HAN.ja, EMOJI]

/** The family that has the replacement mark, the ellipsis and the dotted circle. */
export const BASE_FAMILY = 'NotoSans' satisfies Family

/** Where text in a style of Han is looked for, best first; `emoji` for a character that asks for a picture. */
export const familyOrder = (han: HanStyle): { text: readonly Family[]; emoji: readonly Family[] } => {
  const text: readonly Family[] = [...ALPHABETS, ...HAN[han], EMOJI]
  return { text, emoji: [EMOJI, ...text] }
}

/** The file that draws a weight of a family, and whether it must be thickened to look bold. Images stay as they are. */
export function fileOf(family: Family, weight: Weight): { file: string; thicken: boolean } {
  const bold = weight === 'bold'
  const ownBold = bold && WITH_BOLD.some((name) => name === family)
  const thicken = bold && !ownBold && family !== EMOJI
  return { file: `${family}-${ownBold ? 'Bold' : 'Regular'}.ttf`, thicken }
}

/* from coverage.ts:
 * Which family has which characters, without opening a font: read from `coverage.json` beside the fonts, which
 * `make-coverage.ts` writes.
 */

export const COVERAGE_FILE = 'coverage.json'

/** True when every weight of `family` has a glyph for `codePoint`. */
export type Covers = (family: Family, codePoint: number) => boolean

const tableSchema = v.record(v.string(), v.string())

/** Spells sorted code points as runs: how many are skipped and how many follow, in base 36. */
export function encodeRuns(codePoints: readonly number[]): string {
  const runs: string[] = []
  let end = 0
  for (let index = 0; index < codePoints.length;) {
    const start = codePoints[index] ?? 0
    let next = start
    while (codePoints[index] === next) {
      index++
      next++
    }
    runs.push(`${(start - end).toString(36)} ${(next - start).toString(36)}`)
    end = next
  }
  return runs.join(' ')
}

/** The borders that `encodeRuns` spelled: a code point is in when an odd number of them is not above it. */
function decodeRuns(text: string): Uint32Array {
  let border = 0
  return Uint32Array.from(text === '' ? [] : text.split(' '), (step) => (border += parseInt(step, 36)))
}

function bordersUpTo(borders: Uint32Array, codePoint: number): number {
  let low = 0
  let high = borders.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((borders[middle] ?? 0) <= codePoint) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads the table of `fontsFolder`. A family's part of it is unpacked when it is first asked about. */
export async function readCoverage(fontsFolder: string): Promise<Covers> {
  const table = v.parse(tableSchema, JSON.parse(await readFile(join(fontsFolder, COVERAGE_FILE), 'utf8')))
  const unpacked = new Map<Family, Uint32Array>()
  return (family, codePoint) => {
    let borders = unpacked.get(family)
    if (borders === undefined) unpacked.set(family, (borders = decodeRuns(table[family] ?? '')))
    return bordersUpTo(borders, codePoint) % 2 === 1
  }
}

/* from font-store.ts:
 * Open fonts: each file is read and parsed once, when a text first needs it, twice over: HarfBuzz shapes with it,
 * fontkit cuts out the glyphs that go into a PDF.
 */

/** HarfBuzz's module. Imported when the first slip needs it, so that the till's start does not wait for it. */
export type HarfBuzz = typeof HarfBuzzModule

export interface OpenFont {
  readonly file: string
  readonly unitsPerEm: number
  readonly shaping: ShapingFont
  readonly parsed: ParsedFont
  /** the box of a glyph's ink, in font units; undefined when it has none */
  extents(glyph: number): GlyphExtents | undefined
}

/** Fonts as far as they are open. */
export interface Fonts {
  readonly harfBuzz: HarfBuzz
  /** One for all shaping: the memory of a buffer of one's own is freed only when the garbage collector gets to it. */
  readonly buffer: ShapingBuffer
  readonly covers: Covers
  /** null when the file is not open yet */
  get(file: string): OpenFont | null
}

export interface FontStore {
  /** Opens `files`, those that are not open yet. Rejects when one cannot be read; a later call tries again. */
  open(files: Iterable<string>): Promise<Fonts>
}

/** Parses a font file's bytes; `name` is for the error that a collection of fonts leads to. */
export function parseFont(bytes: Buffer, name: string): ParsedFont {
  const font = create(bytes)
  if (!('layout' in font)) throw new Error(`${name} is a collection, not a font`)
  return font
}

function toOpenFont({ Blob, Face, Font }: HarfBuzz, file: string, bytes: Buffer): OpenFont {
  const shaping = new Font(new Face(new Blob(bytes)))
  const parsed = parseFont(bytes, file)
  const known = new Map<number, GlyphExtents | undefined>()
  return {
    file,
    shaping,
    parsed,
    unitsPerEm: parsed.unitsPerEm,
    extents(glyph) {
      if (!known.has(glyph)) known.set(glyph, shaping.glyphExtents(glyph))
      return known.get(glyph)
    }
  }
}

/** The fonts in `folder`. Reads nothing before the first call of `open`. */
export function createFontStore(folder: string): FontStore {
  /** What `load` came to under each name; what failed is forgotten. */
  const loads = new Map<string, Promise<unknown>>()
  const once = async <Value>(name: string, load: () => Promise<Value>): Promise<Value> => {
    const running = loads.get(name) as Promise<Value> | undefined
    if (running !== undefined) return running
    const loading = load()
    loads.set(name, loading)
    loading.catch(() => loads.delete(name))
    return loading
  }
  const fonts = new Map<string, OpenFont>()

  return {
    async open(files) {
      const [shaping, covers] = await Promise.all([
        once('harfbuzz', async () => {
          const harfBuzz = await import('harfbuzzjs')
          return { harfBuzz, buffer: new harfBuzz.Buffer() }
        }),
        once('coverage', () => readCoverage(folder))
      ])
      await Promise.all(
        Array.from(files, (file) =>
          once(file, async () => {
            fonts.set(file, toOpenFont(shaping.harfBuzz, file, await readFile(join(folder, file))))
          })
        )
      )
      return { ...shaping, covers, get: (file) => fonts.get(file) ?? null }
    }
  }
}
