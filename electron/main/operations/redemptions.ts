/** Redeems rewards and undoes it: a redemption is an operation, with the last one that undoes it. */
import { randomUUID } from 'node:crypto'
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import {
  offersRedemptions,
  type RedeemRequest,
  type Redemption,
  type RedemptionReason,
  type RedemptionState
} from '../../contract/redemptions.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import { referenceIntentId } from '../journal/intent-ids.ts'
import { type Journal, journalFailed, readJournal } from '../journal/journal.ts'
import type { NewOperation, OperationRow } from '../journal/operation-row.ts'
import { hasOtherContent } from '../journal/rows.ts'
import type { Logger } from '../log/log.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { Staff } from '../staff/staff.ts'
import { redeemAnswerOf, redeemRequestOf, type RedeemOperation, reverseAnswerOf } from './operation-kinds.ts'
import { canSendAgain, type Operations } from './operations.ts'

/** Redemptions of a customer that the page gets. */
const MAX_OF_CUSTOMER = 20

/** Returns the failure of a call whose answer was lost, or is not on disk, whatever came of asking again. */
const unanswered = (failure: Failure | null): Failure =>
  failure?.kind === 'unknown-outcome' ? failure : { kind: 'unknown-outcome', cause: 'connection-lost' }

/** Returns the state of a redemption. @param undo the last one */
function stateOf(row: OperationRow, undo: OperationRow | null): RedemptionState {
  if (row.state !== 'done') return row.state
  switch (undo?.state) {
    case 'requested':
      return 'undo-requested'
    case 'unknown':
      return 'undo-unknown'
    case 'done':
      return 'undone'
    default:
      return 'redeemed'
  }
}

/** Returns a redemption as the page gets it. @param undo the last operation that undoes it; null: none */
export function redemptionOf(row: OperationRow, undo: OperationRow | null): Redemption {
  const answer = redeemAnswerOf(row)
  const undone = undo && reverseAnswerOf(undo)
  return {
    intentId: row.key,
    state: stateOf(row, undo),
    revision: row.revision,
    customer: row.customer,
    ...redeemRequestOf(row),
    balance: (undone ?? answer)?.balance ?? null,
    cashier: row.cashier,
    caller: row.caller,
    reference: row.reference,
    requestedAt: row.requestedAt,
    redeemedAt: row.answeredAt,
    reversibleUntil: serviceMoment(answer?.reversibleUntil ?? null)?.toISOString() ?? null,
    undo: undo && { requestedAt: undo.requestedAt, reason: undo.reason ?? '', cashier: undo.cashier },
    undoneAt: undo?.answeredAt ?? null,
    failure: undo === null ? row.failure : undo.failure,
    ending: row.ending,
    training: row.training
  }
}

/** Returns what came of a request. A row without an answer is unknown. */
function outcomeOf(row: OperationRow): Result<OperationRow> {
  if (row.state === 'done') return ok(row)
  const { state, failure } = row
  return err(
    state === 'refused' || state === 'discarded' ? (failure ?? unanswered(null)) : unanswered(failure)
  )
}

/** A redemption, with the columns that the page does not need. */
export interface RedemptionRow {
  readonly redemption: Redemption
  readonly contentHash: string | null
}

export interface RedemptionsDependencies {
  readonly journal: Journal
  readonly operations: Operations
  readonly business: Pick<CurrentBusiness, 'current' | 'connectedId' | 'isServed'>
  readonly staff: Pick<Staff, 'state'>
  readonly display: Pick<CustomerDisplay, 'showRedeemed'>
  readonly listener: {
    /** Receives every changed redemption of the served business, after the change is on disk. */
    redemptionChanged(redemption: Redemption): void
  }
  readonly now: () => Date
  readonly log: Logger
}

/** The redemptions of this till. Each method resolves with `not-saved` when the disk fails. */
export class Redemptions {
  readonly #dependencies: RedemptionsDependencies

