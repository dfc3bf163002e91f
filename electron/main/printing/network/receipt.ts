/** Converts a print job to ESC/POS commands: rendered at 203 dpi, black or white, the printable area only. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { CodeStyle } from '../../../contract/printing.ts'
import { DOTS_PER_INCH, type CodeOnPage, type PrintJob } from '../print-job.ts'
import { renderPages } from '../rasterizer.ts'
import { END_MARK } from './connection.ts'

const MILLIMETRES_PER_INCH = 25.4

/** Darker pixels become black dots. Edges on the dot grid stay in place. */
const BLACK_THRESHOLD = 128

/** The encoder takes rows in multiples of eight. */
const ROW_MULTIPLE = 8

/** Lines of 30 dots between print head and cutter: 15 mm. The distance differs between printers; none was measured. */
const LINES_TO_CUTTER = 4

/** Width of a column of the printer's own font: the encoder's unit of paper width. */
const COLUMN_DOTS = 12

/** Dots across a page's printable area, one byte each: 1 is black. */
interface Raster {
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

const toDots = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH)

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

/** Adds the page with its code drawn by the printer: the dots above, the code centred, the dots below. */
function addPageWithNativeCode(encoder: ReceiptPrinterEncoder, page: Raster, code: CodeOnPage): void {
  addRaster(encoder, sliceRows(page, 0, toDots(code.topMillimetres)))
  encoder
    .align('center')
    .qrcode(code.content, { model: 2, size: code.moduleDots, errorlevel: 'm' })
    .align('left')
  addRaster(encoder, sliceRows(page, toDots(code.bottomMillimetres), page.height))
}

/**
 * Encodes every page, each followed by a cut, `job.copies` times, and then the end mark. Rejects with
 * `UnreadablePdfError`.
 * @param widthDots width of the print head
 */
export async function encodeReceipt(
  job: PrintJob,
  widthDots: number,
  codeStyle: CodeStyle
): Promise<Uint8Array> {
  const pages = (await renderPages(job.pdf)).map((page) =>
    toRaster(page.gray, page.width, page.height, widthDots)
  )
  const encoder = new ReceiptPrinterEncoder({
    language: 'esc-pos',
    imageMode: 'raster',
    columns: (pages[0]?.width ?? 0) / COLUMN_DOTS,
    feedBeforeCut: LINES_TO_CUTTER,
    // The parts of a page must join without a gap.
    feedAfterBlock: false,
    newline: '\n'
  })
  encoder.initialize()
  for (let copy = 0; copy < (job.copies ?? 1); copy++) {
    for (const page of pages) {
      const isNative = codeStyle === 'native-qr' && job.code !== undefined && pages.length === 1
      if (isNative) addPageWithNativeCode(encoder, page, job.code)
      else addRaster(encoder, page)
      encoder.cut('partial')
    }
  }
  return Buffer.concat([encoder.encode(), END_MARK])
}
