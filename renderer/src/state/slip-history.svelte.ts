import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { CheckedCode, ExportResult, Slip, SlipSearch } from '../../../electron/contract/slips.ts'
import { TYPING_DEBOUNCE_MS } from './customer-search.svelte.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { PagedList } from './paged-list.svelte.ts'

/** The slips of this till, newest first, updated as the journal changes; all, or those that a search finds. */
export class SlipList {
  readonly #bridge: Bridge
  readonly exporting: AsyncRequest
  readonly form = new SlipSearchForm(() => void this.load())
  readonly rows: PagedList<Slip>
  #newest: Slip | null = null
  /** the slip whose details are shown */
  chosen = $state.raw<Slip | null>(null)
  /** The result of the last export; null before, and after a failure. */
  exported = $state.raw<ExportResult | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.rows = new PagedList(ipc, async ({ offset }) => {
      const { search } = this.form
      const read = await bridge.slips.list(search ? { offset, search } : { offset })
      if (!read.ok) return read
      if (offset === 0) this.#newest = read.value.slips[0] ?? null
      return ok({ rows: read.value.slips, hasMore: read.value.hasMore })
    })
    this.exporting = new AsyncRequest(ipc)
  }

  /** Follows the journal. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onSlip((slip) => {
      this.#accept(slip)
    })
  }

  /** Reads the list again. The previous rows stay until then. */
  async load(): Promise<void> {
    await this.rows.restart()
  }

  /** Exports the slips that the search finds as a CSV file. */
  async exportCsv(): Promise<void> {
    if (this.exporting.running) return
    this.exported = null
    const { search } = this.form
    this.exported =
      (await this.exporting.run(() => this.#bridge.slips.exportCsv(search ? { search } : {}))) ?? null
  }

  #accept(slip: Slip): void {
    if (this.chosen && isSame(this.chosen, slip)) this.chosen = newer(this.chosen, slip)
    if (!this.rows.isRead) return
    const known = this.rows.loadedRows.some((other) => isSame(other, slip))
    if (known) this.rows.updateRows((other) => (isSame(other, slip) ? newer(other, slip) : other))
    // During a search only the main process knows whether a new slip matches.
    else if (!this.form.active && isNewest(slip, this.#newest)) {
      this.#newest = slip
      this.rows.prepend(slip)
    }
  }
}

const isSame = (one: Slip, other: Slip): boolean => one.intentId === other.intentId

const newer = (known: Slip, received: Slip): Slip => (received.revision < known.revision ? known : received)

/** An older slip that is not loaded may change, too. */
const isNewest = (slip: Slip, newest: Slip | null): boolean =>
  newest === null || (!isSame(slip, newest) && slip.requestedAt >= newest.requestedAt)

/** The search fields of the history. Each change searches again, typing after a pause. */
class SlipSearchForm {
  readonly #onChange: () => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #text = $state('')
  #from = $state('')
  #to = $state('')
  #customer = $state.raw<{ readonly id: string; readonly name: string } | null>(null)
  #cashierId = $state('')

  /** `onChange` is called when the search changes. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** The beginning of a code, or of a word of the customer's name. */
  get text(): string {
    return this.#text
  }

  set text(text: string) {
    if (text === this.#text) return
    this.#text = text
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onChange, TYPING_DEBOUNCE_MS)
  }

  /** First day, `YYYY-MM-DD`; empty for no limit. */
  get from(): string {
    return this.#from
  }

  set from(day: string) {
    this.#from = day
    this.#searchNow()
  }

  /** Last day, inclusive; empty for no limit. */
  get to(): string {
    return this.#to
  }

  set to(day: string) {
    this.#to = day
    this.#searchNow()
  }

  /** The customer whose slips are searched for. */
  get customer(): { readonly id: string; readonly name: string } | null {
    return this.#customer
  }

  set customer(customer: { readonly id: string; readonly name: string } | null) {
    this.#customer = customer
    this.#searchNow()
  }

  /** The id of the cashier whose slips are searched for; empty for all. */
  get cashierId(): string {
    return this.#cashierId
  }

  set cashierId(id: string) {
    this.#cashierId = id
    this.#searchNow()
  }

  /** Whether any field is set. */
  get active(): boolean {
    return this.search !== undefined
  }

  /** The search for the main process; undefined for all slips. */
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
    this.#searchNow()
  }

  #searchNow(): void {
    clearTimeout(this.#timer)
    this.#onChange()
  }
}

/** Checks whether a points code was used. */
export class CodeCheck {
  readonly #bridge: Bridge
  readonly request: AsyncRequest
  /** The code as typed, or the URL of its QR code as scanned. */
  text = $state('')
  /** The result of the last check. */
  checked = $state.raw<CheckedCode | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.request = new AsyncRequest(ipc)
  }

  /** Replaces the code; an empty one clears the result. */
  type(text: string): void {
    this.text = text
    if (text.trim() === '') {
      this.request.reset()
      this.checked = null
    }
  }

  async check(): Promise<void> {
    const code = this.text.trim()
    if (code === '') return
    this.checked = null
    const checked = await this.request.run(() => this.#bridge.slips.check({ code }))
    // undefined if a later check superseded this one: its result may be set already.
    if (checked) this.checked = checked
  }
}
