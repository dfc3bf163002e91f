/** The table by which a reader of a PDF gets characters back from a font's codes (PDF 32000-1, 9.10.3). */

const hex4 = (unit: number): string => unit.toString(16).padStart(4, '0')

/** UTF-16BE in hexadecimal. */
export const utf16Hex = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => hex4(text.charCodeAt(index))).join('')

/** A CMap allows so many entries in one block. */
const BLOCK = 100

/** The CMap for the two-byte codes 0, 1, 2 …, each of which stands for one of `texts`. */
export function toUnicodeCMap(texts: readonly string[]): string {
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
