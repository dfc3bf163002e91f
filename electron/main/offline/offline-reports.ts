/** Tells the service in the background which codes this till made without a connection, and then renews its key. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Failure } from '../../contract/failure.ts'
import type { OfflineReportAnswer } from '../../contract/offline.ts'
import { offers } from '../../contract/operations.ts'
import { type Journal, journalFailed } from '../journal/journal.ts'
import type { JournalRow } from '../journal/rows.ts'
import { type Logger, RepeatedError } from '../log/log.ts'
import { type ReportedOfflineCode, sentCashierOf } from '../loyalty/sent-cashier.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { OfflineKeys } from './offline-keys.ts'

/** Slips of one report. */
const PART_SLIPS = 100
/** Rows that one transaction writes: a few milliseconds. */
const SLICE_ROWS = 25

const MIN_INTERVAL_MS = 60_000
const MAX_INTERVAL_MS = 60 * 60_000

export interface OfflineReportsDependencies {
  readonly journal: Journal
  readonly business: Pick<CurrentBusiness, 'current' | 'isReachable' | 'askExtension'>
  readonly offlineKeys: Pick<OfflineKeys, 'open' | 'owner' | 'asked' | 'accept' | 'drop' | 'current'>
  readonly now: () => Date
  readonly log: Logger
}

/** Returns what the service is told of a slip. */
const reportOf = ({ slip, cashierNumber, calculation }: JournalRow): ReportedOfflineCode => ({
  ...calculation,
  code: slip.code ?? '',
  issuedAt: slip.issuedAt ?? slip.requestedAt,
  reference: slip.reference,
  cashier: sentCashierOf({
    cashier: slip.cashier && { ...slip.cashier, number: cashierNumber },
    training: false
  })
})

/** No method throws or rejects. What the service has refused is reported again: its owner may have allowed it. */
export class OfflineReports {
  readonly #dependencies: OfflineReportsDependencies
  readonly #error = new RepeatedError()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | null = null
  #isAskedAgain = false
  #isStopped = false
  #failures = 0

  constructor(dependencies: OfflineReportsDependencies) {
    this.#dependencies = dependencies
  }

  /** Reports now, and from now on at least once an hour. */
  start(): void {
    if (this.#isStopped) return
    this.#isAskedAgain = this.#running !== null
    this.#running ??= this.#runAndWait().finally(() => {
      this.#running = null
      if (this.#isAskedAgain) this.start()
    })
  }

  /** Sends no further request, and resolves when what is being written is on disk. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #runAndWait(): Promise<void> {
    const { journal, log } = this.#dependencies
    clearTimeout(this.#timer)
    let interval = MAX_INTERVAL_MS
    try {
      interval = await this.#run()
      this.#error.succeeded()
    } catch (error) {
      this.#error.failed(error, () => journalFailed(journal, log, error))
    }
    if (this.#isStopped) return
    this.#timer = setTimeout(() => {
      this.start()
    }, interval).unref()
  }

  /** Returns in how many ms to report again. Throws as the journal does. */
  async #run(): Promise<number> {
    const { business, offlineKeys } = this.#dependencies
    await offlineKeys.open()
    const current = business.current()
    if (current === null || current.training || !offers(current, 'offline-codes/1')) return MAX_INTERVAL_MS
    // The connection starts it again.
    if (!business.isReachable()) return MAX_INTERVAL_MS
    const failure = (await this.#reportAll(current)) ?? (await this.#renew(current))
    this.#failures = failure === null ? 0 : this.#failures + 1
    if (failure !== null)
      return Math.min(MIN_INTERVAL_MS * 2 ** Math.min(this.#failures, 10), MAX_INTERVAL_MS)
    const renewAfter = Date.parse(offlineKeys.current?.renewAfter ?? '')
    const wait = renewAfter - this.#dependencies.now().getTime()
    return Number.isNaN(wait) ? MAX_INTERVAL_MS : Math.min(Math.max(wait, MIN_INTERVAL_MS), MAX_INTERVAL_MS)
  }

  /** Reports each slip that the service has not taken once, the oldest first. Resolves with why it stopped before the end. */
  async #reportAll(current: SlipBusiness): Promise<Failure | null> {
    const { journal, business, log } = this.#dependencies
    let after = 0
    for (;;) {
      const rows = journal.slips.unreported(scopeOf(current), after, PART_SLIPS)
      const last = rows.at(-1)
      if (last === undefined || this.#isStopped) return null
      const answer = await business.askExtension(current, (client) =>
        client.reportOfflineCodes(rows.map(reportOf))
      )
      if (!answer.ok) {
        log.warn('offline-slips-not-reported', { slips: rows.length, failure: answer.failure.kind })
        return answer.failure
      }
      await this.#record(rows, answer.value)
      after = last.number
    }
  }

  async #record(rows: readonly JournalRow[], answers: OfflineReportAnswer['data']): Promise<void> {
    const { journal, now, log } = this.#dependencies
    const byCode = new Map(answers.map((answer) => [answer.code, answer]))
    const reportedAt = now().toISOString()
    for (let start = 0; start < rows.length; start += SLICE_ROWS) {
      journal.atomically(() => {
        for (const { slip } of rows.slice(start, start + SLICE_ROWS)) {
          const answer = byCode.get(slip.code ?? '')
          if (answer === undefined) continue
          const { refusal } = answer
          if (refusal !== null) log.warn('offline-slip-refused', { intentId: slip.intentId, refusal })
          if (refusal === null || refusal !== slip.offline?.refusal)
            journal.slips.recordReport(slip.intentId, {
              reportedAt: refusal === null ? reportedAt : null,
              refusal
            })
        }
      })
      await nextTurn()
    }
  }

  async #renew(current: SlipBusiness): Promise<Failure | null> {
    const { business, offlineKeys, log } = this.#dependencies
    if (this.#isStopped) return null
    const { owner } = offlineKeys
    const answer = await business.askExtension(current, (client) => client.offlineKey(offlineKeys.asked))
    if (answer.ok) {
      await offlineKeys.accept(answer.value, owner)
      return null
    }
    log.warn('offline-key-not-renewed', { failure: answer.failure.kind })
    // Switched off by the owner; asked again in an hour.
    if (answer.failure.kind !== 'rejected' || answer.failure.status !== 409) return answer.failure
    offlineKeys.drop()
    return null
  }
}
