/** The slips of this till: issued, printed and kept in the journal. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { HinderedPrint } from '../../contract/slips.ts'
import type { Notice } from '../../contract/till.ts'
import { pathExists } from '../fs/quarantine.ts'
import type { Printing } from '../printing/index.ts'
import type { PdfRenderer } from '../slip-pdf/slip-pdf-renderer.ts'
import { Backups } from '../upkeep/backups.ts'
import { BatchRunner } from './batch-runner.ts'
import { CollectionReader, type WorkingTill } from '../reports/collection-reader.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import { CounterSlips } from './counter-slips.ts'
import { SlipDelivery, type SlipDisplay } from './delivery.ts'
import { PointsIssuer } from './points-issuer.ts'
import { JournalLogger } from '../journal/journal-logger.ts'
import { BatchProgressThrottle } from './batch-progress.ts'
import { type Journal, JOURNAL_NOT_SAVED, journalFailed, UnwrittenChanges } from '../journal/journal.ts'
import {
  isIntact,
  JournalInUseError,
  LOCK_TIMEOUT_MS,
  openJournal,
  verifyIntegrity,
  type OpenedJournal
} from '../journal/open-journal.ts'
import { PrintJobs, PrintQueue } from './print-jobs.ts'
import { Printouts } from './printouts.ts'
import { ProgramSlips } from './program-requests.ts'
import { OfflineIssuer } from '../offline/offline-issuer.ts'
import type { OfflineKeys } from '../offline/offline-keys.ts'
import { OfflineReports } from '../offline/offline-reports.ts'
import { Reports } from '../reports/reports.ts'
import { SlipQueries } from './slip-queries.ts'
import { CashierErasures } from '../operations/cashier-erasures.ts'
import { LostAnswers } from '../operations/lost-answers.ts'
import { Operations } from '../operations/operations.ts'
import { Credits } from '../operations/credits.ts'
import { Redemptions } from '../operations/redemptions.ts'
import { Returns } from '../operations/returns.ts'
import { Retention } from '../upkeep/retention.ts'
import type { SlipContext } from './slip-context.ts'
import { SlipFolder } from '../printing/slip-folder.ts'

/** Maximum delay of the shutdown by a running print job. Then it is cancelled, and its slip may still print. */
const SHUTDOWN_GRACE_MS = 5000

export interface SlipServiceDependencies extends Omit<SlipContext, 'journal' | 'unwritten'> {
  /** full path of the journal's database */
  readonly journalFile: string
  /** how long to wait for a journal that another process has locked; `LOCK_TIMEOUT_MS` unless given */
  readonly lockTimeoutMs?: number
  /** folder of the journal's daily backups, created with the first one */
  readonly backupsFolder: string
  /** folder for PDFs when no printer is selected; created with the first slip */
  readonly slipsFolder: string
  readonly pdfRenderer: Pick<PdfRenderer, 'renderSlips' | 'renderReport' | 'renderOperation'>
  readonly printing: Pick<Printing, 'print' | 'removeTemporaryFiles'>
  readonly offlineKeys: Pick<
    OfflineKeys,
    'open' | 'isOffline' | 'current' | 'owner' | 'asked' | 'accept' | 'drop' | 'spend'
  >
  readonly display: SlipDisplay & Pick<CustomerDisplay, 'showRedeemed' | 'showCredited' | 'setBalance'>
  /** delays before lost answers of operations are asked for again; unless given from 2 seconds to 10 minutes */
  readonly retryDelaysMs?: readonly number[]
  /** how long a running print job may delay the shutdown; 5 seconds unless given */
  readonly shutdownGraceMs?: number
}

/** The outcome of opening. */
export interface OpenedSlips {
  /** `not-saved` when the journal cannot be opened */
  readonly slips: Result<SlipService>
  /** problems with opening the journal; empty without one */
  readonly notices: readonly Notice[]
}

