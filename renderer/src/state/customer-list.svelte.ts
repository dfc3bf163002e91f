import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Customer, Page } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { Find } from './find.svelte.ts'

/** All customers, page by page as the service orders them, with a search of its own. */
export class CustomerList {
  readonly #bridge: Bridge
  readonly #asking: Asking
  readonly find: Find
  #page = $state.raw<Page<Customer> | null>(null)
  #chosen = $state.raw<Customer | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.ofService)
    this.find = new Find(bridge, answers)
  }

  /** null until the first page was read. */
  get page(): Page<Customer> | null {
    return this.#page
  }

  get asking(): Asking {
    return this.#asking
  }

  /** The customer whose details are in sight. */
  get chosen(): Customer | null {
    return this.#chosen
  }

  set chosen(customer: Customer | null) {
    this.#chosen = customer
  }

  /** Reads a page, from 1. The page in sight stays until the other is there. */
  async open(page: number): Promise<void> {
    const read = await this.#asking.ask(() => this.#bridge.customers.list({ page }))
    if (read) this.#page = read
  }
}
