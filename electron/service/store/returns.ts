/** Points of a purchase that go back with the goods, all or in part. */
import * as v from 'valibot'
import { readOfflineCode } from '../../codes/offline-code.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { CashierKey, NamedCashier } from '../domain/cashiers.ts'
import { codeStatus, normalizeCode, type StoredCode } from '../domain/codes.ts'
import type { CustomerKey } from '../domain/customers.ts'
import { newIdentifier } from '../domain/identifiers.ts'
import { Refusal } from '../domain/refusal.ts'
import { nextReturn, type ReturnedPart } from '../domain/returns.ts'
import { CashierStore } from './cashiers.ts'
import { CodeStore } from './codes.ts'
import { ConflictError, type Queries } from './database.ts'
import { KeyedAnswers, type KeyedRequest } from './keyed-answers.ts'
import { appendEntry, entryWhere, expiredOf, ownerOf } from './ledger-entries.ts'
import { CODE_REFUSALS, type LedgerDependencies } from './ledger.ts'
import { OfflineCodeStore } from './offline-codes.ts'
import { appendReturn, lastReturn, type PurchaseName } from './return-rows.ts'

const receiptSchema = v.object({
  id: v.string(),
  /** that were taken back now */
  points: v.number(),
  /** of the purchase, that did not go back yet and have not expired */
  remaining: v.number(),
  target: v.picklist(['code', 'credit']),
  /** the code, or the id of the credit; an answer of an earlier version has neither it nor `given` */
  purchase: v.exactOptional(v.string()),
  /** points that the purchase gave */
  given: v.exactOptional(v.number()),
  /** null for a credit */
  codeStatus: v.nullable(v.picklist(['active', 'cancelled', 'used'])),
  /** id of whom the points are taken from; null for a code that is not collected, and for an erased customer */
  customer: v.nullable(v.string()),
  /** theirs, which may be below zero */
  balance: v.nullable(v.number()),
  /** ISO 8601, UTC */
  createdAt: v.string()
})

/** Points that were taken back. */
export type ReturnReceipt = v.InferOutput<typeof receiptSchema>

/** What a till names a purchase by. */
export type PurchaseBy = 'code' | 'credit' | 'reference'

/** What goes back of which purchase. */
export interface ReturnRequest extends KeyedRequest {
  readonly purchase: { readonly by: PurchaseBy; readonly name: string }
  readonly part: ReturnedPart
  readonly reason: string | null
  readonly cashier: NamedCashier | null
}

/** A return that is made. */
interface Taking {
  readonly id: string
  readonly cashier: CashierKey | null
  /** points that the purchase gave */
  readonly given: number
}

/** A change in a transaction. */
interface Change {
  readonly queries: Queries
  readonly business: BusinessKey
  readonly at: string
}

const referredRow = v.object({
  target: v.picklist(['code', 'credit']),
  name: v.string(),
  is_open: v.number()
})
const ownerRow = v.object({ id: v.string(), balance: v.number(), erasedAt: v.nullable(v.string()) })

const unknown = (): Refusal => new Refusal('purchase-unknown', 'There is no such purchase.')

/** Whether not all points of a purchase went back. @param given SQL of the points that it gave @param id SQL of its code or credit */
const isLeft = (target: PurchaseName['target'], given: string, id: string): string =>
  `${given} > coalesce((SELECT max(returned) FROM returns WHERE returns.${target} = ${id}), 0)`

/** The purchase with a reference. Of several the one that was neither cancelled nor undone, nor all returned. Throws a `Refusal`. */
const referredTo = async ({ queries, business }: Change, reference: string): Promise<PurchaseName> => {
  const rows = await queries.read(
    `SELECT 'code' AS target, code AS name, CASE WHEN cancelled_at IS NULL AND ${isLeft('code', 'points + returned_points', 'codes.code')}
         THEN 1 ELSE 0 END AS is_open
       FROM codes WHERE business = $1 AND reference = $2
     UNION ALL SELECT 'credit', id,
       CASE WHEN EXISTS (SELECT 1 FROM entries AS reversals WHERE reversals.reverses = entries.id)
         OR NOT ${isLeft('credit', 'points', 'entries.id')} THEN 0 ELSE 1 END
       FROM entries WHERE business = $1 AND reference = $2 AND kind = 'credited'`,
    [business, reference]
  )
  const found = rows.map((row) => v.parse(referredRow, row))
  const open = found.filter((each) => each.is_open === 1)
  const [only, other] = open.length === 1 ? open : found
  if (only === undefined) throw unknown()
  if (other !== undefined) throw new Refusal('purchase-ambiguous', 'Several purchases have this reference.')
  return { target: only.target, name: only.name }
}

export class ReturnStore {
  readonly #dependencies: LedgerDependencies
  readonly #answers: KeyedAnswers
  readonly #offline: OfflineCodeStore

  constructor(dependencies: LedgerDependencies) {
    this.#dependencies = dependencies
    this.#answers = new KeyedAnswers(dependencies)
    this.#offline = new OfflineCodeStore(dependencies)
  }

