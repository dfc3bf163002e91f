/** Print jobs of slips and reports, and their queue: first printouts, the copies requested with them, later copies. */
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import { deliveryLabel, type PrinterSettings } from '../../contract/printing.ts'
import { remainingPoints } from '../../contract/returns.ts'
import type { PrintedReport } from '../../contract/slip-report.ts'
import { canPrint, canReprint, type Batch, type HinderedPrint } from '../../contract/slips.ts'
import { SingleFlight } from '../lazy.ts'
import type { LogDetails } from '../log/log.ts'
import type { Printing } from '../printing/index.ts'
import { printTarget, renderForQueues, type PrintDocument, type PrintTarget } from '../printing/print-job.ts'
import { UnscannableError } from '../../images/qr-code.ts'
import type { OperationDocument } from '../slip-pdf/operation-slip.ts'
import type { ReportDocument } from '../slip-pdf/report.ts'
import type { SlipDocument } from '../slip-pdf/slip-document.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { LogoTable } from '../journal/journal.ts'
import type { JournalRow } from '../journal/rows.ts'
import { RunningPrint } from './running-print.ts'
import type { SlipContext } from './slip-context.ts'
import type { DeliveredJob, SlipFolder, SlipPrintJob } from '../printing/slip-folder.ts'

/** `counter`: a customer is waiting, so it runs first. `batch`: runs when no `counter` job is pending. */
export type Priority = 'counter' | 'batch'

/**
 * Runs one print job at a time, so that two slips never share a printer. A customer at the counter waits for the
 * running job at most, never for a batch.
 */
export class PrintQueue {
  /** each resolves with false when it is dropped */
  readonly #waiting: Readonly<Record<Priority, PromiseWithResolvers<boolean>[]>> = { counter: [], batch: [] }
  /** resolves when no job runs or waits; null while there is none */
  #idle: PromiseWithResolvers<undefined> | null = null
  #isClosed = false

  /**
   * Runs `work` in its turn; synchronously within this call when the queue is empty. Resolves with null, without
   * running it, when the queue is closed before.
   */
  async add<Value>(priority: Priority, work: () => Promise<Value>): Promise<Value | null> {
    if (this.#isClosed) return null
    if (this.#idle === null) this.#idle = Promise.withResolvers()
    else {
      const turn = Promise.withResolvers<boolean>()
      this.#waiting[priority].push(turn)
      if (!(await turn.promise)) return null
    }
    try {
      return await work()
    } finally {
      this.#endTurn()
    }
  }

  /** Returns whether a job is running. */
  isBusy(): boolean {
    return this.#idle !== null
  }

  /** Drops the waiting jobs of batches, and resolves when the others are done. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const turn of this.#waiting.batch.splice(0)) turn.resolve(false)
    await this.#idle?.promise
  }

  #endTurn(): void {
    const next = this.#waiting.counter.shift() ?? this.#waiting.batch.shift()
    if (next !== undefined) {
      next.resolve(true)
      return
    }
    this.#idle?.resolve(undefined)
    this.#idle = null
  }
}

export interface PrintJobsDependencies extends SlipContext {
  readonly queue: PrintQueue
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips' | 'renderReport' | 'renderOperation'>
  readonly folder: SlipFolder
  readonly printing: Pick<Printing, 'print'>
  /** cancels the running job, and those after it */
  readonly signal: AbortSignal
}

/** A page to print: the first printout of a slip, or a copy. */
interface Page {
  readonly intentId: string
  readonly kind: 'first' | 'copy'
}

/** A page that the journal holds as printing. */
interface StartedPage {
  readonly row: JournalRow
  /** 0: the first printout */
  readonly copy: number
}

/** A job that was cancelled before anything was sent to the printer. */
const CANCELLED = err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false })

const isCancelled = (failure: Failure | null | undefined): boolean =>
  failure?.kind === 'not-printed' && failure.fault === 'cancelled-here'

/** The title of every slip and batch in a printer's queue: print servers record titles, and a code is worth points. */
const JOB_TITLE = 'Tillpoints'

/**
 * Returns the document of a row, or null while it has no code. It depends on the journal and `copy` alone: the same
 * row gives the same bytes at any time.
 *
 * @param copy 0: the first printout, without a mark; from 1 on: marked COPY with this number
 */
export function documentOf(
  { slip, snapshot }: JournalRow,
  copy: number,
  logos: Pick<LogoTable, 'get'>
): SlipDocument | null {
  if (slip.code === null || slip.url === null || slip.issuedAt === null) return null
  const { name, address, timeZone, locale, headline, footer, tillName, joinUrl, logo } = snapshot
  const { affordable, expiry } = snapshot
  return {
    business: { name, address },
    points: remainingPoints(slip),
    customerName: snapshot.customerName ? (slip.customer?.name ?? null) : null,
    code: slip.code,
    url: slip.url,
    issuedAt: slip.issuedAt,
    expiresAt: slip.expiresAt,
    timeZone,
    locale,
    training: slip.training,
    copy,
    headline,
    footer,
    tillName,
    affordable,
    expiry,
    joinUrl,
    logo: logo === null ? null : logos.get(logo)
  }
}

