/** Many slips at once: started, paused, resumed and ended by the cashier, and found again after a crash. */
import { BATCH_NOTES, isUnfinished, MAX_BATCH_REQUESTS, type Batch, type Slip } from '../../contract/slips.ts'
import { err, ok, type Failure, type Result } from '../../contract/failure.ts'
import type { Logger } from '../log/log.ts'
import {
  batchIntentId,
  neverPrinted,
  placesToAsk,
  unknownIntents,
  withoutPaper,
  type BatchAsk
} from './batch-items.ts'
import { pointsFailure, type Issuing } from './issuing.ts'
import type { Journal } from './journal/journal.ts'
import type { JournalRow } from './journal/rows.ts'
import type { Papers } from './print-jobs.ts'
import { scopeOf, type SlipBusiness } from './slip-document.ts'

interface BatchesParts {
  readonly journal: Journal
  /** Issues once per intent id; `not-saved` when the disk fails. Never rejects. */
  readonly issue: Issuing['issue']
  readonly papers: Papers
  readonly currentBusiness: () => SlipBusiness | null
  readonly currentCashier: () => Slip['cashier']
  readonly now: () => Date
  readonly onBatch: (batch: Batch) => void
  readonly log: Logger
}

type Id = Pick<Batch, 'batchId'>

/**
 * What each call does is said at the bridge. Failures: `not-found` for an unknown or finished batch, `not-connected`,
 * what `pointsFailure` finds. Throws as the journal does.
 */
export interface Batches {
  start(input: Pick<Batch, 'batchId' | 'points' | 'count' | 'oneJob'>): Result<Batch>
  pause(input: Id): Promise<Result<Batch>>
  resume(input: Id & { readonly issueUnknownAgain: boolean }): Result<Batch>
  cancel(input: Id & { readonly unprinted: 'print' | 'discard' }): Promise<Result<Batch>>
  printRest(input: Id): Result<Batch>
  /** Whether one is being issued or printed. */
  isBusy(): boolean
  /** Stops what runs; resolves when its requests are answered. */
  close(): Promise<void>
}

/** Makes the batches. */
export function createBatches(parts: BatchesParts): Batches {
  const { journal, issue, papers, currentBusiness, currentCashier, now, onBatch, log } = parts
  const runs = new Map<string, Run>()

  const isServed = (business: SlipBusiness): boolean => {
    const current = currentBusiness()
    return current !== null && current.id === business.id && current.training === business.training
  }

  const find = (batchId: string): { business: SlipBusiness; batch: Batch } | null => {
    const business = currentBusiness()
    const batch = business && journal.batch(scopeOf(business), batchId)
    return business && batch && { business, batch }
  }
  /** The batch as it stands now, told to the page. */
  const told = (business: SlipBusiness, batchId: string): Result<Batch> => {
    const batch = journal.batch(scopeOf(business), batchId)
    if (batch === null) return err({ kind: 'not-found' })
    onBatch(batch)
    return ok(batch)
  }

  /** Prints the slips of a batch with these intents, as its setting says. */
  const printAll = async ({ batchId, oneJob }: Batch, intentIds: readonly string[]): Promise<void> => {
    if (oneJob) await papers.together(intentIds, `batch-${batchId}`)
    else await Promise.all(intentIds.map((intentId) => papers.first(intentId, 'batch')))
  }
  const inBackground = (work: Promise<void>): void => {
    work.catch((error: unknown) => {
      log.error('journal-not-written', { error })
    })
  }

  const begin = (batch: Batch, business: SlipBusiness, asks: readonly BatchAsk[]): void => {
    const { batchId, points, oneJob } = batch
    // Whoever started it answers for it, also when somebody else serves by the time a slip's turn comes.
    const cashier = currentCashier()
    const run = startRun({
      asks,
      issue: (ask, onCode) => {
        // The till serves somebody else by now: a code made there would be theirs.
        if (!isServed(business)) return Promise.resolve(err({ kind: 'not-connected' }))
        const intentId = batchIntentId(batchId, ask.position, ask.attempt)
        return issue({ intentId, points, customer: null, cashier, papers: 1, batch: ask }, business, onCode)
      },
      onIssued: ({ slip }) => {
        if (!oneJob) inBackground(papers.first(slip.intentId, 'batch'))
      },
      print: () => printAll(batch, neverPrinted(journal.places(batchId)))
    })
    runs.set(batchId, run)
    const finish = (halt: Halt | null): void => {
      const endedAt = halt === null ? now().toISOString() : null
      const reason = halt?.kind === 'stopped' ? halt.reason : null
      journal.setBatch(batchId, halt?.kind ?? 'finished', reason, endedAt)
    }
    const ended = run.ended
      .catch((error: unknown): Halt => {
        log.error('batch-failed', { batchId, error })
        return { kind: 'stopped', reason: { kind: 'internal' } }
      })
      .then((halt) => {
        runs.delete(batchId)
        finish(halt)
        told(business, batchId)
      })
    inBackground(ended)
    runs.set(batchId, {
      halt: (why) => run.halt(why),
      ended: ended.then(
        () => null,
        () => null
      )
    })
  }

  const halt = async (batchId: string, why: Halt): Promise<void> => {
    const run = runs.get(batchId)
    run?.halt(why)
    await run?.ended
  }

  return {
    start({ batchId, points, count, oneJob }) {
      const business = currentBusiness()
      if (business === null) return err({ kind: 'not-connected' })
      const known = journal.batch(scopeOf(business), batchId)
      if (known !== null) return ok(known)
      const refusal: Failure | null = pointsFailure(points)
      if (refusal !== null) return err(refusal)
      const startedAt = now().toISOString()
      const batch = journal.startBatch({ batchId, points, count, oneJob, startedAt, ...scopeOf(business) })
      begin(batch, business, placesToAsk(batch, [], false))
      return told(business, batchId)
    },
    async pause({ batchId }) {
      const found = find(batchId)
      if (found === null) return err({ kind: 'not-found' })
      await halt(batchId, { kind: 'paused' })
      return told(found.business, batchId)
    },
    resume({ batchId, issueUnknownAgain }) {
      const found = find(batchId)
      if (found === null || !isUnfinished(found.batch)) return err({ kind: 'not-found' })
      const { business, batch } = found
      if (runs.has(batchId)) return ok(batch)
      const places = journal.places(batchId)
      if (issueUnknownAgain) {
        const ending = { endedAt: now().toISOString(), note: BATCH_NOTES.again }
        for (const intentId of unknownIntents(places)) journal.step(intentId, 'discarded', ending)
      }
      journal.setBatch(batchId, 'running', null, null)
      begin(batch, business, placesToAsk(batch, places, issueUnknownAgain))
      return told(business, batchId)
    },
    async cancel({ batchId, unprinted }) {
      const before = find(batchId)
      if (before === null || !isUnfinished(before.batch)) return err({ kind: 'not-found' })
      await halt(batchId, { kind: 'paused' })
      const found = find(batchId)
      // Its last slip came out while the cashier pressed.
      if (found === null || !isUnfinished(found.batch)) return err({ kind: 'not-found' })
      const { business, batch } = found
      const left = withoutPaper(journal.places(batchId))
      const endedAt = now().toISOString()
      journal.setBatch(batchId, 'cancelled', null, endedAt)
      if (unprinted === 'print') inBackground(printAll(batch, left))
      else
        for (const intentId of left)
          journal.step(intentId, 'discarded', { endedAt, note: BATCH_NOTES.cancelled })
      return told(business, batchId)
    },
    printRest({ batchId }) {
      const found = find(batchId)
      if (found === null) return err({ kind: 'not-found' })
      inBackground(printAll(found.batch, withoutPaper(journal.places(batchId))))
      return told(found.business, batchId)
    },
    isBusy: () => runs.size > 0,
    async close() {
      const why: Halt = { kind: 'stopped', reason: { kind: 'unknown-outcome', cause: 'till-stopped' } }
      await Promise.all(Array.from(runs.keys(), (batchId) => halt(batchId, why)))
    }
  }
}

