import type { Failure, Result } from '../../../electron/contract/failure.ts'
import { isPinText, PIN_DIGITS } from '../../../electron/contract/staff.ts'
import type { TillState } from '../../../electron/contract/till.ts'
import { toAsciiDigits } from '../../../electron/contract/text.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** A PIN that is being typed. */
export interface PinInput {
  readonly pin: string
  /** Replaces the PIN by the digits of `typed`. */
  type(typed: string): void
  readonly failure: Failure | null
  readonly running: boolean
  /** whether PINs are blocked now */
  readonly waiting: boolean
  /** Submits what was typed. */
  submit(): Promise<void>
}

/** Returns the digits of what was typed, at most as many as a PIN has. */
const pinDigits = (typed: string): string => toAsciiDigits(typed).replace(/\D/gu, '').slice(0, PIN_DIGITS.max)

/** Returns the seconds to wait that a failure contains. */
const waitSecondsOf = (failure: Failure | null): number =>
  failure?.kind === 'wrong-pin' || failure?.kind === 'too-many-tries' ? failure.waitSeconds : 0

/** A form that checks a PIN. It clears the PIN once sent, and blocks while the main process requires a wait. */
export class PinForm implements PinInput {
  readonly #request: AsyncRequest
  readonly #send: (pin: string) => Promise<Result<TillState>>
  readonly #onAccepted: (state: TillState) => void
  pin = $state('')
  #secondsLeft = $state(0)
  #timer: ReturnType<typeof setInterval> | undefined

  /** `onAccepted` is called with the state after a correct PIN. */
  constructor(
    ipc: IpcClient,
    send: (pin: string) => Promise<Result<TillState>>,
    onAccepted: (state: TillState) => void
  ) {
    this.#request = new AsyncRequest(ipc)
    this.#send = send
    this.#onAccepted = onAccepted
  }

  type(typed: string): void {
    this.pin = pinDigits(typed)
    // A PIN that is being checked is answered, whatever is typed meanwhile.
    if (this.#secondsLeft === 0 && typed !== '' && !this.running) this.#request.reset()
  }

  get running(): boolean {
    return this.#request.running
  }

  /** The failure with the seconds that remain of a wait; null when the wait is over. */
  get failure(): Failure | null {
    const { failure } = this.#request
    return waitSecondsOf(failure) > 0 && failure
      ? ({ ...failure, waitSeconds: this.#secondsLeft } as Failure)
      : failure
  }

  /** Whether PINs are blocked now. */
  get waiting(): boolean {
    return this.#secondsLeft > 0
  }

  async submit(): Promise<void> {
    if (this.running || this.waiting) return
    const pin = this.pin
    this.pin = ''
    if (!isPinText(pin)) {
      this.#request.fail({
        kind: 'invalid-input',
        field: 'pin',
        fault: pin === '' ? 'missing' : 'malformed'
      })
      return
    }
    const state = await this.#request.run(() => this.#send(pin))
    if (state) this.#onAccepted(state)
    this.#wait(waitSecondsOf(this.#request.failure))
  }

  /** Clears the PIN and stops the countdown. */
  close(): void {
    clearInterval(this.#timer)
    this.pin = ''
    this.#secondsLeft = 0
    this.#request.reset()
  }

  #wait(seconds: number): void {
    clearInterval(this.#timer)
    this.#secondsLeft = seconds
    if (seconds === 0) return
    const until = performance.now() + seconds * 1000
    this.#timer = setInterval(() => {
      this.#secondsLeft = Math.max(0, Math.ceil((until - performance.now()) / 1000))
      if (this.#secondsLeft > 0) return
      clearInterval(this.#timer)
      this.#request.reset()
    }, 1000)
  }
}

/** What is typed now: the current PIN, the new one, or the new one again. */
type NewPinStep = 'current' | 'new' | 'repeat'

interface NewPinCalls {
  /** checks the current PIN; null if there is none or it is not asked for */
  readonly check: ((pin: string) => Promise<Result<TillState>>) | null
  /** stores the new PIN; `current` is the PIN that `check` accepted */
  readonly save: (pin: string, current: string | null) => Promise<Result<TillState>>
  readonly onSaved: (state: TillState) => void
}

/** A form that sets a PIN. The new PIN is typed twice, since it is not shown. */
export class NewPinForm implements PinInput {
  readonly #calls: NewPinCalls
  readonly #check: PinForm | null
  readonly #saving: AsyncRequest
  #current: string | null = null
  #new = ''
  #pin = $state('')
  step = $state<NewPinStep>('new')
  /** Whether the repeated PIN differs: both are typed again. */
  differs = $state(false)

  constructor(ipc: IpcClient, calls: NewPinCalls) {
    this.#calls = calls
    this.#saving = new AsyncRequest(ipc)
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
          this.step = 'new'
        }
      )
    if (check) this.step = 'current'
  }

  /** Whether the current PIN is blocked now. */
  get waiting(): boolean {
    return this.step === 'current' && this.#check !== null && this.#check.waiting
  }

  get pin(): string {
    return this.step === 'current' ? (this.#check?.pin ?? '') : this.#pin
  }

  type(typed: string): void {
    if (this.step === 'current' && this.#check) {
      this.#check.type(typed)
      return
    }
    this.#pin = pinDigits(typed)
    this.differs = false
    if (!this.running) this.#saving.reset()
  }

  get failure(): Failure | null {
    return this.step === 'current' ? (this.#check?.failure ?? null) : this.#saving.failure
  }

  get running(): boolean {
    return this.#check?.running === true || this.#saving.running
  }

  async submit(): Promise<void> {
    if (this.step === 'current') await this.#check?.submit()
    else if (this.step === 'new') this.#submitNew()
    else await this.#submitRepeated()
  }

  /** Clears everything that was typed. */
  close(): void {
    this.#check?.close()
    this.#pin = ''
    this.#new = ''
    this.#current = null
  }

  #submitNew(): void {
    const pin = this.#pin
    this.#pin = ''
    if (!isPinText(pin)) {
      this.#saving.fail({
        kind: 'invalid-input',
        field: 'pin',
        fault: pin === '' ? 'missing' : 'malformed'
      })
      return
    }
    this.#new = pin
    this.step = 'repeat'
  }

  async #submitRepeated(): Promise<void> {
    if (this.running) return
    const pin = this.#new
    const same = this.#pin === pin
    this.#pin = ''
    if (!same) {
      this.#new = ''
      this.step = 'new'
      this.differs = true
      return
    }
    const state = await this.#saving.run(() => this.#calls.save(pin, this.#current))
    if (state) this.#calls.onSaved(state)
  }
}
