/** Draws a composed slip on its page. */
import PDFDocument from 'pdfkit'
import { CAP_HEIGHT, type Box, type Composition, type Placed } from './column.ts'
import type { Bitmap } from './logo.ts'
import { POINTS_PER_DOT, pointsOf, type Media } from './media.ts'
import type { Fitted } from './page.ts'
import { QUIET_ZONE } from './qr.ts'
import type { TextLine } from './text/index.ts'
import { createTextRenderer, type TextRenderer } from './text/text-renderer.ts'

type Document = InstanceType<typeof PDFDocument>

const INK = 'black'
/** Light enough to read through; a receipt printer turns it into sparse dots. */
const MARK_INK = '#cfcfcf'
export const MARK_STYLE = { weight: 'bold', size: 58 } as const
/** Degrees, rising to the right. */
const MARK_ANGLE = -34
/** Dots from one line of the mark to the next, down the page. */
const MARK_STEP = 300

/**
 * `mark` across the whole slip, again and again, and nowhere over a QR code or its quiet zone. Drawn as outlines, so
 * that the slip's own text can still be searched and copied.
 */
function drawMark(
  document: Document,
  pen: TextRenderer,
  mark: TextLine,
  { height, items }: Composition,
  paper: Media
): void {
  document.save()
  document.rect(paper.left, paper.ends, paper.width, height - 2 * paper.ends)
  for (const item of items) {
    if (item.kind === 'qr') document.rect(item.box.x, item.box.y, item.box.width, item.box.height)
  }
  // Even-odd: what lies in this rectangle and in a code is outside.
  document.clip('even-odd')
  const rows = Math.ceil(height / MARK_STEP)
  for (let row = 0; row < rows; row++) {
    document.save().translate(paper.left + paper.width / 2, ((row + 0.5) * height) / rows)
    document.rotate(MARK_ANGLE)
    pen.trace(mark, -mark.width / 2, (MARK_STYLE.size * CAP_HEIGHT) / 2)
    document.fill(MARK_INK).restore()
  }
  document.restore()
}

function drawItem(document: Document, pen: TextRenderer, item: Placed): void {
  switch (item.kind) {
    case 'text': {
      const colour = item.white ? 'white' : INK
      document.fillColor(colour).strokeColor(colour)
      pen.draw(item.line, item.box.x, item.baseline)
      return
    }
    case 'bar':
      document.rect(item.box.x, item.box.y, item.box.width, item.box.height).fill(INK)
      return
    case 'picture':
      document.fillColor(INK)
      drawPicture(document, item.bitmap, item.box)
      return
    case 'qr': {
      const { module, box } = item
      const inset = QUIET_ZONE * module
      for (const { x, y, length } of item.code.bars) {
        document.rect(box.x + inset + x * module, box.y + inset + y * module, length * module, module)
      }
      // One fill for the whole code: bars that touch leave no seam.
      document.fill(INK)
    }
  }
}

export interface Drawing {
  readonly fitted: Fitted
  readonly paper: Media
  /** what is written all over the slip, in `MARK_STYLE`; null: nothing */
  readonly mark: TextLine | null
}

/** Adds a page to `document` and draws a slip on it, with the dot as the unit of length. */
function drawSlip(
  document: Document,
  pen: TextRenderer,
  { fitted: { composition, page }, paper, mark }: Drawing
): void {
  const size: [number, number] = [pointsOf(page.widthMillimetres), pointsOf(page.heightMillimetres)]
  document.addPage({ size, margin: 0 })
  document.scale(POINTS_PER_DOT).translate(page.left, page.top).scale(page.scale)
  if (mark !== null) drawMark(document, pen, mark, composition, paper)
  for (const item of composition.items) drawItem(document, pen, item)
}

/* from draw-picture.ts: A picture of black dots in a PDF: a stencil, so that white stays paper. */

type PictureDocument = InstanceType<typeof PDFDocument>

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
function drawPicture(document: PictureDocument, bitmap: Bitmap, { x, y, width, height }: Box): void {
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

/* from pdf.ts: Writes composed pages as a PDF: the same pages give the same bytes, whatever was written before. */

function bytesOf(document: InstanceType<typeof PDFDocument>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('error', reject)
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    document.end()
  })
}

/** A PDF with one page for each drawing. `createdAt`: ISO 8601, UTC; no other moment is in it. */
export async function writePdf(
  pages: readonly Drawing[],
  { title, createdAt }: { readonly title: string; readonly createdAt: string }
): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // A page's fonts are known when the last one is drawn.
    bufferPages: true,
    // none: pdfkit would open its own Helvetica otherwise
    font: '',
    info: { Title: title, Creator: 'Tillpoints', CreationDate: new Date(createdAt) }
  })
  const pen = createTextRenderer(document)
  for (const page of pages) drawSlip(document, pen, page)
  pen.end()
  return bytesOf(document)
}
