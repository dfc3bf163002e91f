/** A print job, its outcome and its time limits: what every destination has in common. */
import type { Result } from '../../contract/failure.ts'
import type { HeadWidth } from '../../contract/paper.ts'
import {
  type Cut,
  type Printer,
  type PrintFault,
  type RawQueueConnection,
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

/** How a receipt printer prints one page of its test page. */
export interface ReceiptSection {
  /** width of the page */
  readonly widthDots: HeadWidth
  /** behind the page; null: the next page joins without a gap */
  readonly cut: Cut | null
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
  /** the code of the first page; used for `native-qr` in a document of one page and with `sections` */
  readonly code?: CodeOnPage
  /** one for each page, instead of the receipt printer's own width and cut: its test page has them all */
  readonly sections?: readonly ReceiptSection[]
  /** ids that connect its lines in the log */
  readonly trace?: LogDetails
}

/** Printed, as confirmed by the destination, or handed over to one that confirms nothing; see `deliveryStatus`. */
export interface Printed {
  /** name of the queue, or host and port of the printer */
  readonly printer: string
  /** the print system's job number; null where there is none */
  readonly job: number | null
}

/** Printed for certain or handed over, or `not-printed`. */
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
  /**
   * Hands `bytes`, the commands of a receipt printer, to a queue as they are. Resolves when the print system has passed on
   * all of them, or the job has ended otherwise; `job` names it and extends its time limit. Whether the printer printed
   * them is unknown. An abort of `signal` gives the job up.
   */
  printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    queue: RawQueueConnection,
    signal: AbortSignal
  ): Promise<PrintResult>
}
