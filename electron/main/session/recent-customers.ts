/** Whom this till served last, in memory only: nothing of a customer is written to disk for it. */
import type { Customer } from '../../contract/loyalty.ts'

/** As many as one list shows. */
export const MAX_RECENT = 20
/** Customers whose details are remembered, so that the one who is served then is known. Enough for any till's searches. */
const MAX_SEEN = 500

/** One business's customers: those seen in answers, and those served, each newest first. */
interface Memory {
  readonly seen: Map<string, Customer>
  readonly served: Map<string, Customer>
}

/** Puts a customer at the end of a map, its newest place, and forgets the oldest beyond `most`. */
const remember = (map: Map<string, Customer>, customer: Customer, most: number): void => {
  map.delete(customer.id)
  map.set(customer.id, customer)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

/** The customers that slips were issued to since the till was started, apart for each business and for training. */
export class RecentCustomers {
  readonly #whose: () => string
  readonly #memories = new Map<string, Memory>()

  /** @param whose names the business, or training, that is served now: nobody's customers mix with another's */
  constructor(whose: () => string) {
    this.#whose = whose
  }

  /** Notes customers as they pass by in answers: the newest version of each is what the list shows. */
  see(customers: readonly Customer[]): void {
    const { seen, served } = this.#memory()
    for (const customer of customers) {
      remember(seen, customer, MAX_SEEN)
      if (served.has(customer.id)) served.set(customer.id, customer)
    }
  }

  /** Notes that a slip was issued to this customer. One who was never seen cannot be shown, and is left out. */
  serve(id: string): void {
    const { seen, served } = this.#memory()
    const customer = seen.get(id) ?? served.get(id)
    if (customer) remember(served, customer, MAX_RECENT)
  }

  /** Those served, last first, at most `MAX_RECENT`. */
  list(): readonly Customer[] {
    return [...this.#memory().served.values()].reverse()
  }

  #memory(): Memory {
    const whose = this.#whose()
    const memory = this.#memories.get(whose) ?? { seen: new Map(), served: new Map() }
    this.#memories.set(whose, memory)
    return memory
  }
}
