/**
 * Issues points. The order of the steps is what makes it safe: the row is on disk before the service is called, the service is
 * called once, or again with the same key, the code is on disk before anything is printed.
 */
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { NewQrCode } from '../../contract/loyalty.ts'
import { offers } from '../../contract/operations.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import { guardJournal, JOURNAL_NOT_SAVED, readJournal } from '../journal/journal.ts'
import { canAskAgain, type JournalRow, type Scope } from '../journal/rows.ts'
import type { SlipRequest } from '../journal/slip-table.ts'
import { SingleFlight } from '../lazy.ts'
import { codePrefix, failureDetails } from '../log/log.ts'
import { sentCashierOf } from '../loyalty/sent-cashier.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import type { KeyedSlips } from '../operations/keyed-slips.ts'
import { scopeOf, type SlipBusiness, snapshotOf } from '../session/current-business.ts'
import type { OfflineIssuer } from '../offline/offline-issuer.ts'
import type { SlipContext } from './slip-context.ts'

/** Points to issue, for the counter, a program or one item of a batch. */
export type IssueIntent = Omit<SlipRequest, 'requestedAt' | 'snapshot' | 'keyed' | keyof Scope>

/** The failure of a response whose code must not be printed. */
const UNUSABLE_RESPONSE: Failure = { kind: 'unknown-outcome', cause: 'bad-response' }

/** Returns the outcome of an intent that has a row. A row without a response is unknown, like a lost response. */
function outcomeOf(row: JournalRow): Result<JournalRow> {
  const { code, failure } = row.slip
  return code === null ? err(failure ?? { kind: 'unknown-outcome', cause: 'till-stopped' }) : ok(row)
}

/** Slips that are asked for at once. */
const MAX_UNANSWERED = 50

/** Takes intents from the request to a code on disk. */
export class PointsIssuer implements KeyedSlips {
  readonly #dependencies: SlipContext
  readonly #offline: OfflineIssuer
  readonly #requests = new SingleFlight<Result<JournalRow>>()

  constructor(dependencies: SlipContext, offline: OfflineIssuer) {
    this.#dependencies = dependencies
    this.#offline = offline
  }

  /**
   * Resolves when the code is on disk; with `not-saved` when the disk fails. A later call with the same intent id resolves
   * with the first outcome, and calls no service unless the answer was lost and was asked for with a key; two calls at once
   * share the request.
   */
  issue(intent: IssueIntent, business: SlipBusiness): Promise<Result<JournalRow>> {
    const { journal, log } = this.#dependencies
    return this.#requests.run(intent.intentId, () =>
      guardJournal(journal, log, () => this.#issue(intent, business))
    )
  }

  /** Resolves when a pending request of this intent has its outcome; at once when there is none. */
  async pending(intentId: string): Promise<void> {
    await this.#requests.pending(intentId)
  }

  isBusy(): boolean {
    return this.#requests.isBusy()
  }

  /** Resolves when the requests that are pending now have their outcomes. */
  idle(): Promise<void> {
    return this.#requests.idle()
  }

  async #issue(intent: IssueIntent, business: SlipBusiness): Promise<Result<JournalRow>> {
    const { journal, unwritten, now } = this.#dependencies
    const { intentId, points, customer } = intent
    if (!unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
    const row = journal.slips.byIntent(intentId)
    if (row !== null) {
      const asked = this.#isAskable(row, business) ? await this.#ask(row, business) : null
      return asked?.ok === true ? asked : outcomeOf(row)
    }
    const failure = pointsFailure(points)
    if (failure !== null) return err(failure)
    const balance = customer && this.#dependencies.recent.balanceOf(customer.id)
    // Without a connection the balance may be old: nothing is promised on paper.
    const isOffline = this.#offline.isNeeded(points, business)
    const affordable =
      balance === null || isOffline ? null : this.#dependencies.catalogue.affordable(balance + points)
    const snapshot = snapshotOf(business, affordable)
    if (snapshot.logo !== null && business.logo !== null) journal.logos.add(snapshot.logo, business.logo)
    const request: SlipRequest = {
      ...intent,
      requestedAt: now().toISOString(),
      snapshot,
      keyed: offers(business, 'codes/1'),
      ...scopeOf(business)
    }
    return this.#ask(journal.slips.request(request), business)
  }

  unanswered(): Result<readonly JournalRow[]> {
    const { journal, business, now, log } = this.#dependencies
    const current = business.current()
    if (current === null) return ok([])
    return readJournal(journal, log, () =>
      journal.slips.unanswered(scopeOf(current), MAX_UNANSWERED).filter((row) => canAskAgain(row, now()))
    )
  }

