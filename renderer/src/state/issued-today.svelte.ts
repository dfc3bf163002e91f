import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { SlipsReport } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** How often the day is compared: a timer for midnight would not count the time that the machine sleeps. */
const DAY_CHECK_INTERVAL_MS = 60_000

/** What this till issued today: the totals of the report, read again after each slip, and when a new day has begun. */
export class IssuedToday {
  readonly #bridge: Bridge
  readonly #today: () => string
  readonly #request: AsyncRequest
  #isReading = false
  #isStale = false
  /** of the totals; empty before the first read */
  #day = ''
  /** null until the first read of the day */
  total: Pick<SlipsReport, 'slips' | 'points'> | null = $state.raw(null)

  /** `today` returns the current day in the business's time zone, `YYYY-MM-DD`. */
  constructor(bridge: Bridge, ipc: IpcClient, today: () => string) {
    this.#bridge = bridge
    this.#today = today
    this.#request = new AsyncRequest(ipc)
  }

  /** Reads the totals and follows the journal. Returns a function that stops. */
  start(): () => void {
    void this.#read()
    const stopSlips = this.#bridge.onSlip(({ code }) => {
      if (code !== null) void this.#read()
    })
    const dayCheck = setInterval(() => {
      if (this.#today() !== this.#day) void this.#read()
    }, DAY_CHECK_INTERVAL_MS)
    return () => {
      stopSlips()
      clearInterval(dayCheck)
    }
  }

  /** One read at a time, whatever a batch issues meanwhile. */
  async #read(): Promise<void> {
    this.#isStale = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isStale) {
      this.#isStale = false
      const day = this.#today()
      // Yesterday's totals are not shown while those of today are read.
      if (day !== this.#day) this.total = null
      const report = await this.#request.run(() => this.#bridge.slips.report({ from: day, to: day }))
      if (!report) continue
      this.total = report
      this.#day = day
    }
    this.#isReading = false
  }
}
