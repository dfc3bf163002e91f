/**
 * Open fonts: each file is read and parsed once, when a text first needs it, twice over: HarfBuzz shapes with it,
 * fontkit cuts out the glyphs that go into a PDF.
 */
import { create, type Font as ParsedFont } from 'fontkit'
import type * as HarfBuzzModule from 'harfbuzzjs'
import type { Buffer as ShapingBuffer, Font as ShapingFont, GlyphExtents } from 'harfbuzzjs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCoverage, type Covers } from './coverage.ts'

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
