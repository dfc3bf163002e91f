/** The life of a slip, from a press of Print slip to paper: what the rest of the till may use of it. */
import {
  canReprint,
  type AttentionSlip,
  type Batch,
  type IssuedSlip,
  type PrintedReport,
  type QrDrawing,
  type ReportRange,
  type Slip,
  type SlipSearch,
  type SlipsReport
} from '../../contract/slips.ts'
import type { JournalStatistics } from '../../contract/diagnostics.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { QrCode } from '../../contract/loyalty.ts'
import type { PrinterSettings } from '../../contract/printing.ts'
import type { Notice } from '../../contract/till.ts'
import type { DeliveryMethod } from '../../contract/settings.ts'
import type { Logger } from '../log/log.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import { createBackups, type Backups } from './backups.ts'
import { createBatches, type Batches } from './batch-runner.ts'
import { createDeliver, createFolder, type PrintOnPrinter } from './delivery.ts'
import { createIssuing, type Issuing } from './issuing.ts'
import { createTelling, logged } from './journal-listeners.ts'
import type { Journal } from './journal/journal.ts'
import { LOCK_TIMEOUT_MS, openJournal, verifyIntegrity } from './journal/open-journal.ts'
import type { JournalRow } from './journal/rows.ts'
import { nextState, type SlipEvent } from './journal/slip-table.ts'
import { createPapers, createSheets, type Papers } from './print-jobs.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import { createPrintQueue } from './print-queue.ts'
import { createReading } from './queries.ts'
import { createPrintReport } from './report.ts'
import { createSharing, journalFailed, NOT_SAVED } from './single-flight.ts'
import { createSamples, scopeOf, type Samples, type SlipBusiness } from './slip-document.ts'

export { restoreJournal } from './restore.ts'
export type { NotRestored, Restored } from './restore.ts'
export type { SlipBusiness } from './slip-document.ts'
export { drawQr } from '../slip-pdf/qr.ts'

/** What is left of the slips where there is no journal: nothing is issued, and nothing is there to read. */
function createClosedSlips(): Omit<Slips, 'notices' | 'samples' | 'backups'> {
  const notSaved = (): Promise<Result<never>> => Promise.resolve(err(NOT_SAVED))
  return {
    issue: notSaved,
    print: notSaved,
    reprint: notSaved,
    reprintLast: notSaved,
    markGiven: () => err(NOT_SAVED),
    discard: () => err(NOT_SAVED),
    list: () => ok({ slips: [], hasMore: false }),
    exportTo: notSaved,
    report: () => err(NOT_SAVED),
    printReport: notSaved,
    attention: () => ok(0),
    attentionList: () => ok({ slips: [], hasMore: false }),
    byCode: () => null,
    numbers: () => null,
    batches: null,
    unfinishedBatches: () => ok([]),
    underWay: () => null,
    close: () => Promise.resolve()
  }
}

/**
 * The same, with the check of a journal that was not closed done ahead, in a thread: what else the till does goes on
 * meanwhile. Never rejects for a bad disk.
 */
export const openSlips = async (options: SlipServiceDependencies): Promise<Slips> =>
  createSlips(options, await verifyIntegrity(options.journalFile, options.journalPatience))

/**
 * Opens the journal and ends what a stopped till left under way. Never throws for a bad disk: see `notices`.
 *
 * @param isChecked the journal was found whole just now
 */
export function createSlips(options: SlipServiceDependencies, isChecked = false): Slips {
  const { backupsFolder: folder, pdfRenderer } = options
  const backups = folder === undefined ? null : createBackups({ ...options, folder })
  const { journal, notices } = openForSlips(options, backups?.newest() ?? null, isChecked)
  const slips = journal === null ? createClosedSlips() : createOpenSlips(options, journal)
  return {
    ...slips,
    notices,
    samples: createSamples(options, (slips, paper) => pdfRenderer.renderSlips(slips, paper)),
    // A journal that cannot be written is damaged or foreign: its copy would push a good one out.
    backups: journal === null ? null : backups,
    async close() {
      await backups?.stop()
      await slips.close()
    }
  }
}