/** @param wasMissing there was no journal before it was opened */
function noticesOf(opened: OpenedJournal, backups: Backups, wasMissing: boolean): Notice[] {
  const { journal, quarantinedAs, error } = opened
  if (error instanceof JournalInUseError) return [{ kind: 'journal-in-use' }]
  const notices: Notice[] = []
  if (quarantinedAs !== null)
    notices.push({ kind: 'journal-quarantined', file: quarantinedAs, backup: backups.newest() })
  else if (wasMissing && journal !== null) {
    const backup = backups.newest()
    // A new till has none.
    if (backup !== null) notices.push({ kind: 'journal-missing', backup })
  }
  if (journal === null) notices.push({ kind: 'journal-not-saved' })
  return notices
}

/**
 * Opens the journal, and ends what a stopped process left pending. Does not throw when the disk fails.
 *
 * @param isVerified the integrity of the journal was just checked
 */
export function openSlips(dependencies: SlipServiceDependencies, isVerified = false): OpenedSlips {
  const { journalFile, lockTimeoutMs = LOCK_TIMEOUT_MS, backupsFolder, now, log } = dependencies
  const backups = new Backups({ journalFile, folder: backupsFolder, now, log })
  const wasMissing = !pathExists(journalFile)
  const opened = openJournal(journalFile, now(), { isVerified, lockTimeoutMs })
  const { journal, quarantinedAs, error } = opened
  if (error !== null) log.error('journal-not-opened', { error, quarantinedAs })
  return {
    slips: journal === null ? err(JOURNAL_NOT_SAVED) : ok(new SlipService(journal, backups, dependencies)),
    notices: noticesOf(opened, backups, wasMissing)
  }
}

/**
 * Opens the slips. A journal that was not shut down cleanly is first checked in a worker thread: quickly before it is used,
 * and completely while it is.
 */
export async function openCheckedSlips(dependencies: SlipServiceDependencies): Promise<OpenedSlips> {
  const isVerified = await verifyIntegrity(dependencies.journalFile, dependencies.lockTimeoutMs)
  const opened = openSlips(dependencies, isVerified)
  if (isVerified && opened.slips.ok) void opened.slips.value.checkCompletely()
  return opened
}

/** The services on an open journal. */
export class SlipService implements WorkingTill {
  readonly counter: CounterSlips
  readonly programs: ProgramSlips
  readonly printouts: Printouts
  readonly batches: BatchRunner
  readonly queries: SlipQueries
  readonly reports: Reports
  readonly operations: Operations
  readonly lostAnswers: LostAnswers
  readonly redemptions: Redemptions
  readonly credits: Credits
  readonly returns: Returns
  readonly backups: Backups
  readonly retention: Retention
  readonly collections: CollectionReader
  readonly offline: OfflineIssuer
  readonly offlineReports: OfflineReports
  /** resolves when the journal was checked completely after a crash; at once when it needs no check */
  integrityChecked: Promise<void> = Promise.resolve()
  readonly #dependencies: SlipServiceDependencies
  readonly #journal: Journal
  readonly #unwritten: UnwrittenChanges
  readonly #issuer: PointsIssuer
  readonly #queue = new PrintQueue()
  readonly #printJobs: PrintJobs
  readonly #cancelPrinting = new AbortController()

