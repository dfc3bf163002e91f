/** A print job, its outcome, its time limits, and waiting for its end: what every destination has in common. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Result } from '../../contract/failure.ts'
import { PAPERS, type HeadWidth, type PaperSize } from '../../contract/paper.ts'
import type {
  CodeStyle,
  Cut,
  OfferedPapers,
  Printer,
  PrinterLanguage,
  PrinterSettings,
  PrintFault,
  RawQueueConnection,
  SystemQueue
} from '../../contract/printing.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import type { Exec } from '../exec.ts'

/** How a printer wants its receipts. */
export interface ReceiptFormat {
  readonly language: PrinterLanguage
  readonly widthDots: HeadWidth
  /** behind each page */
  readonly cut: Cut
  readonly code: CodeStyle
}

/** What a document is laid out for, and what its destination needs beside the PDF. */
export interface PrintTarget {
  readonly paper: PaperSize
  /** width of the column on a roll; null: the usual print head of the paper */
  readonly headWidth: HeadWidth | null
  /** the receipt printer that takes the document as commands; null: none does */
  readonly receipt: ReceiptFormat | null
  /** a page of a roll has no margins: it is as wide as the roll's usual print head */
  readonly isHeadWide: boolean
}

/** Returns the target of the printer settings. No receipt printer takes a sheet. */
export function printTarget({ destination, paperSize }: PrinterSettings): PrintTarget {
  const usualWidth = PAPERS[paperSize].headWidth
  const target = { paper: paperSize, headWidth: null, receipt: null, isHeadWide: false }
  if (destination.kind === 'queue' || destination.kind === 'folder' || usualWidth === null) return target
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
}

export interface PrintJob extends PrintDocument {
  /** shown in the queue; contains no customer's name and no code */
  readonly title: string
  /** ids that connect its lines in the log */
  readonly trace?: LogDetails
  /** Renders its PDF without the margins of the roll, for a queue whose driver has paper as wide as the print head. */
  readonly headPdf?: () => Promise<Uint8Array>
}

/** Renders a document for a target, with its `headPdf`. Rejects as `render` does, which gives the same at each call. */
export async function renderForQueues<Document extends PrintDocument>(
  render: (target: PrintTarget) => Promise<Document>,
  target: PrintTarget
): Promise<Document & Pick<PrintJob, 'headPdf'>> {
  const headPdf = async (): Promise<Uint8Array> => (await render({ ...target, isHeadWide: true })).pdf
  return { ...(await render(target)), headPdf }
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
  /** for a printer that another till or program has before any of the slip is sent */
  readonly busy: number
  /** for one response of a print system or printer */
  readonly response: number
}

export const DEFAULT_TIMEOUTS: PrintTimeouts = {
  job: 60_000,
  furtherPage: 3_000,
  hindrance: 10_000,
  busy: 15_000,
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
  mayStillPrint = false,
  said?: string
): Extract<PrintResult, { readonly ok: false }> => ({
  ok: false,
  failure: { kind: 'not-printed', fault, mayStillPrint, ...(said !== undefined && { said }) }
})

