/** The service for slips: issues points, prints, and keeps every slip in the journal. */
import type { AffordableRewards } from '../../contract/affordable-rewards.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { NewQrCode } from '../../contract/loyalty.ts'
import type { RetentionSettings } from '../../contract/privacy.ts'
import type { DeliveryMethod } from '../../contract/settings.ts'
import {
  canReprint,
  type Batch,
  type IssuedSlip,
  type PrintedReport,
  type QrDrawing,
  type ReportRange,
  type Slip
} from '../../contract/slips.ts'
import type { Notice } from '../../contract/till.ts'
import { pathExists } from '../fs/quarantine.ts'
import type { Logger } from '../log/log.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import { Backups } from './backups.ts'
import { BatchRunner } from './batch-runner.ts'
import { referenceIntentId } from './intent-ids.ts'
import { isNotSent, PointsIssuer, type IssueIntent } from './issuing.ts'
import { BatchProgressThrottle, JournalLogger } from './journal-listeners.ts'
import { JournalInUseError } from './journal/journal-lock.ts'
import { JOURNAL_NOT_SAVED, journalFailed, type Journal } from './journal/journal.ts'
import {
  isIntact,
  LOCK_TIMEOUT_MS,
  openJournal,
  verifyIntegrity,
  type OpenedJournal
} from './journal/open-journal.ts'
import type { JournalRow } from './journal/rows.ts'
import { nextState, type ProgramRequest, type SlipEvent } from './journal/slip-table.ts'
import { PrintJobs, PrintQueue, type PrintOnPrinter, type SlipPrintSettings } from './print-jobs.ts'
import { SlipQueries } from './queries.ts'
import { createSlipsReport } from './report.ts'
import { Retention } from './retention.ts'
import { SingleFlight } from './single-flight.ts'
import { SampleSlips, scopeOf, snapshotOf, type SlipBusiness } from './slip-document.ts'
import { SlipFolder } from './slip-folder.ts'
import { UnwrittenChanges } from './unwritten-changes.ts'

/** Maximum delay of the shutdown by a running print job. Then it is cancelled, and its slip may still print. */
const SHUTDOWN_GRACE_MS = 5000

export interface SlipServiceDependencies {
  /** full path of the journal's database */
  readonly journalFile: string
  /** how long to wait for a journal that another process has locked; `LOCK_TIMEOUT_MS` unless given */
  readonly lockTimeoutMs?: number
  /** folder of the journal's daily backups; none are made unless given */
  readonly backupsFolder?: string
  /** how long slips, names and files are kept; for ever unless given */
  readonly retention?: () => RetentionSettings
  /** Removes print files that were left in the system's temporary folder. Resolves with their number. */
  readonly removeTemporaryFiles?: () => Promise<number>
  /** folder for PDFs when no printer is selected; created with the first slip */
  readonly slipsFolder: string
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips' | 'renderReport'>
  /** `POST /qr` for the business of a slip; called once per intent */
  readonly createQr: (points: number, business: SlipBusiness) => Promise<Result<NewQrCode>>
  readonly printOnPrinter: PrintOnPrinter
  readonly settings: () => SlipPrintSettings
  readonly now: () => Date
  /** null: nothing can be issued yet */
  readonly currentBusiness: () => SlipBusiness | null
  /** null unless given */
  readonly currentCashier?: () => Slip['cashier']
  /** what the balance of a customer buys once these points are collected; not known unless given */
  readonly affordable?: (customerId: string, points: number) => AffordableRewards | null
  /** the language of exports, BCP 47; the language of the slips unless given */
  readonly exportLocale?: () => string
  /** how slips of the counter are delivered; `print` unless given */
  readonly deliveryMethod?: () => DeliveryMethod
  /**
   * Receives each slip of the counter once its code is on disk, with the drawing of its code when the customer display
   * should show it. Returns whether a display is open.
   */
  readonly showOnDisplay?: (slip: Slip, qr: QrDrawing | null) => boolean
  /** receives how far the till's clock is ahead of the service with each code, as `clockDifference` returns it */
  readonly onClockDifference?: (differenceMs: number) => void
  /** receives every changed slip, after the change is on disk */
  readonly onSlip: (slip: Slip) => void
  /** receives every changed batch, after the change is on disk; its progress at most every 100 ms */
  readonly onBatch: (batch: Batch) => void
  /** called when the journal turns out to be damaged while it is open; the next start replaces it */
  readonly onDamage?: () => void
  /** how long a running print job may delay the shutdown; 5 seconds unless given */
  readonly shutdownGraceMs?: number
  readonly log: Logger
}

