/** Crediting a known customer and undoing it for tills. */
import * as v from 'valibot'
import type { CreditLimits, StoredBusiness } from '../domain/businesses.ts'
import { refuseAboveLimit } from './credit-limit.ts'
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
  points: v.number(),
  /** of the bill, as the till has named it */
  reference: v.nullable(v.string()),
  /** the customer's points when it was answered first */
  balanceBefore: v.number(),
  balance: v.number(),
  /** ISO 8601, UTC */
  createdAt: v.string(),
  /** until when a till may undo it */
  reversibleUntil: v.string()
})

/** Points that were credited. */
export type CreditReceipt = v.InferOutput<typeof receiptSchema>

/** Who gets how many points. */
export interface KeyedCreditRequest extends ReversibleRequest {
  readonly business: CreditLimits & Pick<StoredBusiness, 'reversalMinutes' | 'welcomePoints'>
  /** id of the till that asks */
  readonly till: string
  readonly customer: string
  readonly points: number
  /** whether a manager approved it at the till, which one above the shop's limit for cashiers needs */
  readonly isApproved: boolean
  readonly sale: SaleDetails
}

export class CreditStore {
  readonly #ledger: Ledger
  readonly #answers: KeyedAnswers
  readonly #reversals: TillReversals

  constructor(dependencies: LedgerDependencies) {
    this.#ledger = new Ledger(dependencies)
    this.#answers = new KeyedAnswers(dependencies)
    this.#reversals = new TillReversals(dependencies)
  }

  /**
   * Gives points to a customer, once for each key. Rejects with a `Refusal` for a customer who is not there, above what the
   * shop lets a till credit on a day, and for a key that stood for another request. One that needs an approval is refused
   * without keeping that: it comes again with its key, approved.
   */
  credit(request: KeyedCreditRequest): Promise<CreditReceipt> {
    const { business, by, till, idempotencyKey, customer, points, isApproved, sale } = request
    const receiptOf = ({ entry, balance, welcomed = 0 }: LedgerReceipt, owner: string): CreditReceipt => ({
      ...{ id: entry.id, customer: owner, points: entry.points, reference: entry.reference },
      ...{ balanceBefore: balance - welcomed - entry.points, balance, createdAt: entry.at },
      reversibleUntil: reversibleUntil(entry.at, business)
    })
    const asked = ['credit', customer, points, sale.reference]
    return this.#answers.once(request, asked, receiptSchema, async (keep) => {
      let answer: CreditReceipt | undefined
      const receipt = await this.#ledger.credit(
        {
          ...{ business: business.key, by, request: idempotencyKey, customer, points, sale },
          welcomePoints: business.welcomePoints
        },
        (queries, at) => refuseAboveLimit(queries, business, { till, points, isApproved, at }),
        (queries, made, owner) => keep(queries, (answer = receiptOf(made, owner)))
      )
      return { answer: answer ?? receiptOf(receipt, customer), isRepeated: receipt.isRepeated }
    })
  }

  /** Takes a credit back, once: see `TillReversals`. */
  async reverse({
    credit,
    ...request
  }: Omit<ReversalRequest, 'entry'> & { readonly credit: string }): Promise<
    Reversal & { readonly credit: string }
  > {
    const { id, ...reversal } = await this.#reversals.reverse('credited', { ...request, entry: credit })
    return { id, credit, ...reversal }
  }
}
