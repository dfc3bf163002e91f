/** The ledger of the store. Each operation changes an entry, a balance and what goes with them in one transaction. */
import * as v from 'valibot'
import type { CalculatedWith } from '../domain/bills.ts'
import type { BusinessKey } from '../domain/businesses.ts'
import type { NamedCashier } from '../domain/cashiers.ts'
import type { CodeStatus } from '../domain/codes.ts'
import type { CustomerKey, CustomerLookup } from '../domain/customers.ts'
import { identifierOfRequest, newOrderedIdentifier, type RandomBytes } from '../domain/identifiers.ts'
import { entryChange, IRREVERSIBLE, MAX_ADJUSTMENT, type LedgerEntry } from '../domain/ledger.ts'
import { Refusal, type RefusalReason } from '../domain/refusal.ts'
import { CashierStore } from './cashiers.ts'
import { CustomerStore } from './customers.ts'
import type { Database, Queries } from './database.ts'
import {
  appendEntry,
  entryRow,
  entryWhere,
  expiredOf,
  ownerOf,
  sumsOf,
  type LedgerReceipt
} from './ledger-entries.ts'
import { lastReturn } from './return-rows.ts'
import { RewardStore } from './rewards.ts'
import { withWelcome } from './welcome-points.ts'

export interface LedgerDependencies {
  readonly database: Database
  readonly now: () => Date
  readonly random: RandomBytes
}

/** What a till says of the sale that a change belongs to. */
export interface SaleDetails extends CalculatedWith {
  /** of the bill */
  readonly reference: string | null
  readonly cashier: NamedCashier | null
}

/** Whose points change, and who changes them. */
export interface LedgerRequest {
  readonly business: BusinessKey
  /** id of the customer, or what `named` says */
  readonly customer: string
  /** what the customer is named by; the id unless given */
  readonly named?: CustomerLookup
  /** who makes the change: a program, a till or the customer; no name of a person */
  readonly by: string
  /** what the till says of the sale */
  readonly sale?: SaleDetails | undefined
}

/** A change that a form or a command asks for. */
export interface FormRequest extends LedgerRequest {
  /** made by the form: the same change with the same one is made once, as often as it is sent */
  readonly request?: string
}

/** Refusals of a code that is not active. */
export const CODE_REFUSALS: Readonly<
  Record<Exclude<CodeStatus, 'active'>, readonly [RefusalReason, string]>
> = {
  used: ['code-used', 'This code has been collected by another customer.'],
  expired: ['code-expired', 'This code has expired.'],
  cancelled: ['code-cancelled', 'This code was cancelled by the shop.']
}

/** What is written of a change in its transaction. @param customer id of whom the points are */
export type Alongside = (queries: Queries, receipt: LedgerReceipt, customer: string) => Promise<void>

/** Completes an entry, in the transaction that appends it. */
type MakeEntry = (
  queries: Queries,
  customer: CustomerKey,
  blank: Omit<LedgerEntry, 'kind'>
) => Promise<LedgerEntry>

/**
 * Throws a `Refusal` for an entry whose points have expired, or of a purchase of which points were returned. The customer's row
 * stays locked: of a return or an expiry and a reversal at once the second one sees the first.
 */
const refuseTaken = async (
  queries: Queries,
  customer: CustomerKey,
  { kind, id, code }: Pick<LedgerEntry, 'kind' | 'id' | 'code'>
): Promise<void> => {
  await queries.write('UPDATE customers SET balance = balance WHERE customer = $1', [customer])
  if ((await expiredOf(queries, id)) > 0) {
    throw new Refusal('points-expired', 'Points of this entry have expired; adjust the points instead.')
  }
  if (kind !== 'collected' && kind !== 'credited') return
  const { returned } = await lastReturn(
    queries,
    kind === 'credited' ? { target: 'credit', name: id } : { target: 'code', name: code ?? '' }
  )
  if (returned > 0) throw new Refusal('purchase-returned', 'Points of this purchase were returned.')
}

/** What the command line and the pages do with points. Every method may be repeated after a lost answer. */
export class Ledger {
  readonly #database: Database
  readonly #now: () => Date
  readonly #random: RandomBytes

  constructor({ database, now, random }: LedgerDependencies) {
    this.#database = database
    this.#now = now
    this.#random = random
  }

  /**
   * Takes the cost of an enabled reward. Rejects with a `Refusal` if the customer has fewer points.
   *
   * @param request its `cost`: what the customer was told; a reward that costs another is refused
   */
  redeem(
    { reward: id, cost, ...request }: FormRequest & { readonly reward: string; readonly cost?: number },
    alongside?: Alongside
  ): Promise<LedgerReceipt> {
    const makeEntry: MakeEntry = async (queries, _customer, blank) => {
      const reward = await new RewardStore(queries).find(request.business, id)
      if (reward === null) throw new Refusal('reward-unknown', `There is no reward ${id}.`)
      if (!reward.isEnable) throw new Refusal('reward-disabled', 'This reward is disabled.')
      if (cost !== undefined && cost !== reward.cost) {
        throw new Refusal('price-changed', `The reward costs ${reward.cost} points now.`)
      }
      return { ...blank, kind: 'redeemed', ...entryChange('redeemed', -reward.cost), reward: id }
    }
    return this.#appendOnce(request, ['redeemed', id], makeEntry, alongside)
  }

