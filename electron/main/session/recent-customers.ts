/**
 * The customers that this till served last. Kept in memory only: no customer data is written to disk. Of those served before
 * the start the journal of slips has id and name.
 */
import type { Standing } from '../../contract/earning-rules.ts'
import type { Customer } from '../../contract/loyalty.ts'
import { parsePhone } from '../../contract/phone.ts'
import type { CustomerReference } from '../../contract/privacy.ts'
import type { Slip } from '../../contract/slips.ts'
import { normalizeForSearch } from '../../contract/text.ts'
import type { DataOwner } from './data-owners.ts'
import type { Session } from './session.ts'

/** Maximum length of the list. */
export const MAX_RECENT = 20
/** Maximum number of customers whose details are kept until a slip is issued to them, or who are looked up offline. */
export const MAX_SEEN = 500

/** Digits of a phone that find a customer. */
const MIN_DIGITS = 4

/** The customers of one business, seen in responses and served, each in order of last use. */
interface Memory {
  readonly seen: Map<string, Customer>
  readonly served: Map<string, Customer>
  /** as it was read last, of those customers */
  readonly standings: Map<string, Standing>
}

/** A customer of whom only the journal knows. */
const unseen = ({ id, name }: CustomerReference): Customer => ({
  id,
  name,
  phone: '',
  email: null,
  avatar: null,
  balance: null,
  lifetimePoints: null
})

/** Moves what is known of a customer to the end of a map, and removes the first one if there are more than `most`. */
const remember = <Known>(map: Map<string, Known>, id: string, known: Known, most: number): void => {
  map.delete(id)
  map.set(id, known)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

const wordsOf = (text: string): readonly string[] =>
  normalizeForSearch(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '')

/**
 * Returns whether a typed text finds a customer without the service: by beginnings of words of the name, four digits of the
 * phone, the e-mail or the id.
 * @param country ISO 3166-1 alpha-2, for a phone without a country code
 */
export function isFoundBy({ id, name, phone, email }: Customer, text: string, country: string): boolean {
  const typed = text.trim()
  if (typed === '') return false
  if (typed === id || typed.toLowerCase() === email?.toLowerCase()) return true
  const digits = /^[\d\s().+/-]+$/.test(typed) ? typed.replace(/\D/g, '').replace(/^0+/, '') : ''
  const wanted = parsePhone(typed, country)
  if (wanted !== null && parsePhone(phone, country)?.e164 === wanted.e164) return true
  if (digits.length >= MIN_DIGITS && phone.replace(/\D/g, '').includes(digits)) return true
  const [words, starts] = [wordsOf(name), wordsOf(typed)]
  return starts.length > 0 && starts.every((start) => words.some((word) => word.startsWith(start)))
}

/** The customers that slips were issued to since the start, separate for each owner of the session. */
export class RecentCustomers {
  readonly #session: Pick<Session, 'owner'>
  readonly #memories = new WeakMap<DataOwner, Memory>()

  constructor(session: Pick<Session, 'owner'>) {
    this.#session = session
  }

  /** Records customers from responses. The list shows the newest version of each. */
  see(customers: readonly Customer[]): void {
    const { seen, served } = this.#memory()
    for (const customer of customers) {
      remember(seen, customer.id, customer, MAX_SEEN)
      if (served.has(customer.id)) served.set(customer.id, customer)
    }
  }

  /** Records whom a slip was issued to when its code arrives. Ignores customers that were never seen. */
  handleSlip({ state, customer }: Pick<Slip, 'state' | 'customer'>): void {
    if (state === 'issued' && customer !== null) this.serve(customer.id)
  }

  /** Records that a customer was served. Ignores customers that were never seen. */
  serve(id: string): void {
    const { seen, served } = this.#memory()
    const customer = seen.get(id) ?? served.get(id)
    if (customer) remember(served, id, customer, MAX_RECENT)
  }

  /** Returns the balance of a customer as it was last seen, in points; null when it is not known. */
  balanceOf(id: string): number | null {
    const { seen, served } = this.#memory()
    return (seen.get(id) ?? served.get(id))?.balance ?? null
  }

  /**
   * Corrects the balance of a customer, in points; null: not known. Other points may end next, and these are not known.
   * Ignores customers that were never seen.
   */
  setBalance(id: string, balance: number | null): void {
    const { seen, served, standings } = this.#memory()
    for (const known of [seen, served]) {
      const customer = known.get(id)
      if (customer !== undefined) known.set(id, { ...customer, balance })
    }
    const standing = standings.get(id)
    if (standing !== undefined) standings.set(id, { ...standing, ending: null })
  }

  /** Returns what a customer had by the shop's rules when it was read last; null: not known. */
  standingOf(id: string): Standing | null {
    return this.#memory().standings.get(id) ?? null
  }

  /** Records what a customer has by the shop's rules. Ignores customers that were never seen, and those that are forgotten. */
  setStanding(id: string, standing: Standing): void {
    if (this.find(id) !== null) remember(this.#memory().standings, id, standing, MAX_SEEN)
  }

  /**
   * Returns at most `MAX_RECENT` served customers, last first: those of memory, and then those of `before`, the journal, of
   * whom nothing else may be known.
   */
  list(before: readonly CustomerReference[]): readonly Customer[] {
    const { served } = this.#memory()
    const earlier = before.filter(({ id }) => !served.has(id)).map((one) => this.find(one.id) ?? unseen(one))
    return [...[...served.values()].reverse(), ...earlier].slice(0, MAX_RECENT)
  }

  /** Returns every customer that is known, those served first, the last one first; of those of `before`, the journal, the names. */
  known(before: readonly CustomerReference[]): readonly Customer[] {
    const { seen, served } = this.#memory()
    const all = [...served.values()].reverse()
    for (const customer of [...seen.values()].reverse()) if (!served.has(customer.id)) all.push(customer)
    return [...all, ...before.filter(({ id }) => this.find(id) === null).map(unseen)]
  }

  /** Returns what is known of a customer, or null. */
  find(id: string): Customer | null {
    const { seen, served } = this.#memory()
    return served.get(id) ?? seen.get(id) ?? null
  }

  forget(id: string): void {
    const { seen, served, standings } = this.#memory()
    for (const known of [seen, served, standings]) known.delete(id)
  }

  #memory(): Memory {
    const { owner } = this.#session
    const memory = this.#memories.get(owner) ?? {
      ...{ seen: new Map(), served: new Map(), standings: new Map() }
    }
    this.#memories.set(owner, memory)
    return memory
  }
}