  /** As the second call of `issue`. */
  askFor(intentId: string): Promise<Result<JournalRow>> {
    const { journal, unwritten, log } = this.#dependencies
    return this.#requests.run(intentId, () =>
      guardJournal(journal, log, () => {
        if (!unwritten.isWritten(intentId)) return err(JOURNAL_NOT_SAVED)
        const business = this.#dependencies.business.current()
        const row = journal.slips.byIntent(intentId)
        if (business === null || row === null) return err({ kind: 'not-found' })
        return this.#isAskable(row, business) ? this.#ask(row, business) : outcomeOf(row)
      })
    )
  }

  /** Returns whether asking this business again gives the answer. */
  #isAskable(row: JournalRow, { id, training }: SlipBusiness): boolean {
    const isOwn = row.businessId === id && row.slip.training === training
    return isOwn && canAskAgain(row, this.#dependencies.now())
  }

  /** Sends the request of a row, and writes what came of it. Fails as the request does. */
  async #ask(row: JournalRow, business: SlipBusiness): Promise<Result<JournalRow>> {
    const { state, points } = row.slip
    const isFirst = state === 'requested'
    const response =
      isFirst && this.#offline.isNeeded(points, business)
        ? err({ kind: 'offline' })
        : await this.#callService(row, business)
    // The first request, and nothing was sent: the service never makes a code for this slip.
    const isUnsent = isFirst && !response.ok && response.failure.kind === 'offline'
    const made = isUnsent ? this.#offline.issue(points, business) : null
    const apply = (): JournalRow =>
      made === null
        ? this.#applyResponse(row, response)
        : this.#dependencies.journal.slips.transition(row.slip.intentId, 'issued', made)
    let changed: JournalRow
    try {
      changed = apply()
    } catch (error) {
      this.#dependencies.unwritten.keep({ id: row.slip.intentId, write: apply })
      throw error
    }
    return response.ok || made !== null ? outcomeOf(changed) : response
  }

  async #callService(
    { slip, keyed, cashierNumber, calculation }: JournalRow,
    business: SlipBusiness
  ): Promise<Result<NewQrCode>> {
    const { log, business: source } = this.#dependencies
    const { intentId, points, reference, training } = slip
    const cashier = sentCashierOf({
      cashier: slip.cashier && { ...slip.cashier, number: cashierNumber },
      training
    })
    const startedAt = performance.now()
    let response: Result<NewQrCode>
    try {
      response = await source.ask(business, (client) =>
        keyed
          ? client.issueCode(intentId, { points, reference, cashier, ...calculation })
          : client.createQr(points)
      )
    } catch (error) {
      log.error('slip-request-failed', { intentId, error })
      return err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
    log.info('slip-response', {
      intentId,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(response.ok ? { codeBegins: codePrefix(response.value.code) } : failureDetails(response.failure))
    })
    const issuedPoints = response.ok ? response.value.rewardPoints : null
    if (issuedPoints === null || issuedPoints === points) return response
    // The slip would show other points than its code carries.
    log.error('slip-points-differ', { intentId, points, issuedPoints })
    return err(UNUSABLE_RESPONSE)
  }

  /** Writes a response. One that is asked for again and does not come leaves the row as it is. */
  #applyResponse(asked: JournalRow, response: Result<NewQrCode>): JournalRow {
    const { slips } = this.#dependencies.journal
    const { intentId, state, training } = asked.slip
    const isFirst = state === 'requested'
    if (!isFirst) {
      // A person may have discarded it meanwhile.
      const row = slips.byIntent(intentId)
      if (row?.slip.state !== 'unknown' || !response.ok) return row ?? asked
    }
    if (!response.ok) {
      const { failure } = response
      const event = failure.kind === 'unknown-outcome' ? 'answer-lost' : 'refused'
      return slips.transition(intentId, event, { failure })
    }
    const { code, qrURL, createdAt, expiresAt } = response.value
    // A code can be collected once: two responses of a batch may carry one code.
    if (slips.byCode({ businessId: asked.businessId, training }, code) !== null) {
      this.#dependencies.log.error('slip-code-repeated', { intentId, codeBegins: codePrefix(code) })
      return isFirst ? slips.transition(intentId, 'answer-lost', { failure: UNUSABLE_RESPONSE }) : asked
    }
    // The service's moment: the till's clock may be wrong.
    const issuedAt = (serviceMoment(createdAt) ?? this.#dependencies.now()).toISOString()
    const expiry = serviceMoment(expiresAt)?.toISOString()
    return slips.transition(intentId, 'issued', {
      code,
      url: qrURL,
      issuedAt,
      ...(expiry === undefined ? {} : { expiresAt: expiry })
    })
  }
}
