/** Slips of the counter: issued for a press of the cashier, and delivered. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { IssueRequest, IssuedSlip } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import type { Settings } from '../settings/index.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import { guardJournal, type Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/rows.ts'
import type { PointsIssuer } from './issuing.ts'
import type { BusinessSource } from './served-business.ts'
import type { SlipDelivery, SlipDisplay } from './slip-delivery.ts'

/** Returns a slip as the page gets it, with the drawing of its code. */
export const issuedSlip = ({ slip, snapshot }: JournalRow): IssuedSlip => ({
  slip,
  affordable: snapshot.affordable,
  qr: slip.url === null ? null : drawQr(slip.url)
})

export interface CounterSlipsDependencies {
  readonly journal: Journal
  readonly issuer: PointsIssuer
  readonly delivery: SlipDelivery
  readonly business: BusinessSource
  readonly display: SlipDisplay
  readonly settings: Pick<Settings, 'values'>
  readonly log: Logger
}

export class CounterSlips {
  readonly #dependencies: CounterSlipsDependencies

  constructor(dependencies: CounterSlipsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Issues points once per intent id, and starts to deliver the slip. Resolves when the code is on disk; `onSlip`
   * receives the outcome of the print. Failures: `invalid-input` and `points-too-many` before anything is written,
   * `not-connected`, `not-saved`, and the failures of the service.
   */
  issue({ intentId, points, customer, copies, reference }: IssueRequest): Promise<Result<IssuedSlip>> {
    const { journal, issuer, delivery, business, display, settings, log } = this.#dependencies
    return guardJournal(journal, log, async () => {
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      const method = display.isOpen() ? settings.values.deliveryMethod : 'print'
      const issued = await issuer.issue(
        {
          intentId,
          points,
          customer,
          cashier: business.cashier(),
          // A slip on the display is printed on request only, and then once.
          requestedCopies: method === 'show' ? 1 : (copies ?? settings.values.copies),
          batch: null,
          reference: reference ?? null,
          program: null
        },
        current
      )
      return issued.ok ? ok(issuedSlip(delivery.deliver(issued.value, method))) : issued
    })
  }
}
