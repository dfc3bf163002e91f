import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Failure } from '../../../electron/contract/failure.ts'
import type { Slip } from '../../../electron/contract/slips.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** What a reprint is of: one slip by its intent id, or `last`, whichever was issued last. */
type Target = string

/** Prints codes again, marked COPY, one at a time. */
export class Reprint {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #target = $state<Target | null>(null)
  #done = $state.raw<Slip | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
  }

  get running(): boolean {
    return this.#asking.running
  }

  /** Whether this is what is being printed again now. */
  isRunning(target: Target): boolean {
    return this.#asking.running && this.#target === target
  }

  /** Why this did not come out at the last try. */
  failureOf(target: Target): Failure | null {
    return this.#target === target ? this.#asking.failure : null
  }

  /** The slip as it stands after the last try for this came out; null before, and after a failure. */
  doneFor(target: Target): Slip | null {
    return this.#target === target ? this.#done : null
  }

  /** Prints a slip again. A press while one is under way changes nothing. */
  async print(target: Target): Promise<void> {
    if (this.#asking.running) return
    this.#target = target
    this.#done = null
    const { slips } = this.#bridge
    const issued = await this.#asking.ask(() =>
      target === 'last' ? slips.reprintLast() : slips.reprint({ intentId: target })
    )
    this.#done = issued?.slip ?? null
  }

  /** Takes away what was said of the last try. */
  clear(): void {
    if (this.#asking.running) return
    this.#asking.drop()
    this.#target = null
    this.#done = null
  }
}
