/** Slips and printing: the journal, its customer data, the printers, the worker that makes PDFs, and the notice about a wrong clock. */
import { app, dialog } from 'electron'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Credit } from '../../contract/credits.ts'
import type { Result } from '../../contract/failure.ts'
import type { OfflineSlips } from '../../contract/offline.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { Return } from '../../contract/returns.ts'
import type { Batch, HinderedPrint, Slip } from '../../contract/slips.ts'
import { createLazy, type Lazy } from '../lazy.ts'
import { clearHttpCache } from '../platform/fetch.ts'
import { send } from '../platform/ipc.ts'
import { releaseMemory } from '../platform/memory.ts'
import { UtilityProgram } from '../platform/utility-process.ts'
import { Printing } from '../printing/index.ts'
import { printTarget } from '../printing/print-job.ts'
import type { CustomerData } from '../upkeep/customer-data.ts'
import type * as QrModule from '../../images/qr-code.ts'
import { SlipPdfWorker } from '../slip-pdf/worker/slip-pdf-worker.ts'
import type { SampleSlips } from '../slips/sample-slips.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import type { JournalRow, RowChange } from '../journal/rows.ts'
import { CurrentBusiness } from '../session/current-business.ts'
import type { SlipListener } from '../slips/slip-context.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { TestPages } from '../slips/test-pages.ts'
import type { CustomerDisplayServices, SessionServices, TillContext } from './session.ts'

/** How long opening waits for a locked journal. Main is blocked meanwhile, and tries again later. */
const JOURNAL_LOCK_TIMEOUT_MS = 1000

/** How long the PDF worker may take for a slip while the till quits. */
const QUIT_TIMEOUT_MS = 3000

export interface SlipServicesDependencies extends TillContext {
  readonly sessionServices: SessionServices
  readonly customerDisplay: CustomerDisplayServices
  readonly customerData: Lazy<CustomerData>
  /** opened with the slips: the customer display draws QR codes with it */
  readonly qrModule: Lazy<typeof QrModule>
}

/** Opens the journal, the printers and the PDF worker when they are first used. */
export class SlipServices implements SlipListener {
  /** `not-saved` while the journal cannot be opened */
  readonly slips: Lazy<Result<SlipService>>
  readonly samples: Lazy<SampleSlips>
  readonly testPages: TestPages
  readonly business: CurrentBusiness
  readonly printing: Printing
  readonly pdfWorker: SlipPdfWorker
  readonly #dependencies: SlipServicesDependencies
  readonly #slipListeners: ((slip: Slip, change: RowChange) => void)[] = []
  /** the business whose service can be reached; null: it cannot */
  #reached: string | null = null
  #wasOpened = false
  #worksInBackground = false

  constructor(dependencies: SlipServicesDependencies) {
    this.#dependencies = dependencies
    const { paths, log } = dependencies
    const pdfWorker = new SlipPdfWorker(new UtilityProgram(paths.pdfWorker, [paths.fonts], 'PDF worker'), {
      onIdle: () => void releaseMemory().catch((error: unknown) => log.warn('memory-not-released', { error }))
    })
    this.pdfWorker = pdfWorker
    this.printing = new Printing({ platform: process.platform, environment: process.env, log })
    const { settings, languages } = dependencies.persistence
    const { session, images, country, shopRules } = dependencies.sessionServices
    const business = new CurrentBusiness({ session, settings, shopRules, images, languages, country })
    this.business = business
    this.samples = createLazy(async () => {
      const [{ SampleSlips }, { SlipFolder }] = await Promise.all([
        import('../slips/sample-slips.ts'),
        import('../printing/slip-folder.ts')
      ])
      const folder = new SlipFolder(paths.slips, log)
      return new SampleSlips({ pdfRenderer: pdfWorker, folder, business, settings, now: () => new Date() })
    })
    this.testPages = new TestPages({
      printing: this.printing,
      samples: this.samples,
      pdfRenderer: pdfWorker,
      business,
      onHindered: dependencies.changes.emitChanged
    })
    this.slips = createLazy(
      () => this.#openSlips(),
      async (slips) => {
        if (slips.ok) await slips.value.close()
      },
      // The journal was locked, or the disk full.
      (slips) => !slips.ok
    )
  }

