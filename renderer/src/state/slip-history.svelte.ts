import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { CheckedCode, ExportResult, Slip, SlipSearch } from '../../../electron/contract/slips.ts'
import { TYPING_DEBOUNCE_MS } from './customer-search.svelte.ts'
import { AsyncRequest, FileExport, type IpcClient } from './ipc-client.svelte.ts'
import { PagedList } from './paged-list.svelte.ts'

/** The slips of this till, newest first, updated as the journal changes; all, or those that a search finds. */
export class SlipList {
  readonly #bridge: Bridge
  readonly exporting: FileExport<ExportResult>
  readonly rows: PagedList<Slip>
  #newest: Slip | null = null
  #typingTimer: ReturnType<typeof setTimeout> | undefined
  /** changed by `filter` and `typeText` */
  filters = $state.raw(NO_FILTERS)
  /** the slip whose details are shown */
  chosen = $state.raw<Slip | null>(null)

  constructor(bridge: Bridge, ipc: IpcClient) {
    this.#bridge = bridge
    this.rows = new PagedList(ipc, async ({ offset }) => {
      const { filters } = this
      const search = this.#search
      const read = await bridge.slips.list(search ? { offset, search } : { offset })
      if (!read.ok) return read
      if (offset === 0 && this.filters === filters) this.#newest = read.value.slips[0] ?? null
      return ok({ rows: read.value.slips, hasMore: read.value.hasMore })
    })
    this.exporting = new FileExport(ipc)
  }

  /** Follows the journal. Returns a function that stops. */
  start(): () => void {
    return this.#bridge.onSlip((slip) => {
      this.#accept(slip)
    })
  }

  /** Whether any filter is set. */
  get filtered(): boolean {
    return this.#search !== undefined
  }

  get #search(): SlipSearch | undefined {
    return searchFor(this.filters)
  }

  /** Changes some filters, and searches at once. */
  filter(change: Partial<SlipFilters>): void {
    clearTimeout(this.#typingTimer)
    this.filters = { ...this.filters, ...change }
    void this.load()
  }

  /** Changes the text, and searches after a pause in typing. */
  typeText(text: string): void {
    if (text === this.filters.text) return
    this.filters = { ...this.filters, text }
    clearTimeout(this.#typingTimer)
    this.#typingTimer = setTimeout(() => void this.load(), TYPING_DEBOUNCE_MS)
  }

  clearFilters(): void {
    this.filter(NO_FILTERS)
  }

  /** Reads the list again. The previous rows stay until then. */
  async load(): Promise<void> {
    await this.rows.restart()
  }

  /** Exports the slips that the search finds as a CSV file. */
  async exportCsv(): Promise<void> {
    const search = this.#search
    await this.exporting.save(() => this.#bridge.slips.exportCsv(search ? { search } : {}))
  }

  #accept(slip: Slip): void {
    if (this.chosen && isSame(this.chosen, slip)) this.chosen = newer(this.chosen, slip)
    if (!this.rows.isRead) return
    const known = this.rows.loadedRows.some((other) => isSame(other, slip))
    if (known) this.rows.updateRows((other) => (isSame(other, slip) ? newer(other, slip) : other))
    else if (!isNewest(slip, this.#newest)) return
    // During a search only the main process knows whether a new slip matches.
    else if (this.filtered) void this.rows.invalidate()
    else {
      this.#newest = slip
      this.rows.prepend(slip)
    }
  }
}

const isSame = (one: Slip, other: Slip): boolean => one.intentId === other.intentId

const newer = (known: Slip, received: Slip): Slip => (received.revision < known.revision ? known : received)

/**
 * Whether a slip that is not loaded is new: an older one may change, too. The clock may have been ahead when the newest one
 * was requested.
 */
export const isNewest = (slip: Slip, newest: Slip | null): boolean =>
  newest === null ||
  (!isSame(slip, newest) && (slip.state === 'requested' || slip.requestedAt >= newest.requestedAt))

/** What the history is searched for. */
interface SlipFilters {
  /** the beginning of a code, or of a word of the customer's name */
  readonly text: string
  /** first day, `YYYY-MM-DD`; empty for no limit */
  readonly from: string
  /** last day, inclusive; empty for no limit */
  readonly to: string
  readonly customer: { readonly id: string; readonly name: string } | null
  /** empty for all cashiers */
  readonly cashierId: string
}

const NO_FILTERS: SlipFilters = { text: '', from: '', to: '', customer: null, cashierId: '' }

/** Returns the search for the main process; undefined for all slips. */
function searchFor({ text, from, to, customer, cashierId }: SlipFilters): SlipSearch | undefined {
  const search: SlipSearch = {
    ...(text.trim() === '' ? {} : { text: text.trim() }),
    ...(from === '' ? {} : { from }),
    ...(to === '' ? {} : { to }),
    ...(customer ? { customerId: customer.id } : {}),
    ...(cashierId === '' ? {} : { cashierId })
  }
  return Object.keys(search).length === 0 ? undefined : search
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

  /** Replaces the code; an empty one clears the result. The check of another code has no result any more. */
  type(text: string): void {
    if (text.trim() !== this.text.trim()) this.request.reset()
    this.text = text
    if (text.trim() === '') this.checked = null
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
