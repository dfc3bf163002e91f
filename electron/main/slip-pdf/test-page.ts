/**
 * Two test pages. One shows whether a printer prints the chosen paper size: a frame at the printable edges and a QR code.
 * The one of receipt printers has a frame for each width of print head, as wide as that head, and each cut; the printer
 * itself shows what is right: a head cannot print the right side of a wider frame.
 */
import {
  blankEdges,
  dotsOf,
  HEAD_WIDTHS,
  type HeadWidth,
  millimetresOf,
  PAPERS,
  type PaperSize
} from '../../contract/paper.ts'
import { type Cut, CUTS } from '../../contract/printing.ts'
import type { ReceiptSection } from './encode-receipt.ts'
import { Column, paperLayout, type PaperLayout, type PlacedItem } from './column.ts'
import type { PageContent } from './draw.ts'
import { encodeQr } from '../../images/qr-code.ts'
import { momentText, readingDirection, slipWords } from './slip-document.ts'
import type { SlipText } from './text/slip-text.ts'

export interface TestPageDocument {
  /** BCP 47 */
  readonly locale: string
  /** ISO 8601, UTC */
  readonly printedAt: string
}

/** Length of the test page on a roll. */
const ROLL_LENGTH_MM = 110
/** Content of the QR code. ASCII in every language: printers that draw the code themselves differ beyond it. */
export const TEST_PAGE_CODE = 'Tillpoints test page'

const MODULE_DOTS = 8
const FRAME_DOTS = 2
/** Distance of the text from the frame. */
const TEXT_TOP_MM = 5

/**
 * Four bars `y` dots below the top edge and around all that may be printed: a missing side shows paper that is narrower than
 * the chosen size.
 */
function frame({ left, width }: PaperLayout, y: number, heightMillimetres: number): PlacedItem[] {
  const x = left + FRAME_DOTS
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
  const blank = blankEdges({ widthMillimetres: width, heightMillimetres: height })
  const printable = headWidth ?? Math.floor(dotsOf(width - 2 * blank.sides))
  const top = Math.round(dotsOf(blank.ends))
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
  column.space(top + Math.round(dotsOf(TEXT_TOP_MM)))
  column.centred('Tillpoints', 'business', 1)
  column.centred(words.testPage(), 'headline', 2)
  column.centred(sheet === null ? `${String(width)} mm` : paper, 'instruction', 1)
  const moment = momentText({ at: page.printedAt, timeZone: 'UTC', locale: page.locale }, (shown) =>
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
        items: [...frame(layout, top, height), ...column.items],
        leftOut: []
      },
      page: { widthMillimetres: width, heightMillimetres: height, left: 0, top: 0, scale: 1 }
    }
  }
}

/** A page of the test page's document, and how it is printed. */
export interface TestPageSection {
  readonly content: PageContent
  readonly section: ReceiptSection
}

/** What every head prints: the pages with text are as wide as the narrowest. */
const [TEXT_WIDTH] = HEAD_WIDTHS

const SECTION_FRAME_DOTS = 3
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
  column.space(SECTION_FRAME_DOTS + 14)
  column.detail(`${String(width)} · ${String(Math.round(millimetresOf(width)))} mm`, String(width), 1)
  const frame: PlacedItem[] = [
    { x: 0, y: 0, width, height: SECTION_FRAME_DOTS },
    { x: 0, y: FRAME_HEIGHT - SECTION_FRAME_DOTS, width, height: SECTION_FRAME_DOTS },
    { x: 0, y: 0, width: SECTION_FRAME_DOTS, height: FRAME_HEIGHT },
    { x: width - SECTION_FRAME_DOTS, y: 0, width: SECTION_FRAME_DOTS, height: FRAME_HEIGHT }
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
  const moment = momentText({ at: page.printedAt, timeZone: 'UTC', locale: page.locale }, (shown) =>
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