const slipFileName = ({ row, copy }: StartedPage): string =>
  `${row.slip.code ?? row.slip.intentId}${copy === 0 ? '' : `-COPY-${String(copy)}`}`

/** The ids that connect a job's log entries with its slips. */
const traceOf = ([first, ...others]: readonly StartedPage[]): LogDetails => {
  if (first === undefined) return {}
  const { intentId, batch } = first.row.slip
  const pages = others.length + 1
  if (pages > 1 && batch !== null) return { batchId: batch.batchId, pages }
  return { intentId, ...(first.copy > 0 ? { copy: first.copy } : {}), pages }
}

/**
 * Prints slips, one job after the other. The pages of a job are in the journal as printing before it starts, all or none,
 * and as printed or failed after it ended; they end alike. Every method rejects as the journal does.
 */
export class PrintJobs {
  readonly #dependencies: PrintJobsDependencies
  readonly #firstPrints = new SingleFlight<unknown>()
  readonly #copies = new SingleFlight<JournalRow | null>()
  #running: RunningPrint | null = null

  constructor(dependencies: PrintJobsDependencies) {
    this.#dependencies = dependencies
  }

  /** The running job, if something delays it; null also when its slip belongs to another business than the served one. */
  get hindered(): HinderedPrint | null {
    const { business } = this.#dependencies
    if (this.#running === null) return null
    const { jobId, hindrance, row } = this.#running
    if (hindrance === null) return null
    if (row === null) return { jobId, fault: hindrance, slip: null, isTestPage: false }
    const isServed = business.isServed({ id: row.businessId, training: row.slip.training })
    return isServed ? { jobId, fault: hindrance, slip: row.slip, isTestPage: false } : null
  }

  /** Cancels a job, which ends as not printed unless it was printed meanwhile. Does nothing when it has ended. */
  cancel(jobId: string): void {
    if (this.#running?.jobId === jobId) this.#running.cancel()
  }

  /**
   * Prints a slip for the first time, with its requested copies; two calls share one print. Resolves when the job
   * ended. A slip that cannot be printed, or whose turn comes after the shutdown started, stays as it is.
   */
  async printFirst(intentId: string, priority: Priority): Promise<void> {
    await this.#firstPrints.run(intentId, () =>
      this.#dependencies.queue.add(priority, () => this.#printFirstNow(intentId))
    )
  }

  /** Prints one more copy; two calls at once share it. Resolves with the row after the job, or null without a copy. */
  printCopy(intentId: string): Promise<JournalRow | null> {
    const { journal, queue } = this.#dependencies
    return this.#copies.run(intentId, () =>
      queue.add('counter', async () => {
        const row = journal.slips.byIntent(intentId)
        if (row === null || !canReprint(row.slip)) return null
        const [copied] = await this.#print([{ intentId, kind: 'copy' }])
        return copied ?? null
      })
    )
  }