/* from options.ts: What the slips are given, and what they give: the seam to the rest of the till. */

/** The settings that slips follow, read whenever they count. */
export interface SlipPrintSettings {
  readonly printer: PrinterSettings
  /** papers of a slip for which none were named */
  readonly copies: number
  readonly oneJob: boolean
}

export interface SlipServiceDependencies {
  /** full path of the journal's database */
  readonly journalFile: string
  /** milliseconds that a journal is waited for which another program has locked; five seconds unless given */
  readonly journalPatience?: number
  /** folder of the journal's daily backups; none are made unless given */
  readonly backupsFolder?: string
  /** folder that the PDFs go to where no printer is chosen; made at the first slip */
  readonly slipsFolder: string
  /** renders slips and reports */
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips' | 'renderReport'>
  /** `POST /qr` of the service that the till is connected to now; called once per intent */
  readonly createQr: (points: number) => Promise<Result<QrCode>>
  readonly printOnPrinter: PrintOnPrinter
  readonly settings: () => SlipPrintSettings
  readonly now: () => Date
  /** null: the till serves nobody yet, and issues nothing */
  readonly currentBusiness: () => SlipBusiness | null
  /** who serves now; absent: nobody is ever chosen */
  readonly currentCashier?: () => Slip['cashier']
  /** the language of exports, BCP 47; the language of the slips unless given */
  readonly exportLocale?: () => string
  /** how slips of the counter reach the customer now; absent: on paper */
  readonly deliveryMethod?: () => DeliveryMethod
  /**
   * Told of each slip of the counter once its code is on disk, with the drawing of its code where the customer display
   * is to show it. Gives whether a display is open.
   */
  readonly onHandedOver?: (slip: Slip, qr: QrDrawing | null) => boolean
  /** hears every change of a row, after it is on disk */
  readonly onSlip: (slip: Slip) => void
  /** hears how a batch stands, on disk: each change of its own, and how far its slips came, at most every 100 ms */
  readonly onBatch: (batch: Batch) => void
  /** milliseconds that a print under way is given when the till closes; then it is given up */
  readonly closingGrace?: number
  readonly log: Logger
}

/** A press of Print slip. */
export interface IssueRequest {
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  /** papers in all, 1 to 5; the settings' number unless given */
  readonly copies?: number
}

/** An intent that a call is about. */
interface About {
  readonly intentId: string
}

/** The calls of the batches, with `not-saved` instead of an exception. */
type BatchCalls = {
  readonly [Call in Exclude<keyof Batches, 'close' | 'isBusy'>]: (
    input: Parameters<Batches[Call]>[0]
  ) => Promise<Result<Batch>>
}

