/** Slips of programs, over the local interface: issued once for each reference. */
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Calculation } from '../../contract/points-calculation.ts'
import { isNotSent, type Slip } from '../../contract/slips.ts'
import type { ProgramDelivery, SlipDelivery } from './delivery.ts'
import type { PointsIssuer } from './points-issuer.ts'
import { guardJournal } from '../journal/journal.ts'
import { hasOtherContent, type JournalRow } from '../journal/rows.ts'
import type { ProgramRequest } from '../journal/slip-table.ts'
import { referenceIntentId } from '../journal/intent-ids.ts'
import { scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { SlipContext } from './slip-context.ts'

/** A request of a program to issue points. */
export interface ProgramIssueRequest extends Omit<ProgramRequest, 'attempt'> {
  /** at most one slip is issued for it and the caller */
  readonly reference: string
  readonly points: number
  readonly customer: Slip['customer']
  /** see `JournalRow.calculation` */
  readonly calculation?: Calculation | null
  readonly delivery: ProgramDelivery
}

/** The slip of a program's reference, and whether this request is the first one, which issued it. */
export interface ProgramIssue {
  readonly row: JournalRow
  readonly isFirst: boolean
}

export interface ProgramSlipsDependencies extends SlipContext {
  readonly issuer: PointsIssuer
  readonly delivery: SlipDelivery
}

export class ProgramSlips {
  readonly #dependencies: ProgramSlipsDependencies

  constructor(dependencies: ProgramSlipsDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns the newest slip of a program's reference, or null. `not-connected` without a business. */
  find(callerId: string, reference: string): Promise<Result<JournalRow | null>> {
    const { journal, business, log } = this.#dependencies
    return guardJournal(journal, log, () => {
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      return ok(this.#attempts(current, callerId, reference).newest)
    })
  }

  /**
   * Issues points once for each reference of a program, and starts to deliver the slip. Resolves with the row whenever there
   * is one, also when it was refused or its outcome is unknown. A later call for the reference resolves with the same row,
   * and delivers a slip that a stopped process did not. It does nothing when the row `hasOtherContent`. A reference whose
   * request was not sent (`isNotSent`) counts as new. Failures: those of `CounterSlips.issue` without a row.
   */
  issue(request: ProgramIssueRequest): Promise<Result<ProgramIssue>> {
    const { journal, issuer, delivery, business, staff, settings, log } = this.#dependencies
    return guardJournal(journal, log, async () => {
      const { caller, reference, contentHash, points, customer, calculation = null } = request
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      const { newest, next } = this.#attempts(current, caller.id, reference)
      if (newest !== null && hasOtherContent(newest, contentHash)) return ok({ row: newest, isFirst: false })
      const isFirst = newest === null || isNotSent(newest.slip)
      const attempt = isFirst ? next : next - 1
      const intentId = referenceIntentId(scopeOf(current), caller.id, reference, attempt)
      const issued = await issuer.issue(
        {
          intentId,
          points,
          customer,
          cashier: staff.state.cashier,
          requestedCopies: request.delivery === 'print' ? settings.values.copies : 1,
          batch: null,
          reference,
          calculation,
          program: { caller, contentHash, attempt }
        },
        current
      )
      if (issued.ok) return ok({ row: delivery.deliver(issued.value, request.delivery), isFirst })
      if (issued.failure.kind === 'not-saved') return issued
      const row = journal.slips.byIntent(intentId)
      return row === null ? issued : ok({ row, isFirst })
    })
  }

  /** Returns the newest attempt at a reference, and the number of the next one, from 1. */
  #attempts(
    business: SlipBusiness,
    callerId: string,
    reference: string
  ): { readonly newest: JournalRow | null; readonly next: number } {
    const { slips } = this.#dependencies.journal
    let newest: JournalRow | null = null
    for (let attempt = 1; ; attempt++) {
      const row = slips.byIntent(referenceIntentId(scopeOf(business), callerId, reference, attempt))
      if (row === null) return { newest, next: attempt }
      newest = row
    }
  }
}
