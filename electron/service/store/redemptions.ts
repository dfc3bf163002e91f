/** Redeeming and undoing it for tills. */
import * as v from 'valibot'
import { KeyedAnswers } from './keyed-answers.ts'
import type { LedgerReceipt } from './ledger-entries.ts'
import { Ledger, type LedgerDependencies, type SaleDetails } from './ledger.ts'
import {
  reversibleUntil,
  TillReversals,
  type Reversal,
  type ReversalRequest,
  type ReversibleRequest
} from './till-reversals.ts'

const receiptSchema = v.object({
  id: v.string(),
  /** id of the customer, who may have been merged into another since */
  customer: v.string(),
  reward: v.string(),
  /** points that it cost */
  cost: v.number(),
  /** the customer's points when it was answered first */
  balance: v.number(),
  /** ISO 8601, UTC */
  createdAt: v.string(),
  /** until when a till may undo it */
  reversibleUntil: v.string()
})

/** A reward that was redeemed. */
export type RedemptionReceipt = v.InferOutput<typeof receiptSchema>

/** Which reward a customer redeems. `cost` is what the customer was told. */
export interface RedemptionRequest extends ReversibleRequest {
  readonly customer: string
  readonly reward: string
  readonly cost: number
  readonly sale?: SaleDetails
}

export class RedemptionStore {
  readonly #ledger: Ledger
  readonly #answers: KeyedAnswers
  readonly #reversals: TillReversals

  constructor(dependencies: LedgerDependencies) {
    this.#ledger = new Ledger(dependencies)
    this.#answers = new KeyedAnswers(dependencies)
    this.#reversals = new TillReversals(dependencies)
  }

  /**
   * Takes the cost of a reward from a customer, once for each key. Rejects with a `Refusal` for a customer or a reward that
   * is not there, a disabled reward, a cost that is not the reward's, too few points, and a key that stood for another
   * request.
   */
  redeem(request: RedemptionRequest): Promise<RedemptionReceipt> {
    const { business, by, idempotencyKey, customer, reward, cost, sale } = request
    const receiptOf = ({ entry, balance }: LedgerReceipt, owner: string): RedemptionReceipt => ({
      ...{ id: entry.id, customer: owner, reward, cost: -entry.points, balance, createdAt: entry.at },
      reversibleUntil: reversibleUntil(entry.at, business)
    })
    return this.#answers.once(request, ['redeem', customer, reward, cost], receiptSchema, async (keep) => {
      let answer: RedemptionReceipt | undefined
      const receipt = await this.#ledger.redeem(
        { business: business.key, by, request: idempotencyKey, customer, reward, cost, ...{ sale } },
        (queries, made, owner) => keep(queries, (answer = receiptOf(made, owner)))
      )
      return { answer: answer ?? receiptOf(receipt, customer), isRepeated: receipt.isRepeated }
    })
  }

  /** Gives the cost of a redemption back, once: see `TillReversals`. */
  async reverse({
    redemption,
    ...request
  }: Omit<ReversalRequest, 'entry'> & { readonly redemption: string }): Promise<
    Reversal & { readonly redemption: string }
  > {
    const { id, ...reversal } = await this.#reversals.reverse('redeemed', { ...request, entry: redemption })
    return { id, redemption, ...reversal }
  }
}
