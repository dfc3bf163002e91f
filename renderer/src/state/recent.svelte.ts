import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** Whom this till served last, for choosing them again without typing. */
export class Recent {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #customers = $state.raw<readonly Customer[]>([])

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
  }

  /** Last served first. */
  get customers(): readonly Customer[] {
    return this.#customers
  }

  /** Asks main for them. What was there stays in sight until the answer is, and when there is none. */
  async read(): Promise<void> {
    this.#customers = (await this.#asking.ask(() => this.#bridge.customers.recent())) ?? this.#customers
  }
}