/** What the calls of the bridge do is said there. `not-saved`: the disk fails. */
export interface Slips {
  /** What opening the journal came to; empty when all is well. */
  readonly notices: readonly Notice[]
  /**
   * Issues points once per intent id and begins to print. Failures: `invalid-input` and `points-too-many` before
   * anything is written, `not-connected`, `not-saved`, and whatever the service answered.
   */
  issue(press: IssueRequest): Promise<Result<IssuedSlip>>
  /** A printed slip comes back as it is, one that did not print in state `print-failed`. `not-found` without a code. */
  print(about: About): Promise<Result<IssuedSlip>>
  /** `not-found` without a code, and for a discarded slip. */
  reprint(about: About): Promise<Result<IssuedSlip>>
  reprintLast(): Promise<Result<IssuedSlip>>
  /** `not-found` unless the slip has a code and no paper. */
  markGiven(input: About & { readonly note?: string }): Result<Slip>
  /** `not-found` unless the slip needs attention. */
  discard(input: About & { readonly reason: string }): Result<Slip>
  list(input: { readonly offset: number; readonly search?: SlipSearch }): Result<{
    slips: readonly Slip[]
    hasMore: boolean
  }>
  /** Writes what a search finds to `file`, whole or not at all, and gives the number of slips in it. */
  exportTo(file: string, search: SlipSearch): Promise<Result<number>>
  /** Adds up what was asked for on these days; `not-connected` as long as the till serves nobody. */
  report(range: ReportRange): Result<SlipsReport>
  /** Prints that report where slips go; answers when it is out, or with what went wrong. */
  printReport(range: ReportRange): Promise<Result<PrintedReport>>
  attention(): Result<number>
  attentionList(input: { readonly offset: number }): Result<{
    slips: readonly AttentionSlip[]
    hasMore: boolean
  }>
  /** The current business's slip with this code, if this till issued it. */
  byCode(code: string): Slip | null
  /** null: the journal cannot be written */
  readonly batches: BatchCalls | null
  unfinishedBatches(): Result<readonly Batch[]>
  /** null: the journal cannot be read */
  numbers(): JournalStatistics | null
  /** null: none are kept, or the journal cannot be written */
  readonly backups: Backups | null
  /** for the settings' preview and test page */
  readonly samples: Samples
  /** What would be disturbed if the till ended now: many slips at once, or one on its way from the service or to paper. */
  underWay(): 'batch' | 'slip' | null
  /** Stops the batches, waits for the requests and the print under way, then closes the journal. */
  close(): Promise<void>
}

/* from opening.ts: Opens the journal for the slips: what came of it as notices, and every change of a row told to the page. */

/** What hears of the changes, and of their end. */
interface Teller {
  readonly tell: (row: JournalRow) => void
  readonly close: () => void
}

/** The journal, telling of each change once it is on disk. */
const announcing = (journal: Journal, { tell, close }: Teller): Journal => {
  const told = (row: JournalRow): JournalRow => {
    tell(row)
    return row
  }
  return {
    ...journal,
    request: (request) => told(journal.request(request)),
    step: (intentId, event, details) => told(journal.step(intentId, event, details)),
    together: async (write) => told(await journal.together(write)),
    noteShown: (intentId, shownAt) => told(journal.noteShown(intentId, shownAt)),
    startCopy: (intentId, startedAt, printer) => told(journal.startCopy(intentId, startedAt, printer)),
    endCopy: (intentId, number, end) => told(journal.endCopy(intentId, number, end)),
    close() {
      close()
      journal.close()
    }
  }
}

type Ears = Pick<SlipServiceDependencies, 'onSlip' | 'onBatch' | 'log'>

/** Tells of a slip, and of the batch that came a step further with it. */
function createTeller(journal: Journal, { onSlip, onBatch, log }: Ears): Teller {
  const telling = createTelling((scope, batchId) => {
    try {
      const batch = journal.batch(scope, batchId)
      if (batch !== null) onBatch(batch)
    } catch (error) {
      // The slip's own step is on disk: that its batch could not be counted takes nothing of it back.
      journalFailed(journal, log, error)
    }
  })
  return {
    tell({ slip, businessId }) {
      onSlip(slip)
      if (slip.batch !== null) telling.changed({ training: slip.training, businessId }, slip.batch.batchId)
    },
    close: () => telling.close()
  }
}

/**
 * Opens the journal; null when it can be neither read nor begun anew.
 *
 * @param backup the newest one's path
 * @param isChecked the journal was found whole just now
 */
function openForSlips(
  { journalFile, journalPatience: patience = LOCK_TIMEOUT_MS, now, log, ...ears }: SlipServiceDependencies,
  backup: string | null,
  isChecked: boolean
): {
  journal: Journal | null
  notices: Notice[]
} {
  const { journal, quarantineFile, error } = openJournal(journalFile, now(), { isChecked, patience })
  const notices: Notice[] = []
  if (error !== null) log.error('journal-not-opened', { error, quarantineFile })
  if (quarantineFile !== null) notices.push({ kind: 'journal-set-aside', file: quarantineFile, backup })
  if (journal === null) {
    notices.push({ kind: 'journal-not-saved' })
    return { journal: null, notices }
  }
  return { journal: announcing(logged(journal, log), createTeller(journal, { ...ears, log })), notices }
}

