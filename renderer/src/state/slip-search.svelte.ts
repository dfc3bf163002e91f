import type { SlipSearch } from '../../../electron/contract/slips.ts'
import { TYPING_PAUSE } from './find.svelte.ts'

/** What the history is searched for, as the form has it. Any change asks again: typing after a pause. */
export class SlipSearchForm {
  readonly #changed: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #text = $state('')
  #from = $state('')
  #to = $state('')
  #customer = $state.raw<{ readonly id: string; readonly name: string } | null>(null)
  #cashierId = $state('')

  /** `changed` is called when the search is another one. */
  constructor(changed: () => void) {
    this.#changed = changed
  }

  /** The beginning of a code, or of a customer's names. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    if (text === this.#text) return
    this.#text = text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#changed, TYPING_PAUSE)
  }

  /** First day, `YYYY-MM-DD`; empty for no bound. */
  get from(): string {
    return this.#from
  }

  set from(day: string) {
    this.#from = day
    this.#now()
  }

  /** Last day, included; empty for no bound. */
  get to(): string {
    return this.#to
  }

  set to(day: string) {
    this.#to = day
    this.#now()
  }

  /** The one customer whose slips are looked for. */
  get customer(): { readonly id: string; readonly name: string } | null {
    return this.#customer
  }

  set customer(customer: { readonly id: string; readonly name: string } | null) {
    this.#customer = customer
    this.#now()
  }

  /** The id of the one cashier whose slips are looked for; empty for all. */
  get cashierId(): string {
    return this.#cashierId
  }

  set cashierId(id: string) {
    this.#cashierId = id
    this.#now()
  }

  /** Whether anything is searched for. */
  get active(): boolean {
    return this.search !== undefined
  }

  /** What main is asked for; undefined for everything. */
  get search(): SlipSearch | undefined {
    const text = this.#text.trim()
    const search: SlipSearch = {
      ...(text === '' ? {} : { text }),
      ...(this.#from === '' ? {} : { from: this.#from }),
      ...(this.#to === '' ? {} : { to: this.#to }),
      ...(this.#customer ? { customerId: this.#customer.id } : {}),
      ...(this.#cashierId === '' ? {} : { cashierId: this.#cashierId })
    }
    return Object.keys(search).length === 0 ? undefined : search
  }

  clear(): void {
    this.#text = ''
    this.#from = ''
    this.#to = ''
    this.#customer = null
    this.#cashierId = ''
    this.#now()
  }

  #now(): void {
    clearTimeout(this.#timer)
    this.#changed()
  }
}
