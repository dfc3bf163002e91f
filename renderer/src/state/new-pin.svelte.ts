import type { Result, Failure } from '../../../electron/contract/failure.ts'
import { isPinText } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { pinDigits, PinForm, type PinTyping } from './pin-form.svelte.ts'

/** What is typed now: the PIN that holds, the new one, and the new one once more. */
export type NewPinStep = 'current' | 'new' | 'repeat'

interface Calls {
  /** checks the PIN that holds; null where there is none, or none has to be known */
  readonly check: ((pin: string) => Promise<Result<TillState>>) | null
  /** keeps the new one; `current` is what `check` found right */
  readonly keep: (pin: string, current: string | null) => Promise<Result<TillState>>
  readonly done: (state: TillState) => void
}

/** A PIN that is set: typed twice, since nobody sees what was typed. */
export class NewPin implements PinTyping {
  readonly #calls: Calls
  readonly #check: PinForm | null
  readonly #keeping: Asking
  #current: string | null = null
  #new = ''
  #pin = $state('')
  #step = $state<NewPinStep>('new')
  #differs = $state(false)

  constructor(answers: Answers, calls: Calls) {
    this.#calls = calls
    this.#keeping = new Asking(answers.hear)
    const { check } = calls
    this.#check =
      check &&
      new PinForm(
        answers,
        (pin) => {
          this.#current = pin
          return check(pin)
        },
        () => {
          this.#step = 'new'
        }
      )
    if (check) this.#step = 'current'
  }

  get step(): NewPinStep {
    return this.#step
  }

  /** Whether the second one was another: both are typed again. */
  get differs(): boolean {
    return this.#differs
  }

  get pin(): string {
    return this.#step === 'current' ? (this.#check?.pin ?? '') : this.#pin
  }

  set pin(typed: string) {
    if (this.#step === 'current' && this.#check) {
      this.#check.pin = typed
      return
    }
    this.#pin = pinDigits(typed)
    this.#differs = false
    this.#keeping.drop()
  }

  get failure(): Failure | null {
    return this.#step === 'current' ? (this.#check?.failure ?? null) : this.#keeping.failure
  }

  get running(): boolean {
    return this.#check?.running === true || this.#keeping.running
  }

  async submit(): Promise<void> {
    if (this.#step === 'current') await this.#check?.submit()
    else if (this.#step === 'new') this.#takeNew()
    else await this.#takeRepeated()
  }

  /** Forgets what was typed. */
  close(): void {
    this.#check?.close()
    this.#pin = ''
    this.#new = ''
    this.#current = null
  }

  #takeNew(): void {
    const pin = this.#pin
    this.#pin = ''
    if (!isPinText(pin)) {
      this.#keeping.refuse({
        kind: 'invalid-input',
        field: 'pin',
        fault: pin === '' ? 'missing' : 'malformed'
      })
      return
    }
    this.#new = pin
    this.#step = 'repeat'
  }

  async #takeRepeated(): Promise<void> {
    if (this.running) return
    const pin = this.#new
    const same = this.#pin === pin
    this.#pin = ''
    if (!same) {
      this.#new = ''
      this.#step = 'new'
      this.#differs = true
      return
    }
    const state = await this.#keeping.ask(() => this.#calls.keep(pin, this.#current))
    if (state) this.#calls.done(state)
  }
}