  /** Prints slips of a batch for the first time, as one job or one after the other. Resolves when the jobs ended. */
  async printBatch(
    { batchId, oneJob }: Pick<Batch, 'batchId' | 'oneJob'>,
    intentIds: readonly string[]
  ): Promise<void> {
    if (!oneJob) {
      await Promise.all(intentIds.map((intentId) => this.printFirst(intentId, 'batch')))
      return
    }
    await this.#dependencies.queue.add('batch', async () => {
      const pages = intentIds
        .filter((intentId) => this.#canPrint(intentId) !== null)
        .map((intentId): Page => ({ intentId, kind: 'first' }))
      await this.#print(pages, `batch-${batchId}`)
    })
  }

  /** Prints a report; `createDocument` runs when its turn comes. Resolves when the job ended. */
  printReport(createDocument: () => Promise<ReportDocument>, title: string): Promise<Result<PrintedReport>> {
    const { pdfRenderer } = this.#dependencies
    // One for each form in which it is rendered.
    let document: Promise<ReportDocument> | null = null
    return this.#printPage(title, async (target) => {
      document ??= createDocument()
      return pdfRenderer.renderReport(await document, target)
    })
  }

  /** Prints what came of an operation; `title` is also the name of its file. Resolves when the job ended. */
  printOperation(title: string, document: OperationDocument): Promise<Result<PrintedReport>> {
    const { pdfRenderer } = this.#dependencies
    return this.#printPage(title, (target) => pdfRenderer.renderOperation(document, target))
  }

  async #printPage(
    title: string,
    render: (target: PrintTarget) => Promise<PrintDocument>
  ): Promise<Result<PrintedReport>> {
    const { queue, settings } = this.#dependencies
    const printed = await queue.add('counter', async () => {
      const { printer } = settings.values
      const delivered = await this.#renderAndDeliver(
        render,
        { title, fileName: title, trace: { report: title } },
        printer,
        null
      )
      return mapResult(delivered, ({ file }) => ({ file, status: deliveryLabel(printer.destination) }))
    })
    return printed ?? CANCELLED
  }

  #canPrint(intentId: string): JournalRow | null {
    const row = this.#dependencies.journal.slips.byIntent(intentId)
    return row !== null && canPrint(row.slip) ? row : null
  }

  async #printFirstNow(intentId: string): Promise<void> {
    // Read in its turn: meanwhile the slip may have been printed, given or discarded.
    const row = this.#canPrint(intentId)
    if (row === null) return
    const printedCopies = this.#dependencies.journal.slips.countPrintedCopies(row)
    const copyCount = Math.max(0, row.requestedCopies - 1 - printedCopies)
    const copies = Array.from({ length: copyCount }, (): Page => ({ intentId, kind: 'copy' }))
    const first: Page = { intentId, kind: 'first' }
    if (this.#dependencies.settings.values.oneJob) {
      await this.#print([first, ...copies])
      return
    }
    const [printed] = await this.#print([first])
    if (printed?.slip.state !== 'printed') return
    for (const copy of copies) {
      const [copied] = await this.#print([copy])
      if (isCancelled(copied?.slip.lastCopy?.failure)) return
    }
  }

  /** Prints pages as one job; its file is named after the first page unless `fileName` is given. Resolves with the rows. */
  async #print(pages: readonly Page[], fileName?: string): Promise<readonly JournalRow[]> {
    const { journal, unwritten, pdfRenderer, settings, now } = this.#dependencies
    const { printer } = settings.values
    // Together: a page that was started alone would count as possibly printed.
    const started = journal.atomically(() => pages.map((page) => this.#start(page, printer)))
    const [first] = started
    if (first === undefined) return []
    const delivered = await this.#renderAndDeliver(
      (target) => {
        const documents = started.flatMap(({ row, copy }) => documentOf(row, copy, journal.logos) ?? [])
        return pdfRenderer.renderSlips(documents, target)
      },
      { title: JOB_TITLE, fileName: fileName ?? slipFileName(first), trace: traceOf(started) },
      printer,
      first.row
    )
    const rows: JournalRow[] = []
    const endedAt = now().toISOString()
    unwritten.write(
      started.map((page) => ({
        id: page.row.slip.intentId,
        write: () => rows.push(this.#end(page, delivered, endedAt))
      }))
    )
    return rows
  }

  #start({ intentId, kind }: Page, printer: PrinterSettings): StartedPage {
    const { journal, now } = this.#dependencies
    if (kind === 'first') {
      return { row: journal.slips.transition(intentId, 'print-started', printer), copy: 0 }
    }
    const row = journal.slips.startCopy(intentId, now().toISOString(), printer)
    return { row, copy: row.slip.copies }
  }

  #end({ row, copy }: StartedPage, delivered: Result<DeliveredJob>, endedAt: string): JournalRow {
    const { journal } = this.#dependencies
    const { intentId } = row.slip
    if (copy > 0) {
      const failure = delivered.ok ? null : delivered.failure
      return journal.slips.endCopy(intentId, copy, { endedAt, failure })
    }
    if (!delivered.ok) {
      return journal.slips.transition(intentId, 'print-failed', { failure: delivered.failure })
    }
    const { file } = delivered.value
    return journal.slips.transition(intentId, 'printed', {
      printedAt: endedAt,
      ...(file === null ? {} : { file })
    })
  }

  async #renderAndDeliver(
    render: (target: PrintTarget) => Promise<PrintDocument>,
    job: Pick<SlipPrintJob, 'title' | 'fileName' | 'trace'>,
    printer: PrinterSettings,
    row: JournalRow | null
  ): Promise<Result<DeliveredJob>> {
    const { folder, printing, signal, listener, log } = this.#dependencies
    const running = new RunningPrint(row, signal, () => listener.printHindered())
    this.#running = running
    try {
      const document = await renderForQueues(render, printTarget(printer))
      if (signal.aborted) return CANCELLED
      const printJob = { ...job, ...document }
      const { destination } = printer
      if (destination.kind === 'folder') return await folder.save(printJob)
      const printed = await printing.print(printJob, destination, running)
      return printed.ok ? ok({ file: null }) : printed
    } catch (error) {
      log.error('print-job-not-rendered', { error, ...job.trace })
      return err(
        error instanceof UnscannableError ? { kind: 'bad-response', path: 'qrURL' } : { kind: 'internal' }
      )
    } finally {
      running.hindered(null)
      this.#running = null
    }
  }
}
