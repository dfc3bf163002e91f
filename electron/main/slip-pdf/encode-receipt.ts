/** Converts a PDF to ESC/POS or StarPRNT commands: rendered at 203 dpi, black or white, the printable area only. */
import { create as createQr } from 'qrcode'
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import { dotsOf, type HeadWidth } from '../../contract/paper.ts'
import type { Cut } from '../../contract/printing.ts'
import type { ReceiptFormat } from '../printing/print-job.ts'
import { renderPages } from './render-pages.ts'

/** Darker pixels become black dots. Edges on the dot grid stay in place. */
const BLACK_THRESHOLD = 128

/** The encoder takes rows in multiples of eight. */
const ROW_MULTIPLE = 8

/** Lines of 30 dots between print head and cutter: 15 mm. The distance differs between printers; none was measured. */
const LINES_TO_CUTTER = 4

/** The encoder lays out text in columns of the printer's own font. A receipt has none: any number that it takes. */
const COLUMNS = 48

/** Position of a slip's QR code on its page, for printers that draw it themselves. */
export interface CodeOnPage {
  readonly content: string
  /** the band of the page that contains nothing but the code, quiet zone included, from the top edge */
  readonly topMillimetres: number
  readonly bottomMillimetres: number
  /** size of a module in dots of a 203 dpi head, 1 to 8 */
  readonly moduleDots: number
}

/** How a receipt printer prints one page of its test page. */
export interface ReceiptSection {
  /** width of the page */
  readonly widthDots: HeadWidth
  /** behind the page; null: the next page joins without a gap */
  readonly cut: Cut | null
}

export interface ReceiptDocument {
  readonly pdf: Uint8Array
  /**
   * the code of the first page; used for `native-qr` in a document of one page and with `sections`, unless a printer could
   * draw it otherwise
   */
  readonly code?: CodeOnPage
  /** one for each page, instead of the receipt printer's own width and cut: its test page has them all */
  readonly sections?: readonly ReceiptSection[]
}

/** Dots across a page's printable area, one byte each: 1 is black. */
interface Raster {
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

const toRowMultiple = (rows: number): number => Math.ceil(rows / ROW_MULTIPLE) * ROW_MULTIPLE

/** Keeps the printable area, which is centred on the paper, and thresholds it. */
function toRaster(gray: Uint8Array, pageWidth: number, pageHeight: number, width: number): Raster {
  const height = toRowMultiple(pageHeight)
  const dots = new Uint8Array(width * height)
  const left = Math.round((pageWidth - width) / 2)
  for (let y = 0; y < pageHeight; y++) {
    for (let x = 0; x < width; x++) {
      const pageX = x + left
      const isOnPage = pageX >= 0 && pageX < pageWidth
      if (isOnPage && (gray[y * pageWidth + pageX] ?? 255) < BLACK_THRESHOLD) dots[y * width + x] = 1
    }
  }
  return { width, height, dots }
}

/** Rows `from` to `to`, padded to a multiple of eight. */
function sliceRows({ width, dots }: Raster, from: number, to: number): Raster {
  const height = toRowMultiple(Math.max(0, to - from))
  const rows = new Uint8Array(width * height)
  rows.set(dots.subarray(from * width, Math.max(from, to) * width))
  return { width, height, dots: rows }
}

/** The encoder's image format: four bytes a dot. */
function toImage({ width, height, dots }: Raster) {
  const data = new Uint8ClampedArray(width * height * 4)
  dots.forEach((dot, index) => {
    const gray = dot === 1 ? 0 : 255
    data.set([gray, gray, gray, 255], index * 4)
  })
  return { width, height, data }
}

function addRaster(encoder: ReceiptPrinterEncoder, raster: Raster): void {
  if (raster.height > 0) encoder.image(toImage(raster), raster.width, raster.height, 'threshold')
}

/** Printable ASCII, of fewer bytes than the largest code takes (2,331 at level M). */
const NATIVE_CONTENT = /^[\x20-\x7e]{1,2000}$/

/**
 * Whether every printer draws the code as the page has it. The printer chooses the mode of the bytes: beyond ASCII some
 * read Shift JIS or refuse them, and a code in the mode of most modules, 8-bit byte, is not printed where it exceeds the
 * print area (Epson, GS ( k, functions 180 and 181; Cino, the same).
 */
function isDrawnAlike({ content, moduleDots }: CodeOnPage, widthDots: number): boolean {
  if (!NATIVE_CONTENT.test(content)) return false
  const bytes = [{ mode: 'byte', data: Buffer.from(content) } as const]
  return createQr(bytes, { errorCorrectionLevel: 'M' }).modules.size * moduleDots <= widthDots
}

/** Adds the page with its code drawn by the printer: the dots above, the code centred, the dots below. */
function addPageWithNativeCode(encoder: ReceiptPrinterEncoder, page: Raster, code: CodeOnPage): void {
  addRaster(encoder, sliceRows(page, 0, Math.round(dotsOf(code.topMillimetres))))
  encoder
    .align('center')
    .qrcode(code.content, { model: 2, size: code.moduleDots, errorlevel: 'm' })
    .align('left')
  addRaster(encoder, sliceRows(page, Math.round(dotsOf(code.bottomMillimetres)), page.height))
}

/** Cuts, or without a cut feeds the paper to where it is torn off. */
function addEnd(encoder: ReceiptPrinterEncoder, cut: Cut): void {
  if (cut === 'none') encoder.newline(LINES_TO_CUTTER)
  else encoder.cut(cut)
}

/**
 * Encodes every page, each followed by its cut: the same document in the same format gives the same bytes. Rejects with
 * `UnreadablePdfError`.
 */
export async function encodeReceipt(
  { pdf, code, sections }: ReceiptDocument,
  format: ReceiptFormat
): Promise<Uint8Array> {
  const pages = (await renderPages(pdf)).map((page, index) =>
    toRaster(page.gray, page.width, page.height, sections?.[index]?.widthDots ?? format.widthDots)
  )
  const hasOneCode = pages.length === 1 || sections !== undefined
  const encoder = new ReceiptPrinterEncoder({
    language: format.language,
    imageMode: 'raster',
    columns: COLUMNS,
    feedBeforeCut: LINES_TO_CUTTER,
    // The parts of a page must join without a gap.
    feedAfterBlock: false,
    newline: '\n'
  })
  encoder.initialize()
  for (const [index, page] of pages.entries()) {
    const nativeCode = format.code === 'native-qr' && hasOneCode && index === 0 ? code : undefined
    if (nativeCode !== undefined && isDrawnAlike(nativeCode, page.width))
      addPageWithNativeCode(encoder, page, nativeCode)
    else addRaster(encoder, page)
    const cut = sections === undefined ? format.cut : (sections[index]?.cut ?? null)
    if (cut !== null) addEnd(encoder, cut)
  }
  return encoder.encode()
}
