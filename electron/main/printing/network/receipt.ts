/** A slip as ESC/POS commands. */
import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { CodeStyle } from '../../../contract/printing.ts'
import type { CodeOnPage, PrintJob } from '../job.ts'
import { dotsOf, rowsOf, type Raster } from './raster.ts'
import { END_MARK } from './status.ts'

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
export function encodeReceipt(pages: readonly Raster[], job: PrintJob, style: CodeStyle): Uint8Array {
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
