/** A print job, its outcome and its time limits: what every destination has in common. */
import type { Result } from '../../contract/failure.ts'
import {
  SHEET_SIZES,
  type Printer,
  type PrintFault,
  type SheetSize,
  type SystemQueue
} from '../../contract/printing.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { Exec } from './exec.ts'

/** Position of a slip's QR code on its page, for printers that draw it themselves. */
export interface CodeOnPage {
  readonly content: string
  /** the band of the page that contains nothing but the code, quiet zone included, from the top edge */
  readonly topMillimetres: number
  readonly bottomMillimetres: number
  /** size of a module in dots of a 203 dpi head, 1 to 8 */
  readonly moduleDots: number
}

/** A PDF with one page per slip, each of this size. */
export interface PrintJob {
  readonly pdf: Uint8Array
  /** shown in the queue; contains no customer's name and no code */
  readonly title: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** default 1 */
  readonly copies?: number
  /** number of pages, which extends the time limit; default 1 */
  readonly pages?: number
  /** used for `native-qr` in a document of one page; without it the code is printed as dots */
  readonly code?: CodeOnPage
  /** ids that connect its lines in the log */
  readonly trace?: LogDetails
}

/** Printed, as confirmed by the destination. */
export interface Printed {
  /** name of the queue, or host and port of the printer */
  readonly printer: string
  /** the print system's job number; null where there is none */
  readonly job: number | null
}

/** Printed for certain, or `not-printed`. */
export type PrintResult = Result<Printed>

/** Time limits in milliseconds. */
export interface PrintTimeouts {
  /** for a job of one page */
  readonly job: number
  /** for each further page or copy */
  readonly furtherPage: number
  /** for a hindrance that a cashier can see (paper, cover, power) before the job is given up */
  readonly hindrance: number
  /** for one response of a print system or printer */
  readonly response: number
}

export const DEFAULT_TIMEOUTS: PrintTimeouts = {
  job: 60_000,
  furtherPage: 3_000,
  hindrance: 10_000,
  response: 5_000
}

/** Extends the job timeout for further pages and copies. */
export const timeoutsFor = (job: PrintJob, timeouts: PrintTimeouts): PrintTimeouts => ({
  ...timeouts,
  job: timeouts.job + timeouts.furtherPage * ((job.pages ?? 1) * (job.copies ?? 1) - 1)
})

/** The result of a job that was not printed. */
export const notPrinted = (
  fault: PrintFault,
  mayStillPrint = false
): Extract<PrintResult, { readonly ok: false }> => ({
  ok: false,
  failure: { kind: 'not-printed', fault, mayStillPrint }
})

/** Width and height of each sheet in millimetres (ISO 216); a roll has a width only. */
const SHEET_MILLIMETRES: Readonly<Record<SheetSize, readonly [width: number, height: number]>> = {
  A6: [105, 148],
  A4: [210, 297]
}

/** The sheet of exactly this size, or null for a length of roll. PDFs count in points, so 0.1 mm is tolerated. */
export function sheetOf({
  widthMillimetres,
  heightMillimetres
}: Pick<PrintJob, 'widthMillimetres' | 'heightMillimetres'>): SheetSize | null {
  for (const name of SHEET_SIZES) {
    const [width, height] = SHEET_MILLIMETRES[name]
    if (Math.abs(width - widthMillimetres) < 0.1 && Math.abs(height - heightMillimetres) < 0.1) return name
  }
  return null
}

/** Resolution of a receipt printer's head. */
export const DOTS_PER_INCH = 203

/** Width of the print head for paper of this width: 384 dots for 58 mm, 576 for 80 mm; null for wider paper. */
export function headWidthDots(paperMillimetres: number): number | null {
  if (paperMillimetres <= 60) return 384
  return paperMillimetres <= 82 ? 576 : null
}

/** Whether bytes start as every PDF does (ISO 32000, 7.5.2). */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(5, bytes.byteLength)).toString('latin1') === '%PDF-'

/** Thrown for bytes that PDFium cannot read as a PDF. */
export class UnreadablePdfError extends Error {
  override readonly name = 'UnreadablePdfError'
}

/** What the queues of every operating system need. */
export interface SystemPrintingOptions {
  readonly exec: Exec
  /** for the programs of the print system; CUPS also reads `CUPS_SERVER` */
  readonly environment: NodeJS.ProcessEnv
  readonly timeouts: PrintTimeouts
  readonly log: Logger
}

/** The queues of an operating system. No method rejects for a fault of the print system. */
export interface SystemPrinting {
  /** Lists every queue with its current state. */
  list(): Promise<Result<readonly Printer[]>>
  /** Resolves when the job has ended; an abort of `signal` gives it up. */
  print(job: PrintJob, queue: SystemQueue, signal: AbortSignal): Promise<PrintResult>
}
