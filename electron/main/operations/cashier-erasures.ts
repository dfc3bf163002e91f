/** Has the service forget the names of cashiers who were removed at the till. */
import { offers } from '../../contract/operations.ts'
import type { CurrentBusiness } from '../session/current-business.ts'
import type { Staff } from '../staff/staff.ts'
import type { KeyedSlips } from './keyed-slips.ts'
import type { Operations } from './operations.ts'

export interface CashierErasuresDependencies {
  readonly operations: Pick<Operations, 'unanswered'>
  readonly slips: Pick<KeyedSlips, 'unanswered'>
  readonly business: Pick<CurrentBusiness, 'current' | 'askExtension'>
  readonly staff: Pick<Staff, 'erasures' | 'endErasure'>
}

/** The names are in the settings until the service forgot them: what it did not answer is asked again. */
export class CashierErasures {
  readonly #dependencies: CashierErasuresDependencies

  constructor(dependencies: CashierErasuresDependencies) {
    this.#dependencies = dependencies
  }

  /** Sends the erasures of the current business, each once. One that fails stays for the next time. */
  async send(): Promise<void> {
    const { operations, slips, business, staff } = this.#dependencies
    const current = business.current()
    if (current === null || current.training || !offers(current, 'codes/1')) return
    const unanswered = operations.unanswered()
    const lostSlips = slips.unanswered()
    if (!unanswered.ok || !lostSlips.ok) return
    // A request that is sent again would tell the service the name once more.
    const isAsked = (number: number) =>
      unanswered.value.some(({ cashier }) => cashier?.number === number) ||
      lostSlips.value.some(({ cashierNumber }) => cashierNumber === number)
    for (const erasure of staff.erasures) {
      if (erasure.businessId !== current.id || isAsked(erasure.number)) continue
      const { number, name } = erasure
      const forgotten = await business.askExtension(current, (client) =>
        client.forgetCashier({ number, name })
      )
      if (!forgotten.ok) return
      staff.endErasure(erasure)
    }
  }
}
