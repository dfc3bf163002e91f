/** A picture of black dots in a PDF: a stencil, so that white stays paper. */
import type PDFDocument from 'pdfkit'
import type { Box } from './composition.ts'
import type { Bitmap } from './logo/bitmap.ts'

type Document = InstanceType<typeof PDFDocument>

/** Eight dots a byte, each row from a new byte on; a set bit leaves paper. */
function packed({ width, height, dots }: Bitmap): Uint8Array {
  const rowBytes = Math.ceil(width / 8)
  const bits = new Uint8Array(rowBytes * height).fill(0xff)
  for (const [index, dot] of dots.entries()) {
    if (dot === 0) continue
    const x = index % width
    const at = Math.floor(index / width) * rowBytes + (x >> 3)
    bits[at] = (bits[at] ?? 0) & ~(0x80 >> (x & 7))
  }
  return bits
}

/** Draws `bitmap` into `box`, in the document's fill colour (an image mask, PDF 32000-1, 8.9.6.2). */
export function drawPicture(document: Document, bitmap: Bitmap, { x, y, width, height }: Box): void {
  const resources = document.page.xobjects as Record<string, unknown>
  const name = `P${String(Object.keys(resources).length + 1)}`
  const image = document.ref({
    Type: 'XObject',
    Subtype: 'Image',
    Width: bitmap.width,
    Height: bitmap.height,
    ImageMask: true,
    BitsPerComponent: 1
  })
  image.end(packed(bitmap))
  resources[name] = image
  // the unit square of an image has its bottom at 0, and this page counts from the top
  document.addContent(
    `q ${String(width)} 0 0 ${String(-height)} ${String(x)} ${String(y + height)} cm /${name} Do Q`
  )
}
