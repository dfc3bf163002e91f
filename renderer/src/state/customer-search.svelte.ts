import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Phone, SearchBox, SearchResult } from '../../../electron/contract/customers.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { CheckedCode } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PagedList } from './paged-list.svelte.ts'

/** How long a pause in typing lasts before the service is asked, in ms. */
export const TYPING_DEBOUNCE_MS = 150

/**
 * How long a part of what was found is held back once Enter was pressed, in ms: the rest is mostly there by then, and
 * a row that is drawn meanwhile would only keep the customer waiting.
 */
export const HOLD = 60

/** What a text was found to be. `text` is what was asked, trimmed. */
interface CustomerSearchResult {
  readonly text: string
  readonly customers: readonly Customer[]
  readonly page: number
  readonly hasMore: boolean
  readonly phone: Phone | null
  readonly code: CheckedCode | null
}

interface Waiting {
  readonly text: string
  readonly then: () => void
}

/**
 * Finds customers as the cashier types: by phone, name, e-mail, or a scanned points code. Only the newest question
 * counts: main aborts the older one down to its requests, and an answer that comes all the same is dropped here.
 */
export class CustomerSearch {
  readonly #bridge: Bridge
  readonly #box: SearchBox
  readonly #request: AsyncRequest
  #text = $state('')
  #result = $state.raw<CustomerSearchResult | null>(null)
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = ''
  #underWay: Promise<void> | null = null
  /** what waits for the answer to a text */
  #waiting: readonly Waiting[] = []
  #held: ReturnType<typeof setTimeout> | undefined

  /** `box` is the search box on the screen that this is behind. */
  constructor(bridge: Bridge, ipc: IpcClient, box: SearchBox) {
    this.#bridge = bridge
    this.#box = box
    this.#request = new AsyncRequest(ipc)
  }

  /** Hears what is found before all of it is. Gives what ends the hearing. */
  start(): () => void {
    return this.#bridge.onPartialSearchResult(({ box, text, found }) => {
      const isWanted = (): boolean => box === this.#box && text === this.#asked && this.#request.running
      if (!isWanted()) return
      clearTimeout(this.#held)
      if (this.#waiting.length === 0) this.#show(text, found)
      else
        this.#held = setTimeout(() => {
          if (isWanted()) this.#show(text, found)
        }, HOLD)
    })
  }

  get text(): string {
    return this.#text
  }

  /** Typing: asks after a pause. */
  set text(text: string) {
    this.#text = text
    clearTimeout(this.#timer)
    const wanted = text.trim()
    if (wanted === '') {
      this.#forget()
    } else if (wanted !== this.#asked) {
      // What is under way answers a text that is no longer there.
      this.#request.reset()
      this.#asked = ''
      this.#timer = setTimeout(() => void this.#askOnce(), TYPING_DEBOUNCE_MS)
    }
  }

  /** Whether the cashier is looking for somebody. */
  get active(): boolean {
    return this.#text.trim() !== ''
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** What was found last; it stays in sight until the next answer is there. null while nothing was. */
  get result(): CustomerSearchResult | null {
    return this.#result
  }

  /** Whether all of what was found is there, and belongs to the text that stands in the box. */
  get settled(): boolean {
    return this.#result !== null && this.#result.text === this.#text.trim() && !this.#request.running
  }

  /**
   * Asks without waiting for a pause, once per text. Resolves when the answer, or the failure, is there. `then` is
   * called in the same moment: what it does is drawn instead of what was found, and not after it.
   */
  async now(then: () => void = () => undefined): Promise<void> {
    const mine = { text: this.#text.trim(), then }
    this.#waiting = [...this.#waiting, mine]
    await this.#askOnce()
    // Unless the answer called it: it was there before, or none came.
    this.#call((one) => one === mine)
  }

  #call(which: (one: Waiting) => boolean): void {
    const called = this.#waiting.filter(which)
    this.#waiting = this.#waiting.filter((one) => !which(one))
    for (const { then } of called) then()
  }

  async #askOnce(): Promise<void> {
    clearTimeout(this.#timer)
    const text = this.#text.trim()
    if (text === '' || this.settled) return
    if (this.#underWay && this.#request.running && text === this.#asked) return this.#underWay
    this.#asked = text
    this.#underWay = this.#ask(text)
    return this.#underWay
  }

  async #ask(text: string): Promise<void> {
    const found = await this.#request.run(() =>
      this.#bridge.customers.find({ box: this.#box, text, page: 1 })
    )
    if (found) {
      this.#show(text, found)
      this.#call((one) => one.text === text)
    } else if (this.#request.failure?.kind === 'aborted') this.#request.reset()
    else if (this.#request.failure) this.#result = null
  }

  /** Shows what was found for a text. Rows that are in sight for it stay where they are: a finger may be on its way. */
  #show(text: string, found: SearchResult): void {
    const before = this.#result?.text === text ? this.#result.customers : []
    const result: CustomerSearchResult = { ...EMPTY, text, ...partsOf(found) }
    this.#result = { ...result, customers: inOrderOf(before, result.customers) }
  }

  /** Adds the next page to what was found. */
  async more(): Promise<void> {
    const before = this.#result
    if (!before?.hasMore || !this.settled) return
    const found = await this.#request.run(() =>
      this.#bridge.customers.find({ box: this.#box, text: before.text, page: before.page + 1 })
    )
    if (found?.kind !== 'customers') return
    this.#result = {
      ...before,
      ...found,
      customers: [...before.customers, ...newcomers(before.customers, found.customers)]
    }
  }

  /** Empties the box and forgets what was found. */
  clear(): void {
    clearTimeout(this.#timer)
    this.#text = ''
    this.#forget()
  }

  /**
   * The one customer that is meant, once the search has settled: the only one found, or the only one whose phone or
   * e-mail this is. null when there are none, or several.
   */
  get only(): Customer | null {
    const result = this.settled ? this.#result : null
    if (!result) return null
    const { customers, text, phone } = result
    const email = text.toLowerCase()
    const meant = customers.filter((customer) =>
      phone ? customer.phone === phone.display : customer.email?.toLowerCase() === email
    )
    const [one, ...others] = customers.length === 1 ? customers : meant
    return others.length === 0 ? (one ?? null) : null
  }

  #forget(): void {
    // Nobody waits for what is under way: an empty text ends it in main too.
    if (this.#request.running) void this.#bridge.customers.find({ box: this.#box, text: '', page: 1 })
    this.#asked = ''
    this.#request.reset()
    this.#result = null
  }
}

