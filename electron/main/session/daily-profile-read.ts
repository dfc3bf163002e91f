/** Reads the profile again at the turn of the shop's day: a till may stay open for weeks. */
import type { Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import type { Mode } from '../../contract/till.ts'
import type { Clock } from './reachability.ts'

/** Interval of the checks for a new day, and of the retries after a failure. */
const CHECK_INTERVAL_MS = 5 * 60_000

/** Returns the day in a time zone as `YYYY-MM-DD`; in the system's time zone if this system does not know it. */
const dayIn = (timeZone: string, moment: Date): string =>
  // The Swedish date format is ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone: isTimeZone(timeZone) ? timeZone : undefined }).format(moment)

export interface DailyProfileReadDependencies {
  readonly clock: Clock
  readonly session: {
    readonly mode: Mode
    readonly business: Account | null
    refresh(): Promise<Result<unknown>>
  }
  /** called after each successful read */
  readonly onRead: () => void
}

/** Compares the shop's day every few minutes, so that a sleep over midnight is noticed soon after it. */
export class DailyProfileRead {
  readonly #dependencies: DailyProfileReadDependencies
  /** of the last successful read */
  #day: string | null = null
  #cancelTimer: (() => void) | null = null

  constructor(dependencies: DailyProfileReadDependencies) {
    this.#dependencies = dependencies
  }

  /** Starts the checks. The caller has read the profile today, or is reading it. */
  start(): void {
    this.#day = this.#today()
    this.#checkLater()
  }

  /** Stops the checks. */
  close(): void {
    this.#cancelTimer?.()
  }

  #today(): string {
    const { clock, session } = this.#dependencies
    return dayIn(session.business?.timeZone ?? '', clock.now())
  }

  #checkLater(): void {
    this.#cancelTimer = this.#dependencies.clock.after(CHECK_INTERVAL_MS, () => {
      this.#checkLater()
      void this.#check()
    })
  }

  async #check(): Promise<void> {
    const { session, onRead } = this.#dependencies
    if (session.mode !== 'business' || this.#today() === this.#day) return
    const read = await session.refresh()
    if (!read.ok) return
    this.#day = this.#today()
    onRead()
  }
}