  constructor(journal: Journal, backups: Backups, dependencies: SlipServiceDependencies) {
    const { slipsFolder, log } = dependencies
    this.#dependencies = dependencies
    this.#journal = journal
    this.backups = backups
    this.#unwritten = new UnwrittenChanges(journal, log)
    const context = { ...dependencies, journal, unwritten: this.#unwritten }
    const folder = new SlipFolder(slipsFolder, log)
    this.offline = new OfflineIssuer(context)
    this.offlineReports = new OfflineReports(context)
    const issuer = new PointsIssuer(context, this.offline)
    this.#issuer = issuer
    const { signal } = this.#cancelPrinting
    const printJobs = new PrintJobs({ ...context, queue: this.#queue, folder, signal })
    this.#printJobs = printJobs
    const delivery = new SlipDelivery({ ...context, printJobs })
    this.counter = new CounterSlips({ ...context, issuer, delivery })
    this.programs = new ProgramSlips({ ...context, issuer, delivery })
    this.printouts = new Printouts({ ...context, issuer, printJobs })
    this.batches = new BatchRunner({ ...context, issuer, printJobs })
    this.queries = new SlipQueries(context)
    this.reports = new Reports(context)
    const operations = new Operations(context)
    this.operations = operations
    const erasures = new CashierErasures({ ...context, operations, slips: issuer })
    this.lostAnswers = new LostAnswers(journal, operations, issuer, erasures, dependencies.retryDelaysMs)
    this.redemptions = new Redemptions({ ...context, operations })
    this.credits = new Credits({ ...context, operations })
    this.returns = new Returns({ ...context, operations })
    this.retention = new Retention({ ...context, folder })
    this.collections = new CollectionReader({ ...context, till: this })
    this.#reportChanges()
  }

  /** Starts the work in the background: backups, retention, reading what was collected, and asking for lost answers. */
  startBackgroundWork(): void {
    this.lostAnswers.start()
    this.offlineReports.start()
    this.backups.start()
    this.retention.start()
    this.collections.start()
  }

  /** See `PrintJobs.hindered`. */
  get hinderedPrint(): HinderedPrint | null {
    return this.#printJobs.hindered
  }

  /** See `PrintJobs.cancel`. */
  cancelPrint(jobId: string): void {
    this.#printJobs.cancel(jobId)
  }

  /** Returns the work that a shutdown would interrupt: a batch, or a slip that is being issued or printed. */
  pendingWork(): 'batch' | 'slip' | null {
    if (this.batches.isBusy()) return 'batch'
    return this.operations.isBusy() || this.#issuer.isBusy() || this.#queue.isBusy() ? 'slip' : null
  }

  /** Stops the batches, waits for the pending requests and the running print job, then closes the journal. */
  async close(): Promise<void> {
    await this.collections.stop()
    await this.offlineReports.stop()
    await this.backups.stop()
    await this.retention.stop()
    await this.batches.close()
    this.lostAnswers.stop()
    await this.operations.idle()
    await this.#issuer.idle()
    const graceMs = this.#dependencies.shutdownGraceMs ?? SHUTDOWN_GRACE_MS
    const timer = setTimeout(() => this.#cancelPrinting.abort(), graceMs)
    await this.#queue.close()
    clearTimeout(timer)
    this.closeJournal()
  }

  /** Closes the journal at once. The next start ends what is pending, as after a crash. Does not throw. */
  closeJournal(): void {
    this.#unwritten.close()
    try {
      this.#journal.close()
    } catch (error) {
      journalFailed(this.#journal, this.#dependencies.log, error)
    }
  }

  /** Checks the journal completely in a worker thread; `integrityChecked` resolves afterwards. Never rejects. */
  checkCompletely(): Promise<void> {
    this.integrityChecked = this.#checkCompletely()
    return this.integrityChecked
  }

  async #checkCompletely(): Promise<void> {
    const { journalFile, listener, log } = this.#dependencies
    this.#journal.requireCheck('quick')
    try {
      if (await isIntact(journalFile)) {
        this.#journal.passCheck()
        return
      }
      this.#journal.requireCheck('full')
      log.error('journal-damaged')
      listener.journalDamaged()
    } catch (error) {
      log.error('journal-not-checked', { error })
    }
  }

  #reportChanges(): void {
    const { business, listener, log } = this.#dependencies
    const journal = this.#journal
    journal.addListener(new JournalLogger(log))
    journal.addListener(listener)
    journal.addListener(
      new BatchProgressThrottle((scope, batchId) => {
        try {
          const batch = journal.batches.get(scope, batchId)
          if (batch !== null && business.isServed({ id: scope.businessId, training: scope.training }))
            listener.batchChanged(batch)
        } catch (error) {
          // The change of the slip is on disk: a failed count does not undo it.
          journalFailed(journal, log, error)
        }
      })
    )
  }
}
