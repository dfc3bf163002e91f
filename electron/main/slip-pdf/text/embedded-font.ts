/**
 * A font embedded in a PDF, subset to the glyphs that are used (a Type 0 font, PDF 32000-1, 9.7). pdfkit embeds fonts
 * as well, but only with its own shaping and with one text per glyph: here one glyph can stand for different characters
 * at different positions.
 */
import type PDFDocument from 'pdfkit'
import type { OpenFont } from './fonts.ts'

type Document = InstanceType<typeof PDFDocument>

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** UTF-16BE in hexadecimal. */
export const utf16Hex = (text: string): string =>
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

/** Codes depend on the order in which they are requested, and on nothing else. */
export class EmbeddedFont {
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
