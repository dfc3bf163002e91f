import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { isPinText, PIN_DIGITS } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { toAsciiDigits } from '../format/numbers.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** What is shown of a PIN that is being typed, and what typing does. */
export interface PinInput {
  pin: string
  readonly failure: Failure | null
  readonly running: boolean
  /** Sends what was typed. */
  submit(): Promise<void>
}

/** The digits of what was typed, as many as a PIN may have. */
const pinDigits = (typed: string): string =>
  toAsciiDigits(typed).replace(/\D/gu, '').slice(0, PIN_DIGITS.most)

/** Seconds that a failure says to wait. */
const waitOf = (failure: Failure | null): number =>
  failure?.kind === 'wrong-pin' || failure?.kind === 'too-many-tries' ? failure.waitSeconds : 0

/** A PIN that is typed to be checked: sent, forgotten at once, and held back while main says to wait. */
export class PinForm implements PinInput {
  readonly #request: AsyncRequest
  readonly #send: (pin: string) => Promise<Result<TillState>>
  readonly #accepted: (state: TillState) => void
  #pin = $state('')
  #left = $state(0)
  #timer: ReturnType<typeof setInterval> | undefined

  /** `accepted` is called with what a right PIN came to. */
  constructor(
    ipc: IpcClient,
    send: (pin: string) => Promise<Result<TillState>>,
    accepted: (state: TillState) => void
  ) {
    this.#request = new AsyncRequest(ipc)
    this.#send = send
    this.#accepted = accepted
  }

  get pin(): string {
    return this.#pin
  }

  set pin(typed: string) {
    this.#pin = pinDigits(typed)
    if (this.#left === 0 && typed !== '') this.#request.reset()
  }

  get running(): boolean {
    return this.#request.running
  }

  /** With the seconds that are left of a wait; gone when it is over. */
  get failure(): Failure | null {
    const { failure } = this.#request
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
      this.#request.fail({
        kind: 'invalid-input',
        field: 'pin',
        fault: pin === '' ? 'missing' : 'malformed'
      })
      return
    }
    const state = await this.#request.run(() => this.#send(pin))
    if (state) this.#accepted(state)
    this.#wait(waitOf(this.#request.failure))
  }

  /** Forgets what was typed, and stops counting. */
  close(): void {
    clearInterval(this.#timer)
    this.#pin = ''
    this.#left = 0
    this.#request.reset()
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
      this.#request.reset()
    }, 1000)
  }
}

/** What is typed now: the PIN that holds, the new one, and the new one once more. */
type NewPinStep = 'current' | 'new' | 'repeat'

interface Calls {
  /** checks the PIN that holds; null where there is none, or none has to be known */
  readonly check: ((pin: string) => Promise<Result<TillState>>) | null
  /** keeps the new one; `current` is what `check` found right */
  readonly keep: (pin: string, current: string | null) => Promise<Result<TillState>>
  readonly done: (state: TillState) => void
}

/** A PIN that is set: typed twice, since nobody sees what was typed. */
export class NewPinForm implements PinInput {
  readonly #calls: Calls
  readonly #check: PinForm | null
  readonly #keeping: AsyncRequest
  #current: string | null = null
  #new = ''
  #pin = $state('')
  #step = $state<NewPinStep>('new')
  #differs = $state(false)

  constructor(ipc: IpcClient, calls: Calls) {
    this.#calls = calls
    this.#keeping = new AsyncRequest(ipc)
    const { check } = calls
    this.#check =
      check &&
      new PinForm(
        ipc,
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
    this.#keeping.reset()
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
      this.#keeping.fail({
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
    const state = await this.#keeping.run(() => this.#calls.keep(pin, this.#current))
    if (state) this.#calls.done(state)
  }
}
