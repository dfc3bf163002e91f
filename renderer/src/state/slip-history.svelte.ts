import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { CheckedCode, ExportResult, Slip, SlipSearch } from '../../../electron/contract/slips.ts'
import { TYPING_DEBOUNCE_MS } from './customer-search.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PagedList } from './paged-list.svelte.ts'

/** What this till issued, newest first, kept in step with the journal; all of it, or what a search finds. */
export class SlipList {
  readonly #bridge: Bridge
  readonly #exporting: AsyncRequest
  readonly form = new SlipSearchForm(() => void this.load())
  readonly rows: PagedList<Slip>
  #newest: Slip | null = null
  #chosen = $state.raw<Slip | null>(null)
  #exported = $state.raw<ExportResult | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.rows = new PagedList(ipc, async ({ offset }) => {
      const { search } = this.form
      const read = await bridge.slips.list(search ? { offset, search } : { offset })
      if (!read.ok) return read
      if (offset === 0) this.#newest = read.value.slips[0] ?? null
      return ok({ rows: read.value.slips, hasMore: read.value.hasMore })
    })
    this.#exporting = new AsyncRequest(ipc)
  }

  /** The slip whose details are in sight. */
  get chosen(): Slip | null {
    return this.#chosen
  }

  set chosen(slip: Slip | null) {
    this.#chosen = slip
  }

  get exporting(): AsyncRequest {
    return this.#exporting
  }

  /** What the last export came to; null before, and after it failed. */
  get exported(): ExportResult | null {
    return this.#exported
  }

  /** Follows the journal. Gives what ends the following. */
  start(): () => void {
    return this.#bridge.onSlip((slip) => {
      this.#accept(slip)
    })
  }

  /** Reads the newest slips of the search again. What is in sight stays until then. */
  async load(): Promise<void> {
    await this.rows.restart()
  }

  /** Writes what the search finds as CSV, where the cashier says. */
  async exportCsv(): Promise<void> {
    if (this.#exporting.running) return
    this.#exported = null
    const { search } = this.form
    this.#exported =
      (await this.#exporting.run(() => this.#bridge.slips.exportCsv(search ? { search } : {}))) ?? null
  }

  #accept(slip: Slip): void {
    if (this.#chosen && isSame(this.#chosen, slip)) this.#chosen = newer(this.#chosen, slip)
    if (!this.rows.isRead) return
    const known = this.rows.here.some((other) => isSame(other, slip))
    if (known) this.rows.change((other) => (isSame(other, slip) ? newer(other, slip) : other))
    // Whether a new slip belongs to what was searched for, main knows.
    else if (!this.form.active && isNewest(slip, this.#newest)) {
      this.#newest = slip
      this.rows.add(slip)
    }
  }
}

const isSame = (one: Slip, other: Slip): boolean => one.intentId === other.intentId

const newer = (known: Slip, heard: Slip): Slip => (heard.revision < known.revision ? known : heard)

/** An old slip further down than the list reaches may change, too. */
const isNewest = (slip: Slip, newest: Slip | null): boolean =>
  newest === null || (!isSame(slip, newest) && slip.requestedAt >= newest.requestedAt)

/** What the history is searched for, as the form has it. Any change asks again: typing after a pause. */
class SlipSearchForm {
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
    this.#timer = setTimeout(this.#changed, TYPING_DEBOUNCE_MS)
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

/** Checks whether a points code has been used. */
export class CodeCheck {
  readonly #bridge: Bridge
  readonly #request: AsyncRequest
  #text = $state('')
  #checked = $state.raw<CheckedCode | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.#request = new AsyncRequest(ipc)
  }

  /** The code as typed, or the address in its QR as scanned. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    this.#text = text
    if (text.trim() === '') {
      this.#request.reset()
      this.#checked = null
    }
  }

  get request(): AsyncRequest {
    return this.#request
  }

  /** What the service said about the code that was checked last. */
  get checked(): CheckedCode | null {
    return this.#checked
  }

  async check(): Promise<void> {
    const code = this.#text.trim()
    if (code === '') return
    this.#checked = null
    const checked = await this.#request.run(() => this.#bridge.slips.check({ code }))
    // Nothing where a later code overtook this one: its result may be there already.
    if (checked) this.#checked = checked
  }
}
