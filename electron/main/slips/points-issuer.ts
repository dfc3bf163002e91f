/**
 * Issues points. The order of the steps is what makes it safe: the row is on disk before the service is called, the service is
 * called once, the code is on disk before anything is printed.
 */
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { NewQrCode } from '../../contract/loyalty.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import { guardJournal, JOURNAL_NOT_SAVED } from '../journal/journal.ts'
import type { JournalRow, Scope } from '../journal/rows.ts'
import type { SlipRequest } from '../journal/slip-table.ts'
import { SingleFlight } from '../lazy.ts'
import { codePrefix, failureDetails } from '../log/log.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import { scopeOf, type SlipBusiness, snapshotOf } from '../session/current-business.ts'
import type { SlipContext } from './slip-context.ts'

/** Points to issue, for the counter, a program or one item of a batch. */
export type IssueIntent = Omit<SlipRequest, 'requestedAt' | 'snapshot' | keyof Scope>

/** The failure of a response whose code must not be printed. */
const UNUSABLE_RESPONSE: Failure = { kind: 'unknown-outcome', cause: 'bad-response' }

/** Returns the outcome of an intent that has a row. A row without a response is unknown, like a lost response. */
function outcomeOf(row: JournalRow): Result<JournalRow> {
  const { code, failure } = row.slip
  return code === null ? err(failure ?? { kind: 'unknown-outcome', cause: 'till-stopped' }) : ok(row)
}

/** Takes intents from the request to a code on disk. */
export class PointsIssuer {
  readonly #dependencies: SlipContext
  readonly #requests = new SingleFlight<Result<JournalRow>>()

  constructor(dependencies: SlipContext) {
    this.#dependencies = dependencies
  }

  /**
   * Resolves when the code is on disk; with `not-saved` when the disk fails. A later call with the same intent id resolves
   * with the first outcome, and calls no service; two calls at once share the request.
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
    if (row !== null) return outcomeOf(row)
    const failure = pointsFailure(points)
    if (failure !== null) return err(failure)
    const balance = customer && this.#dependencies.recent.balanceOf(customer.id)
    const affordable = balance === null ? null : this.#dependencies.catalogue.affordable(balance + points)
    const snapshot = snapshotOf(business, affordable)
    if (snapshot.logo !== null && business.logo !== null) journal.logos.add(snapshot.logo, business.logo)
    const request: SlipRequest = {
      ...intent,
      requestedAt: now().toISOString(),
      snapshot,
      ...scopeOf(business)
    }
    journal.slips.request(request)
    return this.#write(intentId, scopeOf(business), await this.#callService(intentId, points, business))
  }

  async #callService(intentId: string, points: number, business: SlipBusiness): Promise<Result<NewQrCode>> {
    const { log } = this.#dependencies
    const startedAt = performance.now()
    let response: Result<NewQrCode>
    try {
      response = await this.#dependencies.business.ask(business, (client) => client.createQr(points))
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

  #write(intentId: string, scope: Scope, response: Result<NewQrCode>): Result<JournalRow> {
    const apply = (): JournalRow => this.#applyResponse(intentId, scope, response)
    try {
      return outcomeOf(apply())
    } catch (error) {
      this.#dependencies.unwritten.keep({ id: intentId, write: apply })
      throw error
    }
  }

  #applyResponse(intentId: string, scope: Scope, response: Result<NewQrCode>): JournalRow {
    const { slips } = this.#dependencies.journal
    if (!response.ok) {
      const { failure } = response
      const event = failure.kind === 'unknown-outcome' ? 'answer-lost' : 'refused'
      return slips.transition(intentId, event, { failure })
    }
    const { code, qrURL, createdAt, expiresAt } = response.value
    // A code can be collected once: two responses of a batch may carry one code.
    if (slips.byCode(scope, code) !== null) {
      this.#dependencies.log.error('slip-code-repeated', { intentId, codeBegins: codePrefix(code) })
      return slips.transition(intentId, 'answer-lost', { failure: UNUSABLE_RESPONSE })
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