/** The result of a job whose size the queue does not take. */
export const refusedSize = (offered: OfferedPapers): Extract<PrintResult, { readonly ok: false }> => ({
  ok: false,
  failure: { kind: 'not-printed', fault: 'refused-size', mayStillPrint: false, offered }
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

/** How a job is given up, and to whom it tells what delays it. */
export interface PrintControl {
  /** an abort gives the job up */
  readonly signal: AbortSignal
  /** Called with what delays the job, again and again, and with null when it goes on. */
  hindered(fault: PrintFault | null): void
}

/** The queues of an operating system. No method rejects for a fault of the print system. */
export interface SystemPrinting {
  /** Lists every queue with its current state. */
  list(): Promise<Result<readonly Printer[]>>
  /** Resolves when the job has ended. */
  print(job: PrintJob, queue: SystemQueue, control: PrintControl): Promise<PrintResult>
  /**
   * Hands `bytes`, the commands of a receipt printer, to a queue as they are. Resolves when the print system has passed on
   * all of them, or the job has ended otherwise; `job` names it and extends its time limit. Whether the printer printed
   * them is unknown.
   */
  printRaw(
    bytes: Uint8Array,
    job: PrintJob,
    queue: RawQueueConnection,
    control: PrintControl
  ): Promise<PrintResult>
}

/** What a print system says of a job that it accepted: print systems accept much that never prints. */
export type JobStatus =
  | { readonly kind: 'printed' }
  /** gone, and the print system does not say whether it was printed or deleted */
  | { readonly kind: 'lost' }
  | {
      readonly kind: 'ended'
      readonly fault: PrintFault
      /** whether the printer received a part of it, which it may have printed or may still print */
      readonly isAtPrinter: boolean
    }
  | {
      /** will not continue by itself */
      readonly kind: 'stuck'
      readonly fault: PrintFault
      /** whether the printer may have received a part of it */
      readonly isAtPrinter: boolean
    }
  | {
      readonly kind: 'pending'
      /** what delays the job; null: nothing */
      readonly hindrance: PrintFault | null
      /** whether the printer received it */
      readonly isAtPrinter: boolean
    }

/** Outcome of cancelling a job: removed, printed meanwhile, or not confirmed. */
export type CancelOutcome = 'gone' | 'printed' | 'unknown'

/** A job in a print system. No method rejects for a fault of the print system. */
export interface MonitoredJob {
  status(): Promise<JobStatus>
  cancel(): Promise<CancelOutcome>
}

/** Pauses between two polls grow from 0.1 s, since most slips take a second, to 1 s. */
const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 1000
const PAUSE_GROWTH = 1.3

/** Calls `check` until it returns a value, for at most `timeoutMs`; null then, or as soon as `signal` aborts. */
export async function poll<Found>(
  check: (elapsedMs: number) => Promise<Found | null>,
  timeoutMs: number,
  signal?: AbortSignal
): Promise<Found | null> {
  const start = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, MAX_PAUSE_MS)) {
    const elapsed = performance.now() - start
    const found = await check(elapsed)
    if (found !== null || elapsed >= timeoutMs || signal?.aborted) return found
    // An abort ends the pause early; the loop checks for it.
    await wait(pause, undefined, signal ? { signal } : {}).catch(() => undefined)
  }
}

/** Cancels the job. It may still print when the printer had it before, or when its removal is not confirmed. */
async function giveUp(
  job: MonitoredJob,
  printed: Printed,
  fault: PrintFault,
  isAtPrinter: boolean
): Promise<PrintResult> {
  const outcome = await job.cancel()
  if (outcome === 'printed') return { ok: true, value: printed }
  return notPrinted(fault, outcome === 'unknown' || isAtPrinter)
}

/**
 * Resolves when the job has ended. Gives it up when a hindrance lasts longer than `timeouts.hindrance`, after
 * `timeouts.job`, and when `control` says so.
 */
export async function waitForJob(
  job: MonitoredJob,
  printed: Printed,
  timeouts: PrintTimeouts,
  control: PrintControl
): Promise<PrintResult> {
  const { signal } = control
  let isAtPrinter = false
  let hindrance: { readonly fault: PrintFault; readonly since: number } | null = null
  const lastHindrance = (): PrintFault | null => hindrance?.fault ?? null
  const end = await poll<Exclude<JobStatus, { kind: 'pending' }> | { readonly kind: 'hindered' }>(
    async (elapsed) => {
      const status = await job.status()
      if (status.kind !== 'pending') return status
      isAtPrinter ||= status.isAtPrinter
      if (status.hindrance === null) hindrance = null
      else if (hindrance?.fault !== status.hindrance) hindrance = { fault: status.hindrance, since: elapsed }
      // A system that does not say what delays the job may print it meanwhile.
      control.hindered(status.hindrance === 'unknown' ? null : status.hindrance)
      // Another computer's job ends by itself.
      if (hindrance === null || hindrance.fault === 'printer-busy') return null
      return elapsed - hindrance.since >= timeouts.hindrance ? { kind: 'hindered' } : null
    },
    timeouts.job,
    signal
  )
  switch (end?.kind) {
    case 'printed':
      return { ok: true, value: printed }
    case 'lost':
      return notPrinted('left-queue', true)
    case 'ended':
      return notPrinted(end.fault, end.isAtPrinter)
    case 'stuck':
      return giveUp(job, printed, end.fault, end.isAtPrinter)
    case 'hindered':
    case undefined:
      return giveUp(
        job,
        printed,
        signal.aborted ? 'cancelled-here' : (lastHindrance() ?? 'timeout'),
        isAtPrinter
      )
  }
}