/** A request to issue points, from the counter. */
export interface IssueRequest {
  /** created with the form; at most one slip is issued for it */
  readonly intentId: string
  readonly points: number
  readonly customer: Slip['customer']
  /** printouts, the first one included, 1 to 5; the number in the settings unless given */
  readonly copies?: number
  /** of the bill, when the form was filled by a link */
  readonly reference?: string
}

/** How a program gets a slip: printed, on the customer display, or in the response, for its own receipt. */
export type ProgramDelivery = Exclude<DeliveryMethod, 'both'> | 'return'

/** A request of a program to issue points, over the local interface. */
export interface ProgramIssueRequest extends Omit<ProgramRequest, 'attempt'> {
  /** at most one slip is issued for it and the caller */
  readonly reference: string
  readonly points: number
  readonly customer: Slip['customer']
  readonly delivery: ProgramDelivery
}

/** The slip of a program's reference, and whether this request is the first one, which issued it. */
export interface ProgramIssue {
  readonly row: JournalRow
  readonly isFirst: boolean
}

/** Returns whether a row is of another request with its reference. The retention removes the hash of old rows. */
export const hasOtherContent = (row: Pick<JournalRow, 'contentHash'>, contentHash: string): boolean =>
  row.contentHash !== null && row.contentHash !== contentHash

interface IntentReference {
  readonly intentId: string
}

/** The parts that need a journal. */
interface JournalServices {
  readonly journal: Journal
  readonly unwritten: UnwrittenChanges
  readonly issuer: PointsIssuer
  readonly queue: PrintQueue
  readonly printJobs: PrintJobs
  readonly batches: BatchRunner
}

const issuedSlip = ({ slip, snapshot }: JournalRow): IssuedSlip => ({
  slip,
  affordable: snapshot.affordable,
  qr: slip.url === null ? null : drawQr(slip.url)
})

/** @param wasMissing there was no journal before it was opened */
const noticesOf = (opened: OpenedJournal, backup: string | null, wasMissing: boolean): Notice[] => {
  const { journal, quarantinedAs, error } = opened
  if (error instanceof JournalInUseError) return [{ kind: 'journal-in-use' }]
  return [
    // A new till has no backup.
    ...(wasMissing && journal !== null && backup !== null
      ? [{ kind: 'journal-missing', backup } as const]
      : []),
    ...(quarantinedAs === null
      ? []
      : [{ kind: 'journal-quarantined', file: quarantinedAs, backup } as const]),
    ...(journal === null ? [{ kind: 'journal-not-saved' } as const] : [])
  ]
}

/**
 * Issues and prints slips. Calls that change a slip resolve with the failure `not-saved` when the journal cannot be
 * opened or written.
 */
export class SlipService {
  /** problems with opening the journal; empty without one */
  readonly notices: readonly Notice[]
  readonly queries: SlipQueries
  /** null: the journal cannot be opened */
  readonly batches: BatchRunner | null
  /** null: no folder was given, or the journal cannot be opened */
  readonly backups: Backups | null
  /** null: nothing is removed, or the journal cannot be opened */
  readonly retention: Retention | null
  readonly samples: SampleSlips
  /** resolves when the journal was checked completely after a crash; at once when it needs no check */
  integrityChecked: Promise<void> = Promise.resolve()
  readonly #dependencies: SlipServiceDependencies
  readonly #services: JournalServices | null
  readonly #pendingIssues = new SingleFlight<Result<JournalRow>>()
  readonly #cancelPrinting = new AbortController()

