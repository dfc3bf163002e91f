import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { ExportResult, ReportRange, SlipsReport } from '../../../electron/contract/slips.ts'
import { addDays, firstOfMonth } from '../format/dates.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** Ranges that are one press away. */
export const QUICK_RANGES = ['today', 'yesterday', 'week', 'month'] as const
export type QuickRange = (typeof QUICK_RANGES)[number]

/** What the bars of the chart measure. */
export type Measure = 'slips' | 'points'

/** The days that a quick range means when today is `today` (`YYYY-MM-DD`). */
export function quickRange(range: QuickRange, today: string): ReportRange {
  switch (range) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'week':
      return { from: addDays(today, -6), to: today }
    case 'month':
      return { from: firstOfMonth(today), to: today }
  }
}

/** What the till did on one day, or on several: read, printed, exported. */
export class Report {
  readonly #bridge: Bridge
  readonly #today: () => string
  readonly reading: AsyncRequest
  readonly printing: AsyncRequest
  readonly exporting: AsyncRequest
  #open = $state(false)
  #range = $state.raw<ReportRange>({ from: '', to: '' })
  #report = $state.raw<SlipsReport | null>(null)
  #printed = $state(false)
  #exported = $state.raw<ExportResult | null>(null)
  measure = $state<Measure>('points')

  /** `today`: the day in the business's time zone, `YYYY-MM-DD`. */
  constructor(bridge: Bridge, ipc: IpcClient, today: () => string) {
    this.#bridge = bridge
    this.#today = today
    this.reading = new AsyncRequest(ipc)
    this.printing = new AsyncRequest(ipc)
    this.exporting = new AsyncRequest(ipc)
  }

  /** Whether the report is in sight. */
  get open(): boolean {
    return this.#open
  }

  /** Shows the report, of today unless it was open before. */
  begin(): void {
    this.#open = true
    if (this.#range.from === '') this.choose('today')
    else void this.read()
  }

  close(): void {
    this.#open = false
  }

  get range(): ReportRange {
    return this.#range
  }

  /** Whether the range ends today: then there is no later day to go to. */
  get endsToday(): boolean {
    return this.#range.to >= this.#today()
  }

  /** null until the first one was read; what is in sight stays until the next one is there. */
  get report(): SlipsReport | null {
    return this.#report
  }

  /** Whether the report in sight has gone to paper. */
  get printed(): boolean {
    return this.#printed
  }

  /** What the last export came to; null before, and after it failed. */
  get exported(): ExportResult | null {
    return this.#exported
  }

  /** The quick range that is in sight, or null for another one. */
  get quick(): QuickRange | null {
    const today = this.#today()
    return (
      QUICK_RANGES.find((name) => {
        const { from, to } = quickRange(name, today)
        return from === this.#range.from && to === this.#range.to
      }) ?? null
    )
  }

  choose(name: QuickRange): void {
    this.#show(quickRange(name, this.#today()))
  }

  /** Sets the first day; an empty or impossible one changes nothing. */
  from(day: string): void {
    if (day !== '') this.#show({ from: day, to: day > this.#range.to ? day : this.#range.to })
  }

  /** Sets the last day, likewise. */
  to(day: string): void {
    if (day !== '') this.#show({ from: day < this.#range.from ? day : this.#range.from, to: day })
  }

  /** The day before, or after, the range that is in sight; one that ended today goes no further. */
  step(days: 1 | -1): void {
    if (days === 1 && this.endsToday) return
    const day = addDays(days === 1 ? this.#range.to : this.#range.from, days)
    this.#show({ from: day, to: day })
  }

  /** Adds up again. */
  async read(): Promise<void> {
    const range = this.#range
    const report = await this.reading.run(() => this.#bridge.slips.report(range))
    if (report) this.#report = report
  }

  /** Prints the report on the till's printer. */
  async print(): Promise<void> {
    if (this.printing.running) return
    this.#printed = false
    const range = this.#range
    const printed = await this.printing.run(() => this.#bridge.slips.printReport(range))
    if (printed !== undefined && range === this.#range) this.#printed = true
  }

  /** Writes the slips of the range as CSV, where the cashier says. */
  async exportCsv(): Promise<void> {
    if (this.exporting.running) return
    this.#exported = null
    const { from, to } = this.#range
    this.#exported =
      (await this.exporting.run(() => this.#bridge.slips.exportCsv({ search: { from, to } }))) ?? null
  }

  #show(range: ReportRange): void {
    this.#range = range
    this.#printed = false
    this.#exported = null
    this.printing.reset()
    this.exporting.reset()
    void this.read()
  }
}
