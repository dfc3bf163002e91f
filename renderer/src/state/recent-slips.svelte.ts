import type { Bridge } from '../../../electron/contract/bridge.ts'
import type { SlipsReport } from '../../../electron/contract/slip-report.ts'
import type { Slip } from '../../../electron/contract/slips.ts'
import { AsyncRequest, type IpcClient } from './ipc-client.svelte.ts'
import { isNewest } from './slip-history.svelte.ts'

/** As many as one page of the journal. */
const MAX_SLIPS = 50
/** The number of different amounts that are offered again. */
const MAX_LAST_POINTS = 3

/** Whether the slip was issued at the counter, and neither in a batch nor by a program. */
const isOfCounter = ({ batch, caller, code, state }: Slip): boolean =>
  batch === null && caller === null && code !== null && state !== 'discarded'

/** The slips that were issued last at this till, to anybody or to one customer. */
export class RecentSlips {
  readonly #bridge: Bridge
  readonly #customerId: string | undefined
  readonly #request: AsyncRequest
  /** Newest first. */
  #slips = $state.raw<readonly Slip[]>([])
  /** Whether they were read. */
  isRead = $state(false)

  constructor(bridge: Bridge, ipc: IpcClient, customerId?: string) {
    this.#bridge = bridge
    this.#customerId = customerId
    this.#request = new AsyncRequest(ipc)
  }

  /** Reads the slips and follows the journal. Returns a function that stops. */
  start(): () => void {
    void this.read()
    return this.#bridge.onSlip((slip) => {
      this.#accept(slip)
    })
  }

  /** Reads them again. The previous ones stay until then, and after a failure. */
  async read(): Promise<void> {
    const customerId = this.#customerId
    const search = customerId === undefined ? {} : { search: { customerId } }
    const read = await this.#request.run(() => this.#bridge.slips.list({ offset: 0, ...search }))
    if (!read) return
    this.#slips = read.slips
    this.isRead = true
  }

  /** The slips with a code, newest first. */
  get issued(): readonly Slip[] {
    return this.#slips.filter(({ code }) => code !== null)
  }

  /** The newest slip whose code counts; undefined without one. */
  get last(): Slip | undefined {
    return this.issued.find(({ state }) => state !== 'discarded')
  }

  /** The last different amounts of the counter, the smallest first: each stays in its place as long as it can. */
  get lastPoints(): readonly number[] {
    const points = this.#slips.filter(isOfCounter).map((slip) => slip.points)
    const different = points.filter((one, index) => points.indexOf(one) === index)
    return different.slice(0, MAX_LAST_POINTS).sort((one, other) => one - other)
  }

  #accept(slip: Slip): void {
    if (this.#customerId !== undefined && slip.customer?.id !== this.#customerId) return
    const known = this.#slips.find(({ intentId }) => intentId === slip.intentId)
    if (known) {
      if (slip.revision < known.revision) return
      this.#slips = this.#slips.map((one) => (one === known ? slip : one))
    } else if (isNewest(slip, this.#slips[0] ?? null)) {
      this.#slips = [slip, ...this.#slips].slice(0, MAX_SLIPS)
    }
  }
}

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
