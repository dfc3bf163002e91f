/** A print job, its outcome and its time limits: what every destination has in common. */
import type { Result } from '../../contract/failure.ts'
import { PAPERS, type HeadWidth, type PaperSize } from '../../contract/paper.ts'
import type {
  Printer,
  PrinterSettings,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../contract/printing.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { Exec } from '../exec.ts'
import type { ReceiptFormat } from './receipt/encode-receipt.ts'

/** What a document is laid out for, and what its destination needs beside the PDF. */
export interface PrintTarget {
  readonly paper: PaperSize
  /** width of the column on a roll; null: the usual print head of the paper */
  readonly headWidth: HeadWidth | null
  /** the receipt printer that takes the document as commands; null: none does */
  readonly receipt: ReceiptFormat | null
  /** also as `headPdf` */
  readonly isHeadPdfNeeded: boolean
}

/**
 * Returns the target of the printer settings. No receipt printer takes a sheet. A queue of Windows may have a paper form
 * without the roll's margins.
 */
export function printTarget(
  { destination, paperSize }: PrinterSettings,
  platform: NodeJS.Platform = process.platform
): PrintTarget {
  const usualWidth = PAPERS[paperSize].headWidth
  const target = { paper: paperSize, headWidth: null, receipt: null, isHeadPdfNeeded: false }
  if (destination.kind === 'queue')
    return { ...target, isHeadPdfNeeded: platform === 'win32' && usualWidth !== null }
  if (destination.kind === 'folder' || usualWidth === null) return target
  const { language, cut, code, widthDots } = destination
  return {
    ...target,
    headWidth: widthDots,
    receipt: { language, cut, code, widthDots: widthDots ?? usualWidth }
  }
}

/** Pages of one size, in the forms that their destination takes. */
export interface PrintDocument {
  readonly pdf: Uint8Array
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** number of pages, which extends the time limit; default 1 */
  readonly pages?: number
  /** the pages as commands of the receipt printer of the target */
  readonly commands?: Uint8Array
  /** the PDF without the roll's margins, as wide as its usual print head */
  readonly headPdf?: Uint8Array
}

export interface PrintJob extends PrintDocument {
  /** shown in the queue; contains no customer's name and no code */
  readonly title: string
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
  /** for each further page */
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

/** Extends the job timeout for further pages. */
export const timeoutsFor = (job: PrintJob, timeouts: PrintTimeouts): PrintTimeouts => ({
  ...timeouts,
  job: timeouts.job + timeouts.furtherPage * ((job.pages ?? 1) - 1)
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
