/**
 * Fits composed slips on pages, and writes the pages as PDF: the same pages give the same bytes, whatever was written
 * before.
 */
import PDFDocument from 'pdfkit'
import { dotsOf, millimetresOf, POINTS_PER_DOT, pointsOf, type Sheet } from '../../contract/paper.ts'
import type { CodeOnPage } from './encode-receipt.ts'
import { type Box, CAP_HEIGHT, type Composition, type PaperLayout, type PlacedItem } from './column.ts'
import type { Bitmap } from './logo.ts'
import { MIN_MODULE_DOTS, QUIET_ZONE } from '../../images/qr-code.ts'
import type { TextLine } from './text/shape.ts'
import { TextRenderer } from './text/text-renderer.ts'

/** Lengths in dots unless named otherwise. */
interface Page {
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** position of the column's top left corner */
  readonly left: number
  readonly top: number
  /** scale at which the column is drawn */
  readonly scale: number
}

/** A composed slip and its page. */
export interface FittedPage {
  readonly composition: Composition
  readonly page: Page
}

/** A slip in both of its forms. */
export interface ComposableSlip {
  whole(): Composition
  /** Returns it on pages of at most `height` dots. */
  pages(height: number): readonly Composition[]
}

const mainModule = ({ items }: Composition): number => {
  const code = items.find((item) => item.kind === 'qr')
  return code?.kind === 'qr' ? code.module : MIN_MODULE_DOTS
}

/**
 * Draws the slip at the sheet's scale, or smaller until it fits, but never smaller than on an 80 mm roll, where its type has
 * at least 8 points: a longer slip takes several sheets. The main code's modules stay whole dots, for label printers that
 * print such sheets at 203 dpi as well.
 */
function fitOnSheets(
  slip: ComposableSlip,
  { widthMillimetres, width }: PaperLayout,
  { heightMillimetres, margin, scale: sheetScale }: Sheet
): FittedPage[] {
  const room = dotsOf(heightMillimetres) - 2 * margin
  const whole = slip.whole()
  const module = mainModule(whole)
  const mostDots = Math.ceil(module * sheetScale)
  const onSheet = (composition: Composition, scale: number): FittedPage => {
    const left = Math.round((dotsOf(widthMillimetres) - width * scale) / 2)
    return { composition, page: { widthMillimetres, heightMillimetres, left, top: margin, scale } }
  }
  for (let dots = mostDots; dots >= module; dots--) {
    if ((whole.height * dots) / module <= room) return [onSheet(whole, dots / module)]
  }
  const scale = mostDots / module
  return slip.pages(Math.floor(room / scale)).map((page) => onSheet(page, scale))
}

/**
 * On a roll the page is as long as its content, and at least as long as wide: print systems turn a page that is wider
 * than high.
 */
export function fitOnRoll(composition: Composition, { widthMillimetres }: PaperLayout): FittedPage {
  const heightMillimetres = Math.max(millimetresOf(composition.height), widthMillimetres)
  return { composition, page: { widthMillimetres, heightMillimetres, left: 0, top: 0, scale: 1 } }
}

/** Fits a slip on its page, or on several sheets. */
export const fitOnPages = (slip: ComposableSlip, layout: PaperLayout): FittedPage[] =>
  layout.sheet === null ? [fitOnRoll(slip.whole(), layout)] : fitOnSheets(slip, layout, layout.sheet)

/** Cuts a page of a roll to its column, which is as wide as the print head. */
export const withoutMargins = <Content extends { readonly layout: PaperLayout; readonly fitted: FittedPage }>(
  content: Content
): Content => {
  const { layout, fitted } = content
  const page = { ...fitted.page, widthMillimetres: millimetresOf(layout.width), left: -layout.left }
  return { ...content, fitted: { ...fitted, page } }
}

/** Position of the first QR code on `pages`, whose content is `content`. Nothing else is beside it. */
export function codeOnPage(content: string, pages: readonly FittedPage[]): CodeOnPage {
  const [found] = pages.flatMap(({ composition, page }) =>
    composition.items.flatMap((item) => (item.kind === 'qr' ? [{ code: item, page }] : []))
  )
  if (found === undefined) throw new Error('The page has no QR code')
  const { code, page } = found
  const { y, height } = code.box
  return {
    content,
    topMillimetres: millimetresOf(page.top + y * page.scale),
    bottomMillimetres: millimetresOf(page.top + (y + height) * page.scale),
    moduleDots: Math.round(code.module * page.scale)
  }
}

