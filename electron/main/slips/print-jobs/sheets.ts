/**
 * From codes on disk to paper. A sheet is a slip's first paper, or a copy of it; the sheets of one job share its
 * fate. Each is on disk as on its way before the job moves, and as printed or not after it ended.
 */
import { err, type Result } from '../../../contract/failure.ts'
import type { PrintDestination, PrinterSettings } from '../../../contract/printing.ts'
import type { Details, Log } from '../../log/index.ts'
import type { Deliver, Delivered, PaperJob } from '../delivery/destination.ts'
import type { Journal } from '../journal/journal.ts'
import type { JournalRow } from '../journal/row.ts'
import { CannotScan } from '../../slip-pdf/cannot-scan.ts'
import type { SlipDocument } from '../../slip-pdf/document.ts'
import { documentOf } from './document.ts'
import type { LayOut } from './lay-out.ts'

/** A paper that is wanted. */
export interface Sheet {
  readonly intentId: string
  readonly kind: 'first' | 'copy'
}

export interface SheetsParts {
  readonly journal: Journal
  readonly layOut: LayOut
  readonly deliver: Deliver
  /** hears where a job goes while it is laid out */
  readonly expect?: ((to: PrintDestination) => void) | undefined
  /** the printer and its paper, as set when a job begins */
  readonly printer: () => PrinterSettings
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Log
}

/** A sheet that is on its way. */
interface Started {
  readonly row: JournalRow
  /** 0: the first paper */
  readonly copy: number
}

/** What ties a job's lines in the log to its slips. */
const traceOf = (sheets: readonly Started[]): Details => {
  const [first] = sheets
  if (first === undefined) return {}
  const { intentId, batch } = first.row.slip
  if (sheets.length > 1 && batch !== null) return { batchId: batch.batchId, papers: sheets.length }
  return { intentId, ...(first.copy > 0 ? { copy: first.copy } : {}), papers: sheets.length }
}

/** Makes the printing of sheets as one job. What comes back says how each ended; throws as the journal does. */
export function createSheets({ journal, layOut, deliver, expect, printer, now, signal, log }: SheetsParts) {
  const start = ({ intentId, kind }: Sheet, settings: PrinterSettings): Started => {
    if (kind === 'first') return { row: journal.step(intentId, 'print-started', settings), copy: 0 }
    const row = journal.startCopy(intentId, now().toISOString(), settings)
    return { row, copy: row.slip.copies }
  }

  const end = ({ row, copy }: Started, delivered: Result<Delivered>): JournalRow => {
    const { intentId } = row.slip
    const at = now().toISOString()
    if (copy > 0) {
      return journal.endCopy(intentId, copy, {
        endedAt: at,
        failure: delivered.ok ? null : delivered.failure
      })
    }
    if (!delivered.ok) return journal.step(intentId, 'print-failed', { failure: delivered.failure })
    const { file } = delivered.value
    return journal.step(intentId, 'printed', { printedAt: at, ...(file === null ? {} : { file }) })
  }

  const toPaper = async (
    documents: readonly SlipDocument[],
    { title, trace }: Pick<PaperJob, 'title' | 'trace'>,
    { destination, paper }: PrinterSettings
  ): Promise<Result<Delivered>> => {
    try {
      expect?.(destination)
      const laidOut = await layOut(documents, paper)
      // Given up before anything was sent: surely no paper.
      if (signal.aborted) return err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false })
      return await deliver({ title, trace, ...laidOut }, destination, signal)
    } catch (error) {
      log.error('slip-not-laid-out', { error, ...trace })
      return err(error instanceof CannotScan ? { kind: 'bad-response', path: 'qrURL' } : { kind: 'internal' })
    }
  }

  /** `title` names the job; the sheets must be such that they may go to paper now. */
  return async (
    sheets: readonly Sheet[],
    title: (first: Started) => string
  ): Promise<readonly JournalRow[]> => {
    const settings = printer()
    const started = sheets.map((sheet) => start(sheet, settings))
    const [first] = started
    if (first === undefined) return []
    const documents = started.flatMap(({ row, copy }) => documentOf(row, copy, journal) ?? [])
    const delivered = await toPaper(documents, { title: title(first), trace: traceOf(started) }, settings)
    return started.map((sheet) => end(sheet, delivered))
  }
}
