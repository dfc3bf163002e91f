/** Slips of the counter: issued for a press of the cashier, and delivered. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { IssuedSlip, IssueRequest } from '../../contract/slips.ts'
import { guardJournal } from '../journal/journal.ts'
import { issuedSlip, type SlipDelivery, type SlipDisplay } from './delivery.ts'
import type { PointsIssuer } from './points-issuer.ts'
import type { SlipContext } from './slip-context.ts'

export interface CounterSlipsDependencies extends SlipContext {
  readonly issuer: PointsIssuer
  readonly delivery: SlipDelivery
  readonly display: SlipDisplay
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
  issue({
    intentId,
    points,
    customer,
    copies,
    reference,
    calculation
  }: IssueRequest): Promise<Result<IssuedSlip>> {
    const { journal, issuer, delivery, business, staff, display, settings, log } = this.#dependencies
    return guardJournal(journal, log, async () => {
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      const method = display.isOpen() ? settings.values.deliveryMethod : 'print'
      const issued = await issuer.issue(
        {
          intentId,
          points,
          customer,
          cashier: staff.state.cashier,
          // A slip on the display is printed on request only, and then once.
          requestedCopies: method === 'show' ? 1 : (copies ?? settings.values.copies),
          batch: null,
          reference: reference ?? null,
          calculation: calculation ?? null,
          program: null
        },
        current
      )
      return issued.ok ? ok(issuedSlip(delivery.deliver(issued.value, method))) : issued
    })
  }
}
