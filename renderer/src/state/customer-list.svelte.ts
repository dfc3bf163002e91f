import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { Answers } from './answers.svelte.ts'
import { Find } from './find.svelte.ts'
import { LongList } from './long-list.svelte.ts'

/** All customers, as the service orders them, with a search of its own. */
export class CustomerList {
  readonly find: Find
  readonly rows: LongList<Customer>
  #chosen = $state.raw<Customer | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.find = new Find(bridge, answers, 'customers')
    this.rows = new LongList(answers.hear, async ({ number }) => {
      const read = await bridge.customers.list({ page: number })
      return read.ok ? ok({ rows: read.value.data, hasMore: read.value.hasMore }) : read
    })
  }

  /** Hears what a search finds before all of it is found. Gives what ends the hearing. */
  start(): () => void {
    return this.find.start()
  }

  /** The customer whose details are in sight. */
  get chosen(): Customer | null {
    return this.#chosen
  }

  set chosen(customer: Customer | null) {
    this.#chosen = customer
  }
}
