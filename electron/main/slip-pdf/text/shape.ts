/** From characters to glyphs, by HarfBuzz. */
import type { Fonts, OpenFont, Weight } from './fonts.ts'
import { readsRightward, visualOrder, type Item } from './itemize.ts'

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
interface Shaped {
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

/* from line.ts: One line of shaped text: its glyphs in the order they are seen, and the room its ink takes. */

export interface TextStyle {
  readonly weight: Weight
  /** height of the em square */
  readonly size: number
}

/** A stretch of one font. */
export interface Run {
  readonly font: OpenFont
  readonly level: number
  /** the font has no bold of its own: its strokes are to be thickened */
  readonly thicken: boolean
  /** where its characters end in the line's source */
  readonly end: number
  readonly glyphs: readonly Glyph[]
  /** dots from the start of the line */
  readonly x: number
}

/** One line, ready to draw; lengths in dots. */
export interface TextLine {
  readonly text: string
  /** the text that the line is a part of: glyphs tell their characters by their place in it */
  readonly source: string
  /** room for the letters, and for strokes that reach past them on either side */
  readonly width: number
  /** from the left end of that room to where the first letter stands */
  readonly inset: number
  /** room above and below the line that the letters stand on */
  readonly ascent: number
  readonly descent: number
  readonly style: TextStyle
  readonly runs: readonly Run[]
}

/** Noto Sans's own room above and below the line, in parts of the em: every line has at least that. */
const ASCENT = 1.069
const DESCENT = 0.293

/** How much thicker strokes get where bold is made from regular, in parts of the em. */
const THICKENING = 0.035
export const syntheticBoldWidth = ({ size }: TextStyle): number => size * THICKENING

export interface LinePart {
  readonly font: OpenFont
  readonly level: number
  readonly thicken: boolean
  readonly end: number
  readonly shaped: Shaped
}

/** Puts the parts of one line of `source`, given in the order they are read, where they are seen. */
export function setLine(
  texts: Pick<TextLine, 'text' | 'source'>,
  style: TextStyle,
  parts: readonly LinePart[]
): TextLine {
  let pen = 0
  let left = 0
  let right = 0
  let ascent = ASCENT * style.size
  let descent = DESCENT * style.size
  const runs = visualOrder(parts).map(({ shaped, ...part }): Run => {
    const start = pen
    const scale = style.size / part.font.unitsPerEm
    const edge = part.thicken ? syntheticBoldWidth(style) / 2 : 0
    for (const glyph of shaped.glyphs) {
      const ink = part.font.extents(glyph.id)
      if (ink !== undefined && ink.width !== 0) {
        const inkLeft = pen + (glyph.x + ink.xBearing) * scale
        left = Math.min(left, inkLeft - edge)
        right = Math.max(right, inkLeft + ink.width * scale + edge)
        ascent = Math.max(ascent, (glyph.y + ink.yBearing) * scale + edge)
        descent = Math.max(descent, -(glyph.y + ink.yBearing + ink.height) * scale + edge)
      }
      pen += glyph.advance * scale
    }
    return { ...part, glyphs: shaped.glyphs, x: start }
  })
  const width = Math.max(pen, right) - left
  return { ...texts, style, runs, width, inset: -left, ascent, descent }
}
