/** The font families, the characters they cover, and the open fonts. */
import { create, type Font as FontkitFont } from 'fontkit'
import * as harfBuzz from 'harfbuzzjs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { FURTHER_SCRIPTS } from './scripts.ts'

export type Weight = 'regular' | 'bold'

/** Families with a bold file of their own. Other families' bold is synthetic: their regular with a thicker stroke. */
const FAMILIES_WITH_BOLD = ['NotoSans', 'IBMPlexSansArabic', 'NotoSansHebrew', 'NotoSansThai'] as const

/**
 * Families of alphabetic scripts, in order of preference. IBM Plex comes before Noto for Arabic: Noto draws dots apart
 * from their letters, so that one letter is several glyphs.
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

/** Regional forms of Han characters. */
export type HanStyle = 'ja' | 'zh-Hans' | 'zh-Hant' | 'ko'

const HAN = {
  ja: ['NotoSansJP', 'NotoSansSC', 'NotoSansTC', 'NotoSansKR'],
  'zh-Hans': ['NotoSansSC', 'NotoSansTC', 'NotoSansJP', 'NotoSansKR'],
  'zh-Hant': ['NotoSansTC', 'NotoSansSC', 'NotoSansJP', 'NotoSansKR'],
  ko: ['NotoSansKR', 'NotoSansJP', 'NotoSansSC', 'NotoSansTC']
} as const satisfies Record<HanStyle, readonly string[]>

const EMOJI = 'NotoEmoji'

/** Families of one script each, last in order: their signs and digits do not come before those of other families. */
const FURTHER = FURTHER_SCRIPTS.map(([, , family]) => family)

export type Family =
  (typeof ALPHABETS)[number] | (typeof HAN)['ja'][number] | typeof EMOJI | (typeof FURTHER)[number]

export const FAMILIES: readonly Family[] = [...ALPHABETS, ...HAN.ja, EMOJI, ...FURTHER]

/** The family with the replacement mark, the ellipsis and the dotted circle. */
export const BASE_FAMILY = 'NotoSans' satisfies Family

/** Families for text with Han characters in this style, best first; `emoji` is the order for emoji. */
export const familyOrder = (han: HanStyle): { text: readonly Family[]; emoji: readonly Family[] } => {
  const text: readonly Family[] = [...ALPHABETS, ...HAN[han], EMOJI, ...FURTHER]
  return { text, emoji: [EMOJI, ...text] }
}

/** File name of a family's weight, and whether it needs a synthetic bold. Emoji are never made bold. */
export function fontFile(family: Family, weight: Weight): { file: string; syntheticBold: boolean } {
  const bold = weight === 'bold'
  const hasBold = bold && FAMILIES_WITH_BOLD.some((name) => name === family)
  const syntheticBold = bold && !hasBold && family !== EMOJI
  return { file: `${family}-${hasBold ? 'Bold' : 'Regular'}.ttf`, syntheticBold }
}

/**
 * Lists which family has which characters, so that no font is opened to find out. Written by
 * `resources/scripts/font-coverage.ts`.
 */
export const COVERAGE_FILE = 'coverage.json'

/** True when every weight of `family` has a glyph for `codePoint`. */
export type Covers = (family: Family, codePoint: number) => boolean

const coverageSchema = v.record(v.string(), v.string())

/** Encodes sorted code points as runs: the number of skipped and of contained code points, in base 36. */
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

/** Decodes `encodeRuns` to boundaries: a code point is covered when the number of boundaries up to it is odd. */
function decodeRuns(text: string): Uint32Array {
  let boundary = 0
  return Uint32Array.from(text === '' ? [] : text.split(' '), (step) => (boundary += parseInt(step, 36)))
}

/** The number of sorted `boundaries` that are at most `codePoint`. */
function countUpTo(boundaries: Uint32Array, codePoint: number): number {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((boundaries[middle] ?? 0) <= codePoint) low = middle + 1
    else high = middle
  }
  return low
}

/** Reads `coverage.json` of `fontsFolder`. Each family is decoded when it is first looked up. */
export async function readCoverage(fontsFolder: string): Promise<Covers> {
  const table = v.parse(coverageSchema, JSON.parse(await readFile(join(fontsFolder, COVERAGE_FILE), 'utf8')))
  const decoded = new Map<Family, Uint32Array>()
  return (family, codePoint) => {
    let boundaries = decoded.get(family)
    if (boundaries === undefined) decoded.set(family, (boundaries = decodeRuns(table[family] ?? '')))
    return countUpTo(boundaries, codePoint) % 2 === 1
  }
}

/** A font file parsed twice: HarfBuzz shapes with it, fontkit subsets it for the PDF. */
export interface OpenFont {
  readonly file: string
  readonly unitsPerEm: number
  readonly shaping: harfBuzz.Font
  readonly parsed: FontkitFont
  /** the bounding box of a glyph, in font units; undefined for a glyph without ink */
  extents(glyph: number): harfBuzz.GlyphExtents | undefined
}

/** The fonts that are open. */
export interface Fonts {
  /** One buffer for all shaping: HarfBuzz frees a buffer's memory only when it is garbage collected. */
  readonly buffer: harfBuzz.Buffer
  readonly covers: Covers
  /** null when the file is not open */
  get(file: string): OpenFont | null
}

/** Parses a font file. Throws for a font collection, naming it `name`. */
export function parseFont(bytes: Buffer, name: string): FontkitFont {
  const font = create(bytes)
  if (!('layout' in font)) throw new Error(`${name} is a collection, not a font`)
  return font
}

function createOpenFont(file: string, bytes: Buffer): OpenFont {
  const shaping = new harfBuzz.Font(new harfBuzz.Face(new harfBuzz.Blob(bytes)))
  const parsed = parseFont(bytes, file)
  const cache = new Map<number, harfBuzz.GlyphExtents | undefined>()
  return {
    file,
    shaping,
    parsed,
    unitsPerEm: parsed.unitsPerEm,
    extents(glyph) {
      if (!cache.has(glyph)) cache.set(glyph, shaping.glyphExtents(glyph))
      return cache.get(glyph)
    }
  }
}

/** The fonts in a folder. Each file is read and parsed once, when a text first needs it. */
export class FontStore {
  readonly #folder: string
  readonly #buffer = new harfBuzz.Buffer()
  #coverage: Promise<Covers> | null = null
  readonly #loads = new Map<string, Promise<void>>()
  readonly #fonts = new Map<string, OpenFont>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Opens those of `files` that are not open. Rejects when one cannot be read; the next call retries. */
  async open(files: Iterable<string>): Promise<Fonts> {
    this.#coverage ??= readCoverage(this.#folder).catch((error: unknown) => {
      this.#coverage = null
      throw error
    })
    const [covers] = await Promise.all([this.#coverage, ...Array.from(files, (file) => this.#load(file))])
    return { buffer: this.#buffer, covers, get: (file) => this.#fonts.get(file) ?? null }
  }

  #load(file: string): Promise<void> {
    let load = this.#loads.get(file)
    if (load === undefined) {
      load = this.#read(file).catch((error: unknown) => {
        this.#loads.delete(file)
        throw error
      })
      this.#loads.set(file, load)
    }
    return load
  }

  async #read(file: string): Promise<void> {
    this.#fonts.set(file, createOpenFont(file, await readFile(join(this.#folder, file))))
  }
}
