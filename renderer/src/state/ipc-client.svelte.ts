import { err, type Failure, type Result } from '../../../electron/contract/failure.ts'

/** Whether a question failed for lack of an answer: it is asked anew when the service is back. */
export const isNetworkFailure = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' || failure?.kind === 'timeout'

/** Whether a question was refused because the till was locked: it is asked anew when somebody unlocked it. */
export const isLockedOut = (failure: Failure | null): boolean =>
  failure?.kind === 'locked' && failure.needs === 'cashier'

/** Asks whoever is there for the manager's PIN; whether it was given. */
type RequestManagerPin = () => Promise<boolean>

/**
 * The funnel that every answer of the bridge passes: an exception becomes the failure `internal`, and a call that needs
 * the manager is made again once the PIN was given. Such a call was refused before anything of it was done.
 */
export class IpcClient {
  #requestManagerPin: RequestManagerPin = () => Promise.resolve(false)

  /** Sets the prompt for the manager's PIN. Until then, a call that needs the manager fails with `locked`. */
  onManagerRequired(requestManagerPin: RequestManagerPin): void {
    this.#requestManagerPin = requestManagerPin
  }

  async invoke<Value>(call: () => Promise<Result<Value>>): Promise<Result<Value>> {
    for (;;) {
      const answer = await this.#call(call)
      const needsManager =
        !answer.ok && answer.failure.kind === 'locked' && answer.failure.needs === 'manager'
      if (!needsManager || !(await this.#requestManagerPin())) return answer
    }
  }

  async #call<Value>(call: () => Promise<Result<Value>>): Promise<Result<Value>> {
    try {
      return await call()
    } catch (error) {
      // eslint-disable-next-line no-console -- a fault of the till itself, as it is: the cashier only reads that there was one
      console.error(error)
      return err({ kind: 'internal' })
    }
  }
}

/**
 * One thing that is asked again and again: whether an answer is awaited, and why the last one failed. Only the latest
 * question counts: answers that come out of order are dropped.
 */
export class AsyncRequest {
  readonly #ipc: IpcClient
  #latest = 0
  #running = $state(false)
  #failure = $state<Failure | null>(null)

  constructor(ipc: IpcClient) {
    this.#ipc = ipc
  }

  get running(): boolean {
    return this.#running
  }

  get failure(): Failure | null {
    return this.#failure
  }

  /** Asks, and gives the value; undefined when it failed (see `failure`) or a later question overtook it. */
  async run<Value>(call: () => Promise<Result<Value>>): Promise<Value | undefined> {
    const turn = ++this.#latest
    this.#running = true
    const answer = await this.#ipc.invoke(call)
    if (turn !== this.#latest) return undefined
    this.#running = false
    this.#failure = answer.ok ? null : answer.failure
    return answer.ok ? answer.value : undefined
  }

  /** Shows a failure that was found before anything was asked. */
  fail(failure: Failure): void {
    this.reset()
    this.#failure = failure
  }

  /** Stops waiting, and takes the failure away. What was asked still runs its course in main. */
  reset(): void {
    this.#latest++
    this.#running = false
    this.#failure = null
  }
}
