/** Issues and prints many slips at once: started, paused, resumed and cancelled by the cashier. */
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import { BATCH_NOTES, isUnfinished, MAX_BATCH_REQUESTS, type Batch } from '../../contract/slips.ts'
import type { ServingCashier } from '../../contract/staff.ts'
import { batchIntentId } from '../journal/intent-ids.ts'
import type { PointsIssuer } from './points-issuer.ts'
import {
  itemsToRequest,
  unknownIntents,
  unprintedIntents,
  unsentIntents,
  type BatchItemRequest
} from '../journal/batch-table.ts'
import { guardJournal, JOURNAL_NOT_SAVED, journalFailed } from '../journal/journal.ts'
import type { JournalRow } from '../journal/rows.ts'
import type { PrintJobs } from './print-jobs.ts'
import { scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { SlipContext } from './slip-context.ts'

/** Why a run ended before its batch was done. */
type StopReason =
  | { readonly kind: 'paused' }
  /** by the service, the disk or the shutdown: the cashier decides how to continue */
  | { readonly kind: 'stopped'; readonly reason: Failure }

export interface BatchRunnerDependencies extends SlipContext {
  readonly issuer: PointsIssuer
  readonly printJobs: PrintJobs
}

interface BatchOfBusiness {
  readonly business: SlipBusiness
  readonly batch: Batch
}

/** One run over the pending items of a batch, with at most `MAX_BATCH_REQUESTS` requests at once. */
class BatchRun {
  /**
   * Resolves when every request has its response, and everything is printed or the run was stopped; with null when it
   * is done. Rejects as the journal does.
   */
  readonly ended: Promise<StopReason | null>
  readonly #dependencies: BatchRunnerDependencies
  readonly #of: BatchOfBusiness
  /** The cashier of the start is responsible, also when another one serves later. */
  readonly #cashier: ServingCashier | null
  readonly #waiting: ArrayIterator<BatchItemRequest>
  readonly #stopRequested = Promise.withResolvers<undefined>()
  #stopReason: StopReason | null = null

  constructor(
    dependencies: BatchRunnerDependencies,
    of: BatchOfBusiness,
    items: readonly BatchItemRequest[]
  ) {
    this.#dependencies = dependencies
    this.#of = of
    this.#cashier = dependencies.staff.state.cashier
    this.#waiting = items.values()
    this.ended = this.#run()
  }

  /** Sends no more requests. The first reason counts. */
  stop(reason: StopReason): void {
    this.#stopReason ??= reason
    this.#stopRequested.resolve(undefined)
  }

  async #run(): Promise<StopReason | null> {
    await Promise.all(Array.from({ length: MAX_BATCH_REQUESTS }, () => this.#requestInTurn()))
    // A pause does not wait for a slow printer: the jobs that are queued are printed nevertheless.
    if (this.#stopReason === null) {
      const { journal, printJobs } = this.#dependencies
      const { batch } = this.#of
      const unsent = unsentIntents(journal.batches.items(batch.batchId))
      await Promise.race([printJobs.printBatch(batch, unsent), this.#stopRequested.promise])
    }
    return this.#stopReason
  }

  async #requestInTurn(): Promise<void> {
    while (this.#stopReason === null) {
      const { value: item, done } = this.#waiting.next()
      if (done === true) return
      const issued = await this.#issue(item)
      if (issued === 'other-business') this.stop({ kind: 'paused' })
      else if (!issued.ok) this.stop({ kind: 'stopped', reason: issued.failure })
      else if (!this.#of.batch.oneJob) this.#printInBackground(issued.value)
    }
  }

  async #issue(item: BatchItemRequest): Promise<Result<JournalRow> | 'other-business'> {
    const { business, batch } = this.#of
    // A code created now would belong to the business that the till serves by now.
    if (!this.#dependencies.business.isServed(business)) {
      return this.#dependencies.business.current() === null
        ? err({ kind: 'not-connected' })
        : 'other-business'
    }
    const intent = {
      intentId: batchIntentId(item),
      points: batch.points,
      customer: null,
      cashier: this.#cashier,
      requestedCopies: 1,
      batch: item,
      reference: null,
      program: null
    }
    return this.#dependencies.issuer.issue(intent, business)
  }

  #printInBackground({ slip }: JournalRow): void {
    const { journal, printJobs, log } = this.#dependencies
    const printed = printJobs.printFirst(slip.intentId, 'batch')
    printed.catch((error: unknown) => journalFailed(journal, log, error))
  }
}

type BatchId = Pick<Batch, 'batchId'>

/**
 * Runs batches. Each call resolves with the batch after it. Failures: `not-found` for an unknown or finished batch,
 * `not-connected`, `not-saved`, and those of `pointsFailure`.
 */
export class BatchRunner {
  readonly #dependencies: BatchRunnerDependencies
  readonly #runs = new Map<string, { readonly run: BatchRun; readonly finished: Promise<void> }>()

  constructor(dependencies: BatchRunnerDependencies) {
    this.#dependencies = dependencies
  }

  /** Starts a batch. A batch id that exists already is not started again. */
  start({
    batchId,
    points,
    count,
    oneJob
  }: Pick<Batch, 'batchId' | 'points' | 'count' | 'oneJob'>): Promise<Result<Batch>> {
    return this.#guard(batchId, () => {
      const { journal, now } = this.#dependencies
      const business = this.#dependencies.business.current()
      if (business === null) return err({ kind: 'not-connected' })
      const scope = scopeOf(business)
      const existing = journal.batches.get(scope, batchId)
      if (existing !== null) return ok(existing)
      const failure = pointsFailure(points)
      if (failure !== null) return err(failure)
      const startedAt = now().toISOString()
      const batch = journal.batches.start({ batchId, points, count, oneJob, startedAt, ...scope })
      this.#run({ business, batch }, itemsToRequest(batch, [], false))
      return this.#report(business, batchId)
    })
  }

  /** Stops requesting; resolves when the pending requests have their responses. */
  pause({ batchId }: BatchId): Promise<Result<Batch>> {
    return this.#guard(batchId, async () => {
      const found = this.#find(batchId)
      if (found === null) return err({ kind: 'not-found' })
      await this.#stop(batchId, { kind: 'paused' })
      return this.#report(found.business, batchId)
    })
  }

  /** Continues a batch. `issueUnknownAgain` discards slips with an unknown outcome, and requests them again. */
  resume({
    batchId,
    issueUnknownAgain
  }: BatchId & { readonly issueUnknownAgain: boolean }): Promise<Result<Batch>> {
    return this.#guard(batchId, () => {
      const { journal, now } = this.#dependencies
      const found = this.#findUnfinished(batchId)
      if (found === null) return err({ kind: 'not-found' })
      const { business, batch } = found
      if (this.#runs.has(batchId)) return ok(batch)
      const items = journal.batches.items(batchId)
      journal.atomically(() => {
        if (issueUnknownAgain) {
          const ending = { endedAt: now().toISOString(), note: BATCH_NOTES.again }
          for (const intentId of unknownIntents(items))
            journal.slips.transition(intentId, 'discarded', ending)
        }
        journal.batches.setState(batchId, 'running', null, null)
      })
      this.#run(found, itemsToRequest(batch, items, issueUnknownAgain))
      return this.#report(business, batchId)
    })
  }

  /** Ends a batch, and prints or discards its slips that have a code and are not printed. */
  cancel({
    batchId,
    unprinted
  }: BatchId & { readonly unprinted: 'print' | 'discard' }): Promise<Result<Batch>> {
    return this.#guard(batchId, async () => {
      const { journal, now } = this.#dependencies
      if (this.#findUnfinished(batchId) === null) return err({ kind: 'not-found' })
      await this.#stop(batchId, { kind: 'paused' })
      // Its last slip may have been printed meanwhile.
      const found = this.#findUnfinished(batchId)
      if (found === null) return err({ kind: 'not-found' })
      const { business, batch } = found
      const intentIds = unprintedIntents(journal.batches.items(batchId))
      const endedAt = now().toISOString()
      journal.atomically(() => {
        journal.batches.setState(batchId, 'cancelled', null, endedAt)
        for (const intentId of unprinted === 'discard' ? intentIds : []) {
          journal.slips.transition(intentId, 'discarded', { endedAt, note: BATCH_NOTES.cancelled })
        }
      })
      if (unprinted === 'print') this.#printInBackground(batch, intentIds)
      return this.#report(business, batchId)
    })
  }

  /** Prints the slips of a batch that have a code and are not printed; does not wait for the jobs. */
  printRest({ batchId }: BatchId): Promise<Result<Batch>> {
    return this.#guard(batchId, () => {
      const found = this.#find(batchId)
      if (found === null) return err({ kind: 'not-found' })
      const intentIds = unprintedIntents(this.#dependencies.journal.batches.items(batchId))
      this.#printInBackground(found.batch, intentIds)
      return this.#report(found.business, batchId)
    })
  }

  /** Returns whether a batch is being issued or printed. */
  isBusy(): boolean {
    return this.#runs.size > 0
  }

  /** Stops every run; resolves when the pending requests have their responses. */
  async close(): Promise<void> {
    const reason: Failure = { kind: 'unknown-outcome', cause: 'till-stopped' }
    await Promise.all(
      Array.from(this.#runs.keys(), (batchId) => this.#stop(batchId, { kind: 'stopped', reason }))
    )
  }

  #find(batchId: string): BatchOfBusiness | null {
    const business = this.#dependencies.business.current()
    const batch = business && this.#dependencies.journal.batches.get(scopeOf(business), batchId)
    return business && batch && { business, batch }
  }

  #findUnfinished(batchId: string): BatchOfBusiness | null {
    const found = this.#find(batchId)
    return found !== null && isUnfinished(found.batch) ? found : null
  }

  /** Reports the batch as it is now, unless the till serves another business by now. */
  #report(business: SlipBusiness, batchId: string): Result<Batch> {
    const { journal, business: source, listener } = this.#dependencies
    const batch = journal.batches.get(scopeOf(business), batchId)
    if (batch === null) return err({ kind: 'not-found' })
    if (source.isServed(business)) listener.batchChanged(batch)
    return ok(batch)
  }

  #run(of: BatchOfBusiness, items: readonly BatchItemRequest[]): void {
    const { journal, log } = this.#dependencies
    const { batchId } = of.batch
    const run = new BatchRun(this.#dependencies, of, items)
    const finished = run.ended
      .catch((error: unknown): StopReason => {
        log.error('batch-failed', { batchId, error })
        return { kind: 'stopped', reason: { kind: 'internal' } }
      })
      .then((reason) => {
        this.#runs.delete(batchId)
        this.#finish(of.business, batchId, reason)
      })
      .catch((error: unknown) => void journalFailed(journal, log, error))
    this.#runs.set(batchId, { run, finished })
  }

  #finish(business: SlipBusiness, batchId: string, stopReason: StopReason | null): void {
    const { journal, unwritten, now } = this.#dependencies
    const endedAt = stopReason === null ? now().toISOString() : null
    const reason = stopReason?.kind === 'stopped' ? stopReason.reason : null
    const write = (): void => {
      journal.batches.setState(batchId, stopReason?.kind ?? 'finished', reason, endedAt)
      this.#report(business, batchId)
    }
    unwritten.write([{ id: batchId, write }])
  }

  async #stop(batchId: string, reason: StopReason): Promise<void> {
    const running = this.#runs.get(batchId)
    running?.run.stop(reason)
    await running?.finished
  }

  #printInBackground(batch: Batch, intentIds: readonly string[]): void {
    const { journal, printJobs, log } = this.#dependencies
    const printed = printJobs.printBatch(batch, intentIds)
    printed.catch((error: unknown) => journalFailed(journal, log, error))
  }

  async #guard(batchId: string, call: () => Result<Batch> | Promise<Result<Batch>>): Promise<Result<Batch>> {
    if (!this.#dependencies.unwritten.isWritten(batchId)) return err(JOURNAL_NOT_SAVED)
    return guardJournal(this.#dependencies.journal, this.#dependencies.log, call)
  }
}
