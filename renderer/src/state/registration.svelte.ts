import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'

/** The form that registers a new customer. What was typed stays until it is closed. */
export class Registration {
  readonly #bridge: Bridge
  readonly #asking: Asking
  name = $state('')
  phone = $state('')

  constructor(bridge: Bridge, answers: Answers, start: { readonly name: string; readonly phone: string }) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.hear)
    this.name = start.name
    this.phone = start.phone
  }

  get asking(): Asking {
    return this.#asking
  }

  /** Registers. Gives the customer, and whether they were there before; undefined when it failed. */
  async submit(): Promise<{ customer: Customer; existed: boolean } | undefined> {
    if (this.#asking.running) return undefined
    const empty = this.name.trim() === '' ? 'name' : this.phone.trim() === '' ? 'phone' : null
    if (empty) {
      this.#asking.refuse({ kind: 'invalid-input', field: empty, fault: 'missing' })
      return undefined
    }
    return this.#asking.ask(() =>
      this.#bridge.customers.register({ name: this.name.trim(), phone: this.phone.trim() })
    )
  }
}
