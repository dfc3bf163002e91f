/** Issues and prints many slips at once: started, paused, resumed and cancelled by the cashier. */
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import { pointsFailure } from '../../contract/points-calculation.ts'
import { BATCH_NOTES, isUnfinished, MAX_BATCH_REQUESTS, type Batch } from '../../contract/slips.ts'
import type { Logger } from '../log/log.ts'
import { batchIntentId } from './intent-ids.ts'
import type { PointsIssuer } from './issuing.ts'
import {
  itemsToRequest,
  unknownIntents,
  unprintedIntents,
  unsentIntents,
  type BatchItemRequest
} from './journal/batch-table.ts'
import { guardJournal, JOURNAL_NOT_SAVED, type Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/rows.ts'
import type { PrintJobs } from './print-jobs.ts'
import type { BusinessSource, SlipBusiness } from './served-business.ts'
import { scopeOf } from './slip-document.ts'
import type { UnwrittenChanges } from './unwritten-changes.ts'

/** Why a run ended before its batch was done. */
type StopReason =
  | { readonly kind: 'paused' }
  /** by the service, the disk or the shutdown: the cashier decides how to continue */
  | { readonly kind: 'stopped'; readonly reason: Failure }

interface BatchRunDependencies {
  readonly items: readonly BatchItemRequest[]
  readonly issue: (item: BatchItemRequest) => Promise<Result<JournalRow>>
  /** receives each slip once its code is on disk */
  readonly onIssued: (row: JournalRow) => void
  /** prints the slips with a code; resolves when the jobs ended */
  readonly print: () => Promise<void>
}

/** One run over the pending items of a batch, with at most `MAX_BATCH_REQUESTS` requests at once. */
class BatchRun {
  /**
   * Resolves when every request has its response, and everything is printed or the run was stopped; with null when it
   * is done. Rejects as `issue` and `print` do.
   */
  readonly ended: Promise<StopReason | null>
  readonly #dependencies: BatchRunDependencies
  readonly #waiting: ArrayIterator<BatchItemRequest>
  readonly #stopRequested = Promise.withResolvers<undefined>()
  #stopReason: StopReason | null = null

  constructor(dependencies: BatchRunDependencies) {
    this.#dependencies = dependencies
    this.#waiting = dependencies.items.values()
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
      await Promise.race([this.#dependencies.print(), this.#stopRequested.promise])
    }
    return this.#stopReason
  }

  async #requestInTurn(): Promise<void> {
    while (this.#stopReason === null) {
      const { value: item, done } = this.#waiting.next()
      if (done === true) return
      const issued = await this.#dependencies.issue(item)
      if (issued.ok) this.#dependencies.onIssued(issued.value)
      else this.stop({ kind: 'stopped', reason: issued.failure })
    }
  }
}

export interface BatchRunnerDependencies {
  readonly journal: Journal
  /** keeps the ends of batches that the disk did not take */
  readonly unwritten: UnwrittenChanges
  readonly issuer: PointsIssuer
  readonly printJobs: PrintJobs
  readonly business: BusinessSource
  readonly now: () => Date
  /** receives a batch whose state changed */
  readonly onBatch: (batch: Batch) => void
  readonly log: Logger
}

type BatchId = Pick<Batch, 'batchId'>

interface BatchOfBusiness {
  readonly business: SlipBusiness
  readonly batch: Batch
}

/**
 * Runs batches. Each call resolves with the batch after it. Failures: `not-found` for an unknown or finished batch,
 * `not-connected`, `not-saved`, and those of `pointsFailure`.
 */
export class BatchRunner {
  readonly #dependencies: BatchRunnerDependencies
  readonly #runs = new Map<string, Pick<BatchRun, 'stop'> & { readonly ended: Promise<null> }>()

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
      this.#run(batch, business, itemsToRequest(batch, [], false))
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
      this.#run(batch, business, itemsToRequest(batch, items, issueUnknownAgain))
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
      if (unprinted === 'print') this.#inBackground(this.#print(batch, intentIds))
      return this.#report(business, batchId)
    })
  }

  /** Prints the slips of a batch that have a code and are not printed; does not wait for the jobs. */
  printRest({ batchId }: BatchId): Promise<Result<Batch>> {
    return this.#guard(batchId, () => {
      const found = this.#find(batchId)
      if (found === null) return err({ kind: 'not-found' })
      const intentIds = unprintedIntents(this.#dependencies.journal.batches.items(batchId))
      this.#inBackground(this.#print(found.batch, intentIds))
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

  /** Whether the till still serves this business: a code created now would belong to the current one. */
  #isCurrent(business: SlipBusiness): boolean {
    const current = this.#dependencies.business.current()
    return current !== null && current.id === business.id && current.training === business.training
  }

  /** Sends the batch as it is now to the page. */
  #report(business: SlipBusiness, batchId: string): Result<Batch> {
    const batch = this.#dependencies.journal.batches.get(scopeOf(business), batchId)
    if (batch === null) return err({ kind: 'not-found' })
    this.#dependencies.onBatch(batch)
    return ok(batch)
  }

  #run(batch: Batch, business: SlipBusiness, items: readonly BatchItemRequest[]): void {
    const { journal, issuer, printJobs, log } = this.#dependencies
    const { batchId, points, oneJob } = batch
    // The cashier of the start is responsible, also when another one serves later.
    const cashier = this.#dependencies.business.cashier()
    const run = new BatchRun({
      items,
      issue: (item) => {
        if (!this.#isCurrent(business)) return Promise.resolve(err({ kind: 'not-connected' }))
        const intentId = batchIntentId(item)
        const intent = {
          intentId,
          points,
          customer: null,
          cashier,
          requestedCopies: 1,
          batch: item,
          reference: null,
          program: null
        }
        return issuer.issue(intent, business)
      },
      onIssued: ({ slip }) => {
        if (!oneJob) this.#inBackground(printJobs.printFirst(slip.intentId, 'batch'))
      },
      print: () => this.#print(batch, unsentIntents(journal.batches.items(batchId)))
    })
    const ended = run.ended
      .catch((error: unknown): StopReason => {
        log.error('batch-failed', { batchId, error })
        return { kind: 'stopped', reason: { kind: 'internal' } }
      })
      .then((reason) => {
        this.#runs.delete(batchId)
        this.#finish(business, batchId, reason)
      })
    this.#inBackground(ended)
    this.#runs.set(batchId, {
      stop: (reason) => run.stop(reason),
      ended: ended.then(
        () => null,
        () => null
      )
    })
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
    const run = this.#runs.get(batchId)
    run?.stop(reason)
    await run?.ended
  }

  async #print({ batchId, oneJob }: Batch, intentIds: readonly string[]): Promise<void> {
    const { printJobs } = this.#dependencies
    if (oneJob) await printJobs.printTogether(intentIds, `batch-${batchId}`)
    else await Promise.all(intentIds.map((intentId) => printJobs.printFirst(intentId, 'batch')))
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#dependencies.log.error('journal-not-written', { error })
    })
  }

  async #guard(batchId: string, call: () => Result<Batch> | Promise<Result<Batch>>): Promise<Result<Batch>> {
    if (!this.#dependencies.unwritten.isWritten(batchId)) return err(JOURNAL_NOT_SAVED)
    return guardJournal(this.#dependencies.journal, this.#dependencies.log, call)
  }
}
