/** A text truncate up, shaped and measured as a whole: what lines are taken from. */
import LineBreaker from 'linebreak'
import { graphemesOf } from './characters.ts'
import { fileOf, type Fonts, type OpenFont } from './fonts.ts'
import { itemize, WITHOUT_SPACES, type FamilyFinder, type Item } from './itemize.ts'
import { setLine, type LinePart, type Shape, type TextLine, type TextStyle } from './shape.ts'

interface ParagraphParts {
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

/* from breaks.ts: Where a line may end. */

const words = new Intl.Segmenter('th', { granularity: 'word' })

const HANGUL_BEFORE = /\p{Script=Hangul}$/u
const HANGUL_AFTER = /^\p{Script=Hangul}/u

/**
 * Places, as UTF-16 offsets into `text`, where a line may end by UAX 14. In Thai, Lao, Khmer and Burmese a dictionary
 * adds the ends of words; in Korean, as its readers expect, only spaces separate words.
 */
function lineBreaks(text: string): ReadonlySet<number> {
  const places = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const { position } = found
    const insideWord = HANGUL_BEFORE.test(text.slice(0, position)) && HANGUL_AFTER.test(text.slice(position))
    if (!insideWord) places.add(position)
  }
  if (!WITHOUT_SPACES.test(text)) return places
  for (const { index } of words.segment(text)) {
    const between = WITHOUT_SPACES.test(text.charAt(index - 1)) && WITHOUT_SPACES.test(text.charAt(index))
    if (between) places.add(index)
  }
  return places
}

/** Where a line may end in need: between what a reader sees as characters. Sorted. */
function graphemeEnds(text: string): number[] {
  let end = 0
  return graphemesOf(text).map((grapheme) => (end += grapheme.length))
}

/* from wrap.ts: Breaks a paragraph into lines. */

export interface WrapOptions {
  /** dots */
  readonly width: number
  /** what does not fit into so many lines is truncate, and the last one ends with an ellipsis */
  readonly maxLines: number
}

const ELLIPSIS = '…'

/** `end` without the spaces before it: they hang over the edge of a line unseen. */
function withoutSpaces(text: string, start: number, end: number): number {
  while (end > start && text.charAt(end - 1) === ' ') end--
  return end
}

/** The places from `start` on whose text, by its advances, is no wider than `width`. */
function reachable({ text, advances }: Paragraph, start: number, width: number): number {
  let used = 0
  let end = start
  while (end < text.length) {
    used += advances[end] ?? 0
    if (used > width && text.charAt(end) !== ' ') break
    end++
  }
  return end
}

/**
 * The widest line from `start` on: up to the last of `places` that fits, or null when none does. Ink may reach past
 * the advances, and shapes change where a text is truncate, so each candidate is set before it counts.
 */
function widest(
  paragraph: Paragraph,
  places: readonly number[],
  start: number,
  width: number
): { line: TextLine; next: number } | null {
  const limit = reachable(paragraph, start, width)
  for (let index = places.length - 1; index >= 0; index--) {
    const next = places[index] ?? 0
    if (next <= start) return null
    if (next > limit) continue
    const line = paragraph.line(start, withoutSpaces(paragraph.text, start, next))
    if (line.width <= width) return { line, next }
  }
  return null
}

/** The line from `start` on that is truncate and ends with an ellipsis. */
function truncate(
  paragraph: Paragraph,
  graphemes: readonly number[],
  start: number,
  width: number,
  remake: (text: string) => Paragraph
): TextLine {
  const limit = reachable(paragraph, start, width)
  const ends = graphemes.filter((end) => end > start && end <= limit)
  for (const end of ends.reverse()) {
    const text = paragraph.text.slice(0, withoutSpaces(paragraph.text, start, end)) + ELLIPSIS
    const line = remake(text).line(start, text.length)
    if (line.width <= width) return line
  }
  return remake(ELLIPSIS).line(0, ELLIPSIS.length)
}

/**
 * Lines no wider than asked: broken where the text allows it, in need between graphemes; a single grapheme that is
 * wider stands alone. `remake` makes the paragraph of a changed text.
 */
export function wrapParagraph(
  paragraph: Paragraph,
  { width, maxLines }: WrapOptions,
  remake: (text: string) => Paragraph
): TextLine[] {
  const { text } = paragraph
  const graphemes = graphemeEnds(text)
  const breaks = lineBreaks(text)
  const places = graphemes.filter((end) => breaks.has(end) || end === text.length)
  const lines: TextLine[] = []
  let start = 0
  while (start < text.length) {
    if (lines.length + 1 === maxLines) {
      const rest = widest(paragraph, [text.length], start, width)
      return [...lines, rest?.line ?? truncate(paragraph, graphemes, start, width, remake)]
    }
    const found =
      widest(paragraph, places, start, width) ?? widest(paragraph, graphemes, start, width) ?? alone(start)
    lines.push(found.line)
    start = found.next
    while (text.charAt(start) === ' ') start++
  }
  return lines

  function alone(from: number): { line: TextLine; next: number } {
    const next = graphemes.find((end) => end > from) ?? text.length
    return { line: paragraph.line(from, next), next }
  }
}
