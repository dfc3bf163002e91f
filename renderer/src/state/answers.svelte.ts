import { err, type Result, type Failure } from '../../../electron/contract/failure.ts'

/** Whether a question failed for lack of an answer: it is asked anew when the service is back. */
export const isSilence = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' || failure?.kind === 'timeout'

/** Whether a question was refused because the till was locked: it is asked anew when somebody unlocked it. */
export const isLockedOut = (failure: Failure | null): boolean =>
  failure?.kind === 'locked' && failure.needs === 'cashier'

/** Waits for the answer of one call over the bridge. The call is made inside, so that a throwing bridge is heard. */
export type Hear = <Value>(call: () => Promise<Result<Value>>) => Promise<Result<Value>>

/** Asks whoever is there for the manager's PIN; whether it was given. */
export type AskManager = () => Promise<boolean>

/**
 * The funnel that every answer of the bridge passes: an exception becomes the failure `internal`, and a call that needs
 * the manager is made again once the PIN was given. Such a call was refused before anything of it was done.
 */
export class Answers {
  readonly #askManager: AskManager

  constructor(askManager: AskManager = () => Promise.resolve(false)) {
    this.#askManager = askManager
  }

  readonly hear: Hear = async (call) => {
    for (;;) {
      const answer = await this.#made(call)
      const needsManager =
        !answer.ok && answer.failure.kind === 'locked' && answer.failure.needs === 'manager'
      if (!needsManager || !(await this.#askManager())) return answer
    }
  }

  readonly #made: Hear = async (call) => {
    try {
      return await call()
    } catch (error) {
      // eslint-disable-next-line no-console -- a fault of the till itself, as it is: the cashier only reads that there was one
      console.error(error)
      return err({ kind: 'internal' })
    }
  }
}