/* from run.ts: One run of a batch: asks for what is left of it, at most four requests at once, until it is done or stopped. */

/** Why a run ended before its batch was done. */
type Halt =
  | { readonly kind: 'paused' }
  /** the service, the disk or the till itself: the cashier is asked how to go on */
  | { readonly kind: 'stopped'; readonly reason: Failure }

interface RunParts {
  readonly asks: readonly BatchAsk[]
  /** `onCode`: there is a code, not on disk yet; the next slip may be asked for */
  readonly issue: (ask: BatchAsk, onCode: () => void) => Promise<Result<JournalRow>>
  /** told of each code once it is on disk */
  readonly onIssued: (row: JournalRow) => void
  /** takes to paper what has a code; resolves when that ended */
  readonly print: () => Promise<void>
}

export interface Run {
  /** Sends nothing more. The first reason counts. */
  halt(why: Halt): void
  /** Resolves when all requests are answered, and everything is printed or the run was halted; null: it is done. */
  readonly ended: Promise<Halt | null>
}

/** Starts a run. `ended` rejects as `issue` and `print` do. */
function startRun({ asks, issue, onIssued, print }: RunParts): Run {
  let halted: Halt | null = null
  const stopped = Promise.withResolvers<undefined>()
  const halt = (why: Halt): void => {
    halted ??= why
    stopped.resolve(undefined)
  }

  const waiting = asks.values()
  const issueAndTell = async (ask: BatchAsk, onCode: () => void): Promise<void> => {
    const answer = await issue(ask, onCode)
    if (answer.ok) onIssued(answer.value)
    else halt({ kind: 'stopped', reason: answer.failure })
  }
  const askInTurn = async (): Promise<void> => {
    const telling: Promise<void>[] = []
    while (halted === null) {
      const { value: ask, done } = waiting.next()
      if (done === true) break
      // The row of the next slip goes to the disk with the code of this one.
      const coded = Promise.withResolvers<undefined>()
      const told = issueAndTell(ask, () => coded.resolve(undefined))
      telling.push(told)
      await Promise.race([coded.promise, told])
    }
    await Promise.all(telling)
  }

  const work = async (): Promise<Halt | null> => {
    await Promise.all(Array.from({ length: MAX_BATCH_REQUESTS }, askInTurn))
    // A pause does not wait for a slow printer: what is on its way there comes out all the same.
    if (halted === null) await Promise.race([print(), stopped.promise])
    return halted
  }
  return { halt, ended: work() }
}
