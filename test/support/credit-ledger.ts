/** A stand-in for the service's credits, which a test asks over a line that it breaks. */
import { err, ok, type Failure, type Result } from '../../electron/contract/failure.ts'
import type { CreditedAnswer, ReversedCredit } from '../../electron/contract/loyalty.ts'
import type { BusinessClient } from '../../electron/main/session/current-business.ts'

const LOST = err({ kind: 'unknown-outcome', cause: 'connection-lost' })

/** Gives each key one answer, as the service does. */
export class CreditLedger implements Pick<BusinessClient, 'credit' | 'reverseCredit'> {
  balance = 990
  /** points that come with the next credit for a first purchase */
  welcome = 0
  /** what happens to the next requests: they are lost before or after the service did them, or refused */
  fault: 'none' | 'lost-before' | 'lost-after' | Failure = 'none'
  /** keys in the order of the requests */
  readonly keys: string[] = []
  readonly bodies: Parameters<BusinessClient['credit']>[1][] = []
  readonly #answers = new Map<string, Result<CreditedAnswer>>()
  readonly #reversals = new Map<string, Result<ReversedCredit>>()
  readonly #credits = new Map<string, { readonly points: number; reversed: boolean }>()

  readonly credit: BusinessClient['credit'] = (key, asked) => {
    this.bodies.push(asked)
    return this.#ask(this.#answers, key, () => {
      const balanceBefore = this.balance
      this.balance += asked.points + this.welcome
      const id = `crd_${String(this.#credits.size + 1)}`
      this.#credits.set(id, { points: asked.points, reversed: false })
      const { customer, points } = asked
      const { balance } = this
      const createdAt = '2026-11-25T09:00:00.000Z'
      return ok({ ...{ id, customer, points, balanceBefore, balance, createdAt }, reversibleUntil: null })
    })
  }

  readonly reverseCredit: BusinessClient['reverseCredit'] = (key, { credit: id }) =>
    this.#ask(this.#reversals, key, () => {
      const credit = this.#credits.get(id)
      if (!credit) return err({ kind: 'operation-refused', reason: 'credit-unknown' })
      if (credit.reversed) return err({ kind: 'operation-refused', reason: 'credit-reversed' })
      credit.reversed = true
      this.balance -= credit.points
      return ok({ credit: id, balance: this.balance, createdAt: '2026-11-25T09:05:00.000Z' })
    })

  #ask<Answer>(
    answers: Map<string, Result<Answer>>,
    key: string,
    answer: () => Result<Answer>
  ): Promise<Result<Answer>> {
    const { fault } = this
    this.keys.push(key)
    if (fault === 'lost-before') return Promise.resolve(LOST)
    if (typeof fault === 'object') return Promise.resolve(err(fault))
    const first = answers.get(key) ?? answer()
    answers.set(key, first)
    return Promise.resolve(fault === 'lost-after' ? LOST : first)
  }
}
