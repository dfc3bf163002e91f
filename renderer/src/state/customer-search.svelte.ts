import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Phone, SearchBox, SearchResult } from '../../../electron/contract/customer-search.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { Customer } from '../../../electron/contract/loyalty.ts'
import type { CheckedCode } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { newRows, PagedList } from './paged-list.svelte.ts'

/** Pause in typing after which a search starts. */
export const TYPING_DEBOUNCE_MS = 150

/**
 * Delay of partial results after Enter. Enter usually chooses the only match, and a list that is replaced at once would
 * flicker.
 */
export const PARTIAL_RESULT_DELAY_MS = 60

/** The result of a search. `text` is the trimmed search text. */
interface CustomerSearchResult {
  readonly text: string
  readonly customers: readonly Customer[]
  readonly page: number
  readonly hasMore: boolean
  readonly phone: Phone | null
  readonly code: CheckedCode | null
  /** see `SearchResult` */
  readonly isOld: boolean
}

/**
 * Searches customers while the cashier types: by phone, name, e-mail, or a scanned points code. Only the latest search
 * counts: the main process aborts the requests of earlier ones, and late responses are dropped here.
 */
export class CustomerSearch {
  readonly #bridge: Bridge
  readonly #box: SearchBox
  readonly request: AsyncRequest
  #text = $state('')
  /** The latest result, which stays until the next one arrives; null if there is none. */
  result = $state.raw<CustomerSearchResult | null>(null)
  #typingTimer: ReturnType<typeof setTimeout> | undefined
  #requestedText = ''
  #running: Promise<void> | null = null
  /** the calls of `searchNow` that are not resolved */
  #immediateSearches: readonly { readonly text: string; readonly onComplete: () => void }[] = []
  #partialResultTimer: ReturnType<typeof setTimeout> | undefined

  /** `box` identifies the search field in calls and events. */
  constructor(bridge: Bridge, ipc: IpcClient, box: SearchBox) {
    this.#bridge = bridge
    this.#box = box
    this.request = new AsyncRequest(ipc)
  }

