/**
 * Issues points. The order of the steps is what makes it safe: the row is on disk before the service is called, the
 * service is called once, the code is on disk before anything is printed.
 */
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import type { NewQrCode } from '../../contract/loyalty.ts'
import type { Slip } from '../../contract/slips.ts'
import { codePrefix, failureDetails, type Logger } from '../log/log.ts'
import { guardJournal, JOURNAL_NOT_SAVED, type Journal } from './journal/journal.ts'
import type { JournalRow, Scope } from './journal/rows.ts'
import type { SlipRequest } from './journal/slip-table.ts'
import type { BusinessSource, SlipBusiness } from './served-business.ts'
import { clockDifference, serviceMoment } from './service-time.ts'
import { SingleFlight } from './single-flight.ts'
import { scopeOf, snapshotOf } from './slip-document.ts'
import type { UnwrittenChanges } from './unwritten-changes.ts'

/** Points to issue, for the counter, a program or one item of a batch. */
export type IssueIntent = Omit<SlipRequest, 'requestedAt' | 'snapshot' | keyof Scope>

export interface PointsIssuerDependencies {
  readonly journal: Journal
  /** keeps responses that the disk did not take: the next call with their intent calls no service */
  readonly unwritten: UnwrittenChanges
  readonly business: BusinessSource
  readonly now: () => Date
  /** receives how far the till's clock is ahead of the service, as `clockDifference` returns it */
  readonly onClockDifference: (differenceMs: number) => void
  readonly log: Logger
}

/** Returns whether a slip was refused before anything was sent to the service. */
export const isNotSent = ({ state, failure }: Pick<Slip, 'state' | 'failure'>): boolean =>
  state === 'refused' &&
  (failure?.kind === 'offline' || failure?.kind === 'tls' || failure?.kind === 'not-connected')

/** The failure of a response whose code must not be printed. */
const UNUSABLE_RESPONSE: Failure = { kind: 'unknown-outcome', cause: 'bad-response' }

/** Returns the outcome of an intent that has a row. A row without a response is unknown, like a lost response. */
function outcomeOf(row: JournalRow): Result<JournalRow> {
  const { code, failure } = row.slip
  return code === null ? err(failure ?? { kind: 'unknown-outcome', cause: 'till-stopped' }) : ok(row)
}

/** Takes intents from the request to a code on disk. */
export class PointsIssuer {
  readonly #dependencies: PointsIssuerDependencies
  readonly #requests = new SingleFlight<Result<JournalRow>>()

  constructor(dependencies: PointsIssuerDependencies) {
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
    if (business.slip.logo && business.logo !== null) journal.logos.add(business.logo)
    const request: SlipRequest = {
      ...intent,
      requestedAt: now().toISOString(),
      snapshot: snapshotOf(business, customer && this.#dependencies.business.affordable(customer.id, points)),
      ...scopeOf(business)
    }
    journal.slips.request(request)
    return this.#write(intentId, scopeOf(business), await this.#callService(intentId, points, business))
  }

  async #callService(intentId: string, points: number, business: SlipBusiness): Promise<Result<NewQrCode>> {
    const { now, log } = this.#dependencies
    const requestedAt = now()
    const startedAt = performance.now()
    let response: Result<NewQrCode>
    try {
      response = await this.#dependencies.business.createQr(points, business)
    } catch (error) {
      log.error('slip-request-failed', { intentId, error })
      return err({ kind: 'unknown-outcome', cause: 'connection-lost' })
    }
    log.info('slip-response', {
      intentId,
      milliseconds: Math.round(performance.now() - startedAt),
      ...(response.ok ? { codeBegins: codePrefix(response.value.code) } : failureDetails(response.failure))
    })
    if (response.ok) this.#compareClocks(response.value, requestedAt)
    const issuedPoints = response.ok ? response.value.rewardPoints : null
    if (issuedPoints === null || issuedPoints === points) return response
    // The slip would show other points than its code carries.
    log.error('slip-points-differ', { intentId, points, issuedPoints })
    return err(UNUSABLE_RESPONSE)
  }

  #compareClocks({ createdAt }: NewQrCode, requestedAt: Date): void {
    const { now, onClockDifference } = this.#dependencies
    const created = serviceMoment(createdAt)
    if (created !== null) onClockDifference(clockDifference(created, requestedAt, now()))
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
    const { code, qrURL, createdAt } = response.value
    // A code can be collected once: two responses of a batch may carry one code.
    if (slips.byCode(scope, code) !== null) {
      this.#dependencies.log.error('slip-code-repeated', { intentId, codeBegins: codePrefix(code) })
      return slips.transition(intentId, 'answer-lost', { failure: UNUSABLE_RESPONSE })
    }
    // The service's moment: the till's clock may be wrong.
    const issuedAt = (serviceMoment(createdAt) ?? this.#dependencies.now()).toISOString()
    return slips.transition(intentId, 'issued', { code, url: qrURL, issuedAt })
  }
}
