/** A slip as ESC/POS commands. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { CodeStyle } from '../../../contract/printing.ts'
import type { CodeOnPage, PrintJob } from '../print-job.ts'
import { DOTS_PER_INCH, drawPages } from '../rasterizer.ts'
import { END_MARK } from './connection.ts'

/** Lines of 30 dots from the print head to the cutter: 15 mm. How far it is each printer has its own; none was measured. */
const LINES_TO_CUTTER = 4

/** Columns of the printer's own font, 12 dots wide: the encoder's measure of the paper. */
const COLUMN_DOTS = 12

/** What the encoder takes as an image: four bytes a dot, black or white. */
function imageOf({ width, height, dots }: Raster) {
  const data = new Uint8ClampedArray(width * height * 4)
  dots.forEach((dot, index) => {
    const grey = dot === 1 ? 0 : 255
    data.set([grey, grey, grey, 255], index * 4)
  })
  return { width, height, data }
}

const drawn = (encoder: ReceiptPrinterEncoder, raster: Raster): ReceiptPrinterEncoder =>
  raster.height === 0 ? encoder : encoder.image(imageOf(raster), raster.width, raster.height, 'threshold')

/** The page with its code drawn by the printer itself: the dots above, the code in the middle, the dots below. */
function withNativeCode(encoder: ReceiptPrinterEncoder, page: Raster, code: CodeOnPage): void {
  drawn(encoder, rowsOf(page, 0, dotsOf(code.topMillimetres)))
  encoder
    .align('center')
    .qrcode(code.content, { model: 2, size: code.moduleDots, errorlevel: 'm' })
    .align('left')
  drawn(encoder, rowsOf(page, dotsOf(code.bottomMillimetres), page.height))
}

/** Every page with a cut behind it, `copies` times, and the end mark. */
function encodeReceipt(pages: readonly Raster[], job: PrintJob, style: CodeStyle): Uint8Array {
  const [first] = pages
  const encoder = new ReceiptPrinterEncoder({
    language: 'esc-pos',
    imageMode: 'raster',
    columns: (first?.width ?? 0) / COLUMN_DOTS,
    feedBeforeCut: LINES_TO_CUTTER,
    // the parts of a page must meet without a gap
    feedAfterBlock: false,
    newline: '\n'
  })
  encoder.initialize()
  for (let copy = 0; copy < (job.copies ?? 1); copy++) {
    for (const page of pages) {
      if (style === 'native-qr' && job.code !== undefined && pages.length === 1) {
        withNativeCode(encoder, page, job.code)
      } else drawn(encoder, page)
      encoder.cut('partial')
    }
  }
  return Buffer.concat([encoder.encode(), END_MARK])
}

/* from raster.ts: A slip's PDF as the dots of a receipt printer: drawn at 203 dpi, black or white, the printable area only. */

const MILLIMETRES_PER_INCH = 25.4

/** Darker than this is a black dot. Edges that lie on the dot grid come out where they are. */
const THRESHOLD = 128

/** Rows come in eights: what the encoder takes. */
const ROWS = 8

/** Dots across a page's printable area, one byte each: 1 is black. */
interface Raster {
  readonly width: number
  readonly height: number
  readonly dots: Uint8Array
}

export const dotsOf = (millimetres: number): number =>
  Math.round((millimetres / MILLIMETRES_PER_INCH) * DOTS_PER_INCH)

/** Dots that a print head has for paper of this width: 384 for 58 mm, 576 for 80 mm; null for wider paper. */
export function headDots(widthMillimetres: number): number | null {
  if (widthMillimetres <= 60) return 384
  return widthMillimetres <= 82 ? 576 : null
}

/** Keeps the printable area, which is centred on the paper, and turns greys into dots. */
function printable(grey: Uint8Array, pageWidth: number, pageHeight: number, width: number): Raster {
  const height = Math.ceil(pageHeight / ROWS) * ROWS
  const dots = new Uint8Array(width * height)
  const left = Math.round((pageWidth - width) / 2)
  for (let y = 0; y < pageHeight; y++) {
    for (let x = 0; x < width; x++) {
      const from = x + left
      const isPaper = from >= 0 && from < pageWidth
      if (isPaper && (grey[y * pageWidth + from] ?? 255) < THRESHOLD) dots[y * width + x] = 1
    }
  }
  return { width, height, dots }
}

/** Draws each page of `pdf` for a print head of `width` dots. Rejects with `UnreadablePdfError`. */
async function rasterise(pdf: Uint8Array, width: number): Promise<readonly Raster[]> {
  const pages = await drawPages(pdf)
  return pages.map((page) => printable(page.grey, page.width, page.height, width))
}

/** Rows `from` to `to` of a raster, filled up to a multiple of eight. */
export function rowsOf({ width, dots }: Raster, from: number, to: number): Raster {
  const height = Math.ceil(Math.max(0, to - from) / ROWS) * ROWS
  const rows = new Uint8Array(width * height)
  rows.set(dots.subarray(from * width, Math.max(from, to) * width))
  return { width, height, dots: rows }
}

/* from draw-receipt.ts: A document as the commands of a receipt printer. */

/** Draws each page for a head of `width` dots and encodes it. Rejects with `UnreadablePdfError`. */
export const drawReceipt = async (job: PrintJob, width: number, code: CodeStyle): Promise<Uint8Array> =>
  encodeReceipt(await rasterise(job.pdf, width), job, code)
