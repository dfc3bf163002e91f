/** A till undoes what a till has done, within the time that the shop has set. */
import * as v from 'valibot'
import type { StoredBusiness } from '../domain/businesses.ts'
import type { NamedCashier } from '../domain/cashiers.ts'
import { minutesAfter } from '../domain/days.ts'
import type { EntryKind } from '../domain/ledger.ts'
import { Refusal } from '../domain/refusal.ts'
import { KeyedAnswers, type KeyedRequest } from './keyed-answers.ts'
import { entryWhere } from './ledger-entries.ts'
import { Ledger, type LedgerDependencies } from './ledger.ts'

/** A request that till may undo for `reversalMinutes`. */
export interface ReversibleRequest extends KeyedRequest {
  readonly business: Pick<StoredBusiness, 'key' | 'reversalMinutes'>
}

/** Which entry is undone. */
export interface ReversalRequest extends ReversibleRequest {
  /** id */
  readonly entry: string
  readonly reason: string | null
  readonly cashier?: NamedCashier | null
}

const reversalSchema = v.object({ id: v.string(), balance: v.number(), createdAt: v.string() })

/** The entry that undoes another one: its id, the balance behind it, and when it was made (ISO 8601, UTC). */
export type Reversal = v.InferOutput<typeof reversalSchema>

/** Until when a till may undo what was done at a moment; both ISO 8601, UTC. */
export const reversibleUntil = (at: string, { reversalMinutes }: ReversibleRequest['business']): string =>
  minutesAfter(at, reversalMinutes)

export class TillReversals {
  readonly #dependencies: LedgerDependencies
  readonly #ledger: Ledger
  readonly #answers: KeyedAnswers

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#ledger = new Ledger(dependencies)
    this.#answers = new KeyedAnswers(dependencies)
  }

  /**
   * Undoes an entry of a kind, once. Rejects with a `Refusal` for one that is not there, after the time that the shop has
   * set, when it was undone with another key, and when its points are spent.
   */
  reverse(kind: EntryKind, request: ReversalRequest): Promise<Reversal> {
    const { business, by, idempotencyKey, entry: id, reason, cashier = null } = request
    return this.#answers.once(request, ['reverse', kind, id], reversalSchema, async (keep) => {
      const { database, now } = this.#dependencies
      const reversed = await entryWhere(database, business.key, 'id', id)
      if (reversed?.kind !== kind) throw new Refusal('entry-unknown', 'There is no such entry.')
      if (reversibleUntil(reversed.at, business) < now().toISOString()) {
        throw new Refusal('reversal-too-late', 'The time in which a till may undo this has passed.')
      }
      const owner = await database.read('SELECT id FROM customers WHERE customer = $1', [reversed.customer])
      const customer = v.parse(v.object({ id: v.string() }), owner[0]).id
      const { entry, balance, isRepeated } = await this.#ledger.reverse(
        {
          ...{ business: business.key, by, request: idempotencyKey, reason },
          ...{ customer, entry: id, sale: { reference: null, cashier } }
        },
        (queries, receipt) =>
          keep(queries, { id: receipt.entry.id, balance: receipt.balance, createdAt: receipt.entry.at })
      )
      return { answer: { id: entry.id, balance, createdAt: entry.at }, isRepeated }
    })
  }
}
