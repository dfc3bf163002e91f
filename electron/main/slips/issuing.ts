/**
 * Issues points and delivers the slip. The order of the steps is what makes it safe: the row is on disk before the service
 * is called, the service is called once, the code is on disk before anything is printed.
 */
import { createHash } from 'node:crypto'
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import type { NewQrCode } from '../../contract/loyalty.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { DeliveryMethod } from '../../contract/settings.ts'
import type { IssuedSlip, IssueRequest, QrDrawing, Slip } from '../../contract/slips.ts'
import { SingleFlight } from '../lazy.ts'
import { codePrefix, failureDetails } from '../log/log.ts'
import { drawQr } from '../slip-pdf/qr.ts'
import { guardJournal, JOURNAL_NOT_SAVED, journalFailed } from './journal/journal.ts'
import type { JournalRow, Scope } from './journal/rows.ts'
import type { SlipRequest } from './journal/slip-table.ts'
import type { PrintJobs } from './print-jobs.ts'
import { scopeOf, type SlipBusiness, type SlipContext, snapshotOf } from './served-business.ts'

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
    const affordable = customer && this.#dependencies.business.affordable(customer.id, points)
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
    const { now, listener } = this.#dependencies
    const created = serviceMoment(createdAt)
    if (created !== null) listener.clockCompared(clockDifference(created, requestedAt, now()))
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

/** ISO 8601 with a time and an offset. A time without an offset can be of any zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i

/** Beyond this difference the till's clock counts as wrong. */
const MAX_CLOCK_DIFFERENCE_MS = 5 * 60_000

/**
 * Returns a moment that came with a code in UTC. Null if the service sent none that can be read exactly, or the zero
 * value of its date type, in the year 1 or 1970.
 */
export function serviceMoment(sent: string | null): Date | null {
  if (sent === null || !MOMENT.test(sent)) return null
  const moment = new Date(sent)
  return moment.getUTCFullYear() > 1970 ? moment : null
}

/**
 * Returns how far the till's clock is ahead of the service, in ms, negative if it is behind; 0 if the difference can be
 * ignored. The code was created between the request and its response.
 */
export function clockDifference(created: Date, requestedAt: Date, respondedAt: Date): number {
  const ahead = requestedAt.getTime() - created.getTime()
  const behind = created.getTime() - respondedAt.getTime()
  if (ahead > MAX_CLOCK_DIFFERENCE_MS) return ahead
  return behind > MAX_CLOCK_DIFFERENCE_MS ? -behind : 0
}

/** How a program gets a slip: printed, on the customer display, or in the response, for its own receipt. */
export type ProgramDelivery = Exclude<DeliveryMethod, 'both'> | 'return'

/** Where slips are shown. Implemented by `CustomerDisplay`. */
export interface SlipDisplay {
  /** Returns whether customers can see it. */
  isOpen(): boolean
  /** Shows a slip whose code is on disk, with the drawing of its code when it is delivered there. */
  showIssuedPoints(slip: Slip, qr: QrDrawing | null): void
  /** Shows a reward that was redeemed just now. */
  showRedeemed(redemption: Redemption): void
  /** Corrects the points that it shows of a customer; null: not known. */
  setBalance(customerId: string, balance: number | null): void
}

export interface SlipDeliveryDependencies extends SlipContext {
  readonly printJobs: PrintJobs
  readonly display: SlipDisplay
}

/** Brings an issued slip to the customer: on paper, on the customer display, or by the program that asked for it. */
export class SlipDelivery {
  readonly #dependencies: SlipDeliveryDependencies

