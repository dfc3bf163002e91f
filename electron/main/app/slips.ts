/** What the till issues, and where it goes: the journal, the printers and the process that papers are made in. */
import { app, dialog } from 'electron'
import { resolve } from 'node:path'
import { localeOf } from '../../contract/language.ts'
import type { Notice } from '../../contract/till.ts'
import type { DeliveryMethod } from '../../contract/settings.ts'
import type { QrDrawing, Slip } from '../../contract/slips.ts'
import { createLazy } from '../lazy.ts'
import type { Logger } from '../log/log.ts'
import { SlipPdfWorker } from '../slip-pdf/worker/slip-pdf-worker.ts'
import { restoredMessage } from './restore-message.ts'
import { startUtilityProcess } from '../platform/utility-process.ts'
import { sendBatch, sendSlip } from '../platform/ipc.ts'
import type { AppPaths } from '../platform/paths.ts'
import type * as SlipsRoom from '../slips/slip-service.ts'
import type { Memory } from './persistence.ts'
import type { Service } from './session.ts'

/** What issuing needs of the rest. */
export interface SlipsParts {
  readonly where: AppPaths
  readonly memory: Memory
  readonly service: Service
  readonly now: () => Date
  /** how slips of the counter reach the customer now */
  readonly deliveryMethod: () => DeliveryMethod
  /** see `SlipServiceDependencies.onHandedOver` */
  readonly onHandedOver: (slip: Slip, qr: QrDrawing | null) => boolean
  /** told what opening the journal came to */
  readonly notice: (notice: Notice) => void
  /** told what of that is over */
  readonly withdraw: (kind: Notice['kind']) => void
  readonly log: Logger
}

/** Milliseconds that a locked journal is waited for: main answers nobody meanwhile, and tries again later. */
const JOURNAL_PATIENCE = 1000

/** Makes the issuing. The journal, the printers and the process are opened when they are first used. */
export function prepareSlips(parts: SlipsParts) {
  const { where, memory, service, now, log } = parts
  const { settings, staff, language, slipLanguage } = memory
  const { session, images, country } = service
  const pdfWorker = new SlipPdfWorker((events) =>
    startUtilityProcess(where.pdfWorker, [where.fonts], 'PDF worker', events)
  )

  const printing = createLazy(async () => {
    const { Printing } = await import('../printing/index.ts')
    return new Printing({
      platform: process.platform,
      environment: process.env,
      log,
      encodeReceipt: (job, widthDots, codeStyle) => pdfWorker.encodeReceipt(job, widthDots, codeStyle)
    })
  })

  const restoreIfAsked = async ({ restoreJournal }: typeof SlipsRoom): Promise<void> => {
    const backup = app.commandLine.getSwitchValue('restore-journal')
    if (backup === '') return
    const from = resolve(backup)
    const restored = await restoreJournal({ journalFile: where.journal, from, now: now(), log })
    // The till opens meanwhile.
    void dialog.showMessageBox(restoredMessage(restored, from))
  }

  /** whether the journal was opened before, and whether it is backed up from then on */
  let tried = false
  let begun = false

  const slips = createLazy(
    async () => {
      const room = await import('../slips/slip-service.ts')
      if (!tried) await restoreIfAsked(room)
      const opened = await room.openSlips({
        journalFile: where.journal,
        journalPatience: JOURNAL_PATIENCE,
        backupsFolder: where.backups,
        slipsFolder: where.slips,
        pdfRenderer: pdfWorker,
        createQr: (points) => session.ask((asked) => asked.createQr(points)),
        currentBusiness: () =>
          session.business && {
            ...session.business,
            training: session.mode === 'training',
            locale: localeOf(slipLanguage(), country()),
            slip: settings.values.slip,
            logo: session.business.logo === null ? null : images.getStored(session.business.logo)
          },
        currentCashier: () => staff.state.cashier,
        now,
        exportLocale: language,
        deliveryMethod: parts.deliveryMethod,
        onHandedOver: parts.onHandedOver,
        onSlip: sendSlip,
        onBatch: sendBatch,
        printOnPrinter: async (job, to, signal) => (await printing.use()).print(job, to, signal),
        settings: () => settings.values,
        log
      })
      const known = tried ? 'journal-not-saved' : null
      for (const notice of opened.notices) if (notice.kind !== known) parts.notice(notice)
      if (opened.batches !== null) parts.withdraw('journal-not-saved')
      if (begun) opened.backups?.start()
      tried = true
      return { ...opened, drawQr: room.drawQr }
    },
    (opened) => opened.close(),
    // A journal that was locked, or a disk that was full, when the till started.
    ({ batches }) => batches === null
  )

  return {
    slips,
    printing,
    pdfWorker,
    /** The locale of slips issued now. */
    slipLocale: () => localeOf(slipLanguage(), country()),
    /**
     * Starts the PDF worker and opens the journal, now or as soon as that is possible, and backs it up daily. Rejects as
     * `slips.use`.
     */
    async begin(): Promise<void> {
      // A worker that cannot render reports it with the first slip.
      pdfWorker.warmUp().catch((error: unknown) => log.error('pdf-worker-not-warmed-up', { error }))
      begun = true
      const { backups } = await slips.use()
      backups?.start()
    },
    /** Waits for a slip on its way, and closes all of it. */
    async close(): Promise<void> {
      try {
        await slips.close()
      } finally {
        await printing.close()
        await pdfWorker.close()
      }
    }
  }
}

/** What the till issues, and where it goes. */
export type Issuing = ReturnType<typeof prepareSlips>
