/** Brings issued slips to the customer. */
import type { DeliveryMethod } from '../../contract/settings.ts'
import type { IssuedSlip, QrDrawing, Slip } from '../../contract/slips.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import { journalFailed } from '../journal/journal.ts'
import type { JournalRow } from '../journal/rows.ts'
import { drawQr } from '../../images/qr-code.ts'
import type { PrintJobs } from './print-jobs.ts'
import type { SlipContext } from './slip-context.ts'

/** How a program gets a slip: printed, on the customer display, or in the response, for its own receipt. */
export type ProgramDelivery = Exclude<DeliveryMethod, 'both'> | 'return'

/** Where slips are shown. */
export interface SlipDisplay extends Pick<CustomerDisplay, 'isOpen'> {
  /** Shows a slip whose code is on disk, with the drawing of its code when it is delivered there. */
  showIssuedPoints(slip: Slip, qr: QrDrawing | null): void
}

export interface SlipDeliveryDependencies extends SlipContext {
  readonly printJobs: PrintJobs
  readonly display: SlipDisplay
}

/** Brings an issued slip to the customer: on paper, on the customer display, or by the program that asked for it. */
export class SlipDelivery {
  readonly #dependencies: SlipDeliveryDependencies

  constructor(dependencies: SlipDeliveryDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Shows or prints an issued slip, or records that a program gets it, once. A slip that the display cannot show (it is
   * closed, or the URL is too long for a QR code) is printed. Does not wait for the print job. Returns the row as it is then.
   */
  deliver(issued: JournalRow, method: DeliveryMethod | ProgramDelivery): JournalRow {
    const { journal, printJobs, display, business, now, log } = this.#dependencies
    const { intentId } = issued.slip
    const row = journal.slips.byIntent(intentId) ?? issued
    const { state, url, shownAt } = row.slip
    if (state !== 'issued') return row
    if (method === 'return') {
      return journal.slips.transition(intentId, 'given', {
        endedAt: now().toISOString(),
        note: '',
        returned: true
      })
    }
    // The till may serve another business by now: the display is that one's.
    const isServed = business.isServed({ id: row.businessId, training: row.slip.training })
    const qr = method === 'print' || url === null || !isServed ? null : drawQr(url)
    if (isServed) display.showIssuedPoints(row.slip, qr)
    const isShown = display.isOpen() && qr !== null
    if (isShown && method === 'show') {
      return journal.slips.transition(intentId, 'shown', { shownAt: now().toISOString() })
    }
    // A second press while the print job waits shows the code again; the first time is recorded.
    if (isShown && shownAt === null) journal.slips.recordShown(intentId, now().toISOString())
    printJobs.printFirst(intentId, 'counter').catch((error: unknown) => journalFailed(journal, log, error))
    return journal.slips.byIntent(intentId) ?? row
  }
}

/** Returns a slip as the page gets it, with the drawing of its code. */
export const issuedSlip = ({ slip, snapshot }: JournalRow): IssuedSlip => ({
  slip,
  affordable: snapshot.affordable,
  qr: slip.url === null ? null : drawQr(slip.url)
})
