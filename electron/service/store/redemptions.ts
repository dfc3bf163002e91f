/**
 * Redeeming and undoing for tills. Each request has a key that the till makes before it sends: a key that comes again gets
 * the first answer, whatever has happened since, so a till repeats a request whose answer was lost.
 */
import { hash } from 'node:crypto'
import * as v from 'valibot'
import type { StoredBusiness } from '../domain/businesses.ts'
import { Refusal, REFUSAL_REASONS } from '../domain/refusal.ts'
import type { Queries } from './database.ts'
import type { LedgerReceipt } from './ledger-entries.ts'
import { Ledger, type Alongside, type LedgerDependencies } from './ledger.ts'

/** Who asks, with the key. */
export interface KeyedRequest {
  readonly business: Pick<StoredBusiness, 'key' | 'reversalMinutes'>
  /** who makes the entry, in the ledger */
  readonly by: string
  readonly idempotencyKey: string
}

/** A reward that was redeemed. */
export interface RedemptionReceipt {
  readonly id: string
  /** id of the customer, who may have been merged into another since */
  readonly customer: string
  readonly reward: string
  /** points that it cost */
  readonly cost: number
  /** the customer's points when it was answered first */
  readonly balance: number
  /** ISO 8601, UTC */
  readonly createdAt: string
  /** until when a till may undo it */
  readonly reversibleUntil: string
}

/** A redemption that was undone. */
export interface RedemptionReversal {
  readonly id: string
  readonly redemption: string
  readonly balance: number
  /** ISO 8601, UTC */
  readonly createdAt: string
}

const MINUTE_MS = 60_000
/** Longer than a till can be without its service. */
const KEPT_DAYS = 400

const answerRow = v.object({
  request: v.string(),
  refusal: v.nullable(v.picklist(REFUSAL_REASONS)),
  entry: v.nullable(v.string()),
  balance: v.nullable(v.number())
})

const entryRow = v.object({
  id: v.string(),
  at: v.string(),
  points: v.number(),
  reward: v.nullable(v.string()),
  reverses: v.nullable(v.string()),
  customer: v.string()
})

/** Thrown in a transaction whose key was answered for before or meanwhile: nothing of it is done. */
class AnsweredBefore extends Refusal {
  constructor() {
    super('key-reused', 'This key was answered before.')
  }
}