  /**
   * Opens the service. A journal that was not shut down cleanly is first checked in a worker thread: quickly before it is
   * used, and completely while it is.
   */
  static async open(dependencies: SlipServiceDependencies): Promise<SlipService> {
    const isVerified = await verifyIntegrity(dependencies.journalFile, dependencies.lockTimeoutMs)
    const service = new SlipService(dependencies, isVerified)
    if (isVerified) service.integrityChecked = service.#checkCompletely()
    return service
  }

  /**
   * Opens the journal, and ends what a stopped process left pending. Does not throw when the disk fails: see `notices`.
   *
   * @param isVerified the integrity of the journal was just checked
   */
  constructor(dependencies: SlipServiceDependencies, isVerified = false) {
    const { journalFile, lockTimeoutMs = LOCK_TIMEOUT_MS, backupsFolder, now, log } = dependencies
    const { currentBusiness, exportLocale, pdfRenderer } = dependencies
    this.#dependencies = dependencies
    const backups =
      backupsFolder === undefined ? null : new Backups({ journalFile, folder: backupsFolder, now, log })
    const wasMissing = !pathExists(journalFile)
    const opened = openJournal(journalFile, now(), { isVerified, lockTimeoutMs })
    const { journal, quarantinedAs, error } = opened
    if (error !== null) log.error('journal-not-opened', { error, quarantinedAs })
    this.notices = noticesOf(opened, backups?.newest() ?? null, wasMissing)
    // Without a journal, a backup would copy a damaged file over a good backup.
    this.backups = journal === null ? null : backups
    const folder = new SlipFolder(dependencies.slipsFolder, log)
    this.samples = new SampleSlips({
      pdfRenderer,
      folder,
      currentBusiness,
      printer: () => dependencies.settings().printer,
      now
    })
    this.queries = new SlipQueries({ journal, currentBusiness, exportLocale, log })
    const { retention, removeTemporaryFiles = () => Promise.resolve(0) } = dependencies
    this.retention =
      journal === null || retention === undefined
        ? null
        : new Retention({ journal, journalFile, folder, settings: retention, removeTemporaryFiles, now, log })
    this.#services = journal === null ? null : this.#createServices(journal, folder)
    this.batches = this.#services?.batches ?? null
  }

  /**
   * Issues points once per intent id, and starts to deliver the slip. Resolves when the code is on disk; `onSlip`
   * receives the outcome of the print. Failures: `invalid-input` and `points-too-many` before anything is written,
   * `not-connected`, `not-saved`, and the failures of the service.
   */
  issue({ intentId, points, customer, copies, reference }: IssueRequest): Promise<Result<IssuedSlip>> {
    return this.#guard(async (services) => {
      const { currentBusiness, currentCashier, deliveryMethod, settings } = this.#dependencies
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const method = deliveryMethod?.() ?? 'print'
      // A slip on the display is printed on request only, and then once.
      const requestedCopies = method === 'show' ? 1 : (copies ?? settings().copies)
      const cashier = currentCashier?.() ?? null
      const intent: IssueIntent = {
        intentId,
        points,
        customer,
        cashier,
        requestedCopies,
        batch: null,
        reference: reference ?? null,
        program: null
      }
      const issued = await this.#issueOnce(intent, business)
      return issued.ok ? ok(issuedSlip(this.#deliver(services, issued.value, method))) : issued
    })
  }

