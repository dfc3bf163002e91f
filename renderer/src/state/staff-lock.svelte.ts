import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok, type Result } from '../../../electron/contract/failure.ts'
import { NO_STAFF, type StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PinForm } from './pin-form.svelte.ts'
import type { Till } from './till.svelte.ts'

/** How often activity is reported to the main process at most. */
const ACTIVITY_REPORT_INTERVAL_MS = 5000

/** A prompt for the manager's PIN, shared by all calls that need it. */
interface PinPrompt {
  readonly form: PinForm
  readonly answer: (entered: boolean) => void
  readonly answered: Promise<boolean>
}

/** The lock of the till, the current cashier, and the prompt for the manager's PIN. */
export class StaffLock {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  /** the last action that needed no PIN */
  readonly request: AsyncRequest
  /** the reset of a forgotten manager PIN; its form forgets what it said */
  readonly resetting: AsyncRequest
  /** whether the dialog that resets a forgotten manager PIN is open */
  isPinForgotten = $state(false)
  #prompt = $state.raw<PinPrompt | null>(null)
  #reportedAt = -Infinity

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
    this.request = new AsyncRequest(ipc)
    this.resetting = new AsyncRequest(ipc)
    ipc.onManagerRequired(() => this.requestManagerPin())
  }

  get state(): StaffState {
    return this.#till.state?.staff ?? NO_STAFF
  }

  /** The form for the manager's PIN; null while no call needs it. */
  get managerPin(): PinForm | null {
    return this.#prompt?.form ?? null
  }

  /** Prompts for the manager's PIN. Resolves with whether it was entered. Simultaneous calls share one prompt. */
  requestManagerPin(): Promise<boolean> {
    if (this.#prompt) return this.#prompt.answered
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const form = this.managerForm(() => {
      this.#closePrompt(true)
    })
    this.#prompt = { form, answer: resolve, answered: promise }
    return promise
  }

  /** Closes the prompt: the calls that needed the PIN fail. */
  cancelManagerPin(): void {
    this.#closePrompt(false)
  }

  /** Creates a form for the manager's PIN. A correct PIN starts the manager session and unlocks the till. */
  managerForm(accepted: () => void): PinForm {
    return new PinForm(
      this.#ipc,
      (pin) => this.#bridge.staff.unlockManager({ pin }),
      (state) => {
        this.#till.accept(state)
        accepted()
      }
    )
  }

  /** Creates a form for a cashier's PIN. A correct PIN unlocks the till for that cashier. */
  cashierForm(cashierId: string): PinForm {
    return new PinForm(
      this.#ipc,
      (pin) => this.#bridge.staff.unlock({ cashierId, pin }),
      (state) => {
        this.#till.accept(state)
      }
    )
  }

  /** Unlocks the till for a cashier without a PIN. */
  unlockWithoutPin(cashierId: string): Promise<void> {
    return this.#run(() => this.#bridge.staff.unlock({ cashierId, pin: null }))
  }

  lock(): Promise<void> {
    this.cancelManagerPin()
    return this.#run(() => this.#bridge.staff.lock())
  }

  lockManager(): Promise<void> {
    return this.#run(() => this.#bridge.staff.lockManager())
  }

  /**
   * Removes a forgotten manager PIN. `token` is a token or a pairing code of the business; null if the till is not connected.
   * Resolves with whether it was removed, as far as the form still waits for that.
   */
  async reset(token: string | null): Promise<boolean> {
    const isReset = await this.resetting.run(async () => {
      const answer = await this.#bridge.staff.reset({ token })
      if (!answer.ok) return answer
      // Also when the form was left: there is no PIN any more that could be entered.
      this.#till.accept(answer.value)
      this.#closePrompt(true)
      return ok(true)
    })
    return isReset ?? false
  }

  /** Reports keyboard or pointer activity to the main process, which locks an idle till and gets ready to print. */
  reportActivity(): void {
    const now = performance.now()
    if (now - this.#reportedAt < ACTIVITY_REPORT_INTERVAL_MS) return
    this.#reportedAt = now
    void this.#ipc.invoke(() => this.#bridge.staff.active())
  }

  #closePrompt(entered: boolean): void {
    const prompt = this.#prompt
    this.#prompt = null
    prompt?.form.close()
    prompt?.answer(entered)
  }

  async #run(call: () => Promise<Result<TillState>>): Promise<void> {
    const state = await this.request.run(call)
    if (state) this.#till.accept(state)
  }
}