const EMPTY = { customers: [], page: 1, hasMore: false, phone: null, code: null } as const

const partsOf = (found: SearchResult) =>
  found.kind === 'code'
    ? { code: found.code }
    : { customers: found.customers, page: found.page, hasMore: found.hasMore, phone: found.phone }

/** A page that moved while it was read may repeat a row. */
const newcomers = (before: readonly Customer[], after: readonly Customer[]): Customer[] =>
  after.filter((customer) => !before.some((known) => known.id === customer.id))

/** The customers of `after`: first those that `before` has, in its order, then the others. */
const inOrderOf = (before: readonly Customer[], after: readonly Customer[]): Customer[] => [
  ...before.flatMap(({ id }) => after.find((customer) => customer.id === id) ?? []),
  ...newcomers(before, after)
]

/** Whom this till served last, for choosing them again without typing. */
export class RecentlyServed {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  #customers = $state.raw<readonly Customer[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  /** Last served first. */
  get customers(): readonly Customer[] {
    return this.#customers
  }

  /** Asks main for them. What was there stays in sight until the answer is, and when there is none. */
  async read(): Promise<void> {
    this.#customers = (await this.#request.run(() => this.#bridge.customers.recent())) ?? this.#customers
  }
}

/** All customers, as the service orders them, with a search of its own. */
export class CustomerList {
  readonly search: CustomerSearch
  readonly rows: PagedList<Customer>
  #chosen = $state.raw<Customer | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.search = new CustomerSearch(bridge, ipc, 'customers')
    this.rows = new PagedList(ipc, async ({ number }) => {
      const read = await bridge.customers.list({ page: number })
      return read.ok ? ok({ rows: read.value.data, hasMore: read.value.hasMore }) : read
    })
  }

  /** Hears what a search finds before all of it is found. Gives what ends the hearing. */
  start(): () => void {
    return this.search.start()
  }

  /** The customer whose details are in sight. */
  get chosen(): Customer | null {
    return this.#chosen
  }

  set chosen(customer: Customer | null) {
    this.#chosen = customer
  }
}
