/**
 * Redeems rewards and undoes it. As with slips, the row is on disk before the service is called, and its answer before it is
 * shown. Unlike a slip's request, one with a key can be sent again: a lost answer is asked for until it comes.
 */
import { randomUUID } from 'node:crypto'
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { RedeemedAnswer, ReversedAnswer } from '../../contract/loyalty.ts'
import {
  offersRedemptions,
  type RedeemRequest,
  type Redemption,
  type RedemptionReason
} from '../../contract/redemptions.ts'
import { SingleFlight } from '../lazy.ts'
import { failureDetails, type Logger } from '../log/log.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import { referenceIntentId } from '../journal/intent-ids.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import type { RecentCustomers } from '../session/recent-customers.ts'
import type { Staff } from '../staff/staff.ts'
import {
  guardJournal,
  type Journal,
  JOURNAL_NOT_SAVED,
  journalFailed,
  type UnwrittenChanges
} from '../journal/journal.ts'
import type { NewRedemption, RedemptionRow } from '../journal/redemption-table.ts'
import { hasOtherContent } from '../journal/rows.ts'
import { RedemptionRetries, type LostAnswers } from './redemption-retries.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'

/** Redemptions of a customer that the page gets. */
const MAX_OF_CUSTOMER = 20
/** Redemptions that are shown, and asked for, at once. */
const MAX_UNANSWERED = 50

/** The service forgets keys after 400 days: an older one would redeem again. */
const MAX_KEY_AGE_MS = 365 * 24 * 60 * 60_000

/** Returns the failure of a call whose answer was lost, or is not on disk, whatever came of asking again. */
const unanswered = (failure: Failure | null): Failure =>
  failure?.kind === 'unknown-outcome' ? failure : { kind: 'unknown-outcome', cause: 'connection-lost' }

/** Returns whether nothing was taken, and the key may get another answer: only a refusal by name is kept by the service. */
export const canSendAgain = ({ state, failure }: Pick<Redemption, 'state' | 'failure'>): boolean =>
  state === 'refused' && failure?.kind !== 'redemption-refused'

/**
 * Returns whether the outcome of a request is known. What the service refused by name is an answer at any time. Other
 * refusals, such as of the token, or a failed connection, are about the request that was sent last: only of the first one
 * they say that nothing was done.
 */
const isAnswer = (failure: Failure, isFirst: boolean): boolean =>
  failure.kind === 'redemption-refused' || (isFirst && failure.kind !== 'unknown-outcome')

/** Returns what came of a redemption that was to be redeemed. */
function redeemedOf({ redemption }: RedemptionRow): Result<Redemption> {
  const { state, failure } = redemption
  if (state === 'requested' || state === 'unknown') return err(unanswered(failure))
  return state === 'refused' || state === 'discarded' ? err(failure ?? unanswered(null)) : ok(redemption)
}

/** Returns what came of an undo. */
function undoneOf({ redemption }: RedemptionRow): Result<Redemption> {
  const { state, failure } = redemption
  if (state === 'undone') return ok(redemption)
  return err(state === 'redeemed' && failure ? failure : unanswered(failure))
}

const OPERATIONS = ['redeem', 'undo', 'discard', 'ask'] as const

export interface RedemptionsDependencies {
  readonly journal: Journal
  readonly unwritten: UnwrittenChanges
  readonly business: Pick<CurrentBusiness, 'current' | 'connectedId' | 'isServed' | 'askExtension'>
  readonly staff: Pick<Staff, 'state'>
  readonly recent: Pick<RecentCustomers, 'setBalance'>
  readonly display: Pick<CustomerDisplay, 'showRedeemed' | 'setBalance'>
  readonly now: () => Date
  readonly log: Logger
  /** see `RedemptionRetries` */
  readonly retryDelaysMs?: readonly number[]
}