/* from open-slips.ts: The life of a slip where there is a journal: each call of the bridge, put together from its parts. */

/** A print that is still under way then is given up; the slip says that it may come out. */
const CLOSING_GRACE = 5000

const issued = ({ slip }: JournalRow): IssuedSlip => ({
  slip,
  qr: slip.url === null ? null : drawQr(slip.url)
})

/** Makes the slips of an open journal. */
export function createOpenSlips(
  options: SlipServiceDependencies,
  journal: Journal
): Omit<Slips, 'notices' | 'samples' | 'backups'> {
  const { createQr, pdfRenderer, now, currentBusiness, currentCashier = () => null, settings, log } = options
  const giveUp = new AbortController()
  const queue = createPrintQueue()
  const printing = {
    journal,
    deliver: createDeliver(createFolder(options.slipsFolder, log), options.printOnPrinter),
    printer: () => settings().printer,
    now,
    signal: giveUp.signal,
    log
  }
  const papers = createPapers({
    journal,
    queue,
    oneJob: () => settings().oneJob,
    print: createSheets({
      ...printing,
      renderSlips: (documents, paper) => pdfRenderer.renderSlips(documents, paper)
    })
  })
  const printReport = createPrintReport({
    ...printing,
    queue,
    renderReport: (document, paper) => pdfRenderer.renderReport(document, paper)
  })
  const issuing = createIssuing({ journal, createQr, now, log })
  const failed = (error: unknown): Result<never> => journalFailed(journal, log, error)

  const safely =
    <Input, Value>(call: (input: Input) => Result<Value> | Promise<Result<Value>>) =>
    async (input: Input): Promise<Result<Value>> => {
      try {
        return await call(input)
      } catch (error) {
        return failed(error)
      }
    }

  const handOver = createHandOver({
    journal,
    papers,
    display: options.onHandedOver ?? (() => false),
    now,
    paperFailed: failed
  })

  const issues = createSharing<Result<JournalRow>>()
  const issueOnce: Issuing['issue'] = (intent, business, onCode) =>
    issues.share(intent.intentId, () => issuing.issue(intent, business, onCode).catch(failed))

  const row = (intentId: string): JournalRow | null => {
    const business = currentBusiness()
    const found = journal.byIntent(intentId)
    const isTheirs =
      business !== null && found?.businessId === business.id && found.slip.training === business.training
    return isTheirs ? found : null
  }

  const print = async (intentId: string): Promise<Result<IssuedSlip>> => {
    // A slip whose code is on its way has one in a moment.
    await issues.running(intentId)
    const before = row(intentId)
    if (!before?.slip.code) return err({ kind: 'not-found' })
    await papers.first(intentId, 'counter')
    return ok(issued(row(intentId) ?? before))
  }

  const reprint = async (intentId: string): Promise<Result<IssuedSlip>> => {
    const before = row(intentId)
    if (!before?.slip.code || before.slip.state === 'discarded') return err({ kind: 'not-found' })
    if (!canReprint(before.slip)) return print(intentId)
    const copied = await papers.copy(intentId)
    const failure = copied?.slip.lastCopy?.failure
    return failure ? err(failure) : ok(issued(copied ?? before))
  }

  const end = (intentId: string, event: SlipEvent, note: string): Result<Slip> => {
    try {
      const before = row(intentId)
      if (before === null || nextState(before.slip.state, event) === null) return err({ kind: 'not-found' })
      return ok(journal.step(intentId, event, { endedAt: now().toISOString(), note }).slip)
    } catch (error) {
      return failed(error)
    }
  }

  const batches = createBatches({
    journal,
    issue: issueOnce,
    papers,
    currentBusiness,
    currentCashier,
    now,
    onBatch: options.onBatch,
    log
  })

  return {
    ...createReading(options, journal),
    async issue({ intentId, points, customer, copies = settings().copies }) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const cashier = currentCashier()
      const way: DeliveryMethod = options.deliveryMethod?.() ?? 'print'
      // A slip that is shown gets paper when somebody asks for it, and then one.
      const count = way === 'show' ? 1 : copies
      const asked = issueOnce({ intentId, points, customer, cashier, papers: count, batch: null }, business)
      const answer = await asked
      if (!answer.ok) return answer
      try {
        return ok(issued(handOver(answer.value, way)))
      } catch (error) {
        return failed(error)
      }
    },
    print: safely(({ intentId }) => print(intentId)),
    reprint: safely(({ intentId }) => reprint(intentId)),
    async reprintLast() {
      try {
        const business = currentBusiness()
        const last = business && journal.last(scopeOf(business))
        return last === null ? err({ kind: 'not-found' }) : await reprint(last.slip.intentId)
      } catch (error) {
        return failed(error)
      }
    },
    printReport: safely(async (range) => {
      const business = currentBusiness()
      return business === null ? err({ kind: 'not-connected' }) : printReport(business, range)
    }),
    markGiven: ({ intentId, note = '' }) => end(intentId, 'given', note),
    discard: ({ intentId, reason }) => end(intentId, 'discarded', reason),
    batches: {
      start: safely((input) => batches.start(input)),
      pause: safely((input) => batches.pause(input)),
      resume: safely((input) => batches.resume(input)),
      cancel: safely((input) => batches.cancel(input)),
      printRest: safely((input) => batches.printRest(input))
    },
    underWay: () => (batches.isBusy() ? 'batch' : issues.isBusy() || queue.isBusy() ? 'slip' : null),
    async close() {
      await batches.close()
      await issues.idle()
      const impatience = setTimeout(() => giveUp.abort(), options.closingGrace ?? CLOSING_GRACE)
      await queue.close()
      clearTimeout(impatience)
      try {
        issuing.writeRest()
        journal.close()
      } catch (error) {
        failed(error)
      }
    }
  }
}

