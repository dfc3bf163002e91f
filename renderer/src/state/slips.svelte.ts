import type { Bridge } from '../../../electron/contract/bridge.ts'
import { ok } from '../../../electron/contract/failure.ts'
import type { ExportResult, Slip } from '../../../electron/contract/slips.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { LongList } from './long-list.svelte.ts'
import { SlipSearchForm } from './slip-search.svelte.ts'

/** What this till issued, newest first, kept in step with the journal; all of it, or what a search finds. */
export class Slips {
  readonly #bridge: Bridge
  readonly #exporting: Asking
  readonly form = new SlipSearchForm(() => void this.load())
  readonly rows: LongList<Slip>
  #newest: Slip | null = null
  #chosen = $state.raw<Slip | null>(null)
  #exported = $state.raw<ExportResult | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.rows = new LongList(answers.hear, async ({ offset }) => {
      const { search } = this.form
      const read = await bridge.slips.list(search ? { offset, search } : { offset })
      if (!read.ok) return read
      if (offset === 0) this.#newest = read.value.slips[0] ?? null
      return ok({ rows: read.value.slips, hasMore: read.value.hasMore })
    })
    this.#exporting = new Asking(answers.hear)
  }

  /** The slip whose details are in sight. */
  get chosen(): Slip | null {
    return this.#chosen
  }

  set chosen(slip: Slip | null) {
    this.#chosen = slip
  }

  get exporting(): Asking {
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
      (await this.#exporting.ask(() => this.#bridge.slips.exportCsv(search ? { search } : {}))) ?? null
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