type Document = InstanceType<typeof PDFDocument>

const INK = 'black'
/** Light enough to read through; a receipt printer turns it into sparse dots. */
const MARK_INK = '#cfcfcf'
export const MARK_STYLE = { weight: 'bold', size: 58 } as const
/** Degrees, rising to the right. */
const MARK_ANGLE = -34
/** Dots from one line of the mark to the next, down the page. */
const MARK_STEP = 300

/** What is drawn on one page. */
export interface PageContent {
  readonly fitted: FittedPage
  readonly layout: PaperLayout
  /** repeated all over the slip, in `MARK_STYLE`; null: nothing */
  readonly mark: TextLine | null
}

/**
 * Repeats `mark` across the whole slip, except over QR codes and their quiet zones. Drawn as outlines, so that the
 * slip's own text can still be searched and copied.
 */
function drawMark(
  document: Document,
  renderer: TextRenderer,
  mark: TextLine,
  { height, items }: Composition,
  layout: PaperLayout
): void {
  document.save()
  document.rect(layout.left, layout.ends, layout.width, height - 2 * layout.ends)
  for (const item of items) {
    if (item.kind === 'qr') document.rect(item.box.x, item.box.y, item.box.width, item.box.height)
  }
  // With the even-odd rule, a point inside both this rectangle and a code is outside the clip.
  document.clip('even-odd')
  const rows = Math.ceil(height / MARK_STEP)
  for (let row = 0; row < rows; row++) {
    document.save().translate(layout.left + layout.width / 2, ((row + 0.5) * height) / rows)
    document.rotate(MARK_ANGLE)
    renderer.trace(mark, -mark.width / 2, (MARK_STYLE.size * CAP_HEIGHT) / 2)
    document.fill(MARK_INK).restore()
  }
  document.restore()
}

/**
 * Draws `bitmap` into `box` as bars, one for each run of black dots. An image would be stretched by up to a pixel on a page
 * whose width is no whole number of dots, which turns dithered areas black.
 */
function drawBitmap(document: Document, { width, height, dots }: Bitmap, box: Box): void {
  for (let row = 0; row < height; row++) {
    for (let start = row * width, end = start; end < (row + 1) * width; start = end) {
      while (end < (row + 1) * width && dots[end] === dots[start]) end++
      if (dots[start] === 1) document.rect(box.x + (start % width), box.y + row, end - start, 1)
    }
  }
  document.fill(INK)
}

function drawItem(document: Document, renderer: TextRenderer, item: PlacedItem): void {
  switch (item.kind) {
    case 'text': {
      const colour = item.white ? 'white' : INK
      document.fillColor(colour).strokeColor(colour)
      renderer.draw(item.line, item.box.x, item.baseline)
      return
    }
    case 'bar':
      document.rect(item.box.x, item.box.y, item.box.width, item.box.height).fill(INK)
      return
    case 'picture':
      drawBitmap(document, item.bitmap, item.box)
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

/** Adds a page and draws on it, with the dot as the unit of length. */
function drawPage(
  document: Document,
  renderer: TextRenderer,
  { fitted: { composition, page }, layout, mark }: PageContent
): void {
  const size: [number, number] = [pointsOf(page.widthMillimetres), pointsOf(page.heightMillimetres)]
  document.addPage({ size, margin: 0 })
  document.scale(POINTS_PER_DOT).translate(page.left, page.top).scale(page.scale)
  if (mark !== null) drawMark(document, renderer, mark, composition, layout)
  for (const item of composition.items) drawItem(document, renderer, item)
}

function finish(document: Document): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    document.on('error', reject)
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    document.end()
  })
}

export interface PdfInfo {
  readonly title: string
  /** ISO 8601, UTC: the only time in the file */
  readonly createdAt: string
}

/** Writes one page per content. */
export async function writePdf(
  pages: readonly PageContent[],
  { title, createdAt }: PdfInfo
): Promise<Uint8Array> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // The fonts of a page are known only after the last page is drawn.
    bufferPages: true,
    // Otherwise pdfkit opens its own Helvetica.
    font: '',
    info: { Title: title, Creator: 'Tillpoints', CreationDate: new Date(createdAt) }
  })
  const renderer = new TextRenderer(document)
  for (const page of pages) drawPage(document, renderer, page)
  renderer.end()
  return finish(document)
}
