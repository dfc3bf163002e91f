/**
 * The test page of a receipt printer: a frame for each width of print head, as wide as that head, and each cut. The
 * printer itself shows what is right: a head cannot print the right side of a wider frame.
 */
import { HEAD_WIDTHS, millimetresOf, type HeadWidth } from '../../contract/paper.ts'
import { CUTS, type Cut } from '../../contract/printing.ts'
import type { ReceiptSection } from '../printing/receipt/encode-receipt.ts'
import { Column, type PlacedItem } from './column.ts'
import type { PageContent } from './draw.ts'
import { paperLayout, type PaperLayout } from './paper-layout.ts'
import { encodeQr } from './qr.ts'
import { TEST_PAGE_CODE, type TestPageDocument } from './test-page.ts'
import type { SlipText } from './text/index.ts'
import { momentText, readingDirection, slipWords } from './words.ts'

/** A page of the test page's document, and how it is printed. */
export interface TestPageSection {
  readonly content: PageContent
  readonly section: ReceiptSection
}

/** What every head prints: the pages with text are as wide as the narrowest. */
const [TEXT_WIDTH] = HEAD_WIDTHS

const MODULE_DOTS = 8
const FRAME_DOTS = 3
const FRAME_HEIGHT = 64
const FRAME_PADDING = 12
/** Distance between two frames. */
const FRAME_GAP = 8

/** A page without margins: what is laid out from dot 0 is printed from the head's first dot. */
const mediaFor = (width: HeadWidth): PaperLayout => ({
  ...paperLayout('58mm'),
  widthMillimetres: millimetresOf(width),
  left: 0,
  width
})

function toSection(
  { items }: { readonly items: readonly PlacedItem[] },
  height: number,
  widthDots: HeadWidth,
  cut: Cut | null
): TestPageSection {
  const layout = mediaFor(widthDots)
  const page = {
    widthMillimetres: layout.widthMillimetres,
    heightMillimetres: millimetresOf(height),
    left: 0,
    top: 0,
    scale: 1
  }
  const composition = { height, items, leftOut: [] }
  return { content: { layout, mark: null, fitted: { composition, page } }, section: { widthDots, cut } }
}

/** A closed frame as wide as the head, with the width at both ends. */
function widthFrame(width: HeadWidth, text: SlipText): TestPageSection {
  const inner = { ...mediaFor(width), left: FRAME_PADDING, width: width - 2 * FRAME_PADDING }
  const column = new Column(inner, text, 'ltr')
  column.space(FRAME_DOTS + 14)
  column.detail(`${String(width)} · ${String(Math.round(millimetresOf(width)))} mm`, String(width), 1)
  const frame: PlacedItem[] = [
    { x: 0, y: 0, width, height: FRAME_DOTS },
    { x: 0, y: FRAME_HEIGHT - FRAME_DOTS, width, height: FRAME_DOTS },
    { x: 0, y: 0, width: FRAME_DOTS, height: FRAME_HEIGHT },
    { x: width - FRAME_DOTS, y: 0, width: FRAME_DOTS, height: FRAME_HEIGHT }
  ].map((box) => ({ kind: 'bar', box }))
  return toSection({ items: [...frame, ...column.items] }, FRAME_HEIGHT + FRAME_GAP, width, null)
}

/** Composes the test page: one section for each page of its document. The first has the code. */
export function composeReceiptTestPage(page: TestPageDocument, text: SlipText): TestPageSection[] {
  const words = slipWords(page)
  const textSection = (cut: Cut | null, add: (column: Column) => void): TestPageSection => {
    const column = new Column(mediaFor(TEXT_WIDTH), text, readingDirection(page))
    add(column)
    return toSection(column, Math.ceil(column.height), TEXT_WIDTH, cut)
  }
  const moment = momentText({ issuedAt: page.printedAt, timeZone: 'UTC', locale: page.locale }, (shown) =>
    text.shows(shown)
  )
  return [
    textSection(null, (column) => {
      column.centred('Tillpoints', 'business', 1)
      column.centred(words.testPage(), 'headline', 2)
      column.centred(`${moment} UTC`, 'codeLabel', 1)
      column.qr(encodeQr(TEST_PAGE_CODE), MODULE_DOTS)
      column.centred(words.testPageWidths(), 'footer', 6)
      column.space(16)
    }),
    ...HEAD_WIDTHS.map((width) => widthFrame(width, text)),
    textSection(null, (column) => {
      column.space(16)
      column.centred(words.testPageCuts(), 'footer', 8)
    }),
    ...CUTS.map((cut) =>
      textSection(cut, (column) => {
        column.space(32)
        column.rule()
        column.space(8)
        column.centred(words.testPageCut({ cut }), 'band', 1)
        column.space(8)
        column.rule()
      })
    )
  ]
}
