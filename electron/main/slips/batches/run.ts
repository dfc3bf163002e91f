/** One run of a batch: asks for what is left of it, at most four requests at once, until it is done or stopped. */
import { BATCH_REQUESTS } from '../../../contract/batch.ts'
import type { Result, Failure } from '../../../contract/failure.ts'
import type { JournalRow } from '../journal/row.ts'
import type { BatchAsk } from './todo.ts'

/** Why a run ended before its batch was done. */
export type Halt =
  | { readonly kind: 'paused' }
  /** the service, the disk or the till itself: the cashier is asked how to go on */
  | { readonly kind: 'stopped'; readonly reason: Failure }

export interface RunParts {
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
export function startRun({ asks, issue, onIssued, print }: RunParts): Run {
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
    await Promise.all(Array.from({ length: BATCH_REQUESTS }, askInTurn))
    // A pause does not wait for a slow printer: what is on its way there comes out all the same.
    if (halted === null) await Promise.race([print(), stopped.promise])
    return halted
  }
  return { halt, ended: work() }
}
