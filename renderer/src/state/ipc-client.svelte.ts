import { err, type Failure, type Result } from '../../../electron/contract/failure.ts'

/** Whether a call failed because the service did not respond. It is repeated when the service responds again. */
export const isNetworkFailure = (failure: Failure | null): boolean =>
  failure?.kind === 'offline' || failure?.kind === 'timeout'

/** Whether a call was refused because the till was locked. It is repeated after unlocking. */
export const isLockedOut = (failure: Failure | null): boolean =>
  failure?.kind === 'locked' && failure.needs === 'cashier'

/**
 * Whether the main process may have done what a call asked for: the same intent is requested again, to get that outcome
 * instead of a second one.
 */
export const isOutcomeOpen = (failure: Failure): boolean =>
  failure.kind === 'internal' || failure.kind === 'not-saved'

/** Prompts for the manager's PIN. Resolves with whether it was entered. */
type RequestManagerPin = () => Promise<boolean>

/**
 * Calls the main process. An exception becomes the failure `internal`. A call that needs the manager is repeated
 * once the PIN was entered: the main process refuses such a call before any effect.
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
      // eslint-disable-next-line no-console -- the only trace of the stack: the screen shows that the till has a bug, not which
      console.error(error)
      return err({ kind: 'internal' })
    }
  }
}

/**
 * The state of one repeatable request: whether it is running, and why it failed last. Only the latest call counts:
 * responses that arrive out of order are dropped.
 */
export class AsyncRequest {
  readonly #ipc: IpcClient
  #latest = 0
  #resets = 0
  running = $state(false)
  failure = $state<Failure | null>(null)

  constructor(ipc: IpcClient) {
    this.#ipc = ipc
  }

  /**
   * Runs a call. Resolves with its value; undefined if it failed (see `failure`) or a later call superseded it.
   * `onValue` receives the value in the step that ends the request, so that the page renders both at once.
   */
  async run<Value>(
    call: () => Promise<Result<Value>>,
    onValue?: (value: Value) => void
  ): Promise<Value | undefined> {
    const callNumber = ++this.#latest
    const resets = this.#resets
    this.running = true
    const answer = await this.#ipc.invoke(() =>
      this.#resets === resets ? call() : Promise.resolve(err({ kind: 'aborted' }))
    )
    if (callNumber !== this.#latest) return undefined
    this.running = false
    this.failure = answer.ok ? null : answer.failure
    if (!answer.ok) return undefined
    onValue?.(answer.value)
    return answer.value
  }

  /** Shows a failure that was found before any call. */
  fail(failure: Failure): void {
    this.reset()
    this.failure = failure
  }

  /**
   * Forgets the running call and the failure. The call itself continues in the main process, unless it waits for the manager's
   * PIN: then it is not made.
   */
  reset(): void {
    this.#latest++
    this.#resets++
    this.running = false
    this.failure = null
  }
}

/** What the main process returns once its dialog closed: the path of the file, null if the user cancelled. */
interface SavedFile {
  readonly file: string | null
}

/** The export of a file, one at a time. */
export class FileExport<Saved extends SavedFile = SavedFile> extends AsyncRequest {
  /** The result of the last export; null before, and after a failure. */
  saved = $state.raw<Saved | null>(null)

  async save(call: () => Promise<Result<Saved>>): Promise<void> {
    if (this.running) return
    this.saved = null
    await this.run(call, (saved) => {
      this.saved = saved
    })
  }

  override reset(): void {
    super.reset()
    this.saved = null
  }
}
