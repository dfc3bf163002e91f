/** The text engine: any text measured, divided into lines and ready to draw, in every script that the fonts cover. */
import LineBreaker from 'linebreak'
import { BASE_FAMILY, fontFile, type Fonts, type FontStore, type HanStyle, type OpenFont } from './fonts.ts'
import {
  createFamilyFinder,
  type FamilyFinder,
  graphemesOf,
  hanStyleOfSlip,
  hanStyleOfText,
  type Item,
  itemize,
  SCRIPTS_WITHOUT_SPACES,
  toPrintable
} from './itemize.ts'
import {
  createLine,
  createShaper,
  type Glyph,
  type LinePart,
  type Shaper,
  type TextLine,
  type TextStyle
} from './shape.ts'

/** More UTF-16 units than any line of a slip holds; limits the work for an absurdly long text. */
const MAX_UNITS_PER_LINE = 800

/** Measures and wraps the text of one slip. Lengths are dots. */
export class SlipText {
  readonly #fonts: Fonts
  readonly #shape: Shaper
  readonly #hanStyle: HanStyle
  readonly #missing = new Set<string>()
  readonly #closedFonts = new Set<string>()

  /** Locale (BCP 47) and time zone (IANA) of the business determine the forms of Han characters and a few letters. */
  constructor(fonts: Fonts, place: { readonly locale: string; readonly timeZone: string }) {
    this.#fonts = fonts
    this.#shape = createShaper(fonts, place.locale)
    this.#hanStyle = hanStyleOfSlip(place)
  }

  /** One line, however wide. */
  line(text: string, style: TextStyle): TextLine {
    const { content, find } = this.#prepare(text)
    const paragraph = this.#paragraph(content, style, find)
    return paragraph.line(0, paragraph.text.length)
  }

  /** Lines no wider than `options.width`, broken where the script allows it. None for a blank text. */
  wrap(text: string, style: TextStyle, options: WrapOptions): TextLine[] {
    const { content, find } = this.#prepare(text.slice(0, options.maxLines * MAX_UNITS_PER_LINE))
    const create = (changed: string): Paragraph => this.#paragraph(changed, style, find)
    return wrapParagraph(create(content), options, create)
  }

  /** Whether a font has every character of `text`. */
  shows(text: string): boolean {
    return toPrintable(text, this.#isShown(this.#familyFinder(text))).missing.length === 0
  }

  /** The graphemes that no font has, each once, of all lines so far; the lines show a replacement mark instead. */
  missing(): string[] {
    return [...this.#missing]
  }

  /** Font files that the lines so far need and that are not open: these lines have no valid width. */
  closedFonts(): ReadonlySet<string> {
    return this.#closedFonts
  }

  #familyFinder(text: string): FamilyFinder {
    return createFamilyFinder(this.#fonts.covers, hanStyleOfText(text) ?? this.#hanStyle)
  }

  #isShown(find: FamilyFinder): (grapheme: string) => boolean {
    return (grapheme) => find(grapheme, null) !== null
  }

  #prepare(text: string): { readonly content: string; readonly find: FamilyFinder } {
    const find = this.#familyFinder(text)
    const { text: content, missing } = toPrintable(text, this.#isShown(find))
    for (const grapheme of missing) this.#missing.add(grapheme)
    return { content, find }
  }

  #paragraph(text: string, style: TextStyle, find: FamilyFinder): Paragraph {
    return new Paragraph(text, style, {
      fonts: this.#fonts,
      shape: this.#shape,
      find,
      onClosedFont: (file) => this.#closedFonts.add(file)
    })
  }
}

/** Composes with the fonts that are open, opens those that turned out to be needed, and repeats until none is missing. */
export async function withOpenFonts<Composed extends { readonly text: SlipText }>(
  store: FontStore,
  compose: (fonts: Fonts) => Composed
): Promise<Composed> {
  let fonts = await store.open([fontFile(BASE_FAMILY, 'regular').file, fontFile(BASE_FAMILY, 'bold').file])
  for (;;) {
    const composed = compose(fonts)
    const closed = composed.text.closedFonts()
    if (closed.size === 0) return composed
    fonts = await store.open(closed)
  }
}

interface ParagraphOptions {
  readonly fonts: Fonts
  readonly shape: Shaper
  readonly find: FamilyFinder
  /** called with each font file that is not open: its text has no width */
  readonly onClosedFont: (file: string) => void
}

/** An item with its font and its glyphs when it is not divided between lines. */
interface ShapedItem {
  readonly item: Item
  readonly font: OpenFont
  readonly syntheticBold: boolean
  readonly glyphs: readonly Glyph[]
}

/** A printable text that was itemized and shaped as a whole. */
class Paragraph {
  readonly text: string
  /** dots that each UTF-16 unit adds to a line; 0 for a unit drawn together with an earlier one */
  readonly advances: Float64Array
  readonly #style: TextStyle
  readonly #shape: Shaper
  readonly #items: readonly ShapedItem[]

  constructor(text: string, style: TextStyle, { fonts, shape, find, onClosedFont }: ParagraphOptions) {
    this.text = text
    this.#style = style
    this.#shape = shape
    const items: ShapedItem[] = []
    for (const item of itemize(text, find)) {
      const { file, syntheticBold } = fontFile(item.family, style.weight)
      const font = fonts.get(file)
      if (font === null) onClosedFont(file)
      else items.push({ item, font, syntheticBold, glyphs: shape(font, text, item, item) })
    }
    this.#items = items
    this.advances = new Float64Array(text.length)
    for (const { font, glyphs } of items) {
      const scale = style.size / font.unitsPerEm
      for (const { cluster, advance } of glyphs) {
        this.advances[cluster] = (this.advances[cluster] ?? 0) + advance * scale
      }
    }
  }

