import type { AboutTill } from '../../../electron/contract/diagnostics.ts'
import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** What this till is made of, read when somebody wants to know. */
export class About {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #till = $state.raw<AboutTill | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
  }

  /** null until it was read. */
  get till(): AboutTill | null {
    return this.#till
  }

  get asking(): Asking {
    return this.#asking
  }

  async read(): Promise<void> {
    this.#till = (await this.#asking.ask(() => this.#bridge.about.read())) ?? this.#till
  }
}
