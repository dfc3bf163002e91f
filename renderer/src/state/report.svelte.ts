import type { Bridge } from '../../../electron/contract/bridge.ts'
import type {
  CollectionGrouping,
  PrintedReport,
  ReportRange,
  SlipsReport
} from '../../../electron/contract/slip-report.ts'
import type { ExportResult } from '../../../electron/contract/slips.ts'
import { addDays, firstOfMonth } from '../format/dates.ts'
import { AsyncRequest, FileExport, type IpcClient } from './ipc-client.svelte.ts'

/** Ranges with a button of their own. */
export const QUICK_RANGES = ['today', 'yesterday', 'week', 'month'] as const
export type QuickRange = (typeof QUICK_RANGES)[number]

/** What the chart shows. */
export type Measure = 'slips' | 'points'

/** Returns the days of a quick range. `today` is `YYYY-MM-DD`. */
function daysOf(range: QuickRange, today: string): ReportRange {
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

/** Returns the quick range of these days; null if there is none. */
const quickRangeOf = ({ from, to }: ReportRange, today: string): QuickRange | null =>
  QUICK_RANGES.find((name) => {
    const days = daysOf(name, today)
    return days.from === from && days.to === to
  }) ?? null

/** The report of one or several days: read, printed, exported. */
export class Report {
  readonly #bridge: Bridge
  readonly #today: () => string
  readonly reading: AsyncRequest
  readonly printing: AsyncRequest
  readonly exporting: FileExport<ExportResult>
  /** Whether the report is shown. */
  open = $state(false)
  range = $state.raw<ReportRange>({ from: '', to: '' })
  /** the day on which the range was chosen */
  #chosenOn = ''
  /** the quick range that was pressed: on the first of a month, Today and This month are the same days */
  #pressed = $state<QuickRange | null>(null)
  /**
   * null until the first read; the previous report stays until the next one is read, also if that fails. What is printed and
   * exported is of its days.
   */
  report = $state.raw<SlipsReport | null>(null)
  /** Where the report went when it was printed last, or null. */
  printed: PrintedReport | null = $state.raw(null)
  measure = $state<Measure>('points')
  /** By what the collected slips are grouped. */
  grouping = $state<CollectionGrouping>('time')
  readonly exportingCollections: FileExport

  /** `today` returns the current day in the business's time zone, `YYYY-MM-DD`. */
  constructor(bridge: Bridge, ipc: IpcClient, today: () => string) {
    this.#bridge = bridge
    this.#today = today
    this.reading = new AsyncRequest(ipc)
    this.printing = new AsyncRequest(ipc)
    this.exporting = new FileExport(ipc)
    this.exportingCollections = new FileExport(ipc)
  }

  /** Reads the report of the range that was shown before; on another day of the same quick range, or of today. */
  refresh(): void {
    if (this.#chosenOn === this.#today()) void this.read()
    else this.showQuickRange(this.#pressed ?? quickRangeOf(this.range, this.#chosenOn) ?? 'today')
  }

  close(): void {
    this.open = false
  }

  /** Whether the range ends today, so that there is no later day. */
  get endsToday(): boolean {
    return this.range.to >= this.#today()
  }

  /** The quick range that is shown; null for another range. */
  get shownQuickRange(): QuickRange | null {
    const today = this.#today()
    return (today === this.#chosenOn ? this.#pressed : null) ?? quickRangeOf(this.range, today)
  }

  /** Shows a quick range. */
  showQuickRange(name: QuickRange): void {
    this.#setRange(daysOf(name, this.#today()), name)
  }

  /** Sets the first day. An empty day changes nothing. */
  setFirstDay(day: string): void {
    if (day !== '') this.#setRange({ from: day, to: day > this.range.to ? day : this.range.to })
  }

  /** Sets the last day. An empty day changes nothing. */
  setLastDay(day: string): void {
    if (day !== '') this.#setRange({ from: day < this.range.from ? day : this.range.from, to: day })
  }

  /** Moves to the day before or after the range, not beyond today. */
  stepDay(days: 1 | -1): void {
    if (days === 1 && this.endsToday) return
    const day = addDays(days === 1 ? this.range.to : this.range.from, days)
    this.#setRange({ from: day, to: day })
  }

  /** Reads the report again. */
  async read(): Promise<void> {
    const range = this.range
    const report = await this.reading.run(() => this.#bridge.slips.report(range))
    if (report) this.report = report
  }

  /** Prints the report on the till's printer. */
  async print(): Promise<void> {
    if (this.printing.running) return
    this.printed = null
    const range = this.#shownRange
    const chosen = this.range
    const printed = await this.printing.run(() => this.#bridge.slips.printReport(range))
    if (printed !== undefined && chosen === this.range) this.printed = printed
  }

  /** Exports the slips of the range as a CSV file. */
  async exportCsv(): Promise<void> {
    const { from, to } = this.#shownRange
    await this.exporting.save(() => this.#bridge.slips.exportCsv({ search: { from, to } }))
  }

  /** Exports which slips were collected, in the groups that are shown. */
  async exportCollections(): Promise<void> {
    const input = { range: this.#shownRange, by: this.grouping }
    await this.exportingCollections.save(() => this.#bridge.slips.exportCollections(input))
  }

  get #shownRange(): ReportRange {
    return this.report?.range ?? this.range
  }

  #setRange(range: ReportRange, pressed: QuickRange | null = null): void {
    this.range = range
    this.#pressed = pressed
    this.#chosenOn = this.#today()
    this.printed = null
    this.printing.reset()
    this.exporting.reset()
    this.exportingCollections.reset()
    void this.read()
  }
}