  /**
   * Gives points without a code, as if they had been collected.
   *
   * @param request its `welcomePoints`: for a first purchase; 0, and unless given: none
   * @param refuse throws a `Refusal` of a credit at a moment (ISO 8601, UTC), in its transaction
   */
  credit(
    {
      points,
      welcomePoints,
      ...request
    }: FormRequest & { readonly points: number; readonly welcomePoints?: number },
    refuse: (queries: Queries, at: string) => Promise<void>,
    alongside?: Alongside
  ): Promise<LedgerReceipt> {
    const makeEntry: MakeEntry = async (queries, _customer, blank) => {
      await refuse(queries, blank.at)
      const { rules = null, bill = null } = request.sale ?? {}
      return { ...blank, kind: 'credited', ...entryChange('credited', points), rules, bill }
    }
    return this.#appendOnce(request, ['credited', points], makeEntry, alongside, welcomePoints)
  }

  /**
   * Gives points (positive) or takes them (negative), as if they had been collected or not. Rejects with a `Refusal`
   * without a reason, for points that are not a whole number other than 0, and if the balance would be below 0.
   */
  async adjust({
    points,
    reason,
    ...request
  }: FormRequest & { readonly points: number; readonly reason: string }): Promise<LedgerReceipt> {
    if (!Number.isInteger(points) || points === 0 || Math.abs(points) > MAX_ADJUSTMENT) {
      throw new Refusal('points-malformed', 'Points must be a whole number other than 0.')
    }
    if (reason.trim() === '') throw new Refusal('reason-missing', 'An adjustment needs a reason.')
    return this.#appendOnce(request, ['adjusted', points, reason.trim()], (_queries, _customer, blank) =>
      Promise.resolve({
        ...blank,
        kind: 'adjusted',
        ...entryChange('adjusted', points),
        reason: reason.trim()
      })
    )
  }

  /**
   * Takes back an entry by an opposite one, once. A code stays used. Rejects with a `Refusal` for an entry of another
   * customer, one that was reversed or is a reversal, a return or an expiry itself, a purchase of which points were returned, and
   * if the points have been spent or have expired.
   */
  reverse(
    {
      entry: id,
      reason,
      ...request
    }: FormRequest & { readonly entry: string; readonly reason: string | null },
    alongside?: Alongside
  ): Promise<LedgerReceipt> {
    const makeEntry: MakeEntry = async (queries, customer, blank) => {
      const reversed = await entryWhere(queries, request.business, 'id', id)
      if (reversed === null || (await ownerOf(queries, reversed.customer)) !== customer) {
        throw new Refusal('entry-unknown', 'The customer has no such entry.')
      }
      if (IRREVERSIBLE.has(reversed.kind)) {
        throw new Refusal('entry-is-reversal', 'This entry cannot be reversed; adjust the points instead.')
      }
      await refuseTaken(queries, customer, reversed)
      const reversal = await entryWhere(queries, request.business, 'reverses', id)
      if (reversal !== null && reversal.id !== blank.id) {
        throw new Refusal('entry-reversed', 'This entry has been reversed already.')
      }
      // Not the negative, which of 0 is -0.
      const change = { points: 0 - reversed.points, lifetimePoints: 0 - reversed.lifetimePoints }
      return { ...blank, kind: 'reversed', ...change, reason, reverses: id }
    }
    return this.#appendOnce(request, ['reversed', id], makeEntry, alongside)
  }

  /** Appends an entry as `#append` does, unless the same change was made with the same request. */
  #appendOnce(
    { request, ...owner }: FormRequest,
    change: readonly (string | number | null)[],
    makeEntry: MakeEntry,
    alongside?: Alongside,
    welcomePoints?: number
  ): Promise<LedgerReceipt> {
    const id =
      request === undefined
        ? undefined
        : identifierOfRequest('ent', owner.business, owner.customer, request, ...change)
    return this.#append(owner, makeEntry, { id, alongside, welcomePoints })
  }

  /**
   * Appends the entry that `makeEntry` completes, and returns the one that it found instead, which has another id. The id
   * is generated before the transaction, so that a second run finds the entry of the first.
   *
   * @param options `id` of an entry that may be in the ledger, and is returned then; `welcomePoints` of a purchase
   */
  #append(
    { business, customer: name, named = 'id', by, sale }: LedgerRequest,
    makeEntry: MakeEntry,
    {
      id,
      alongside,
      welcomePoints = 0
    }: {
      readonly id?: string | undefined
      readonly alongside?: Alongside | undefined
      readonly welcomePoints?: number | undefined
    } = {}
  ): Promise<LedgerReceipt> {
    const blank = {
      ...{
        id: id ?? newOrderedIdentifier('ent', this.#now(), this.#random),
        points: 0,
        lifetimePoints: 0,
        at: this.#now().toISOString(),
        by
      },
      ...{ code: null, reward: null, reason: null, reverses: null, reference: sale?.reference ?? null }
    }
    return this.#database.transaction(async (queries) => {
      const owner = await new CustomerStore(queries).findOwner(business, named, name)
      if (owner === null) throw new Refusal('customer-unknown', 'There is no such customer.')
      const customer = owner.key
      const made = id === undefined ? null : await entryWhere(queries, business, 'id', id)
      const cashier =
        made !== null || !sale?.cashier ? null : await new CashierStore(queries).keyOf(business, sale.cashier)
      const entry =
        made === null ? await makeEntry(queries, customer, { ...blank, cashier }) : v.parse(entryRow, made)
      if (made === null && entry.id === blank.id) {
        const appended = await appendEntry(queries, { business, customer }, entry)
        const receipt = await withWelcome(
          queries,
          { business, customer, id: owner.id },
          appended,
          welcomePoints
        )
        await alongside?.(queries, receipt, owner.id)
        return receipt
      }
      return { entry, ...(await sumsOf(queries, customer)), isRepeated: true }
    })
  }
}
