import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result } from '../../../electron/contract/failure.ts'
import { NO_STAFF, type StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PinForm } from './pin-form.svelte.ts'
import type { Till } from './till.svelte.ts'

/** Main is told of touches at most so often, in milliseconds. */
const ACTIVITY_REPORT_INTERVAL_MS = 5000

/** A manager's PIN that is asked for, and all who wait for it. */
interface Question {
  readonly form: PinForm
  readonly answer: (given: boolean) => void
  readonly answered: Promise<boolean>
}

/** The people at the till as the page deals with them: the lock, and the manager's PIN where something needs it. */
export class StaffLock {
  readonly #bridge: Bridge
  readonly #ipc: IpcClient
  readonly #till: Till
  readonly #request: AsyncRequest
  #question = $state.raw<Question | null>(null)
  #told = -Infinity

  constructor(bridge: Bridge, ipc: IpcClient, till: Till) {
    this.#bridge = bridge
    this.#ipc = ipc
    this.#till = till
    this.#request = new AsyncRequest(ipc)
    ipc.onManagerRequired(() => this.requestManagerPin())
  }

  get state(): StaffState {
    return this.#till.state?.staff ?? NO_STAFF
  }

  /** What the last press came to that needs no PIN. */
  get request(): AsyncRequest {
    return this.#request
  }

  /** The manager's PIN as it is being typed; null while nothing asks for it. */
  get managerPin(): PinForm | null {
    return this.#question?.form ?? null
  }

  /** Asks for the manager's PIN, and gives whether it was given. All who ask at once wait for one answer. */
  requestManagerPin(): Promise<boolean> {
    if (this.#question) return this.#question.answered
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const form = this.managerForm(() => {
      this.#answer(true)
    })
    this.#question = { form, answer: resolve, answered: promise }
    return promise
  }

  /** Nobody gives the PIN: what asked for it is not done. */
  cancelManagerPin(): void {
    this.#answer(false)
  }

  /** A form for the manager's PIN; a right one opens the manager's work, and unlocks. */
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

  /** A form for a cashier's PIN; a right one unlocks, and that cashier serves. */
  cashierForm(cashierId: string): PinForm {
    return new PinForm(
      this.#ipc,
      (pin) => this.#bridge.staff.unlock({ cashierId, pin }),
      (state) => {
        this.#till.accept(state)
      }
    )
  }

  /** Unlocks for a cashier who has no PIN. */
  choose(cashierId: string): Promise<void> {
    return this.#ask(() => this.#bridge.staff.unlock({ cashierId, pin: null }))
  }

  lock(): Promise<void> {
    this.cancelManagerPin()
    return this.#ask(() => this.#bridge.staff.lock())
  }

  lockManager(): Promise<void> {
    return this.#ask(() => this.#bridge.staff.lockManager())
  }

  /** Takes a forgotten manager PIN away; null where the till serves no business. Gives whether it is gone. */
  async reset(token: string | null): Promise<boolean> {
    await this.#ask(() => this.#bridge.staff.reset({ token }))
    if (this.#request.failure) return false
    this.#answer(true)
    return true
  }

  /** Somebody touched the page: main is told, now and then. */
  reportActivity(): void {
    const { lockable, locked } = this.state
    const now = performance.now()
    if (!lockable || locked || now - this.#told < ACTIVITY_REPORT_INTERVAL_MS) return
    this.#told = now
    void this.#ipc.invoke(() => this.#bridge.staff.active())
  }

  #answer(given: boolean): void {
    const question = this.#question
    this.#question = null
    question?.form.close()
    question?.answer(given)
  }

  async #ask(call: () => Promise<Result<TillState>>): Promise<void> {
    const state = await this.#request.run(call)
    if (state) this.#till.accept(state)
  }
}
