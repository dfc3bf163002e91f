import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Result } from '../../../electron/contract/failure.ts'
import { NO_STAFF, type StaffState } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { PinForm } from './pin-form.svelte.ts'
import type { Till } from './till.svelte.ts'

/** Main is told of touches at most so often, in milliseconds. */
const TELL_EVERY = 5000

/** A manager's PIN that is asked for, and all who wait for it. */
interface Question {
  readonly form: PinForm
  readonly answer: (given: boolean) => void
  readonly answered: Promise<boolean>
}

/** The people at the till as the page deals with them: the lock, and the manager's PIN where something needs it. */
export class Staff {
  readonly #bridge: Bridge
  readonly #answers: Answers
  readonly #till: Till
  readonly #asking: Asking
  #question = $state.raw<Question | null>(null)
  #told = -Infinity

  constructor(bridge: Bridge, answers: Answers, till: Till) {
    this.#bridge = bridge
    this.#answers = answers
    this.#till = till
    this.#asking = new Asking(answers.hear)
  }

  get state(): StaffState {
    return this.#till.state?.staff ?? NO_STAFF
  }

  /** What the last press came to that needs no PIN. */
  get asking(): Asking {
    return this.#asking
  }

  /** The manager's PIN as it is being typed; null while nothing asks for it. */
  get managerPin(): PinForm | null {
    return this.#question?.form ?? null
  }

  /** Asks for the manager's PIN, and gives whether it was given. All who ask at once wait for one answer. */
  askManager(): Promise<boolean> {
    if (this.#question) return this.#question.answered
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const form = this.managerForm(() => {
      this.#answer(true)
    })
    this.#question = { form, answer: resolve, answered: promise }
    return promise
  }

  /** Nobody gives the PIN: what asked for it is not done. */
  giveUp(): void {
    this.#answer(false)
  }

  /** A form for the manager's PIN; a right one opens the manager's work, and unlocks. */
  managerForm(accepted: () => void): PinForm {
    return new PinForm(
      this.#answers,
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
      this.#answers,
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
    this.giveUp()
    return this.#ask(() => this.#bridge.staff.lock())
  }

  lockManager(): Promise<void> {
    return this.#ask(() => this.#bridge.staff.lockManager())
  }

  /** Takes a forgotten manager PIN away; null where the till serves no business. Gives whether it is gone. */
  async reset(token: string | null): Promise<boolean> {
    await this.#ask(() => this.#bridge.staff.reset({ token }))
    if (this.#asking.failure) return false
    this.#answer(true)
    return true
  }

  /** Somebody touched the page: main is told, now and then. */
  touched(): void {
    const { lockable, locked } = this.state
    const now = performance.now()
    if (!lockable || locked || now - this.#told < TELL_EVERY) return
    this.#told = now
    void this.#answers.hear(() => this.#bridge.staff.active())
  }

  #answer(given: boolean): void {
    const question = this.#question
    this.#question = null
    question?.form.close()
    question?.answer(given)
  }

  async #ask(call: () => Promise<Result<TillState>>): Promise<void> {
    const state = await this.#asking.ask(call)
    if (state) this.#till.accept(state)
  }
}
