/** Shapes text with HarfBuzz, and positions the shaped parts of a line in visual order. */
import * as harfBuzz from 'harfbuzzjs'
import type { Fonts, OpenFont, Weight } from './fonts.ts'
import { isLeftToRight, visualOrder, type Item } from './itemize.ts'

/** A positioned glyph; lengths in font units. */
export interface Glyph {
  readonly id: number
  /** index of its first character in the text; glyphs that share characters share this */
  readonly cluster: number
  readonly advance: number
  readonly x: number
  readonly y: number
}

/** Shapes the UTF-16 units of an item from `start` to `end`, in the context of the whole text, left to right. */
export type Shaper = (
  font: OpenFont,
  text: string,
  item: Item,
  range: { readonly start: number; readonly end: number }
) => readonly Glyph[]

/** `language`, a BCP 47 tag, selects language-specific letter forms. */
export function createShaper({ buffer }: Fonts, language: string): Shaper {
  const { Direction, BufferFlag, ClusterLevel } = harfBuzz
  return (font, text, item, { start, end }) => {
    buffer.reset()
    buffer.addText(text, start, end - start)
    buffer.setDirection(isLeftToRight(item.level) ? Direction.LTR : Direction.RTL)
    buffer.setScript(item.script)
    buffer.setLanguage(language)
    buffer.setFlags(BufferFlag.REMOVE_DEFAULT_IGNORABLES)
    // A letter and its marks share a cluster, so that they are copied together.
    buffer.setClusterLevel(ClusterLevel.MONOTONE_GRAPHEMES)
    harfBuzz.shape(font.shaping, buffer)
    return buffer
      .getGlyphInfosAndPositions()
      .map(({ codepoint, cluster, xAdvance = 0, xOffset = 0, yOffset = 0 }) => ({
        id: codepoint,
        cluster,
        advance: xAdvance,
        x: xOffset,
        y: yOffset
      }))
  }
}

export interface TextStyle {
  readonly weight: Weight
  /** height of the em square in dots */
  readonly size: number
}

/** A shaped part of a line, in one font and one direction. */
export interface LinePart {
  readonly font: OpenFont
  /** bidi level (UAX 9): odd is right to left */
  readonly level: number
  /** the font has no bold of its own: it is drawn with a thicker stroke */
  readonly syntheticBold: boolean
  /** end of its characters in the line's source */
  readonly end: number
  readonly glyphs: readonly Glyph[]
}

/** A part with its position. */
export interface TextRun extends LinePart {
  /** dots from the start of the line */
  readonly x: number
}

/** One line, ready to draw; lengths in dots. */
export interface TextLine {
  readonly text: string
  /** the text that the line was taken from: clusters are indexes into it */
  readonly source: string
  /** width including strokes that extend beyond the advances on either side */
  readonly width: number
  /** from the left edge of that width to the origin of the first glyph */
  readonly inset: number
  /** height above and depth below the baseline */
  readonly ascent: number
  readonly descent: number
  readonly style: TextStyle
  readonly runs: readonly TextRun[]
}

/** Noto Sans's ascent and descent, in parts of the em: the minimum of every line. */
const MIN_ASCENT = 1.069
const MIN_DESCENT = 0.293

/** Extra stroke width of a synthetic bold, in parts of the em. */
const SYNTHETIC_BOLD = 0.035
export const syntheticBoldWidth = ({ size }: TextStyle): number => size * SYNTHETIC_BOLD

/** Positions the parts of one line, given in logical order, in visual order, and measures their ink. */
export function createLine(
  texts: Pick<TextLine, 'text' | 'source'>,
  style: TextStyle,
  parts: readonly LinePart[]
): TextLine {
  let x = 0
  let left = 0
  let right = 0
  let ascent = MIN_ASCENT * style.size
  let descent = MIN_DESCENT * style.size
  const runs = visualOrder(parts).map((part): TextRun => {
    const start = x
    const scale = style.size / part.font.unitsPerEm
    const edge = part.syntheticBold ? syntheticBoldWidth(style) / 2 : 0
    for (const glyph of part.glyphs) {
      const ink = part.font.extents(glyph.id)
      if (ink !== undefined && ink.width !== 0) {
        const inkLeft = x + (glyph.x + ink.xBearing) * scale
        left = Math.min(left, inkLeft - edge)
        right = Math.max(right, inkLeft + ink.width * scale + edge)
        ascent = Math.max(ascent, (glyph.y + ink.yBearing) * scale + edge)
        descent = Math.max(descent, -(glyph.y + ink.yBearing + ink.height) * scale + edge)
      }
      x += glyph.advance * scale
    }
    return { ...part, x: start }
  })
  const width = Math.max(x, right) - left
  return { ...texts, style, runs, width, inset: -left, ascent, descent }
}
