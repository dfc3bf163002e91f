import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { CheckedCode } from '../../../electron/contract/slips.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** Checks whether a points code has been used. */
export class CodeCheck {
  readonly #bridge: Bridge
  readonly #asking: Asking
  #text = $state('')
  #checked = $state.raw<CheckedCode | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
  }

  /** The code as typed, or the address in its QR as scanned. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    if (text.trim() === '') {
      this.#asking.drop()
      this.#checked = null
    }
  }

  get asking(): Asking {
    return this.#asking
  }

  /** What the service said about the code that was checked last. */
  get checked(): CheckedCode | null {
    return this.#checked
  }

  async check(): Promise<void> {
    const code = this.#text.trim()
    if (code === '') return
    this.#checked = null
    const checked = await this.#asking.ask(() => this.#bridge.slips.check({ code }))
    // Nothing where a later code overtook this one: its result may be there already.
    if (checked) this.#checked = checked
  }
}