  /** Returns the newest slip of a program's reference, or null. `not-connected` without a business. */
  findByReference(callerId: string, reference: string): Promise<Result<JournalRow | null>> {
    return this.#guard(({ journal }) => {
      const business = this.#dependencies.currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      return ok(this.#attemptsAt(journal, business, callerId, reference).newest)
    })
  }

  /**
   * Issues points once for each reference of a program, and starts to deliver the slip. Resolves with the row whenever there
   * is one, also when it was refused or its outcome is unknown. A later call for the reference resolves with the same row,
   * and delivers a slip that a stopped process did not. It does nothing when the row `hasOtherContent`. A reference whose
   * request was not sent (`isNotSent`) counts as new. Failures: those of `issue` without a row.
   */
  issueForProgram(request: ProgramIssueRequest): Promise<Result<ProgramIssue>> {
    return this.#guard(async (services) => {
      const { caller, reference, contentHash, points, customer, delivery } = request
      const { currentBusiness, currentCashier, settings } = this.#dependencies
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const { newest, next } = this.#attemptsAt(services.journal, business, caller.id, reference)
      if (newest !== null && hasOtherContent(newest, contentHash)) return ok({ row: newest, isFirst: false })
      const isFirst = newest === null || isNotSent(newest.slip)
      const attempt = isFirst ? next : next - 1
      const intentId = referenceIntentId(scopeOf(business), caller.id, reference, attempt)
      const intent: IssueIntent = {
        intentId,
        points,
        customer,
        cashier: currentCashier?.() ?? null,
        requestedCopies: delivery === 'print' ? settings().copies : 1,
        batch: null,
        reference,
        program: { caller, contentHash, attempt }
      }
      const issued = await this.#issueOnce(intent, business)
      if (issued.ok) return ok({ row: this.#deliver(services, issued.value, delivery), isFirst })
      if (issued.failure.kind === 'not-saved') return issued
      const row = services.journal.slips.byIntent(intentId)
      return row === null ? issued : ok({ row, isFirst })
    })
  }

  /** Prints a slip for the first time. A printed slip is returned as it is. `not-found` without a code. */
  print({ intentId }: IntentReference): Promise<Result<IssuedSlip>> {
    return this.#guard((services) => this.#print(services, intentId))
  }

  /** Prints a copy, or the first printout of a slip without one. `not-found` without a code, or when discarded. */
  reprint({ intentId }: IntentReference): Promise<Result<IssuedSlip>> {
    return this.#guard((services) => this.#reprint(services, intentId))
  }

  /** Reprints the newest slip with a code. */
  reprintLast(): Promise<Result<IssuedSlip>> {
    return this.#guard((services) => {
      const business = this.#dependencies.currentBusiness()
      const last = business && services.journal.slips.last(scopeOf(business))
      return last === null ? err({ kind: 'not-found' }) : this.#reprint(services, last.slip.intentId)
    })
  }

  /** Prints the report of a range of days, or saves it to the folder; resolves when the job ended. */
  printReport(range: ReportRange): Promise<Result<PrintedReport>> {
    return this.#guard(({ journal, printJobs }) => {
      const { currentBusiness, now } = this.#dependencies
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const title = `report ${range.from === range.to ? range.from : `${range.from} ${range.to}`}`
      const { timeZone } = snapshotOf(business)
      return printJobs.printReport(
        async () => ({
          report: await createSlipsReport(journal.statistics, scopeOf(business), range, timeZone),
          business: business.name,
          tillName: business.slip.tillName,
          locale: business.locale,
          training: business.training,
          printedAt: now().toISOString()
        }),
        title
      )
    })
  }

  /** Marks a slip as given to the customer. `not-found` unless it has a code and is not printed. */
  markGiven({ intentId, note = '' }: IntentReference & { readonly note?: string }): Result<Slip> {
    return this.#end(intentId, 'given', note)
  }

  /** Discards a slip that needs attention; `not-found` for any other. */
  discard({ intentId, reason }: IntentReference & { readonly reason: string }): Result<Slip> {
    return this.#end(intentId, 'discarded', reason)
  }

  /** Returns the work that a shutdown would interrupt: a batch, or a slip that is being issued or printed. */
  pendingWork(): 'batch' | 'slip' | null {
    if (this.#services === null) return null
    const { batches, queue } = this.#services
    if (batches.isBusy()) return 'batch'
    return this.#pendingIssues.isBusy() || queue.isBusy() ? 'slip' : null
  }

  /** Stops the batches, waits for the pending requests and the running print job, then closes the journal. */
  async close(): Promise<void> {
    await this.backups?.stop()
    await this.retention?.stop()
    if (this.#services === null) return
    const { queue, batches } = this.#services
    await batches.close()
    await this.#pendingIssues.idle()
    const graceMs = this.#dependencies.shutdownGraceMs ?? SHUTDOWN_GRACE_MS
    const timer = setTimeout(() => this.#cancelPrinting.abort(), graceMs)
    await queue.close()
    clearTimeout(timer)
    this.closeJournal()
  }

  /** Closes the journal at once. The next start ends what is pending, as after a crash. Does not throw. */
  closeJournal(): void {
    if (this.#services === null) return
    const { journal, unwritten } = this.#services
    unwritten.close()
    try {
      journal.close()
    } catch (error) {
      journalFailed(journal, this.#dependencies.log, error)
    }
  }

  async #checkCompletely(): Promise<void> {
    if (this.#services === null) return
    const { journal } = this.#services
    const { journalFile, onDamage, log } = this.#dependencies
    journal.requireCheck('quick')
    try {
      if (await isIntact(journalFile)) {
        journal.passCheck()
        return
      }
      journal.requireCheck('full')
      log.error('journal-damaged')
      onDamage?.()
    } catch (error) {
      log.error('journal-not-checked', { error })
    }
  }

  #createServices(journal: Journal, folder: SlipFolder): JournalServices {
    const {
      createQr,
      currentBusiness,
      currentCashier = () => null,
      affordable = () => null
    } = this.#dependencies
    const { pdfRenderer, printOnPrinter, settings, now, onSlip, onBatch, log } = this.#dependencies
    const { onClockDifference = () => undefined } = this.#dependencies
    journal.addListener(new JournalLogger(log))
    journal.addListener({ rowChanged: ({ slip }) => onSlip(slip) })
    journal.addListener(
      new BatchProgressThrottle((scope, batchId) => {
        try {
          const batch = journal.batches.get(scope, batchId)
          if (batch !== null) onBatch(batch)
        } catch (error) {
          // The change of the slip is on disk: a failed count does not undo it.
          journalFailed(journal, log, error)
        }
      })
    )
    const unwritten = new UnwrittenChanges(journal, log)
    const queue = new PrintQueue()
    const { signal } = this.#cancelPrinting
    const printJobs = new PrintJobs({
      journal,
      unwritten,
      queue,
      pdfRenderer,
      folder,
      printOnPrinter,
      settings,
      now,
      signal,
      log
    })
    return {
      journal,
      unwritten,
      issuer: new PointsIssuer({ journal, unwritten, createQr, affordable, now, onClockDifference, log }),
      queue,
      printJobs,
      batches: new BatchRunner({
        journal,
        unwritten,
        issue: (intent, business, onCode) => this.#issueOnce(intent, business, onCode),
        printJobs,
        currentBusiness,
        currentCashier,
        now,
        onBatch,
        log
      })
    }
  }

  /** Returns the newest attempt at a reference of a program, and the number of the next one, from 1. */
  #attemptsAt(
    { slips }: Journal,
    business: SlipBusiness,
    callerId: string,
    reference: string
  ): { readonly newest: JournalRow | null; readonly next: number } {
    let newest: JournalRow | null = null
    for (let attempt = 1; ; attempt++) {
      const row = slips.byIntent(referenceIntentId(scopeOf(business), callerId, reference, attempt))
      if (row === null) return { newest, next: attempt }
      newest = row
    }
  }

  /** Resolves with `not-saved` when the disk fails; two calls with one intent id at once share the result. */
  async #issueOnce(
    intent: IssueIntent,
    business: SlipBusiness,
    onCode?: () => void
  ): Promise<Result<JournalRow>> {
    if (this.#services === null) return err(JOURNAL_NOT_SAVED)
    const { journal, issuer } = this.#services
    return this.#pendingIssues.run(intent.intentId, () =>
      issuer
        .issue(intent, business, onCode)
        .catch((error: unknown) => journalFailed(journal, this.#dependencies.log, error))
    )
  }

  /**
   * Shows or prints an issued slip, or records that a program gets it, once. A slip that the display cannot show (it is
   * closed, or the URL is too long for a QR code) is printed. Does not wait for the print job.
   */
  #deliver(
    { journal, printJobs }: JournalServices,
    issued: JournalRow,
    method: DeliveryMethod | ProgramDelivery
  ): JournalRow {
    const { showOnDisplay, now, log } = this.#dependencies
    const { intentId } = issued.slip
    const row = journal.slips.byIntent(intentId) ?? issued
    const { state, url, shownAt } = row.slip
    if (state !== 'issued') return row
    if (method === 'return') {
      return journal.slips.transition(intentId, 'given', { endedAt: now().toISOString(), note: '' })
    }
    const qr = method === 'print' || url === null ? null : drawQr(url)
    const isShown = showOnDisplay?.(row.slip, qr) === true && qr !== null
    if (isShown && method === 'show') {
      return journal.slips.transition(intentId, 'shown', { shownAt: now().toISOString() })
    }
    // A second press while the print job waits shows the code again; the first time is recorded.
    if (isShown && shownAt === null) journal.slips.recordShown(intentId, now().toISOString())
    printJobs.printFirst(intentId, 'counter').catch((error: unknown) => journalFailed(journal, log, error))
    return journal.slips.byIntent(intentId) ?? row
  }

  async #print({ printJobs, unwritten }: JournalServices, intentId: string): Promise<Result<IssuedSlip>> {
    // The request may be pending: its slip has a code in a moment.
    await this.#pendingIssues.pending(intentId)
    // The end of its last job may not be on disk.
    if (!unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
    const before = this.#find(intentId)
    if (!before?.slip.code) return err({ kind: 'not-found' })
    await printJobs.printFirst(intentId, 'counter')
    return ok(issuedSlip(this.#find(intentId) ?? before))
  }

  async #reprint(services: JournalServices, intentId: string): Promise<Result<IssuedSlip>> {
    if (!services.unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
    const before = this.#find(intentId)
    if (!before?.slip.code || before.slip.state === 'discarded') return err({ kind: 'not-found' })
    if (!canReprint(before.slip)) return this.#print(services, intentId)
    const copied = await services.printJobs.printCopy(intentId)
    const failure = copied?.slip.lastCopy?.failure
    return failure ? err(failure) : ok(issuedSlip(copied ?? before))
  }

  /** Returns the row of an intent, or null when it is of another business. */
  #find(intentId: string): JournalRow | null {
    const business = this.#dependencies.currentBusiness()
    const row = this.#services?.journal.slips.byIntent(intentId)
    const isOwn =
      business !== null && row?.businessId === business.id && row.slip.training === business.training
    return isOwn ? row : null
  }

  #end(intentId: string, event: SlipEvent, note: string): Result<Slip> {
    if (this.#services === null) return err(JOURNAL_NOT_SAVED)
    const { journal } = this.#services
    const { now, log } = this.#dependencies
    try {
      const row = this.#find(intentId)
      if (row === null || nextState(row.slip.state, event) === null) return err({ kind: 'not-found' })
      return ok(journal.slips.transition(intentId, event, { endedAt: now().toISOString(), note }).slip)
    } catch (error) {
      return journalFailed(journal, log, error)
    }
  }

  async #guard<Value>(
    call: (services: JournalServices) => Result<Value> | Promise<Result<Value>>
  ): Promise<Result<Value>> {
    if (this.#services === null) return err(JOURNAL_NOT_SAVED)
    try {
      return await call(this.#services)
    } catch (error) {
      return journalFailed(this.#services.journal, this.#dependencies.log, error)
    }
  }
}
