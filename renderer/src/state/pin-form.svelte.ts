import { isPinText, PIN_DIGITS } from '../../../electron/contract/staff.ts'
import type { Result, Failure } from '../../../electron/contract/failure.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { asciiDigits } from '../format/digits.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** What is shown of a PIN that is being typed, and what typing does. */
export interface PinTyping {
  pin: string
  readonly failure: Failure | null
  readonly running: boolean
  /** Sends what was typed. */
  submit(): Promise<void>
}

/** The digits of what was typed, as many as a PIN may have. */
export const pinDigits = (typed: string): string =>
  asciiDigits(typed).replace(/\D/gu, '').slice(0, PIN_DIGITS.most)

/** Seconds that a failure says to wait. */
const waitOf = (failure: Failure | null): number =>
  failure?.kind === 'wrong-pin' || failure?.kind === 'too-many-tries' ? failure.waitSeconds : 0

/** A PIN that is typed to be checked: sent, forgotten at once, and held back while main says to wait. */
export class PinForm implements PinTyping {
  readonly #asking: Asking
  readonly #send: (pin: string) => Promise<Result<TillState>>
  readonly #accepted: (state: TillState) => void
  #pin = $state('')
  #left = $state(0)
  #timer: ReturnType<typeof setInterval> | undefined

  /** `accepted` is called with what a right PIN came to. */
  constructor(
    answers: Answers,
    send: (pin: string) => Promise<Result<TillState>>,
    accepted: (state: TillState) => void
  ) {
    this.#asking = new Asking(answers.hear)
    this.#send = send
    this.#accepted = accepted
  }

  get pin(): string {
    return this.#pin
  }

  set pin(typed: string) {
    this.#pin = pinDigits(typed)
    if (this.#left === 0 && typed !== '') this.#asking.drop()
  }

  get running(): boolean {
    return this.#asking.running
  }

  /** With the seconds that are left of a wait; gone when it is over. */
  get failure(): Failure | null {
    const { failure } = this.#asking
    return waitOf(failure) > 0 && failure ? ({ ...failure, waitSeconds: this.#left } as Failure) : failure
  }

  /** Whether no PIN is taken now. */
  get waiting(): boolean {
    return this.#left > 0
  }

  async submit(): Promise<void> {
    if (this.running || this.waiting) return
    const pin = this.#pin
    this.#pin = ''
    if (!isPinText(pin)) {
      this.#asking.refuse({
        kind: 'invalid-input',
        field: 'pin',
        fault: pin === '' ? 'missing' : 'malformed'
      })
      return
    }
    const state = await this.#asking.ask(() => this.#send(pin))
    if (state) this.#accepted(state)
    this.#wait(waitOf(this.#asking.failure))
  }

  /** Forgets what was typed, and stops counting. */
  close(): void {
    clearInterval(this.#timer)
    this.#pin = ''
    this.#left = 0
    this.#asking.drop()
  }

  #wait(seconds: number): void {
    clearInterval(this.#timer)
    this.#left = seconds
    if (seconds === 0) return
    const until = performance.now() + seconds * 1000
    this.#timer = setInterval(() => {
      this.#left = Math.max(0, Math.ceil((until - performance.now()) / 1000))
      if (this.#left > 0) return
      clearInterval(this.#timer)
      this.#asking.drop()
    }, 1000)
  }
}