/* from handing-over.ts: From a code on disk to the customer: on the customer display, on paper, or on both. */

interface HandOverParts {
  readonly journal: Journal
  readonly papers: Papers
  /** Tells the customer display of a slip, with its code where the display is to show it. Gives whether one is open. */
  readonly display: (slip: Slip, qr: QrDrawing | null) => boolean
  readonly now: () => Date
  /** hears what kept the paper's steps from the journal */
  readonly paperFailed: (error: unknown) => void
}

/**
 * Makes the handing over of a slip that has a code, once: a row that is on its way already stays as it is. What the
 * display cannot show by then (it was unplugged, or the URL is too long for any code) is printed. Paper is on its way
 * when this returns; how it ends is told later, so that the next customer can be served. Throws as the journal does.
 */
function createHandOver({ journal, papers, display, now, paperFailed }: HandOverParts) {
  return (asked: JournalRow, way: DeliveryMethod): JournalRow => {
    const { intentId } = asked.slip
    const row = journal.byIntent(intentId) ?? asked
    const { state, url, shownAt } = row.slip
    if (state !== 'issued') return row
    const qr = way === 'print' || url === null ? null : drawQr(url)
    const isShown = display(row.slip, qr) && qr !== null
    if (isShown && way === 'show') return journal.step(intentId, 'shown', { shownAt: now().toISOString() })
    // A second press while the paper waits for its turn shows the code once more, and notes the first time.
    if (isShown && shownAt === null) journal.noteShown(intentId, now().toISOString())
    papers.first(intentId, 'counter').catch(paperFailed)
    return journal.byIntent(intentId) ?? row
  }
}
