/** Writes set lines into a PDF. */
import type PDFDocument from 'pdfkit'
import { embedFont, utf16Hex, type EmbeddedFont } from './embedded-font.ts'
import type { OpenFont } from './fonts.ts'
import { isRightward, mirrored } from './itemize.ts'
import { syntheticBoldWidth, type Glyph, type Run, type TextLine } from './shape.ts'

type Document = InstanceType<typeof PDFDocument>

export interface TextRenderer {
  /** Draws with the left end of the line's room at `x`, standing on the line `baseline`, in the document's colours. */
  draw(line: TextLine, x: number, baseline: number): void
  /** Adds the line's outlines to the current path: a drawing of the text, not to be found or copied as text. */
  trace(line: TextLine, x: number, baseline: number): void
  /** Writes the fonts that were drawn with. To be called once, before the document, which buffers pages, ends. */
  end(): void
}

/** A pen for `document`, whose unit of length must be the dot, counted from the top left, when it draws. */
export function createTextRenderer(document: Document): TextRenderer {
  const fonts = new Map<OpenFont, EmbeddedFont>()
  const pages = new Set<PDFKit.PDFPage>()
  const embedded = (font: OpenFont): EmbeddedFont => {
    const known = fonts.get(font)
    if (known !== undefined) return known
    const made = embedFont(document, font, `T${String(fonts.size + 1)}`)
    fonts.set(font, made)
    return made
  }
  return {
    draw(line, x, baseline) {
      const { style, runs, inset } = line
      const operators = ['BT']
      for (const run of runs) {
        const font = embedded(run.font)
        operators.push(`/${font.name} ${decimal(style.size)} Tf`)
        operators.push(run.thicken ? `2 Tr ${decimal(syntheticBoldWidth(style))} w` : '0 Tr')
        operators.push(...showRun(run, line, font, { x: x + inset + run.x, y: baseline }))
      }
      pages.add(document.page)
      document.addContent([...operators, 'ET'].join('\n'))
    },
    trace({ style, runs, inset }, x, baseline) {
      for (const run of runs) {
        const scale = style.size / run.font.unitsPerEm
        let pen = x + inset + run.x
        for (const { id, advance, x: offsetX, y: offsetY } of run.glyphs) {
          const { path } = run.font.parsed.getGlyph(id)
          const outline = path.translate(offsetX, offsetY).scale(scale, -scale).translate(pen, baseline)
          document.path(outline.toSVG())
          pen += advance * scale
        }
      }
    },
    end() {
      for (const font of fonts.values()) {
        const reference = font.end()
        for (const page of pages) (page.fonts as Record<string, unknown>)[font.name] = reference
      }
    }
  }
}

/* from show-run.ts: A run as the operators of a PDF's content (PDF 32000-1, 9.4). */

/** A number in a PDF's content: thousandths are finer than any printer. */
export const decimal = (value: number): string => String(Math.round(value * 1000) / 1000)

/** Begins a stretch that is copied out as `text`, whatever its glyphs say (14.9.4). */
const beginActualText = (text: string): string => `/Span <</ActualText <feff${utf16Hex(text)}>>> BDC`
const END_ACTUAL_TEXT = 'EMC'

interface Point {
  readonly x: number
  readonly y: number
}

/** Thousandths of the em; a longer way is a move of its own, which readers do not take for a space. */
const LONGEST_KERNING = 100

