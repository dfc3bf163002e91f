/**
 * A font in a PDF, truncate down to the glyphs that are used (a Type 0 font, PDF 32000-1, 9.7). pdfkit embeds fonts as
 * well, but only with its own shaping, and with one text for each glyph: here the same glyph can stand for different
 * characters at different places.
 */
import type PDFDocument from 'pdfkit'
import type { OpenFont } from './fonts.ts'

type Document = InstanceType<typeof PDFDocument>

export interface EmbeddedFont {
  /** what the page's content calls it */
  readonly name: string
  /** The code that shows `glyph` and is copied out as `text`. */
  code(glyph: number, text: string): number
  /** Width of a glyph as the PDF states it, in thousandths of the em. */
  width(glyph: number): number
  /** Writes the font; no code can be added after that. Gives the font's reference. */
  end(): PDFKit.PDFKitReference
}

/** Opens a font for `document`. Codes depend on the order in which they are asked for, and on nothing else. */
export function embedFont(document: Document, { parsed, unitsPerEm }: OpenFont, name: string): EmbeddedFont {
  const subset = parsed.createSubset()
  const perMille = 1000 / unitsPerEm
  const width = (glyph: number): number => Math.round(parsed.getGlyph(glyph).advanceWidth * perMille)
  const codes = new Map<string, number>()
  // Code 0 is the glyph for what is missing, which nothing uses.
  const glyphs = [0]
  const texts = ['']

  const stream = (data: object, content: string | Uint8Array): PDFKit.PDFKitReference => {
    const reference = document.ref(data)
    reference.end(content)
    return reference
  }
  /** The glyph's number in the part, which fontkit's published types call a boolean. */
  const include = (glyph: number): number => Number(subset.includeGlyph(parsed.getGlyph(glyph)))
  const glyphMap = (): Uint8Array => {
    const map = Buffer.alloc(glyphs.length * 2)
    for (const [code, glyph] of glyphs.entries()) map.writeUInt16BE(include(glyph), code * 2)
    return map
  }

  return {
    name,
    width,
    code(glyph, text) {
      const key = `${String(glyph)} ${text}`
      const known = codes.get(key)
      if (known !== undefined) return known
      const code = glyphs.push(glyph) - 1
      texts.push(text)
      codes.set(key, code)
      return code
    },
    end() {
      // Six letters before the name mark a font that is a part of another (9.9.2); which ones does not matter.
      const baseFont = `SUBSET+${parsed.postscriptName}`
      const toGlyphs = stream({}, glyphMap())
      const { bbox, ascent, descent, capHeight } = parsed
      const descriptor = document.ref({
        Type: 'FontDescriptor',
        FontName: baseFont,
        // symbolic: its codes are its own
        Flags: 4,
        FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((edge) => edge * perMille),
        ItalicAngle: 0,
        Ascent: ascent * perMille,
        Descent: descent * perMille,
        CapHeight: (capHeight || ascent) * perMille,
        StemV: 80,
        FontFile2: stream({}, subset.encode())
      })
      descriptor.end(undefined)
      const descendant = document.ref({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: baseFont,
        CIDSystemInfo: { Registry: new String('Adobe'), Ordering: new String('Identity'), Supplement: 0 },
        FontDescriptor: descriptor,
        CIDToGIDMap: toGlyphs,
        W: [0, glyphs.map((glyph) => width(glyph))]
      })
      descendant.end(undefined)
      const font = document.ref({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: baseFont,
        Encoding: 'Identity-H',
        DescendantFonts: [descendant],
        ToUnicode: stream({}, toUnicodeCMap(texts))
      })
      font.end(undefined)
      return font
    }
  }
}

/** The table by which a reader of a PDF gets characters back from a font's codes (PDF 32000-1, 9.10.3). */

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** UTF-16BE in hexadecimal. */
export const utf16Hex = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hex4(text.charCodeAt(index))).join('')

/** A CMap allows so many entries in one block. */
const BLOCK = 100

/** The CMap for the two-byte codes 0, 1, 2 …, each of which stands for one of `texts`. */
function toUnicodeCMap(texts: readonly string[]): string {
  const blocks: string[] = []
  for (let first = 0; first < texts.length; first += BLOCK) {
    const entries = texts
      .slice(first, first + BLOCK)
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
