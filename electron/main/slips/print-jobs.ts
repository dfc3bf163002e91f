/** Which papers a slip gets, in which job, and when: first papers, the copies asked for with them, later copies. */
import { err, type Result } from '../../contract/failure.ts'
import type { PrinterSettings } from '../../contract/printing.ts'
import type { LogDetails, Logger } from '../log/log.ts'
import { UnscannableError } from '../slip-pdf/qr.ts'
import type { SlipDocument } from '../slip-pdf/slip-document.ts'
import type { Deliver, Delivered, PaperJob } from './delivery.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/rows.ts'
import { canPrint, canReprint } from '../../contract/slips.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import type { Lane, PrintQueue } from './print-queue.ts'
import { createSharing } from './single-flight.ts'
import { documentOf } from './slip-document.ts'

interface PapersParts {
  readonly journal: Journal
  readonly queue: PrintQueue
  readonly print: ReturnType<typeof createSheets>
  /** true: all papers of a slip are one job */
  readonly oneJob: () => boolean
}

/** Each method resolves when its papers are out or have failed, and throws as the journal does. */
export interface Papers {
  /**
   * Prints a slip that has a code and no paper, with the copies that were asked for; two calls share one print. A
   * slip that may not go to paper, or whose turn comes when the till closes, stays as it is.
   */
  first(intentId: string, lane: Lane): Promise<void>
  /** Prints one more copy; two calls at once share it. Gives the row with that copy as its newest, or null for none. */
  copy(intentId: string): Promise<JournalRow | null>
  /** Prints the first papers of many slips as one job named `title`. */
  together(intentIds: readonly string[], title: string): Promise<void>
}

/** Makes the papers. */
export function createPapers({ journal, queue, print, oneJob }: PapersParts): Papers {
  const firsts = createSharing<unknown>()
  const copies = createSharing<JournalRow | null>()
  const mayPrint = (intentId: string): JournalRow | null => {
    const row = journal.byIntent(intentId)
    return row !== null && canPrint(row.slip) ? row : null
  }
  const codeOf = ({ row, copy }: { readonly row: JournalRow; readonly copy: number }): string =>
    `${row.slip.code ?? row.slip.intentId}${copy === 0 ? '' : `-COPY-${String(copy)}`}`

  /** Looked up when the turn comes: meanwhile the slip may have been printed, given or discarded. */
  const printFirst = async (intentId: string): Promise<void> => {
    const row = mayPrint(intentId)
    if (row === null) return
    const others = Array.from({ length: Math.max(0, row.papers - 1 - row.slip.copies) }, (): Sheet => ({
      intentId,
      kind: 'copy'
    }))
    const first: Sheet = { intentId, kind: 'first' }
    if (oneJob()) {
      await print([first, ...others], codeOf)
      return
    }
    const [printed] = await print([first], codeOf)
    if (printed?.slip.state !== 'printed') return
    for (const copy of others) await print([copy], codeOf)
  }

  return {
    async first(intentId, lane) {
      await firsts.share(intentId, () => queue.add(lane, () => printFirst(intentId)))
    },
    copy: (intentId) =>
      copies.share(intentId, () =>
        queue.add('counter', async () => {
          const row = journal.byIntent(intentId)
          if (row === null || !canReprint(row.slip)) return null
          const [copied] = await print([{ intentId, kind: 'copy' }], codeOf)
          return copied ?? null
        })
      ),
    async together(intentIds, title) {
      await queue.add('batch', async () => {
        const sheets = intentIds
          .filter((intentId) => mayPrint(intentId) !== null)
          .map((intentId): Sheet => ({ intentId, kind: 'first' }))
        await print(sheets, () => title)
      })
    }
  }
}

/* from sheets.ts:
 * From codes on disk to paper. A sheet is a slip's first paper, or a copy of it; the sheets of one job share its
 * fate. Each is on disk as on its way before the job moves, and as printed or not after it ended.
 */

/** A paper that is wanted. */
export interface Sheet {
  readonly intentId: string
  readonly kind: 'first' | 'copy'
}

interface SheetsParts {
  readonly journal: Journal
  readonly renderSlips: PdfRenderer['renderSlips']
  readonly deliver: Deliver
  /** the printer and its paper, as set when a job begins */
  readonly printer: () => PrinterSettings
  readonly now: () => Date
  readonly signal: AbortSignal
  readonly log: Logger
}

/** A sheet that is on its way. */
interface Started {
  readonly row: JournalRow
  /** 0: the first paper */
  readonly copy: number
}

/** What ties a job's lines in the log to its slips. */
const traceOf = (sheets: readonly Started[]): LogDetails => {
  const [first] = sheets
  if (first === undefined) return {}
  const { intentId, batch } = first.row.slip
  if (sheets.length > 1 && batch !== null) return { batchId: batch.batchId, papers: sheets.length }
  return { intentId, ...(first.copy > 0 ? { copy: first.copy } : {}), papers: sheets.length }
}

/** Makes the printing of sheets as one job. What comes back says how each ended; throws as the journal does. */
export function createSheets({ journal, renderSlips, deliver, printer, now, signal, log }: SheetsParts) {
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
      const laidOut = await renderSlips(documents, paper)
      // Given up before anything was sent: surely no paper.
      if (signal.aborted) return err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false })
      return await deliver({ title, trace, ...laidOut }, destination, signal)
    } catch (error) {
      log.error('slip-not-laid-out', { error, ...trace })
      return err(
        error instanceof UnscannableError ? { kind: 'bad-response', path: 'qrURL' } : { kind: 'internal' }
      )
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
