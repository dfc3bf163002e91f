import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Standing } from '../../../electron/contract/earning-rules.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

export interface CustomerStandingOptions {
  /** whether the shop has rules */
  readonly isOffered: () => boolean
  /** called whenever another standing holds */
  readonly onChange: () => void
}

/** What the chosen customer has by the shop's rules. It comes after the customer: nothing waits for it. */
export class CustomerStanding {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  readonly #options: CustomerStandingOptions
  #customer: Customer | null = null
  #value = $state.raw<Standing | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient, options: CustomerStandingOptions) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
    this.#options = options
  }

  /** null: none is chosen, or it is not known */
  get value(): Standing | null {
    return this.#value
  }

  /** name of the level; undefined: none */
  get level(): string | undefined {
    return this.#value?.level?.name
  }

  /** Call with the chosen customer. Another one has nothing until the answer; other points are a reason to ask again. */
  follow(customer: Customer | null): void {
    const before = this.#customer
    this.#customer = customer
    if (customer?.id === before?.id && customer?.balance === before?.balance) return
    if (customer?.id !== before?.id) {
      this.#request.reset()
      this.#set(null)
    }
    if (customer === null || !this.#options.isOffered()) return
    void this.#request.run(
      () => this.#bridge.customers.standing({ id: customer.id }),
      (standing) => {
        this.#set(standing)
      }
    )
  }

  #set(standing: Standing | null): void {
    this.#value = standing
    this.#options.onChange()
  }
}
