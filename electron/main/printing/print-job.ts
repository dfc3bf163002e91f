/** What every destination takes, and what it answers. */
import type { Result } from '../../contract/failure.ts'
import type { PaperSize, Printer, PrintFault, SystemQueue } from '../../contract/printing.ts'
import type { LogDetails } from '../log/log.ts'

/** Where a slip's code stands on its page, for printers that draw it themselves. */
export interface CodeOnPage {
  readonly content: string
  /** the band of the page that the code has for itself, from the top edge */
  readonly topMillimetres: number
  readonly bottomMillimetres: number
  /** size of a module in dots of a 203 dpi head, 1 to 8 */
  readonly moduleDots: number
}

/** A slip on its way to paper. Its PDF has one page per slip, each of this size. */
export interface PrintJob {
  readonly pdf: Uint8Array
  /** what the queue shows; no customer's name */
  readonly title: string
  readonly widthMillimetres: number
  readonly heightMillimetres: number
  /** 1 when absent */
  readonly copies?: number
  /** pages of the document, which give it more time; 1 when absent */
  readonly pages?: number
  /** needed for `native-qr` only, and used for a document of one page; without it the code is printed as dots */
  readonly code?: CodeOnPage
  /** the ids that tie its lines in the log together */
  readonly trace?: LogDetails
}

/** Paper moved: the destination itself says so. */
export interface Printed {
  /** the queue's name, or the printer's host and port */
  readonly printer: string
  /** the print system's number of the job; null where there is none */
  readonly job: number | null
}

/** Printed for certain, or `not-printed`. */
export type PrintAnswer = Result<Printed>

/** Milliseconds that printing waits, each for one thing. */
export interface PrintTimes {
  /** for a slip from its start to its end */
  readonly whole: number
  /** for each further page or copy of the same job */
  readonly further: number
  /** for a hindrance that a cashier can see (paper, cover, power) to go away before the job is given up */
  readonly patience: number
  /** for one answer of a print system or printer */
  readonly answer: number
}

export const DEFAULT_TIMES: PrintTimes = { whole: 60_000, further: 3_000, patience: 10_000, answer: 5_000 }

/** The times for `job`: a job of many slips has longer. */
export const timesFor = (job: PrintJob, times: PrintTimes): PrintTimes => ({
  ...times,
  whole: times.whole + times.further * ((job.pages ?? 1) * (job.copies ?? 1) - 1)
})

/** A slip that did not come out. */
export const notPrinted = (
  fault: PrintFault,
  mayStillPrint = false
): Extract<PrintAnswer, { readonly ok: false }> => ({
  ok: false,
  failure: { kind: 'not-printed', fault, mayStillPrint }
})

/** Sheets by their ISO 216 size in millimetres; a roll has a width only. */
const SHEETS = { A6: [105, 148], A4: [210, 297] } as const satisfies Partial<
  Record<PaperSize, readonly [number, number]>
>

/** The sheet of exactly this size, or null for a length of roll. PDFs count in points: a tenth of a mm is the same. */
export function sheetOf({
  widthMillimetres,
  heightMillimetres
}: Pick<PrintJob, 'widthMillimetres' | 'heightMillimetres'>): keyof typeof SHEETS | null {
  for (const name of ['A6', 'A4'] as const) {
    const [width, height] = SHEETS[name]
    if (Math.abs(width - widthMillimetres) < 0.1 && Math.abs(height - heightMillimetres) < 0.1) return name
  }
  return null
}

/** Whether bytes begin as every PDF does (ISO 32000, 7.5.2). */
export const looksLikePdf = (pdf: Uint8Array): boolean =>
  Buffer.from(pdf.buffer, pdf.byteOffset, Math.min(5, pdf.byteLength)).toString('latin1') === '%PDF-'

/** The queues of an operating system. Neither call rejects for anything that a print system may do. */
export interface SystemPrinting {
  /** Every queue, as known now. */
  list(): Promise<Result<readonly Printer[]>>
  /**
   * A job for this queue is in the making: what is asked before it is sent is asked meanwhile, where that takes time.
   */
  expect?(queue: SystemQueue): void
  /** Prints and waits for the end; `signal` gives the job up. */
  print(job: PrintJob, queue: SystemQueue, signal: AbortSignal): Promise<PrintAnswer>
}

/** Raised by bytes that PDFium cannot read as a PDF. */
export class UnreadablePdfError extends Error {
  override readonly name = 'UnreadablePdfError'
}