  /** See `TillState.collectionsAsOf`; null also until the journal is open. */
  get collectionsAsOf(): string | null {
    const { opened } = this.slips
    return opened?.ok === true ? opened.value.collections.asOf : null
  }

  /** See `TillState.hinderedPrint`. */
  get hinderedPrint(): HinderedPrint | null {
    const { opened } = this.slips
    return (opened?.ok === true ? opened.value.hinderedPrint : null) ?? this.testPages.hindered
  }

  /** See `TillState.offlineSlips`; null also until the journal is open. */
  get offlineSlips(): OfflineSlips | null {
    const { opened } = this.slips
    return opened?.ok === true ? opened.value.offline.state : null
  }

  /** Cancels the print job or the test page with this id. Does nothing when it has ended. */
  cancelPrint(jobId: string): void {
    const { opened } = this.slips
    if (opened?.ok === true) opened.value.cancelPrint(jobId)
    this.testPages.cancel(jobId)
  }

  rowChanged({ slip, businessId }: Pick<JournalRow, 'slip' | 'businessId'>, change: RowChange): void {
    // A slip of the business before may still be printed: the page shows another one's.
    if (this.business.isServed({ id: businessId, training: slip.training })) {
      if (change !== 'collected') this.#dependencies.sessionServices.recent.handleSlip(slip)
      send('onSlip', slip)
    }
    // While the service answers: the next step is to print it.
    if (slip.state === 'requested') this.expectSlip()
    for (const listener of this.#slipListeners) listener(slip, change)
  }

  collectionsRead(): void {
    this.#dependencies.changes.emitChanged()
  }

  printHindered(): void {
    this.#dependencies.changes.emitChanged()
  }

  redemptionChanged(redemption: Redemption): void {
    send('onRedemption', redemption)
  }

  creditChanged(credit: Credit): void {
    send('onCredit', credit)
  }

  returnChanged(returned: Return): void {
    send('onReturn', returned)
  }

  operationChanged({ key, businessId, training }: OperationRow): void {
    if (this.business.isServed({ id: businessId, training })) send('onOperation', { key })
  }

  batchChanged(batch: Batch): void {
    send('onBatch', batch)
  }

  journalDamaged(): void {
    this.#dependencies.notices.add({ kind: 'journal-damaged' })
  }

  /** Call when the app state has changed: asks for lost answers when the service can be reached again, or is another one. */
  handleStateChange(): void {
    const { session } = this.#dependencies.sessionServices
    const reached = session.offlineSince === null && session.accepted ? session.businessKey : null
    if (reached === this.#reached) return
    this.#reached = reached
    const { opened } = this.slips
    if (reached === null || opened?.ok !== true) return
    opened.value.lostAnswers.start()
    opened.value.offlineReports.start()
  }

  /** Call when a cashier was removed. Without an open journal it is done at its start. */
  forgetCashiers(): void {
    const { opened } = this.slips
    if (opened?.ok === true) opened.value.lostAnswers.start()
  }

  /** Calls `listener` with every changed slip. */
  onSlip(listener: (slip: Slip, change: RowChange) => void): void {
    this.#slipListeners.push(listener)
  }

  /** Has the PDF worker ready: a sale has begun. A worker that cannot render reports it with its slip. */
  expectSlip(): void {
    const { persistence, log } = this.#dependencies
    this.pdfWorker
      .warmUp(printTarget(persistence.settings.values.printer))
      .catch((error: unknown) => log.error('pdf-worker-not-warmed-up', { error }))
  }

  /**
   * Starts the PDF worker, opens the journal and starts its work in the background. Rejects if the journal cannot be opened; a
   * later use tries again.
   */
  async start(): Promise<void> {
    this.expectSlip()
    app.on('second-instance', (_event, argv) => void this.#refuseRestore(argv))
    this.#worksInBackground = true
    const slips = await this.slips.get()
    if (slips.ok) slips.value.startBackgroundWork()
  }

  /** Waits for a pending slip, though not long for the PDF worker, and closes everything. */
  async close(): Promise<void> {
    this.pdfWorker.limitTime(QUIT_TIMEOUT_MS)
    try {
      await this.slips.close()
    } finally {
      await this.pdfWorker.close()
    }
  }

  async #openSlips(): Promise<Result<SlipService>> {
    const { paths, persistence, sessionServices, customerDisplay, qrModule, notices, log } =
      this.#dependencies
    const [{ openCheckedSlips }] = await Promise.all([import('../slips/slip-service.ts'), qrModule.get()])
    if (!this.#wasOpened) {
      // A removal that an earlier process did not finish ends before the journal opens.
      if (existsSync(paths.removal)) await (await this.#dependencies.customerData.get()).resume()
      await this.#restoreJournalIfAsked()
    }
    const opened = await openCheckedSlips({
      journalFile: paths.journal,
      lockTimeoutMs: JOURNAL_LOCK_TIMEOUT_MS,
      backupsFolder: paths.backups,
      slipsFolder: paths.slips,
      business: this.business,
      staff: persistence.staff,
      catalogue: sessionServices.catalogue,
      recent: sessionServices.recent,
      standings: sessionServices.standings,
      offlineKeys: sessionServices.offlineKeys,
      languages: persistence.languages,
      pdfRenderer: this.pdfWorker,
      printing: this.printing,
      display: customerDisplay.display,
      settings: persistence.settings,
      now: () => new Date(),
      listener: this,
      log
    })
    for (const notice of opened.notices) {
      if (!this.#wasOpened || notice.kind !== 'journal-not-saved') notices.add(notice)
    }
    this.#wasOpened = true
    if (!opened.slips.ok) return opened.slips
    notices.remove('journal-not-saved')
    notices.remove('journal-in-use')
    if (this.#worksInBackground) opened.slips.value.startBackgroundWork()
    return opened.slips
  }

  /** Restores the backup that `--restore-journal=<file>` names, and reports the outcome in a dialog. */
  async #restoreJournalIfAsked(): Promise<void> {
    const backup = app.commandLine.getSwitchValue('restore-journal')
    if (backup === '') return
    const { paths, persistence, log } = this.#dependencies
    const from = resolve(backup)
    const { restoreJournal, restoreMessage } = await import('../upkeep/restore.ts')
    const restored = await restoreJournal({ journalFile: paths.journal, from, now: new Date(), log })
    // The start does not wait for the dialog.
    void dialog.showMessageBox(restoreMessage(restored, from, persistence.languages.screen))
  }

  /** Reports that a second start with `--restore-journal` was ignored: the journal of an open till cannot be replaced. */
  async #refuseRestore(argv: readonly string[]): Promise<void> {
    const option = '--restore-journal='
    const from = argv.find((argument) => argument.startsWith(option))?.slice(option.length)
    if (from === undefined) return
    const { restoreMessage } = await import('../upkeep/restore.ts')
    const refused = { kind: 'not-restored', reason: 'in-use' } as const
    await dialog.showMessageBox(
      restoreMessage(refused, from, this.#dependencies.persistence.languages.screen)
    )
  }
}

/** Creates the customer data, loaded at the first use, or when an earlier process did not finish a removal. */
export function createLazyCustomerData(
  { paths, log }: TillContext,
  { training }: SessionServices
): Lazy<CustomerData> {
  return createLazy(async () => {
    const { CustomerData } = await import('../upkeep/customer-data.ts')
    return new CustomerData({
      journalFile: paths.journal,
      backupsFolder: paths.backups,
      slipsFolder: paths.slips,
      trainingFile: paths.training,
      markerFile: paths.removal,
      training,
      async clearCaches() {
        const { removeTemporaryFiles } = await import('../printing/windows/windows-printing.ts')
        await Promise.all([clearHttpCache(), removeTemporaryFiles(new Date(), 0)])
      },
      log
    })
  })
}
