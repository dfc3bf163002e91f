/** Draws a composed slip on its page. */
import type PDFDocument from 'pdfkit'
import type { Composition, Placed } from './composition.ts'
import { drawPicture } from './draw-picture.ts'
import type { Fitted } from './page.ts'
import { POINTS_PER_DOT, pointsOf, type Paper } from './paper.ts'
import { QUIET_ZONE } from './qr.ts'
import { CAP_HEIGHT } from './styles.ts'
import type { Pen } from './text/pen.ts'
import type { TextLine } from './text/text.ts'

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
  pen: Pen,
  mark: TextLine,
  { height, items }: Composition,
  paper: Paper
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

function drawItem(document: Document, pen: Pen, item: Placed): void {
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
  readonly paper: Paper
  /** what is written all over the slip, in `MARK_STYLE`; null: nothing */
  readonly mark: TextLine | null
}

/** Adds a page to `document` and draws a slip on it, with the dot as the unit of length. */
export function drawSlip(
  document: Document,
  pen: Pen,
  { fitted: { composition, page }, paper, mark }: Drawing
): void {
  const size: [number, number] = [pointsOf(page.widthMillimetres), pointsOf(page.heightMillimetres)]
  document.addPage({ size, margin: 0 })
  document.scale(POINTS_PER_DOT).translate(page.left, page.top).scale(page.scale)
  if (mark !== null) drawMark(document, pen, mark, composition, paper)
  for (const item of composition.items) drawItem(document, pen, item)
}
