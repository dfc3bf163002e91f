import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { Exported } from '../../../electron/contract/history.ts'
import type { Slip, SlipState } from '../../../electron/contract/till.ts'
import type { Answers } from './answers.svelte.ts'
import { Asking } from './asking.svelte.ts'
import { SlipSearchForm } from './slip-search.svelte.ts'

/** A code without paper: printing it is all that is missing. */
const UNPRINTED: readonly SlipState[] = ['issued', 'print-failed']

/** Whether a slip waits for its paper. */
export const canPrint = (slip: Slip): boolean => UNPRINTED.includes(slip.state)

/** Whether the same code can be printed once more, as a copy. */
export const canReprint = (slip: Slip): boolean =>
  slip.code !== null && (slip.state === 'printed' || slip.state === 'given')

/** What this till issued, newest first, kept in step with the journal; all of it, or what a search finds. */
export class Slips {
  readonly #bridge: Bridge
  readonly #asking: Asking
  readonly #exporting: Asking
  readonly form = new SlipSearchForm(() => void this.load())
  #list = $state.raw<readonly Slip[] | null>(null)
  #hasMore = $state(false)
  #chosen = $state.raw<Slip | null>(null)
  #exported = $state.raw<Exported | null>(null)

  constructor(bridge: Bridge, answers: Answers) {
    this.#bridge = bridge
    this.#asking = new Asking(answers.ofTill)
    this.#exporting = new Asking(answers.ofTill)
  }

  /** null until they were read for the first time. */
  get list(): readonly Slip[] | null {
    return this.#list
  }

  get hasMore(): boolean {
    return this.#hasMore
  }

  get asking(): Asking {
    return this.#asking
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
  get exported(): Exported | null {
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
    const read = await this.#ask(0)
    if (!read) return
    this.#list = read.slips
    this.#hasMore = read.hasMore
  }

  async more(): Promise<void> {
    const before = this.#list ?? []
    if (this.#asking.running) return
    const read = await this.#ask(before.length)
    if (!read) return
    // A slip issued meanwhile pushes the others along; the same row may come twice.
    const now = this.#list ?? []
    this.#list = [...now, ...read.slips.filter((slip) => !now.some((known) => isSame(known, slip)))]
    this.#hasMore = read.hasMore
  }

  /** Writes what the search finds as CSV, where the cashier says. */
  async exportCsv(): Promise<void> {
    if (this.#exporting.running) return
    this.#exported = null
    const { search } = this.form
    this.#exported =
      (await this.#exporting.ask(() => this.#bridge.slips.exportCsv(search ? { search } : {}))) ?? null
  }

  #ask(offset: number) {
    const { search } = this.form
    return this.#asking.ask(() => this.#bridge.slips.list(search ? { offset, search } : { offset }))
  }

  #accept(slip: Slip): void {
    if (this.#chosen && isSame(this.#chosen, slip)) this.#chosen = newer(this.#chosen, slip)
    if (!this.#list) return
    const known = this.#list.some((other) => isSame(other, slip))
    if (known) this.#list = this.#list.map((other) => (isSame(other, slip) ? newer(other, slip) : other))
    // Whether a new slip belongs to what was searched for, main knows.
    else if (!this.form.active && isNewest(slip, this.#list)) this.#list = [slip, ...this.#list]
  }
}

const isSame = (one: Slip, other: Slip): boolean => one.intentId === other.intentId

const newer = (known: Slip, heard: Slip): Slip => (heard.revision < known.revision ? known : heard)

/** An old slip further down than the list reaches may change, too. */
const isNewest = (slip: Slip, list: readonly Slip[]): boolean =>
  list[0] === undefined || slip.requestedAt >= list[0].requestedAt
