/** From characters to glyphs, by HarfBuzz. */
import type { Fonts, OpenFont } from './font-store.ts'
import { readsRightward, type Item } from './itemize.ts'

/** A glyph at its place in a run; lengths in font units. */
export interface Glyph {
  readonly id: number
  /** where its characters begin in the text; glyphs that share them share this */
  readonly cluster: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

/** A stretch of one font as glyphs, from left to right as they are seen. */
export interface Shaped {
  readonly glyphs: readonly Glyph[]
  /** font units */
  readonly advance: number
}

/** Shapes the units from `start` up to `end` of an item, in the context of the whole text. */
export type Shape = (
  font: OpenFont,
  text: string,
  item: Item,
  range: { readonly start: number; readonly end: number }
) => Shaped

/** `language`, a BCP 47 tag, picks the forms of letters that differ from language to language. */
export function createShape({ harfBuzz, buffer }: Fonts, language: string): Shape {
  const { Direction, BufferFlag, ClusterLevel } = harfBuzz
  return (font, text, item, { start, end }) => {
    buffer.reset()
    buffer.addText(text, start, end - start)
    buffer.setDirection(readsRightward(item) ? Direction.LTR : Direction.RTL)
    buffer.setScript(item.script)
    buffer.setLanguage(language)
    buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES)
    // A letter and its marks share a cluster, so that they are copied out together.
    buffer.setClusterLevel(ClusterLevel.MONOTONE_GRAPHEMES)
    harfBuzz.shape(font.shaping, buffer)
    let advance = 0
    const glyphs = buffer.getGlyphInfosAndPositions().map((glyph): Glyph => {
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = glyph
      advance += xAdvance
      return { id: glyph.codepoint, cluster: glyph.cluster, advance: xAdvance, x: xOffset, y: yOffset }
    })
    return { glyphs, advance }
  }
}
