/** A stand-in for the service's returns, which a test asks over a line that it breaks. */
import { err, ok, type Failure, type Result } from '../../electron/contract/failure.ts'
import type { ReturnedAnswer } from '../../electron/contract/loyalty.ts'
import type { BusinessClient } from '../../electron/main/session/current-business.ts'

const LOST = err({ kind: 'unknown-outcome', cause: 'connection-lost' })

/** One purchase, of which points go back. Gives each key one answer, as the service does. */
export class ReturnLedger implements Pick<BusinessClient, 'takeBack'> {
  remaining: number
  /** points of the purchase */
  readonly #given: number
  /** its code, or the id of its credit */
  purchase = 'CODE-1'
  /** who collected it, with their points; null: it is not collected */
  owner: { readonly id: string; balance: number } | null = null
  /** what happens to the next requests: they are lost before or after the service did them, or refused */
  fault: 'none' | 'lost-before' | 'lost-after' | Failure = 'none'
  /** keys in the order of the requests */
  readonly keys: string[] = []
  readonly bodies: Parameters<BusinessClient['takeBack']>[1][] = []
  readonly #answers = new Map<string, Result<ReturnedAnswer>>()

  constructor(given: number) {
    this.#given = given
    this.remaining = given
  }

  readonly takeBack: BusinessClient['takeBack'] = (key, asked) => {
    this.bodies.push(asked)
    this.keys.push(key)
    const { fault } = this
    if (fault === 'lost-before') return Promise.resolve(LOST)
    if (typeof fault === 'object') return Promise.resolve(err(fault))
    const first = this.#answers.get(key) ?? this.#take(asked.points ?? this.remaining)
    this.#answers.set(key, first)
    return Promise.resolve(fault === 'lost-after' ? LOST : first)
  }

  #take(points: number): Result<ReturnedAnswer> {
    const { owner, remaining } = this
    if (remaining === 0) return err({ kind: 'operation-refused', reason: 'purchase-returned' })
    if (points > remaining) return err({ kind: 'operation-refused', reason: 'return-too-much', remaining })
    this.remaining -= points
    if (owner !== null) owner.balance -= points
    const active = this.remaining === 0 ? 'cancelled' : 'active'
    return ok({
      ...{ id: `ret_${String(this.#answers.size + 1)}`, points, remaining: this.remaining },
      ...{ purchase: this.purchase, given: this.#given },
      ...{ codeStatus: owner === null ? active : 'used', customer: owner?.id ?? null },
      ...{ balance: owner?.balance ?? null, createdAt: '2026-11-25T10:00:00.000Z' }
    })
  }
}
