/** The fonts of a slip: read at the first slip, parsed once, handed to each document as if they were new. */
import { create, type Font } from 'fontkit'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Weight = 'regular' | 'bold'
export type FontSet = Readonly<Record<Weight, Font>>

const FILES: Readonly<Record<Weight, string>> = { regular: 'NotoSans-Regular.ttf', bold: 'NotoSans-Bold.ttf' }

async function open(folder: string, weight: Weight): Promise<Font> {
  const font = create(await readFile(join(folder, FILES[weight])))
  if (!('layout' in font)) throw new Error(`${FILES[weight]} is a collection, not a font`)
  return font
}

/**
 * Not to be shaped with: `ccmp` takes letters such as ị apart into a letter and a mark, and pdfkit would then write
 * down the letter alone as what both stand for. Text comes composed (NFC), so nothing needs it.
 */
const FEATURES = { ccmp: false }

/**
 * A view of a parsed font with its own memory of glyphs. fontkit remembers for each glyph the characters that led
 * to it first, and pdfkit writes those into the document: with one memory for all slips, a slip's bytes would
 * depend on the slips before it.
 */
const forOneDocument = (font: Font): Font =>
  Object.create(font, {
    _glyphs: { value: {} },
    layout: {
      value(this: Font, text: string) {
        return font.layout.call(this, text, FEATURES)
      }
    }
  }) as Font

/** Gives the fonts for one document. Reads the files at the first call; a failed read is tried again at the next. */
export function createFontSource(folder: string): () => Promise<FontSet> {
  let parsed: Promise<FontSet> | null = null
  const load = async (): Promise<FontSet> => ({
    regular: await open(folder, 'regular'),
    bold: await open(folder, 'bold')
  })
  return async () => {
    parsed ??= load().catch((error: unknown) => {
      parsed = null
      throw error
    })
    const fonts = await parsed
    return { regular: forOneDocument(fonts.regular), bold: forOneDocument(fonts.bold) }
  }
}