  constructor(dependencies: SlipDeliveryDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Shows or prints an issued slip, or records that a program gets it, once. A slip that the display cannot show (it is
   * closed, or the URL is too long for a QR code) is printed. Does not wait for the print job. Returns the row as it is then.
   */
  deliver(issued: JournalRow, method: DeliveryMethod | ProgramDelivery): JournalRow {
    const { journal, printJobs, display, business, now, log } = this.#dependencies
    const { intentId } = issued.slip
    const row = journal.slips.byIntent(intentId) ?? issued
    const { state, url, shownAt } = row.slip
    if (state !== 'issued') return row
    if (method === 'return') {
      return journal.slips.transition(intentId, 'given', { endedAt: now().toISOString(), note: '' })
    }
    // The till may serve another business by now: the display is that one's.
    const isServed = business.isServed({ id: row.businessId, training: row.slip.training })
    const qr = method === 'print' || url === null || !isServed ? null : drawQr(url)
    if (isServed) display.showIssuedPoints(row.slip, qr)
    const isShown = display.isOpen() && qr !== null
    if (isShown && method === 'show') {
      return journal.slips.transition(intentId, 'shown', { shownAt: now().toISOString() })
    }
    // A second press while the print job waits shows the code again; the first time is recorded.
    if (isShown && shownAt === null) journal.slips.recordShown(intentId, now().toISOString())
    printJobs.printFirst(intentId, 'counter').catch((error: unknown) => journalFailed(journal, log, error))
    return journal.slips.byIntent(intentId) ?? row
  }
}

/** Returns a slip as the page gets it, with the drawing of its code. */
export const issuedSlip = ({ slip, snapshot }: JournalRow): IssuedSlip => ({
  slip,
  affordable: snapshot.affordable,
  qr: slip.url === null ? null : drawQr(slip.url)
})

export interface CounterSlipsDependencies extends SlipContext {
  readonly issuer: PointsIssuer
  readonly delivery: SlipDelivery
  readonly display: SlipDisplay
}

/** Slips of the counter: issued for a press of the cashier, and delivered. */
export class CounterSlips {
  readonly #dependencies: CounterSlipsDependencies

  constructor(dependencies: CounterSlipsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Issues points once per intent id, and starts to deliver the slip. Resolves when the code is on disk; `onSlip`
   * receives the outcome of the print. Failures: `invalid-input` and `points-too-many` before anything is written,
   * `not-connected`, `not-saved`, and the failures of the service.
   */
  issue({ intentId, points, customer, copies, reference }: IssueRequest): Promise<Result<IssuedSlip>> {
    const { journal, issuer, delivery, business, display, settings, log } = this.#dependencies
    return guardJournal(journal, log, async () => {
      const current = business.current()
      if (current === null) return err({ kind: 'not-connected' })
      const method = display.isOpen() ? settings.values.deliveryMethod : 'print'
      const issued = await issuer.issue(
        {
          intentId,
          points,
          customer,
          cashier: business.cashier(),
          // A slip on the display is printed on request only, and then once.
          requestedCopies: method === 'show' ? 1 : (copies ?? settings.values.copies),
          batch: null,
          reference: reference ?? null,
          program: null
        },
        current
      )
      return issued.ok ? ok(issuedSlip(delivery.deliver(issued.value, method))) : issued
    })
  }
}

/** Returns the version 5 UUID (RFC 9562, 5.5) of a name in a namespace, which is a UUID. */
function uuidOf(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns the intent id of an attempt at a position of a batch. */
export const batchIntentId = ({ batchId, position, attempt }: NonNullable<SlipRequest['batch']>): string =>
  uuidOf(batchId, `${String(position)}/${String(attempt)}`)

/** The namespace of programs' names: random, and the same in every till. */
const PROGRAMS = 'a5b35c2e-0f0c-4f3e-9f0b-1f2f6d8a7c41'

/**
 * Returns the id of a program. It follows from its name, so that a program that is paired again has the same references.
 */
export const programId = (name: string): string => uuidOf(PROGRAMS, name)

/**
 * Returns the intent id of an attempt at a reference of a program. It stays when the retention removes the reference from
 * the row, so a reference never counts as new.
 */
export const referenceIntentId = (
  { training, businessId }: Scope,
  callerId: string,
  reference: string,
  attempt: number
): string => uuidOf(callerId, JSON.stringify([training, businessId, reference, attempt]))
