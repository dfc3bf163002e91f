/** A page that shows whether a printer prints the chosen paper size: a frame at the printable edges and a QR code. */
import { dotsOf, PAPERS, type PaperSize } from '../../contract/paper.ts'
import { Column, type PlacedItem } from './column.ts'
import type { PageContent } from './draw.ts'
import { paperLayout, type PaperLayout } from './paper-layout.ts'
import { encodeQr } from './qr.ts'
import type { SlipText } from './text/index.ts'
import { momentText, readingDirection, slipWords } from './words.ts'

export interface TestPageDocument {
  /** BCP 47 */
  readonly locale: string
  /** ISO 8601, UTC */
  readonly printedAt: string
}

/** Length of the test page on a roll. */
const ROLL_LENGTH_MM = 110
/** Sheets are not printed to the edge. */
const SHEET_EDGE_MM = 5

/** Content of the QR code. ASCII in every language: printers that draw the code themselves differ beyond it. */
export const TEST_PAGE_CODE = 'Tillpoints test page'

const MODULE_DOTS = 8
const FRAME_DOTS = 2
/** Distance of the frame from the top and bottom edge of the page. */
const FRAME_TOP_MM = 3
const TEXT_TOP_MM = 8

/** Four bars along the printable edges: a missing side shows paper that is narrower than the chosen size. */
function frame({ left, width }: PaperLayout, heightMillimetres: number): PlacedItem[] {
  const [x, y] = [left + FRAME_DOTS, Math.round(dotsOf(FRAME_TOP_MM))]
  const innerWidth = width - 2 * FRAME_DOTS
  const innerHeight = Math.round(dotsOf(heightMillimetres)) - 2 * y
  return [
    { x, y, width: innerWidth, height: FRAME_DOTS },
    { x, y: y + innerHeight - FRAME_DOTS, width: innerWidth, height: FRAME_DOTS },
    { x, y, width: FRAME_DOTS, height: innerHeight },
    { x: x + innerWidth - FRAME_DOTS, y, width: FRAME_DOTS, height: innerHeight }
  ].map((box) => ({ kind: 'bar', box }))
}

/** Composes the test page for `paper`. */
export function composeTestPage(
  page: TestPageDocument,
  paper: PaperSize,
  text: SlipText
): Pick<PageContent, 'fitted' | 'layout'> {
  const { headWidth, sheet, widthMillimetres: width } = PAPERS[paper]
  const height = sheet?.heightMillimetres ?? ROLL_LENGTH_MM
  const printable = headWidth ?? Math.round(dotsOf(width - 2 * SHEET_EDGE_MM))
  const layout: PaperLayout = {
    widthMillimetres: width,
    left: Math.round((dotsOf(width) - printable) / 2),
    width: printable,
    type: paperLayout(paper).type,
    logoHeight: 0,
    ends: 0,
    sheet: null
  }
  const words = slipWords(page)
  const column = new Column(layout, text, readingDirection(page))
  column.space(Math.round(dotsOf(TEXT_TOP_MM)))
  column.centred('Tillpoints', 'business', 1)
  column.centred(words.testPage(), 'headline', 2)
  column.centred(sheet === null ? `${String(width)} mm` : paper, 'instruction', 1)
  const moment = momentText({ issuedAt: page.printedAt, timeZone: 'UTC', locale: page.locale }, (shown) =>
    text.shows(shown)
  )
  column.centred(`${moment} UTC`, 'codeLabel', 1)
  column.qr(encodeQr(TEST_PAGE_CODE), MODULE_DOTS)
  column.centred(words.testPageInstruction(), 'codeLabel', 6)
  return {
    layout,
    fitted: {
      composition: {
        height: Math.round(dotsOf(height)),
        items: [...frame(layout, height), ...column.items],
        leftOut: []
      },
      page: { widthMillimetres: width, heightMillimetres: height, left: 0, top: 0, scale: 1 }
    }
  }
}