  /** Follows partial results. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onPartialSearchResult(({ box, text, found }) => {
      const isCurrent = (): boolean =>
        box === this.#box && text === this.#requestedText && this.request.running
      if (!isCurrent()) return
      clearTimeout(this.#partialResultTimer)
      if (this.#immediateSearches.length === 0) this.#show(text, found)
      else {
        this.#partialResultTimer = setTimeout(() => {
          if (isCurrent()) this.#show(text, found)
        }, PARTIAL_RESULT_DELAY_MS)
      }
    })
  }

  get text(): string {
    return this.#text
  }

  /** Replaces the search text, and searches after a pause in typing. */
  type(text: string): void {
    this.#text = text
    clearTimeout(this.#typingTimer)
    const wanted = text.trim()
    if (wanted === '') {
      this.#reset()
    } else if (wanted !== this.#requestedText) {
      this.request.reset()
      this.#requestedText = ''
      this.#typingTimer = setTimeout(() => void this.#search(), TYPING_DEBOUNCE_MS)
    }
  }

  /** Whether there is a search text. */
  get active(): boolean {
    return this.#text.trim() !== ''
  }

  /** Whether the result is complete and belongs to the search text. */
  get complete(): boolean {
    return this.result !== null && this.result.text === this.#text.trim() && !this.request.running
  }

  /**
   * Searches without waiting for a pause, once per text. Resolves when the search ended, also with a failure.
   * `onComplete` is called when the result is complete and not rendered yet: a result that is replaced at once costs no
   * frame.
   */
  async searchNow(onComplete = (): void => undefined): Promise<void> {
    if (this.complete) {
      onComplete()
      return
    }
    const search = { text: this.#text.trim(), onComplete }
    this.#immediateSearches = [...this.#immediateSearches, search]
    try {
      await this.#search()
    } finally {
      this.#immediateSearches = this.#immediateSearches.filter((other) => other !== search)
    }
  }

  /** Searches again what the till has only remembered. The rows stay until then. */
  async refreshOld(): Promise<void> {
    if (this.result?.isOld && this.complete) await this.#run(this.result.text)
  }

  /** Adds the next page to the result. */
  async more(): Promise<void> {
    const before = this.result
    if (!before?.hasMore || !this.complete) return
    const found = await this.request.run(() =>
      this.#bridge.customers.find({ box: this.#box, text: before.text, page: before.page + 1 })
    )
    if (found?.kind !== 'customers') return
    const added = newRows(before.customers, found.customers, idOf)
    this.result = {
      ...before,
      ...found,
      isOld: false,
      // An empty page, or one that only repeats customers, is the end whatever the service sends.
      hasMore: found.hasMore && added.length > 0,
      customers: [...before.customers, ...added]
    }
  }

  /** Clears the search text and the result. */
  clear(): void {
    clearTimeout(this.#typingTimer)
    this.#text = ''
    this.#reset()
  }

  /**
   * The customer of a complete search that Enter chooses: the only one found, or the only one with exactly this phone or
   * e-mail. null if there are none or several.
   */
  get onlyMatch(): Customer | null {
    const result = this.complete ? this.result : null
    if (!result) return null
    const { customers, text, phone } = result
    const email = text.toLowerCase()
    const exact = customers.filter((customer) =>
      phone ? customer.phone === phone.display : customer.email?.toLowerCase() === email
    )
    const [first, ...others] = customers.length === 1 ? customers : exact
    return others.length === 0 ? (first ?? null) : null
  }

  async #search(): Promise<void> {
    clearTimeout(this.#typingTimer)
    const text = this.#text.trim()
    if (text === '' || this.complete) return
    if (this.#running && this.request.running && text === this.#requestedText) return this.#running
    this.#requestedText = text
    this.#running = this.#run(text)
    return this.#running
  }

  async #run(text: string): Promise<void> {
    const found = await this.request.run(
      () => this.#bridge.customers.find({ box: this.#box, text, page: 1 }),
      (result) => {
        this.#show(text, result)
        for (const search of this.#immediateSearches) if (search.text === text) search.onComplete()
      }
    )
    if (found) return
    if (this.request.failure?.kind === 'aborted') this.request.reset()
    else if (this.request.failure) this.result = null
  }

  /** Shows a result. Rows that are shown already keep their position: the cashier may be about to click one. */
  #show(text: string, found: SearchResult): void {
    const before = this.result?.text === text ? this.result.customers : []
    const empty = { customers: [], page: 1, hasMore: false, phone: null, code: null, isOld: false }
    const result: CustomerSearchResult =
      found.kind === 'code'
        ? { ...empty, text, code: found.code }
        : {
            ...empty,
            text,
            customers: found.customers,
            page: found.page,
            hasMore: found.hasMore,
            phone: found.phone,
            isOld: found.isOld ?? false
          }
    this.result = { ...result, customers: inOrderOf(before, result.customers) }
  }

  #reset(): void {
    // An empty text aborts the running search in the main process, too.
    if (this.request.running) void this.#bridge.customers.find({ box: this.#box, text: '', page: 1 })
    this.#requestedText = ''
    this.request.reset()
    this.result = null
  }
}

const idOf = ({ id }: Customer): string => id

/** Returns the customers of `after`: first those of `before`, in its order, then the others. */
const inOrderOf = (before: readonly Customer[], after: readonly Customer[]): Customer[] => [
  ...before.flatMap(({ id }) => after.find((customer) => customer.id === id) ?? []),
  ...newRows(before, after, idOf)
]

/** The customers that this till served last, to be chosen again without typing. */
export class RecentlyServed {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  /** Newest first. */
  customers = $state.raw<readonly Customer[]>([])

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  /** Reads them again. The previous ones stay until then, and after a failure. */
  async read(): Promise<void> {
    this.customers = (await this.#request.run(() => this.#bridge.customers.recent())) ?? this.customers
  }
}

/** All customers, in the order of the service, with a search of their own. */
export class CustomerList {
  readonly search: CustomerSearch
  readonly rows: PagedList<Customer>
  /** the customer whose details are shown */
  chosen = $state.raw<Customer | null>(null)
  readonly #bridge: Bridge
  readonly #reading: AsyncRequest

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#reading = new AsyncRequest(ipc)
    this.search = new CustomerSearch(bridge, ipc, 'customers')
    this.rows = new PagedList(
      ipc,
      async ({ number }) => {
        const read = await bridge.customers.list({ page: number })
        return read.ok ? ok({ rows: read.value.data, hasMore: read.value.hasMore }) : read
      },
      idOf
    )
  }

  /** Follows partial results of the search. Returns a function that stops. */
  start(): () => void {
    return this.search.start()
  }

  /** Reads the chosen customer again, whose points may have changed. After a failure what was known stays. */
  async readChosen(): Promise<void> {
    const { chosen } = this
    if (chosen === null) return
    const read = await this.#reading.run(() => this.#bridge.customers.read({ id: chosen.id }))
    if (read && this.chosen === chosen) this.chosen = read
  }
}