/** The redemptions of this till. Each method resolves with `not-saved` when the disk fails. */
export class Redemptions implements LostAnswers {
  /** asks for lost answers by itself: started with the till and when a connection is back, stopped for good at the end */
  readonly retries: RedemptionRetries
  readonly #dependencies: RedemptionsDependencies
  /** one operation at a time for each intent; equal ones share it */
  readonly #requests = new SingleFlight<Result<Redemption>>()

  constructor(dependencies: RedemptionsDependencies) {
    this.#dependencies = dependencies
    this.retries = new RedemptionRetries(this, dependencies.retryDelaysMs)
  }

  /** Redeems a reward, once per intent id; see `bridge.redemptions.redeem`. @param program that asks for it */
  redeem(request: RedeemRequest, program: NewRedemption['program'] = null): Promise<Result<Redemption>> {
    return this.#run('redeem', request.intentId, async () => {
      const { journal, now } = this.#dependencies
      const business = this.#dependencies.business.current()
      if (business === null) return err({ kind: 'not-connected' })
      const { intentId } = request
      const row = journal.redemptions.byIntent(intentId)
      if (row !== null && this.#find(intentId, business) === null) return err({ kind: 'not-found' })
      const isOther = row !== null && program !== null && hasOtherContent(row, program.contentHash)
      if (row !== null && (isOther || !canSendAgain(row.redemption))) {
        return redeemedOf(row.redemption.state === 'unknown' ? await this.#ask(row, business) : row)
      }
      if (!offersRedemptions(business)) return err({ kind: 'not-offered' })
      const requested = journal.redemptions.request({
        ...request,
        ...scopeOf(business),
        cashier: this.#dependencies.staff.state.cashier,
        program,
        requestedAt: now().toISOString()
      })
      return redeemedOf(await this.#ask(requested, business))
    })
  }

  /** Gives the points back; see `bridge.redemptions.undo`. */
  undo({ intentId, reason }: RedemptionReason): Promise<Result<Redemption>> {
    return this.#run('undo', intentId, async () => {
      const { journal, now } = this.#dependencies
      const business = this.#dependencies.business.current()
      const row = business && this.#find(intentId, business)
      if (business === null || row === null) return err({ kind: 'not-found' })
      const { state } = row.redemption
      if (state === 'undo-unknown') return undoneOf(await this.#ask(row, business))
      if (state === 'undone') return ok(row.redemption)
      if (state !== 'redeemed') return err({ kind: 'not-found' })
      // A key answers for ever with its first answer: a new try needs a new one.
      const undo = {
        key: randomUUID(),
        reason,
        requestedAt: now().toISOString(),
        cashier: this.#dependencies.staff.state.cashier
      }
      return undoneOf(
        await this.#ask(journal.redemptions.change(intentId, 'undo-requested', { undo }), business)
      )
    })
  }

