/** Lays out what has no code, such as a report, in columns and pages of a sheet, without scaling its type down. */
import { dotsOf, SHEET_SIDES_MM } from '../../contract/paper.ts'
import { Column, type Flow, type PaperLayout } from './column.ts'
import { type FittedPage, fitOnRoll } from './draw.ts'
import { divide, itemsOf, moved } from './flow.ts'
import { readingDirection, slipWords } from './slip-document.ts'
import type { SlipText } from './text/slip-text.ts'

/** Between two columns, and between them and the number of the page. */
const GAP = 40

/** A page, and the layout whose width its columns take together. */
export interface LaidOutPage {
  readonly layout: PaperLayout
  readonly fitted: FittedPage
}

/** What pages are numbered with. */
export interface PageNumbers {
  readonly text: SlipText
  /** BCP 47 */
  readonly locale: string
  /** beside the number, to tell whose page it is */
  readonly title: string
}

/**
 * Lays out `flow`: on a roll, and on a sheet that has room for it, as one page; else in as many columns as the sheet has room
 * for at full size, on pages with numbers.
 */
export function paginate(flow: Flow, layout: PaperLayout, numbers: PageNumbers): LaidOutPage[] {
  const { sheet, width, widthMillimetres } = layout
  if (sheet === null) return [{ layout, fitted: fitOnRoll(flow, layout) }]
  const { heightMillimetres, margin } = sheet
  const room = dotsOf(heightMillimetres) - 2 * margin
  const onPage = (pageWidth: number, scale: number) => ({
    widthMillimetres,
    heightMillimetres,
    left: Math.round((dotsOf(widthMillimetres) - pageWidth * scale) / 2),
    top: margin,
    scale
  })
  if (flow.height * sheet.scale <= room)
    return [{ layout, fitted: { composition: flow, page: onPage(width, sheet.scale) } }]

  const printable = dotsOf(widthMillimetres - 2 * SHEET_SIDES_MM)
  const columns = Math.floor((printable + GAP) / (width + GAP))
  const pageLayout = { ...layout, width: columns * (width + GAP) - GAP }
  const scale = Math.min(sheet.scale, printable / pageLayout.width)
  const height = Math.floor(room / scale)
  const direction = readingDirection(numbers)
  const footer = (page: string, pages: string): Column => {
    const column = new Column(pageLayout, numbers.text, direction)
    column.detail(numbers.title, slipWords(numbers).reportPage({ page, pages }), 1)
    return column
  }
  const footerTop = height - footer('0', '0').height
  const parts = divide(flow, footerTop - GAP)
  const pages = Math.ceil(parts.length / columns)
  return Array.from({ length: pages }, (_, index): LaidOutPage => {
    const placed = parts.slice(index * columns, (index + 1) * columns).flatMap((part, column) => {
      const place = direction === 'ltr' ? column : columns - 1 - column
      return itemsOf(flow, part).map((item) => moved(item, place * (width + GAP), 0))
    })
    const numbered = footer(String(index + 1), String(pages)).items.map((item) => moved(item, 0, footerTop))
    const composition = { height, items: [...placed, ...numbered], leftOut: flow.leftOut }
    return { layout: pageLayout, fitted: { composition, page: onPage(pageLayout.width, scale) } }
  })
}