  constructor(dependencies: RedemptionsDependencies) {
    this.#dependencies = dependencies
    const { journal, business, listener, log } = dependencies
    journal.addListener({
      operationChanged: ({ key, undoes, businessId, training }) => {
        if (!business.isServed({ id: businessId, training })) return
        try {
          const row = journal.operations.byKey(undoes ?? key)
          if (row?.kind === 'redeem') listener.redemptionChanged(this.#redemptionOf(row))
        } catch (error) {
          journalFailed(journal, log, error)
        }
      }
    })
  }

  /** Redeems a reward, once per intent id; see `bridge.redemptions.redeem`. @param program that asks for it */
  redeem(
    { intentId, customer, ...request }: RedeemRequest,
    program: NewOperation['program'] = null
  ): Promise<Result<Redemption>> {
    const { journal, operations, business: source, staff, display, now } = this.#dependencies
    return this.#run('request', intentId, async () => {
      const business = source.current()
      if (business === null) return err({ kind: 'not-connected' })
      const row = journal.operations.byKey(intentId)
      if (row !== null && this.#find(intentId, business) === null) return err({ kind: 'not-found' })
      const isOther = row !== null && program !== null && hasOtherContent(row, program.contentHash)
      if (row !== null && (isOther || !canSendAgain(row))) {
        return outcomeOf(row.state === 'unknown' ? await operations.ask(row, business) : row)
      }
      if (!offersRedemptions(business)) return err({ kind: 'not-offered' })
      const requested = journal.operations.request({
        key: intentId,
        kind: 'redeem',
        undoes: null,
        ...scopeOf(business),
        customer,
        cashier: staff.state.cashier,
        program,
        reason: null,
        request: request satisfies RedeemOperation,
        requestedAt: now().toISOString()
      })
      const asked = await operations.ask(requested, business)
      // An answer that comes later, or for another business, is not about the customer at the counter.
      if (asked.state === 'done' && source.isServed(business)) display.showRedeemed(this.#redemptionOf(asked))
      return outcomeOf(asked)
    })
  }

  /** Gives the points back; see `bridge.redemptions.undo`. */
  undo({ intentId, reason }: RedemptionReason): Promise<Result<Redemption>> {
    const { journal, operations, staff, now } = this.#dependencies
    return this.#run('undo', intentId, async () => {
      const business = this.#dependencies.business.current()
      const row = business && this.#find(intentId, business)
      if (business === null || row?.state !== 'done') return err({ kind: 'not-found' })
      const last = journal.operations.lastUndo(intentId)
      if (last?.state === 'done') return ok(row)
      if (last?.state === 'requested') return err({ kind: 'not-found' })
      // A key answers for ever with its first answer: a new try needs a new one.
      const undo =
        last?.state === 'unknown'
          ? last
          : journal.operations.request({
              key: randomUUID(),
              kind: 'reverse',
              undoes: intentId,
              ...scopeOf(business),
              customer: row.customer,
              cashier: staff.state.cashier,
              program: null,
              reason,
              request: {},
              requestedAt: now().toISOString()
            })
      return mapResult(outcomeOf(await operations.ask(undo, business)), () => row)
    })
  }

  /** Returns a redemption by its intent, also of another business than the current one; null without one. */
  find(intentId: string): Result<RedemptionRow | null> {
    return this.#read(null, () => this.#rowOf(this.#dependencies.journal.operations.byKey(intentId)))
  }

  /**
   * Returns the intent of a program's reference, with its redemption if there is one; `not-connected` without a business. In
   * training mode a reference that is new there may be the repeat of a live one, whose points are taken: it has that row.
   * @param contentHash of the request; a live row with another one is not meant. Null: any
   */
  ofProgram(
    callerId: string,
    reference: string,
    contentHash: string | null
  ): Result<{ readonly intentId: string; readonly row: RedemptionRow | null }> {
    const business = this.#dependencies.business.current()
    if (business === null) return err({ kind: 'not-connected' })
    // What was not sent is sent with the same key, so there is one attempt.
    const intentId = referenceIntentId(scopeOf(business), callerId, `redemption ${reference}`, 1)
    const found = mapResult(this.find(intentId), (row) => ({ intentId, row }))
    if (!found.ok || found.value.row !== null || !business.training) return found
    return this.#read(found.value, () => {
      const businessId = this.#dependencies.business.connectedId()
      const live =
        businessId === null
          ? null
          : this.#dependencies.journal.operations.liveOfProgram('redeem', businessId, callerId, reference)
      const isMeant = live !== null && (contentHash === null || live.contentHash === contentHash)
      return isMeant ? { intentId: live.key, row: this.#rowOf(live) } : found.value
    })
  }

  ofCustomer(customerId: string): Result<readonly Redemption[]> {
    const { operations } = this.#dependencies.journal
    return this.#read([], (business) =>
      operations
        .ofCustomer(scopeOf(business), customerId, 'redeem', MAX_OF_CUSTOMER)
        .map((row) => this.#redemptionOf(row))
    )
  }

  async #run(...[action, intentId, work]: Parameters<Operations['run']>): Promise<Result<Redemption>> {
    const done = await this.#dependencies.operations.run(action, intentId, work)
    if (!done.ok) return done
    const { journal, log } = this.#dependencies
    return readJournal(journal, log, () => this.#redemptionOf(done.value))
  }

  #find(intentId: string, business: SlipBusiness): OperationRow | null {
    const row = this.#dependencies.operations.find(intentId, business)
    return row?.kind === 'redeem' ? row : null
  }

  #redemptionOf(row: OperationRow): Redemption {
    const { operations } = this.#dependencies.journal
    // The row may be of before the undo.
    return redemptionOf(operations.byKey(row.key) ?? row, operations.lastUndo(row.key))
  }

  #rowOf(row: OperationRow | null): RedemptionRow | null {
    return row?.kind === 'redeem'
      ? { redemption: this.#redemptionOf(row), contentHash: row.contentHash }
      : null
  }

  #read<Value>(empty: Value, query: (business: SlipBusiness) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    return readJournal(journal, log, () => (business === null ? empty : query(business)))
  }
}