  /** Ends an `unknown` redemption without an answer; `not-found` for any other. */
  discard({ intentId, reason }: RedemptionReason): Promise<Result<Redemption>> {
    return this.#run('discard', intentId, () => {
      const { journal, now } = this.#dependencies
      const business = this.#dependencies.business.current()
      const row = business && this.#find(intentId, business)
      if (row?.redemption.state !== 'unknown') return err({ kind: 'not-found' })
      const { failure } = row.redemption
      const changed = journal.redemptions.change(intentId, 'discarded', {
        ending: { at: now().toISOString(), note: reason },
        ...(failure !== null && { failure })
      })
      return ok(changed.redemption)
    })
  }

  /** Returns a redemption by its intent, also of another business than the current one; null without one. */
  find(intentId: string): Result<RedemptionRow | null> {
    return this.#read(null, () => this.#dependencies.journal.redemptions.byIntent(intentId))
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
          : this.#dependencies.journal.redemptions.liveOfProgram(businessId, callerId, reference)
      const isMeant = live !== null && (contentHash === null || live.contentHash === contentHash)
      return isMeant ? { intentId: live.redemption.intentId, row: live } : found.value
    })
  }

  ofCustomer(customerId: string): Result<readonly Redemption[]> {
    return this.#read([], (business) =>
      this.#dependencies.journal.redemptions
        .ofCustomer(scopeOf(business), customerId, MAX_OF_CUSTOMER)
        .map(({ redemption }) => redemption)
    )
  }

  attention(): Result<number> {
    return this.#read(0, (business) =>
      this.#dependencies.journal.redemptions.countUnanswered(scopeOf(business))
    )
  }

  attentionList(): Result<readonly Redemption[]> {
    return this.#read([], (business) =>
      this.#dependencies.journal.redemptions
        .unanswered(scopeOf(business), MAX_UNANSWERED)
        .map(({ redemption }) => redemption)
    )
  }

  /** Asks for each lost answer now, the oldest first; resolves with the redemptions that still have none. */
  askAgain(): Promise<Result<readonly Redemption[]>> {
    return this.retries.askAll()
  }

  /** Asks for one lost answer with its key; resolves with the redemption as it is then. */
  askFor(intentId: string): Promise<Result<Redemption>> {
    return this.#run('ask', intentId, async () => {
      const business = this.#dependencies.business.current()
      const row = business && this.#find(intentId, business)
      if (business === null || row === null) return err({ kind: 'not-found' })
      const { state } = row.redemption
      const isUnanswered = state === 'unknown' || state === 'undo-unknown'
      return ok((isUnanswered ? await this.#ask(row, business) : row).redemption)
    })
  }

  isBusy(): boolean {
    return this.#requests.isBusy()
  }

  /** Resolves when the pending requests have their outcomes. */
  idle(): Promise<void> {
    return this.#requests.idle()
  }

  #run(
    operation: (typeof OPERATIONS)[number],
    intentId: string,
    work: () => Result<Redemption> | Promise<Result<Redemption>>
  ): Promise<Result<Redemption>> {
    const { journal, unwritten, log } = this.#dependencies
    const keyOf = (one: string): string => `${one} ${intentId}`
    return this.#requests.run(keyOf(operation), async () => {
      // Another operation has another result: those that came before are awaited.
      const earlier = OPERATIONS.flatMap((one) => this.#requests.pending(keyOf(one)) ?? [])
      if (earlier.length > 0) await Promise.all(earlier)
      return guardJournal(journal, log, () =>
        unwritten.isWritten(intentId) ? work() : err(JOURNAL_NOT_SAVED)
      )
    })
  }

  /** Sends the request of a row whose answer is not known, with its key, and writes what came of it. */
  async #ask(row: RedemptionRow, business: SlipBusiness): Promise<RedemptionRow> {
    const { state } = row.redemption
    return state === 'undo-requested' || state === 'undo-unknown'
      ? this.#askToUndo(row, business)
      : this.#askToRedeem(row, business)
  }

  async #askToRedeem(row: RedemptionRow, business: SlipBusiness): Promise<RedemptionRow> {
    const { journal, business: source, display, now } = this.#dependencies
    const { intentId, customer, reward, cost, state } = row.redemption
    const isFirst = state === 'requested'
    if (customer === null || this.#isTooOld(row.redemption.requestedAt)) return row
    const asked = { customer: customer.id, reward: reward.id, cost }
    const answer = await this.#send(intentId, () =>
      source.askExtension(business, (client) => client.redeem(intentId, asked))
    )
    const changed = this.#write(row, () => {
      const { redemptions } = journal
      if (answer.ok) return redemptions.change(intentId, 'redeemed', redeemedChange(answer.value, now()))
      const { failure } = answer
      if (isAnswer(failure, isFirst)) return redemptions.change(intentId, 'refused', { failure })
      if (isFirst) this.retries.startLater()
      return redemptions.change(intentId, 'unknown', { failure })
    })
    if (answer.ok) this.#setBalance(customer.id, answer.value.balance, business)
    // An answer that comes later, or for another business, is not about the customer at the counter.
    const isShown = isFirst && source.isServed(business)
    if (isShown && changed.redemption.state === 'redeemed') display.showRedeemed(changed.redemption)
    return changed
  }

  async #askToUndo(row: RedemptionRow, business: SlipBusiness): Promise<RedemptionRow> {
    const { journal, now } = this.#dependencies
    const { redemption, redemptionId, undoKey } = row
    const { intentId, customer, undo, state } = redemption
    const isFirst = state === 'undo-requested'
    if (redemptionId === null || undoKey === null || undo === null) return row
    if (this.#isTooOld(undo.requestedAt)) return row
    const asked = { redemption: redemptionId, reason: undo.reason }
    const answer = await this.#send(intentId, () =>
      this.#dependencies.business.askExtension(business, (client) => client.reverseRedemption(undoKey, asked))
    )
    const changed = this.#write(row, () => {
      const { redemptions } = journal
      if (answer.ok) return redemptions.change(intentId, 'undone', undoneChange(answer.value, now()))
      const { failure } = answer
      // Undone at another till, or on the service's pages.
      if (failure.kind === 'redemption-refused' && failure.reason === 'redemption-reversed') {
        return redemptions.change(intentId, 'undone', { undoneAt: now().toISOString(), balance: null })
      }
      if (isAnswer(failure, isFirst)) return redemptions.change(intentId, 'redeemed', { failure })
      if (isFirst) this.retries.startLater()
      return redemptions.change(intentId, 'undo-unknown', { failure })
    })
    if (answer.ok && customer !== null) this.#setBalance(customer.id, answer.value.balance, business)
    return changed
  }

  /** Corrects the points that the till shows of a customer. */
  #setBalance(customerId: string, balance: number | null, business: SlipBusiness): void {
    if (!this.#dependencies.business.isServed(business)) return
    this.#dependencies.recent.setBalance(customerId, balance)
    this.#dependencies.display.setBalance(customerId, balance)
  }

  #isTooOld(requestedAt: string): boolean {
    return this.#dependencies.now().getTime() - Date.parse(requestedAt) > MAX_KEY_AGE_MS
  }

  async #send<Value>(intentId: string, request: () => Promise<Result<Value>>): Promise<Result<Value>> {
    const { log } = this.#dependencies
    const startedAt = performance.now()
    let answer: Result<Value>
    try {
      answer = await request()
    } catch (error) {
      log.error('redemption-request-failed', { intentId, error })
      answer = err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
    log.info('redemption-response', {
      intentId,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(answer.ok ? {} : failureDetails(answer.failure))
    })
    return answer
  }

  /** Writes the answer of a row. One that the disk does not take is written later; until then the row has none. */
  #write(row: RedemptionRow, write: () => RedemptionRow): RedemptionRow {
    const { journal, unwritten, log } = this.#dependencies
    try {
      return write()
    } catch (error) {
      journalFailed(journal, log, error)
      unwritten.keep({ id: row.redemption.intentId, write })
      return row
    }
  }

  #find(intentId: string, business: SlipBusiness): RedemptionRow | null {
    const row = this.#dependencies.journal.redemptions.byIntent(intentId)
    const isOwn = row?.businessId === business.id && row.redemption.training === business.training
    return isOwn ? row : null
  }

  #read<Value>(empty: Value, query: (business: SlipBusiness) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    if (business === null) return ok(empty)
    try {
      return ok(query(business))
    } catch (error) {
      journalFailed(journal, log, error)
      return err({ kind: 'internal' })
    }
  }
}

/** Returns the moment of the service, or the till's if it sent none. */
const momentOf = (createdAt: string | null, now: Date): string =>
  (serviceMoment(createdAt) ?? now).toISOString()

const redeemedChange = ({ id, balance, createdAt, reversibleUntil }: RedeemedAnswer, now: Date) => ({
  redemptionId: id,
  balance,
  redeemedAt: momentOf(createdAt, now),
  reversibleUntil: serviceMoment(reversibleUntil)?.toISOString() ?? null
})

const undoneChange = ({ balance, createdAt }: ReversedAnswer, now: Date) => ({
  balance,
  undoneAt: momentOf(createdAt, now)
})
