import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { SlipsReport } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'

/** What this till issued today: the totals of the report, read again after each slip. */
export class IssuedToday {
  readonly #bridge: Bridge
  readonly #today: () => string
  readonly #request: AsyncRequest
  #isReading = false
  #isStale = false
  /** null until the first read */
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
    return this.#bridge.onSlip(({ code }) => {
      if (code !== null) void this.#read()
    })
  }

  /** One read at a time, whatever a batch issues meanwhile. */
  async #read(): Promise<void> {
    this.#isStale = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isStale) {
      this.#isStale = false
      const day = this.#today()
      const report = await this.#request.run(() => this.#bridge.slips.report({ from: day, to: day }))
      if (report) this.total = report
    }
    this.#isReading = false
  }
}
