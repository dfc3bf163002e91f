/** The two timeouts of the staff lock: the idle time of the till and the expiry of the manager session. */
import type { ManagerAccess } from '../../contract/staff.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** A manager session ends after this time without any call that requires the manager. */
const MANAGER_TIMEOUT_MS = 5 * MINUTE_MS

export interface ManagerSessionDependencies {
  readonly hasPin: () => boolean
  /** called when the session expires */
  readonly onExpired: () => void
}

/** The manager's access. Always open without a manager PIN; with one, open for a limited time after the PIN was entered. */
export class ManagerSession {
  readonly #dependencies: ManagerSessionDependencies
  #timer: NodeJS.Timeout | null = null

  constructor(dependencies: ManagerSessionDependencies) {
    this.#dependencies = dependencies
  }

  get access(): ManagerAccess {
    if (!this.#dependencies.hasPin()) return 'open'
    return this.#timer ? 'unlocked' : 'locked'
  }

  /** Starts the session. Call after the PIN was verified or set. */
  start(): void {
    this.end()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#dependencies.onExpired()
    }, MANAGER_TIMEOUT_MS).unref()
  }

  /** Restarts the timeout of a running session. */
  extend(): void {
    if (this.#timer) this.start()
  }

  end(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

export interface IdleTimeDependencies {
  /** Returns milliseconds of a monotonic clock. */
  readonly clock: () => number
  /** Returns the seconds since the system's last keyboard, pointer or touch input in any app. */
  readonly systemIdleSeconds: () => number
}

/** If the system reports a longer idle time while the renderer is used, it does not see this till's input. */
const UNRELIABLE_SYSTEM_SECONDS = 30

/** How long the till has not been used, by the renderer's input and by the system's idle time. */
export class IdleTime {
  readonly #dependencies: IdleTimeDependencies
  #lastActivity: number
  #trustsSystem = true

  /** Starts at zero. */
  constructor(dependencies: IdleTimeDependencies) {
    this.#dependencies = dependencies
    this.#lastActivity = dependencies.clock()
  }

  /** Records input in the renderer. */
  recordActivity(): void {
    const { clock, systemIdleSeconds } = this.#dependencies
    this.#lastActivity = clock()
    // Some kiosk systems do not report touches. With their idle time the till would lock while it is used.
    if (systemIdleSeconds() > UNRELIABLE_SYSTEM_SECONDS) this.#trustsSystem = false
  }

  /** Minutes without input: the longer of the renderer's and the system's idle time. */
  get minutes(): number {
    const { clock, systemIdleSeconds } = this.#dependencies
    const system = this.#trustsSystem ? systemIdleSeconds() * SECOND_MS : 0
    return Math.max(clock() - this.#lastActivity, system) / MINUTE_MS
  }
}