/** Shows glyphs at their places, as many as possible with one operator. */
function createTyping(size: number, font: EmbeddedFont) {
  const operators: string[] = []
  let shown: string[] = []
  let codes = ''
  /** where the next glyph would come without a move; null when nothing was shown yet */
  let natural: Point | null = null

  const endString = (): void => {
    if (codes !== '') shown.push(`<${codes}>`)
    codes = ''
  }
  const flush = (): void => {
    endString()
    if (shown.length > 0) operators.push(`[${shown.join('')}] TJ`)
    shown = []
  }
  /** Goes to `place` by kerning. False when that is too far. */
  const kern = (place: Point): boolean => {
    if (natural?.y !== place.y) return false
    const distance = ((natural.x - place.x) * 1000) / size
    if (Math.abs(distance) > LONGEST_KERNING) return false
    if (Math.abs(distance) < 0.5) return true
    endString()
    if (shown.length === 0) return false
    shown.push(decimal(distance))
    return true
  }
  return {
    operators,
    flush,
    mark(operator: string): void {
      flush()
      operators.push(operator)
    },
    /** Shows a glyph at `place`, to be copied out as `text`. */
    type(glyph: Glyph, text: string, place: Point): void {
      if (!kern(place)) {
        flush()
        operators.push(`1 0 0 -1 ${decimal(place.x)} ${decimal(place.y)} Tm`)
      }
      codes += font.code(glyph.id, text).toString(16).padStart(4, '0')
      natural = { x: place.x + (font.width(glyph.id) * size) / 1000, y: place.y }
    }
  }
}

/** Where each glyph of `run` stands when the run starts at `start`. */
function placesOf({ glyphs, font }: Run, size: number, start: Point): Map<Glyph, Point> {
  const scale = size / font.unitsPerEm
  let pen = start.x
  return new Map(
    glyphs.map((glyph) => {
      const place = { x: pen + glyph.x * scale, y: start.y - glyph.y * scale }
      pen += glyph.advance * scale
      return [glyph, place]
    })
  )
}

/** Letters before their marks: readers of a PDF take the first glyph's height for the line's. */
const lettersFirst = (glyphs: readonly Glyph[]): Glyph[] =>
  [...glyphs].sort((one, other) => Math.abs(one.y) - Math.abs(other.y))

/**
 * The operators that show `run` of `line` with its left end on the line that letters stand on at `start`. Where several
 * glyphs share their characters, an actual text says which: from left to right for the whole run, from right to left
 * for each cluster by itself, since that is what readers turn round.
 */
function showRun(run: Run, { source, style }: TextLine, font: EmbeddedFont, start: Point): string[] {
  const typing = createTyping(style.size, font)
  const places = placesOf(run, style.size, start)
  const clusters = spell(run, source)
  const rightward = isRightward(run.level)
  const spelledOut = rightward && clusters.some(({ glyphs }) => glyphs.length > 1)
  if (spelledOut) typing.mark(beginActualText(clusters.map(({ text }) => text).join('')))
  for (const { glyphs, seen } of clusters) {
    const ownText = !rightward && glyphs.length > 1
    if (ownText) typing.mark(beginActualText(seen))
    for (const [index, glyph] of lettersFirst(glyphs).entries()) {
      typing.type(glyph, index === 0 ? seen : '', places.get(glyph) ?? start)
    }
    if (ownText) typing.mark(END_ACTUAL_TEXT)
  }
  if (spelledOut) typing.mark(END_ACTUAL_TEXT)
  typing.flush()
  return typing.operators
}

/* from spelling.ts:
 * What the glyphs of a run are copied out as. A PDF has its characters in the order they are seen, and its readers
 * turn what was written from right to left round again, character by character.
 */

/** Glyphs that stand together for `text`. */
interface Spelled {
  readonly glyphs: readonly Glyph[]
  /** in the order it is read */
  readonly text: string
  /** as a reader of the PDF expects it for these glyphs */
  readonly seen: string
}

const asSeen = (text: string, rightward: boolean): string =>
  rightward ? text : Array.from(text, mirrored).reverse().join('')

/** The clusters of a run of `source` from left to right. */
export function spell({ glyphs, end, level }: Run, source: string): Spelled[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((one, other) => one - other)
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? end]))
  const members = Map.groupBy(glyphs, ({ cluster }) => cluster)
  return Array.from(members, ([cluster, together]) => {
    const text = source.slice(cluster, ends.get(cluster))
    return { glyphs: together, text, seen: asSeen(text, isRightward(level)) }
  })
}
