/** Writes lines of text into a PDF that can be searched and copied: its fonts, and its text operators (PDF 32000-1, 9.4). */
import type PDFDocument from 'pdfkit'
import type { OpenFont } from './fonts.ts'
import { isLeftToRight, mirrored } from './itemize.ts'
import { syntheticBoldWidth, type Glyph, type TextLine, type TextRun } from './shape.ts'

type Document = InstanceType<typeof PDFDocument>

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** UTF-16BE in hexadecimal. */
const utf16Hex = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hex4(text.charCodeAt(index))).join('')

/** Maximum number of entries in one block of a CMap. */
const MAX_BLOCK_ENTRIES = 100

/** The ToUnicode CMap (PDF 32000-1, 9.10.3) for the two-byte codes 0, 1, 2 …, each of which maps to one of `texts`. */
function toUnicodeCMap(texts: readonly string[]): string {
  const blocks: string[] = []
  for (let first = 0; first < texts.length; first += MAX_BLOCK_ENTRIES) {
    const entries = texts
      .slice(first, first + MAX_BLOCK_ENTRIES)
      .map((text, index) => `<${hex4(first + index)}> <${utf16Hex(text)}>`)
    blocks.push(`${String(entries.length)} beginbfchar\n${entries.join('\n')}\nendbfchar`)
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`
}

/**
 * A font embedded in a PDF, subset to the glyphs that are used (a Type 0 font, PDF 32000-1, 9.7). pdfkit embeds fonts
 * as well, but only with its own shaping and with one text per glyph: here one glyph can stand for different characters
 * at different positions. Codes depend on the order in which they are requested, and on nothing else.
 */
class EmbeddedFont {
  /** resource name in the page's content */
  readonly name: string
  readonly #document: Document
  readonly #parsed: OpenFont['parsed']
  readonly #subset: ReturnType<OpenFont['parsed']['createSubset']>
  /** thousandths of the em per font unit */
  readonly #scale: number
  readonly #codes = new Map<string, number>()
  // Code 0 is the glyph for missing characters, which nothing uses.
  readonly #glyphs = [0]
  readonly #texts = ['']

  constructor(document: Document, { parsed, unitsPerEm }: OpenFont, name: string) {
    this.name = name
    this.#document = document
    this.#parsed = parsed
    this.#subset = parsed.createSubset()
    this.#scale = 1000 / unitsPerEm
  }

  /** Width of a glyph in the PDF, in thousandths of the em. */
  width(glyph: number): number {
    return Math.round(this.#parsed.getGlyph(glyph).advanceWidth * this.#scale)
  }

  /** The code that shows `glyph` and is copied as `text`. */
  code(glyph: number, text: string): number {
    const key = `${String(glyph)} ${text}`
    const known = this.#codes.get(key)
    if (known !== undefined) return known
    const code = this.#glyphs.push(glyph) - 1
    this.#texts.push(text)
    this.#codes.set(key, code)
    return code
  }

  /** Writes the font, after which no code can be added, and returns its reference. */
  end(): PDFKit.PDFKitReference {
    // Six letters before the name mark a subset (9.9.2); which letters does not matter.
    const baseFont = `SUBSET+${this.#parsed.postscriptName}`
    const glyphMap = this.#stream(this.#glyphMap())
    const { bbox, ascent, descent, capHeight } = this.#parsed
    const descriptor = this.#object({
      Type: 'FontDescriptor',
      FontName: baseFont,
      // symbolic: a private encoding
      Flags: 4,
      FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((edge) => edge * this.#scale),
      ItalicAngle: 0,
      Ascent: ascent * this.#scale,
      Descent: descent * this.#scale,
      CapHeight: (capHeight || ascent) * this.#scale,
      StemV: 80,
      FontFile2: this.#stream(this.#subset.encode())
    })
    const descendant = this.#object({
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: baseFont,
      CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
      FontDescriptor: descriptor,
      CIDToGIDMap: glyphMap,
      W: [0, this.#glyphs.map((glyph) => this.width(glyph))]
    })
    return this.#object({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: baseFont,
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: this.#stream(toUnicodeCMap(this.#texts))
    })
  }

  #object(data: object): PDFKit.PDFKitReference {
    const reference = this.#document.ref(data)
    reference.end(undefined)
    return reference
  }

  #stream(content: string | Uint8Array): PDFKit.PDFKitReference {
    const reference = this.#document.ref({})
    reference.end(content)
    return reference
  }

  /** The CIDToGIDMap: two bytes per code. fontkit's published types declare the subset's glyph number a boolean. */
  #glyphMap(): Uint8Array {
    const map = Buffer.alloc(this.#glyphs.length * 2)
    for (const [code, glyph] of this.#glyphs.entries()) {
      map.writeUInt16BE(Number(this.#subset.includeGlyph(this.#parsed.getGlyph(glyph))), code * 2)
    }
    return map
  }
}

/** A number in a PDF's content: thousandths of a dot are finer than any printer. */
const decimal = (value: number): string => String(Math.round(value * 1000) / 1000)

/** Glyphs that share their characters. */
interface GlyphCluster {
  readonly glyphs: readonly Glyph[]
  /** in logical order */
  readonly text: string
  /** in visual order, which PDF readers expect: they reverse right-to-left text themselves, character by character */
  readonly visualText: string
}

const toVisual = (text: string, leftToRight: boolean): string =>
  leftToRight ? text : Array.from(text, mirrored).reverse().join('')

/** The clusters of a run of `source` from left to right. */
function clustersOf({ glyphs, end, level }: TextRun, source: string): GlyphCluster[] {
  const starts = [...new Set(glyphs.map(({ cluster }) => cluster))].sort((one, other) => one - other)
  const ends = new Map(starts.map((start, index) => [start, starts[index + 1] ?? end]))
  return Array.from(
    Map.groupBy(glyphs, ({ cluster }) => cluster),
    ([cluster, members]) => {
      const text = source.slice(cluster, ends.get(cluster))
      return { glyphs: members, text, visualText: toVisual(text, isLeftToRight(level)) }
    }
  )
}

/** Begins content that is copied as `text`, whatever its glyphs map to (PDF 32000-1, 14.9.4). */
const beginActualText = (text: string): string => `/Span <</ActualText <feff${utf16Hex(text)}>>> BDC`
const END_ACTUAL_TEXT = 'EMC'

interface Point {
  readonly x: number
  readonly y: number
}

/** Thousandths of the em; a longer distance is a separate move, which readers do not take for a space. */
const MAX_KERNING = 100

/** Collects the operators that show glyphs, as many glyphs as possible with one operator. */
class ShowOperators {
  readonly operators: string[] = []
  readonly #size: number
  readonly #font: EmbeddedFont
  #shown: string[] = []
  #codes = ''
  /** position of the next glyph without a move; null before the first */
  #next: Point | null = null

  constructor(size: number, font: EmbeddedFont) {
    this.#size = size
    this.#font = font
  }

  /** Adds an operator between glyphs. */
  add(operator: string): void {
    this.flush()
    this.operators.push(operator)
  }

  /** Shows a glyph at `position`, copied as `text`. */
  show(glyph: Glyph, text: string, position: Point): void {
    if (!this.#kern(position)) {
      this.flush()
      this.operators.push(`1 0 0 -1 ${decimal(position.x)} ${decimal(position.y)} Tm`)
    }
    this.#codes += hex4(this.#font.code(glyph.id, text))
    this.#next = { x: position.x + (this.#font.width(glyph.id) * this.#size) / 1000, y: position.y }
  }

  flush(): void {
    this.#endString()
    if (this.#shown.length > 0) this.operators.push(`[${this.#shown.join('')}] TJ`)
    this.#shown = []
  }

  #endString(): void {
    if (this.#codes !== '') this.#shown.push(`<${this.#codes}>`)
    this.#codes = ''
  }

  /** Moves to `position` by kerning. Returns false when that is too far. */
  #kern(position: Point): boolean {
    if (this.#next?.y !== position.y) return false
    const distance = ((this.#next.x - position.x) * 1000) / this.#size
    if (Math.abs(distance) > MAX_KERNING) return false
    if (Math.abs(distance) < 0.5) return true
    this.#endString()
    if (this.#shown.length === 0) return false
    this.#shown.push(decimal(distance))
    return true
  }
}

/** The position of each glyph when the run starts at `start`. */
function positionsOf({ glyphs, font }: TextRun, size: number, start: Point): Map<Glyph, Point> {
  const scale = size / font.unitsPerEm
  let { x } = start
  return new Map(
    glyphs.map((glyph) => {
      const position = { x: x + glyph.x * scale, y: start.y - glyph.y * scale }
      x += glyph.advance * scale
      return [glyph, position]
    })
  )
}

/** Letters before their marks: PDF readers take the first glyph's height for the line's. */
const lettersFirst = (glyphs: readonly Glyph[]): Glyph[] =>
  [...glyphs].sort((one, other) => Math.abs(one.y) - Math.abs(other.y))

/**
 * The operators that show a run whose baseline starts at `start`. Where several glyphs share characters, an actual text
 * is added: from left to right for the whole run, from right to left for each cluster, the unit that readers reverse.
 */
function showRun(run: TextRun, { source, style }: TextLine, font: EmbeddedFont, start: Point): string[] {
  const output = new ShowOperators(style.size, font)
  const positions = positionsOf(run, style.size, start)
  const clusters = clustersOf(run, source)
  const leftToRight = isLeftToRight(run.level)
  const runHasActualText = leftToRight && clusters.some(({ glyphs }) => glyphs.length > 1)
  if (runHasActualText) output.add(beginActualText(clusters.map(({ text }) => text).join('')))
  for (const { glyphs, visualText } of clusters) {
    const hasActualText = !leftToRight && glyphs.length > 1
    if (hasActualText) output.add(beginActualText(visualText))
    for (const [index, glyph] of lettersFirst(glyphs).entries()) {
      output.show(glyph, index === 0 ? visualText : '', positions.get(glyph) ?? start)
    }
    if (hasActualText) output.add(END_ACTUAL_TEXT)
  }
  if (runHasActualText) output.add(END_ACTUAL_TEXT)
  output.flush()
  return output.operators
}

/** Draws text on a document whose unit of length is the dot, measured from the top left. */
export class TextRenderer {
  readonly #document: Document
  readonly #fonts = new Map<OpenFont, EmbeddedFont>()
  readonly #pages = new Set<PDFKit.PDFPage>()

  /** @param document buffers its pages */
  constructor(document: Document) {
    this.#document = document
  }

  /** Draws with the left edge of the line at `x`, in the document's colours. */
  draw(line: TextLine, x: number, baseline: number): void {
    const { style, runs, inset } = line
    const operators = ['BT']
    for (const run of runs) {
      const font = this.#embedded(run.font)
      operators.push(`/${font.name} ${decimal(style.size)} Tf`)
      operators.push(run.syntheticBold ? `2 Tr ${decimal(syntheticBoldWidth(style))} w` : '0 Tr')
      operators.push(...showRun(run, line, font, { x: x + inset + run.x, y: baseline }))
    }
    this.#pages.add(this.#document.page)
    this.#document.addContent([...operators, 'ET'].join('\n'))
  }

  /** Adds the line's outlines to the current path: a drawing that is neither found nor copied as text. */
  trace({ style, runs, inset }: TextLine, x: number, baseline: number): void {
    for (const run of runs) {
      const scale = style.size / run.font.unitsPerEm
      let origin = x + inset + run.x
      for (const { id, advance, x: offsetX, y: offsetY } of run.glyphs) {
        const { path } = run.font.parsed.getGlyph(id)
        const outline = path.translate(offsetX, offsetY).scale(scale, -scale).translate(origin, baseline)
        this.#document.path(outline.toSVG())
        origin += advance * scale
      }
    }
  }

  /** Writes the fonts that were used. Call once, before the document ends. */
  end(): void {
    for (const font of this.#fonts.values()) {
      const reference = font.end()
      for (const page of this.#pages) (page.fonts as Record<string, unknown>)[font.name] = reference
    }
  }

  #embedded(font: OpenFont): EmbeddedFont {
    let embedded = this.#fonts.get(font)
    if (embedded === undefined) {
      embedded = new EmbeddedFont(this.#document, font, `T${String(this.#fonts.size + 1)}`)
      this.#fonts.set(font, embedded)
    }
    return embedded
  }
}
