/** Reads the profile again: a till may stay open for weeks, while the business moves, is renamed or gets another logo. */
import type { Result } from '../../contract/failure.ts'
import type { Account } from '../../contract/loyalty.ts'
import { isTimeZone } from '../../contract/slip-numbers-and-dates.ts'
import type { Mode } from '../../contract/till.ts'
import type { Images } from '../images/images.ts'
import type { Clock } from './reachability.ts'

const INTERVAL_MS = 5 * 60_000

/** A person who turns to the till sees a profile that is no older. */
const MAX_AGE_AT_FOCUS_MS = 60_000

/** Returns the day in a time zone as `YYYY-MM-DD`; in the system's time zone if this system does not know it. */
const dayIn = (timeZone: string, moment: Date): string =>
  // The Swedish date format is ISO 8601.
  new Intl.DateTimeFormat('sv-SE', { timeZone: isTimeZone(timeZone) ? timeZone : undefined }).format(moment)

export interface ProfileReadsDependencies {
  readonly clock: Clock
  readonly session: {
    readonly mode: Mode
    readonly business: Account | null
    refresh(): Promise<Result<unknown>>
  }
  readonly images: Pick<Images, 'refresh'>
}

/** Reads the profile every five minutes, and when a person turns to the till; with the first one of a day, the logo. */
export class ProfileReads {
  readonly #dependencies: ProfileReadsDependencies
  /** when the last read began, ms */
  #readAt: number
  /** of the last successful read */
  #day: string | null = null
  #cancelTimer: (() => void) | null = null

  constructor(dependencies: ProfileReadsDependencies) {
    this.#dependencies = dependencies
    this.#readAt = dependencies.clock.now().getTime()
  }

  /** Starts the reads. The caller has read the profile, or is reading it. */
  start(): void {
    this.#readAt = this.#dependencies.clock.now().getTime()
    this.#day = this.#today()
    this.#readLater()
  }

  /** Call when the window of the till gets the focus: reads a profile that is older than a minute. */
  handleFocus(): void {
    const age = this.#dependencies.clock.now().getTime() - this.#readAt
    // A clock that was set back gives a negative age.
    if (this.#cancelTimer !== null && Math.abs(age) > MAX_AGE_AT_FOCUS_MS) void this.#read()
  }

  /** Stops the reads. */
  close(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #today(): string {
    const { clock, session } = this.#dependencies
    return dayIn(session.business?.timeZone ?? '', clock.now())
  }

  #readLater(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = this.#dependencies.clock.after(INTERVAL_MS, () => {
      this.#readLater()
      void this.#read()
    })
  }

  async #read(): Promise<void> {
    const { clock, session, images } = this.#dependencies
    if (session.mode !== 'business') return
    this.#readAt = clock.now().getTime()
    const read = await session.refresh()
    if (!read.ok || this.#today() === this.#day) return
    this.#day = this.#today()
    // The logo may have changed behind the same link.
    const logo = session.business?.logo
    if (typeof logo === 'string') void images.refresh(logo)
  }
}
