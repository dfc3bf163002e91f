import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Slip, SlipState } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** A code without paper: printing it is all that is missing. */
const UNPRINTED: readonly SlipState[] = ['issued', 'print-failed']

/** Whether a slip waits for its paper. */
export const canPrint = (slip: Slip): boolean => UNPRINTED.includes(slip.state)

/** Whether somebody has to look at a slip: no paper, or an outcome that nobody knows. */
export const needsAttention = (slip: Slip): boolean => canPrint(slip) || slip.state === 'unknown'

/** What this till issued, newest first, kept in step with the journal. */
export class Slips {
  readonly #bridge: Bridge
  readonly #answers: Answers
  readonly #asking: Asking
  #list = $state.raw<readonly Slip[] | null>(null)
  #hasMore = $state(false)
  #attention = $state(0)
  #printing = $state<string | null>(null)
  #failure = $state.raw<{ intentId: string; failure: Failure } | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#answers = answers
    this.#asking = new Asking(answers.ofTill)
  }

  /** null until they were read for the first time. */
  get list(): readonly Slip[] | null {
    return this.#list
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  /** How many slips need attention. */
  get attention(): number {
    return this.#attention
  }

  get asking(): Asking {
    return this.#asking
  }

  /** The intent id of the slip that is being printed now. */
  get printing(): string | null {
    return this.#printing
  }

  /** Why the slip with this intent id could not be printed at the last try here. */
  failureOf(intentId: string): Failure | null {
    return this.#failure?.intentId === intentId ? this.#failure.failure : null
  }

  /** Counts what needs attention, and follows the journal. Gives what ends the following. */
  start(): () => void {
    const stop = this.#bridge.onSlip((slip) => {
      this.#accept(slip)
    })
    void this.#count()
    return stop
  }

  /** Reads the newest slips again. */
  async load(): Promise<void> {
    const read = await this.#asking.ask(() => this.#bridge.slips.list({ offset: 0 }))
    if (!read) return
    this.#list = read.slips
    this.#hasMore = read.hasMore
  }

  async more(): Promise<void> {
    const before = this.#list ?? []
    if (this.#asking.running) return
    const read = await this.#asking.ask(() => this.#bridge.slips.list({ offset: before.length }))
    if (!read) return
    // A slip issued meanwhile pushes the others along; the same row may come twice.
    const now = this.#list ?? []
    this.#list = [...now, ...read.slips.filter((slip) => !now.some((known) => isSame(known, slip)))]
    this.#hasMore = read.hasMore
  }

  /** Prints a slip that has a code and no paper. */
  async print(slip: Slip): Promise<void> {
    if (this.#printing) return
    this.#printing = slip.intentId
    this.#failure = null
    const answer = await this.#answers.ofTill(() => this.#bridge.slips.print({ intentId: slip.intentId }))
    this.#printing = null
    if (answer.ok) this.#accept(answer.value.slip)
    else this.#failure = { intentId: slip.intentId, failure: answer.failure }
  }

  #accept(slip: Slip): void {
    if (this.#list) {
      const known = this.#list.some((other) => isSame(other, slip))
      this.#list = known
        ? this.#list.map((other) => (isSame(other, slip) ? slip : other))
        : [slip, ...this.#list]
    }
    void this.#count()
  }

  async #count(): Promise<void> {
    const answer = await this.#answers.ofTill(() => this.#bridge.slips.attention())
    if (answer.ok) this.#attention = answer.value
  }
}

const isSame = (one: Slip, other: Slip): boolean => one.intentId === other.intentId
