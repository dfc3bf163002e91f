/** A slip-like page for any paper size: a QR code on the printer's dot grid, drawn without the app's own layout. */
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { create as createQr } from 'qrcode'
import { usualHeadWidth } from '../../electron/contract/paper.ts'
import type {
  DEFAULT_RECEIPT_OPTIONS,
  ReceiptPrinter,
  SystemQueue
} from '../../electron/contract/printing.ts'
import { Printing } from '../../electron/main/printing/index.ts'
import type { PrintControl, PrintJob, PrintResult } from '../../electron/main/printing/print-job.ts'
import { encodeReceipt, type ReceiptDocument } from '../../electron/main/slip-pdf/encode-receipt.ts'
import { SlipPdfRenderer } from '../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'

export const renderer = new SlipPdfRenderer(fileURLToPath(new URL('../../resources/fonts', import.meta.url)))

const POINTS_PER_DOT = 72 / 203
const POINTS_PER_MILLIMETRE = 72 / 25.4
const MODULE_DOTS = 6

/** Content of the sample's code. */
export const SAMPLE_URL = 'https://points.example/qr/9f2c41d7-5a0b-4a55-8d0c-2b9d64b1f3aa'

/** The sample's modules, true for dark, row by row. */
export const sampleModules = (): readonly (readonly boolean[])[] => {
  const { modules } = createQr(SAMPLE_URL, { errorCorrectionLevel: 'M' })
  return Array.from({ length: modules.size }, (_, row) =>
    Array.from({ length: modules.size }, (_, column) => modules.get(row, column) === 1)
  )
}

/** Position of the sample's code in dots from the page's top left corner, and the size of its modules. */
export function samplePlace(widthMillimetres: number): { left: number; top: number; moduleDots: number } {
  const pageDots = (widthMillimetres / 25.4) * 203
  return {
    left: Math.round((pageDots - sampleModules().length * MODULE_DOTS) / 2),
    top: 160,
    moduleDots: MODULE_DOTS
  }
}

/** A slip that no destination was chosen for yet. */
export type SampleSlip = PrintJob & ReceiptDocument

/** Resolves with the commands for a receipt printer, as the PDF worker makes them. */
export async function commandsFor(
  slip: SampleSlip,
  { language, cut, code, widthDots }: Pick<ReceiptPrinter, keyof typeof DEFAULT_RECEIPT_OPTIONS>
): Promise<Buffer> {
  const usualWidth = usualHeadWidth(slip.widthMillimetres)
  if (usualWidth === null) throw new Error('No roll is so wide')
  return Buffer.from(await encodeReceipt(slip, { language, cut, code, widthDots: widthDots ?? usualWidth }))
}

/** Prints samples with the commands that their receipt printer takes. */
export class SamplePrinting extends Printing {
  override async print(
    slip: SampleSlip,
    destination: SystemQueue | ReceiptPrinter,
    control?: Partial<PrintControl>
  ): Promise<PrintResult> {
    const isSheet = usualHeadWidth(slip.widthMillimetres) === null
    if (destination.kind === 'queue' || isSheet || slip.commands !== undefined)
      return super.print(slip, destination, control)
    return super.print({ ...slip, commands: await commandsFor(slip, destination) }, destination, control)
  }
}

/** A time limit for tests that hang, in ms. */
export const JOB_TIMEOUT_MS = 50_000

/**
 * @param response time limit in ms; nothing but a silent printer takes so long
 * @param busy ms for which a printer that others use is waited for
 */
export const createReceiptPrinting = (response = 30_000, busy = response): SamplePrinting =>
  new SamplePrinting({
    platform: process.platform,
    environment: {},
    log: noOpLogger,
    timeouts: { job: JOB_TIMEOUT_MS, response, busy }
  })

/** Creates a page of this size. */
export async function sampleSlip(widthMillimetres: number, heightMillimetres: number): Promise<SampleSlip> {
  const document = new PDFDocument({
    size: [widthMillimetres * POINTS_PER_MILLIMETRE, heightMillimetres * POINTS_PER_MILLIMETRE],
    margin: 0,
    info: { CreationDate: new Date(0) }
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve) => document.on('end', resolve))
  const width = widthMillimetres * POINTS_PER_MILLIMETRE
  document.fontSize(14).text('120 points', 0, 20, { width, align: 'center' })
  const { left, top } = samplePlace(widthMillimetres)
  const side = MODULE_DOTS * POINTS_PER_DOT
  sampleModules().forEach((row, y) =>
    row.forEach((dark, x) => {
      if (dark) document.rect(left * POINTS_PER_DOT + x * side, top * POINTS_PER_DOT + y * side, side, side)
    })
  )
  document.fill()
  document.end()
  await ended
  const modules = sampleModules().length
  return {
    pdf: Buffer.concat(chunks),
    title: 'Points slip',
    widthMillimetres,
    heightMillimetres,
    code: {
      content: SAMPLE_URL,
      topMillimetres: ((top - 20) / 203) * 25.4,
      bottomMillimetres: ((top + modules * MODULE_DOTS + 20) / 203) * 25.4,
      moduleDots: MODULE_DOTS
    }
  }
}