  /** The UTF-16 units from `start` to `end` as one line. */
  line(start: number, end: number): TextLine {
    const parts: LinePart[] = []
    for (const { item, font, syntheticBold, glyphs: whole } of this.#items) {
      const range = { start: Math.max(start, item.start), end: Math.min(end, item.end) }
      if (range.start >= range.end) continue
      const isWhole = range.start === item.start && range.end === item.end
      const glyphs = isWhole ? whole : this.#shape(font, this.text, item, range)
      parts.push({ font, syntheticBold, level: item.level, end: range.end, glyphs })
    }
    return createLine({ text: this.text.slice(start, end), source: this.text }, this.#style, parts)
  }
}

const wordSegmenter = new Intl.Segmenter('th', { granularity: 'word' })

const HANGUL_BEFORE = /\p{Script=Hangul}$/u
const HANGUL_AFTER = /^\p{Script=Hangul}/u

/**
 * UTF-16 offsets into `text` where a line may end by UAX 14. In Thai, Lao, Khmer and Burmese a dictionary adds the ends
 * of words; in Korean, as its readers expect, lines break only at spaces.
 */
function lineBreaks(text: string): ReadonlySet<number> {
  const offsets = new Set<number>()
  const breaker = new LineBreaker(text)
  for (let found = breaker.nextBreak(); found !== null; found = breaker.nextBreak()) {
    const { position } = found
    const isInsideWord =
      HANGUL_BEFORE.test(text.slice(0, position)) && HANGUL_AFTER.test(text.slice(position))
    if (!isInsideWord) offsets.add(position)
  }
  if (!SCRIPTS_WITHOUT_SPACES.test(text)) return offsets
  for (const { index } of wordSegmenter.segment(text)) {
    const isBetween =
      SCRIPTS_WITHOUT_SPACES.test(text.charAt(index - 1)) && SCRIPTS_WITHOUT_SPACES.test(text.charAt(index))
    if (isBetween) offsets.add(index)
  }
  return offsets
}

/** Sorted offsets where a line may end when it has no regular break: after each grapheme. */
function graphemeEnds(text: string): number[] {
  let end = 0
  return graphemesOf(text).map((grapheme) => (end += grapheme.length))
}

export interface WrapOptions {
  /** maximum width of a line in dots */
  readonly width: number
  /** the rest of a longer text is cut off, and the last line ends with an ellipsis */
  readonly maxLines: number
}

interface WrappedLine {
  readonly line: TextLine
  /** start of the next line */
  readonly next: number
}

const ELLIPSIS = '…'

/** `end` without the spaces before it, which take no width at the end of a line. */
function trimmedEnd(text: string, start: number, end: number): number {
  while (end > start && text.charAt(end - 1) === ' ') end--
  return end
}

/** The largest offset whose text from `start` on is, by its advances, no wider than `width`. */
function reachableEnd({ text, advances }: Paragraph, start: number, width: number): number {
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
 * The widest line from `start` to one of `ends` that fits, or null. Ink may extend beyond the advances, and shapes
 * change where a text is divided, so each candidate is shaped and measured.
 */
function widestLine(
  paragraph: Paragraph,
  ends: readonly number[],
  start: number,
  width: number
): WrappedLine | null {
  const limit = reachableEnd(paragraph, start, width)
  for (let index = ends.length - 1; index >= 0; index--) {
    const next = ends[index] ?? 0
    if (next <= start) return null
    if (next > limit) continue
    const line = paragraph.line(start, trimmedEnd(paragraph.text, start, next))
    if (line.width <= width) return { line, next }
  }
  return null
}

/** The line from `start` on, truncated and with an ellipsis at its end. */
function truncatedLine(
  paragraph: Paragraph,
  graphemes: readonly number[],
  start: number,
  width: number,
  create: (text: string) => Paragraph
): TextLine {
  const limit = reachableEnd(paragraph, start, width)
  const ends = graphemes.filter((end) => end > start && end <= limit)
  for (const end of ends.reverse()) {
    const text = paragraph.text.slice(0, trimmedEnd(paragraph.text, start, end)) + ELLIPSIS
    const line = create(text).line(start, text.length)
    if (line.width <= width) return line
  }
  return create(ELLIPSIS).line(0, ELLIPSIS.length)
}

/** The first grapheme from `start` on, however wide. */
function graphemeLine(paragraph: Paragraph, graphemes: readonly number[], start: number): WrappedLine {
  const next = graphemes.find((end) => end > start) ?? paragraph.text.length
  return { line: paragraph.line(start, next), next }
}

/**
 * Divides a paragraph into lines no wider than `width`: at regular breaks, else between graphemes; a single grapheme
 * that is wider has a line of its own. `create` returns the paragraph of a changed text.
 */
function wrapParagraph(
  paragraph: Paragraph,
  { width, maxLines }: WrapOptions,
  create: (text: string) => Paragraph
): TextLine[] {
  const { text } = paragraph
  const graphemes = graphemeEnds(text)
  const breaks = lineBreaks(text)
  const ends = graphemes.filter((end) => breaks.has(end) || end === text.length)
  const lines: TextLine[] = []
  let start = 0
  while (start < text.length) {
    if (lines.length + 1 === maxLines) {
      const rest = widestLine(paragraph, [text.length], start, width)
      return [...lines, rest?.line ?? truncatedLine(paragraph, graphemes, start, width, create)]
    }
    const { line, next } =
      widestLine(paragraph, ends, start, width) ??
      widestLine(paragraph, graphemes, start, width) ??
      graphemeLine(paragraph, graphemes, start)
    lines.push(line)
    start = next
    while (text.charAt(start) === ' ') start++
  }
  return lines
}
