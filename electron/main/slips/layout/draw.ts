/** Draws a composed slip on a page of its own length. */
import type PDFDocument from 'pdfkit'
import { CAP_HEIGHT, MARGIN, type Composition, type Placed } from './compose.ts'
import { pageWidth, POINTS_PER_DOT, type Paper } from './paper.ts'
import { QUIET_ZONE } from './qr.ts'
import type { SlipText } from './text/text.ts'
import { WORDS } from './words.ts'

type Document = InstanceType<typeof PDFDocument>

const INK = 'black'
/** Light enough to read through; a receipt printer turns it into sparse dots. */
const MARK_INK = '#cfcfcf'
const MARK_STYLE = { weight: 'bold', size: 58 } as const
/** Degrees, rising to the right. */
const MARK_ANGLE = -34
/** Dots from one line of the mark to the next, down the page. */
const MARK_STEP = 300

/**
 * PRACTICE – NO VALUE across the whole page, again and again, and nowhere over a QR code or its quiet zone. Drawn
 * as outlines, so that the slip's own text can still be searched and copied.
 */
function drawPracticeMark(
  document: Document,
  text: SlipText,
  { height, items }: Composition,
  paper: Paper
): void {
  const line = text.line(WORDS.practice, MARK_STYLE)
  document.save()
  document.rect(paper.left, MARGIN, paper.width, height - 2 * MARGIN)
  for (const item of items) {
    if (item.kind === 'qr') document.rect(item.box.x, item.box.y, item.box.width, item.box.height)
  }
  // Even-odd: what lies in this rectangle and in a code is outside.
  document.clip('even-odd')
  const rows = Math.ceil(height / MARK_STEP)
  for (let row = 0; row < rows; row++) {
    document.save().translate(paper.left + paper.width / 2, ((row + 0.5) * height) / rows)
    document.rotate(MARK_ANGLE)
    text.trace(line, -line.width / 2, (MARK_STYLE.size * CAP_HEIGHT) / 2)
    document.fill(MARK_INK).restore()
  }
  document.restore()
}

function drawItem(document: Document, text: SlipText, item: Placed): void {
  switch (item.kind) {
    case 'text':
      document.fillColor(item.white ? 'white' : INK)
      text.draw(item.line, item.box.x, item.baseline)
      return
    case 'bar':
      document.rect(item.box.x, item.box.y, item.box.width, item.box.height).fill(INK)
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

/** Adds one page to `document` and draws `composition` on it; the unit of length is the dot from then on. */
export function drawSlip(document: Document, text: SlipText, composition: Composition, paper: Paper): void {
  document.addPage({ size: [pageWidth(paper), composition.height * POINTS_PER_DOT], margin: 0 })
  document.scale(POINTS_PER_DOT)
  if (composition.practice) drawPracticeMark(document, text, composition, paper)
  for (const item of composition.items) drawItem(document, text, item)
}