export class RedemptionStore {
  readonly #dependencies: LedgerDependencies
  readonly #ledger: Ledger

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#ledger = new Ledger(dependencies)
  }

  /**
   * Takes the cost of a reward from a customer, once for each key. Rejects with a `Refusal` for a customer or a reward that
   * is not there, a disabled reward, a cost that is not the reward's, too few points, and a key that stood for another
   * request. @param cost what the customer was told
   */
  async redeem(
    request: KeyedRequest & { readonly customer: string; readonly reward: string; readonly cost: number }
  ): Promise<RedemptionReceipt> {
    const { business, by, idempotencyKey, customer, reward, cost } = request
    const { entry, balance } = await this.#once(request, ['redeem', customer, reward, cost], (keep) =>
      this.#ledger.redeem(
        { business: business.key, by, request: idempotencyKey, customer, reward, cost },
        keep
      )
    )
    return {
      id: entry.id,
      customer: entry.customer,
      reward: entry.reward ?? reward,
      cost: -entry.points,
      balance,
      createdAt: entry.at,
      reversibleUntil: this.#reversibleUntil(entry.at, business)
    }
  }

  /**
   * Gives the cost of a redemption back, once. Rejects with a `Refusal` for one that is not there, after the time that the
   * shop has set, and when it was undone with another key.
   */
  async reverse(
    request: KeyedRequest & { readonly redemption: string; readonly reason: string | null }
  ): Promise<RedemptionReversal> {
    const { business, by, idempotencyKey, redemption, reason } = request
    const { entry, balance } = await this.#once(request, ['reverse', redemption], async (keep) => {
      const redeemed = await this.#entry(redemption, business)
      const reward = redeemed?.reward ?? null
      if (redeemed === null || reward === null) {
        throw new Refusal('entry-unknown', 'There is no such redemption.')
      }
      if (this.#reversibleUntil(redeemed.at, business) < this.#dependencies.now().toISOString()) {
        throw new Refusal('reversal-too-late', 'The time in which a till may undo this has passed.')
      }
      return this.#ledger.reverse(
        {
          ...{ business: business.key, by, request: idempotencyKey, reason },
          ...{ customer: redeemed.customer, entry: redemption }
        },
        keep
      )
    })
    return { id: entry.id, redemption, balance, createdAt: entry.at }
  }

  /** Forgets refusals that no till asks for any more; what was done stays as long as its entry. Call now and then. */
  async clean(): Promise<void> {
    const before = new Date(this.#dependencies.now().getTime() - KEPT_DAYS * 24 * 60 * MINUTE_MS)
    await this.#dependencies.database.write(
      'DELETE FROM keyed_answers WHERE entry IS NULL AND answered_at < $1',
      [before.toISOString()]
    )
  }

  #reversibleUntil(at: string, { reversalMinutes }: KeyedRequest['business']): string {
    return new Date(Date.parse(at) + reversalMinutes * MINUTE_MS).toISOString()
  }

  /** Runs a change unless its key was answered, and returns what the first answer says. */
  async #once(
    { business, idempotencyKey }: KeyedRequest,
    asked: readonly (string | number)[],
    change: (keep: Alongside) => Promise<LedgerReceipt>
  ): Promise<{ readonly entry: v.InferOutput<typeof entryRow>; readonly balance: number }> {
    const { database, now } = this.#dependencies
    const key = hash('sha256', JSON.stringify([business.key, idempotencyKey]))
    const request = hash('sha256', JSON.stringify(asked))
    /** Resolves with whether it is the first answer. */
    const write = async (
      queries: Queries,
      [refusal, entry, balance]: readonly [string | null, string | null, number | null]
    ): Promise<boolean> => {
      const kept = await queries.write(
        `INSERT INTO keyed_answers (key, request, refusal, entry, balance, answered_at)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (key) DO NOTHING RETURNING key`,
        [key, request, refusal, entry, balance, now().toISOString()]
      )
      return kept.length > 0
    }
    // Almost every key is new. That of an answer is found when the answer to it is written.
    let owner = ''
    try {
      const { entry, balance, isRepeated } = await change(async (queries, receipt, customer) => {
        owner = customer
        if (!(await write(queries, [null, receipt.entry.id, receipt.balance]))) throw new AnsweredBefore()
      })
      if (isRepeated !== true) return { entry: { ...entry, customer: owner }, balance }
      // The entry of this key without its answer.
      await write(database, [null, entry.id, balance])
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!(error instanceof AnsweredBefore)) await write(database, [error.reason, null, null])
    }
    const answer = await this.#answer(key)
    if (answer === null) throw new Error('an answer was not kept')
    if (answer.request !== request) throw new Refusal('key-reused', 'The key stood for another request.')
    const entry = answer.entry === null ? null : await this.#entry(answer.entry, business)
    if (entry === null || answer.balance === null) {
      throw new Refusal(answer.refusal ?? 'entry-unknown', 'This was refused before.')
    }
    return { entry, balance: answer.balance }
  }

  async #answer(key: string): Promise<v.InferOutput<typeof answerRow> | null> {
    const [row] = await this.#dependencies.database.read(
      'SELECT request, refusal, entry, balance FROM keyed_answers WHERE key = $1',
      [key]
    )
    return row === undefined ? null : v.parse(answerRow, row)
  }

  /** An entry with the id of the customer whom it is of. */
  async #entry(
    id: string,
    { key }: KeyedRequest['business']
  ): Promise<v.InferOutput<typeof entryRow> | null> {
    const [row] = await this.#dependencies.database.read(
      `SELECT entries.id AS id, at, points, reward, reverses, customers.id AS customer
       FROM entries JOIN customers ON customers.customer = entries.customer
       WHERE entries.business = $1 AND entries.id = $2`,
      [key, id]
    )
    return row === undefined ? null : v.parse(entryRow, row)
  }
}
