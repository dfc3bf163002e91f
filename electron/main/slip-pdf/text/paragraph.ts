/** A text cut up, shaped and measured as a whole: what lines are taken from. */
import { fileOf } from './families.ts'
import type { Fonts, OpenFont } from './font-store.ts'
import { itemize, type FamilyFinder, type Item } from './itemize.ts'
import { setLine, type LinePart, type TextLine, type TextStyle } from './line.ts'
import type { Shape } from './shape.ts'

export interface ParagraphParts {
  readonly fonts: Fonts
  readonly shape: Shape
  /** hears the name of each font file that is not open: its text has no width yet */
  readonly onClosedFont: (file: string) => void
}

export interface Paragraph {
  readonly text: string
  /** dots that each UTF-16 unit adds to a line; a unit that is drawn together with an earlier one adds 0 */
  readonly advances: Float64Array
  /** The characters from `start` up to `end` as one line. */
  line(start: number, end: number): TextLine
}

/** Makes a paragraph of a printable `text`. */
export function createParagraph(
  { fonts, shape, onClosedFont }: ParagraphParts,
  text: string,
  style: TextStyle,
  find: FamilyFinder
): Paragraph {
  const pieces: { item: Item; font: OpenFont; thicken: boolean }[] = []
  for (const item of itemize(text, find)) {
    const { file, thicken } = fileOf(item.family, style.weight)
    const font = fonts.get(file)
    if (font === null) onClosedFont(file)
    else pieces.push({ item, font, thicken })
  }
  const wholes = pieces.map(({ item, font }) => shape(font, text, item, item))
  const advances = new Float64Array(text.length)
  for (const [index, { glyphs }] of wholes.entries()) {
    const scale = style.size / (pieces[index]?.font.unitsPerEm ?? 1)
    for (const { cluster, advance } of glyphs) advances[cluster] = (advances[cluster] ?? 0) + advance * scale
  }

  return {
    text,
    advances,
    line(start, end) {
      const parts: LinePart[] = []
      for (const [index, { item, font, thicken }] of pieces.entries()) {
        const range = { start: Math.max(start, item.start), end: Math.min(end, item.end) }
        if (range.start >= range.end) continue
        const whole = range.start === item.start && range.end === item.end ? wholes[index] : undefined
        const shaped = whole ?? shape(font, text, item, range)
        parts.push({ font, thicken, level: item.level, end: range.end, shaped })
      }
      return setLine({ text: text.slice(start, end), source: text }, style, parts)
    }
  }
}