  /**
   * Takes points of a purchase back, once for each key: from its code until it is collected, then from the
   * customer, whose balance may go below zero. Rejects with a `Refusal` for a purchase that is not there or is named by
   * several, an expired or cancelled code, and where less remains than is asked.
   */
  take(request: ReturnRequest): Promise<ReturnReceipt> {
    const { purchase, part } = request
    const { database, now, random } = this.#dependencies
    const id = newIdentifier('ret', random)
    const entryId = newIdentifier('ent', random)
    const parts =
      'amount' in part ? [part.amount.returned, part.amount.total] : ['points' in part ? part.points : 'rest']
    const asked = ['return', purchase.by, purchase.name, ...parts]
    return this.#answers.once(request, asked, receiptSchema, async (keep) => {
      const answer = await database.transaction(async (queries) => {
        const change = { queries, business: request.business.key, at: now().toISOString() }
        const named = await this.#named(change, purchase)
        const taken = await this.#take(change, named, request, { id, entryId })
        await keep(queries, taken)
        return taken
      })
      return { answer }
    })
  }

  async #named(change: Change, { by, name }: ReturnRequest['purchase']): Promise<PurchaseName> {
    if (by === 'reference') return referredTo(change, name)
    return { target: by, name: by === 'code' ? normalizeCode(name) : name }
  }

  async #take(
    change: Change,
    purchase: PurchaseName,
    request: ReturnRequest,
    ids: { readonly id: string; readonly entryId: string }
  ): Promise<ReturnReceipt> {
    const { queries, business } = change
    const { target, name } = purchase
    const cashier =
      request.cashier === null ? null : await new CashierStore(queries).keyOf(business, request.cashier)
    // Before its entry: a collect writes both at once, and one that is done between the reads must not look like a code without one.
    const code = target === 'code' ? await this.#codeOf(queries, business, name) : null
    const entry = await entryWhere(queries, business, target === 'code' ? 'code' : 'id', name)
    if (target === 'code') {
      if (code === null) throw unknown()
      if (entry === null) {
        const status = codeStatus(code, new Date(change.at))
        // A code that was used without an entry is one of the sample data.
        if (status === 'used') throw unknown()
        const given = code.points + code.returnedPoints
        // A code that returns have lowered to zero is cancelled, too.
        if (status !== 'active' && code.points > 0) throw new Refusal(...CODE_REFUSALS[status])
        return this.#lower(change, purchase, request, { id: ids.id, cashier, given })
      }
      return this.#takeFrom(change, purchase, request, {
        ...{ ...ids, cashier },
        entry: entry.id,
        customer: entry.customer,
        given: code.points + code.returnedPoints
      })
    }
    if (entry?.kind !== 'credited') throw unknown()
    const { id, customer, points } = entry
    return this.#takeFrom(change, purchase, request, { ...ids, cashier, entry: id, customer, given: points })
  }

  /** The code, or null. One that a till made without a connection, and has not reported yet, is admitted. */
  async #codeOf(queries: Queries, business: BusinessKey, code: string): Promise<StoredCode | null> {
    const codes = new CodeStore(queries)
    const stored = await codes.find(business, code)
    if (stored !== null || readOfflineCode(code) === null) return stored
    await this.#offline.admit(queries, business, code)
    return codes.find(business, code)
  }

  /** Lowers a code that is not collected yet, and cancels it at zero. */
  async #lower(
    { queries, business, at }: Change,
    purchase: PurchaseName,
    request: ReturnRequest,
    { id, cashier, given }: Taking
  ): Promise<ReturnReceipt> {
    const last = await lastReturn(queries, purchase)
    const next = nextReturn({ points: given, ...last }, request.part)
    await appendReturn(queries, {
      ...request,
      id,
      purchase,
      ...next,
      number: last.number + 1,
      at,
      cashier,
      entry: null
    })
    await new CodeStore(queries).lower(business, purchase.name, {
      from: given - last.returned,
      by: next.taken,
      at
    })
    const remaining = given - next.returned
    return {
      ...{
        id,
        points: next.taken,
        remaining,
        ...{ target: 'code', purchase: purchase.name, given },
        codeStatus: remaining === 0 ? 'cancelled' : 'active'
      },
      ...{ customer: null, balance: null, createdAt: at }
    }
  }

  /** Takes points from the customer who has them now. */
  async #takeFrom(
    { queries, business, at }: Change,
    purchase: PurchaseName,
    request: ReturnRequest,
    collected: Taking & {
      readonly entryId: string
      /** id of the entry that gave the points */
      readonly entry: string
      readonly customer: CustomerKey
    }
  ): Promise<ReturnReceipt> {
    const { id, cashier, entryId } = collected
    const customer = await ownerOf(queries, collected.customer)
    // The row stays locked: of a return and a reversal at once the second one sees the first.
    const [row] = await queries.write(
      `UPDATE customers SET balance = balance WHERE customer = $1 AND merged_into IS NULL
       RETURNING id, balance, erased_at AS "erasedAt"`,
      [customer]
    )
    if (row === undefined) throw new ConflictError('the customer was merged meanwhile')
    const owner = v.parse(ownerRow, row)
    if ((await entryWhere(queries, business, 'reverses', collected.entry)) !== null) {
      throw new Refusal('purchase-returned', 'The points of this purchase were taken back.')
    }
    const last = await lastReturn(queries, purchase)
    const expired = await expiredOf(queries, collected.entry)
    const next = nextReturn({ points: collected.given, ...last, expired }, request.part)
    const change = { points: -next.taken, lifetimePoints: -next.taken }
    if (next.taken > 0) {
      await appendEntry(
        queries,
        { business, customer },
        {
          ...{ id: entryId, kind: 'returned', ...change, at, by: request.by, code: null, reward: null },
          ...{ reason: request.reason, reverses: null, reference: null, cashier }
        }
      )
    }
    const entry = next.taken > 0 ? entryId : null
    await appendReturn(queries, {
      ...request,
      id,
      purchase,
      ...next,
      number: last.number + 1,
      at,
      cashier,
      entry
    })
    const isErased = owner.erasedAt !== null
    return {
      ...{ id, points: next.taken, remaining: next.remaining },
      ...{ target: purchase.target, purchase: purchase.name, given: collected.given },
      codeStatus: purchase.target === 'code' ? 'used' : null,
      ...{
        customer: isErased ? null : owner.id,
        balance: isErased ? null : owner.balance - next.taken,
        createdAt: at
      }
    }
  }
}
