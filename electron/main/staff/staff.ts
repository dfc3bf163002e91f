/** Cashiers, the till lock and the manager session. */
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { isPinText, type ManagerAccess, type StaffState } from '../../contract/staff.ts'
import { type CashierChange, Cashiers, MALFORMED_PIN, type StaffStore } from './cashiers.ts'
import type { RequiredRole } from './permissions.ts'
import { hashPin, PinAttempts } from './pin.ts'

export interface StaffDependencies {
  readonly store: StaffStore
  /** Returns the idle time after which the till locks; null: never. */
  readonly lockAfterMinutes: () => number | null
  /** Returns the seconds since the system's last keyboard, pointer or touch input in any app. */
  readonly systemIdleSeconds: () => number
  /** Returns whether the system's screen is locked. Asked repeatedly while this till can be locked. */
  readonly isSystemLocked: () => boolean
  /** called whenever the state changes */
  readonly onChange: () => void
}

/** Interval at which the idle time and the system's lock are checked. */
const LOCK_CHECK_MS = 5000

/**
 * The key of the manager PIN among the counts of wrong PINs; cashiers use their ids. In the session of a cashier with a PIN
 * it has a count of its own: a person on the lock screen cannot keep it blocked for everyone.
 */
const MANAGER = 'manager'
const managerKeyOf = (cashierId: string): string => `${MANAGER}:${cashierId}`

/**
 * Who serves, whether the till is locked and whether manager calls are allowed. The calls are those of `bridge.staff`.
 * Calls with a PIN fail with `wrong-pin`, `too-many-tries` or, for an impossible PIN, `invalid-input`.
 */
export class Staff {
  readonly #dependencies: StaffDependencies
  readonly #store: StaffStore
  readonly #attempts: PinAttempts
  readonly #idleTime: IdleTime
  readonly #manager: ManagerSession
  readonly #cashiers: Cashiers
  readonly #lockCheck: NodeJS.Timeout
  #cashierId: string | null = null
  #wasSystemLocked = false

  /** A till with cashiers starts locked. */
  constructor(dependencies: StaffDependencies) {
    const { store, systemIdleSeconds, onChange } = dependencies
    this.#dependencies = dependencies
    this.#store = store
    const clock = (): number => performance.now()
    this.#attempts = new PinAttempts({
      wrongPins: () => store.read().wrongPins,
      saveWrongPins: (wrongPins) => store.update({ wrongPins }),
      clock
    })
    this.#idleTime = new IdleTime({ clock, systemIdleSeconds })
    this.#manager = new ManagerSession({
      hasPin: () => store.read().managerPin !== null,
      onExpired: onChange
    })
    this.#cashiers = new Cashiers(store)
    if (store.read().cashiers.length > 0 && !store.read().locked) store.update({ locked: true })
    this.#lockCheck = setInterval(() => this.#checkLock(), LOCK_CHECK_MS).unref()
  }

  get state(): StaffState {
    const serving = this.#cashierId === null ? null : this.#cashiers.find(this.#cashierId)
    return {
      manager: this.#manager.access,
      cashiers: this.#store.read().cashiers.map(({ id, name, pin }) => ({ id, name, hasPin: pin !== null })),
      cashier: serving && { id: serving.id, name: serving.name },
      locked: this.#isLocked(),
      lockable: this.#isLockable()
    }
  }

  /**
   * Returns the failure of a call that requires this role, or null if the call is allowed now. An allowed manager call
   * extends the manager session.
   */
  refusal(role: RequiredRole): Failure | null {
    if (role === 'none') return null
    if (this.#isLocked()) return { kind: 'locked', needs: 'cashier' }
    if (role === 'cashier') return null
    if (this.#manager.access === 'locked') return { kind: 'locked', needs: 'manager' }
    this.#manager.extend()
    return null
  }

  lock(): void {
    this.#manager.end()
    if (this.#isLockable() && !this.#isLocked()) {
      this.#cashierId = null
      this.#store.update({ locked: true })
    }
    this.#dependencies.onChange()
  }

  /** Ends the manager session early. */
  lockManager(): void {
    this.#manager.end()
    this.#dependencies.onChange()
  }

  /** Call when the system locks its screen or suspends: locks the till if it locks after an idle time. */
  handleSystemLock(): void {
    if (this.#dependencies.lockAfterMinutes() === null) this.lockManager()
    else this.lock()
  }

  /** Records input in the renderer. */
  recordActivity(): void {
    if (!this.#isLocked()) this.#idleTime.recordActivity()
  }

  async unlock({ cashierId, pin }: { cashierId: string; pin: string | null }): Promise<Result<null>> {
    const cashier = this.#cashiers.find(cashierId)
    if (!cashier) return err({ kind: 'not-found' })
    if (cashier.pin) {
      const verified = await this.#attempts.verifyPin(cashierId, pin ?? '', cashier.pin)
      if (!verified.ok) return verified
    }
    this.#manager.end()
    this.#open(cashierId)
    return this.#notify(ok(null))
  }

  /** Starts a manager session, and unlocks a locked till without a cashier. */
  async unlockManager({ pin }: { pin: string }): Promise<Result<null>> {
    const { managerPin } = this.#store.read()
    if (managerPin) {
      const verified = await this.#attempts.verifyPin(this.#managerKey, pin, managerPin)
      if (!verified.ok) return verified
      this.#manager.start()
      if (this.#isLocked()) this.#open(null)
    }
    return this.#notify(ok(null))
  }

  /** Sets the manager PIN, or removes it if `pin` is null. `current` is required if there is one. */
  async setManagerPin({
    current,
    pin
  }: {
    current: string | null
    pin: string | null
  }): Promise<Result<null>> {
    if (pin !== null && !isPinText(pin)) return err(MALFORMED_PIN)
    const { managerPin } = this.#store.read()
    if (managerPin) {
      const verified = await this.#attempts.verifyPin(this.#managerKey, current ?? '', managerPin)
      if (!verified.ok) return verified
    }
    this.#store.update({ managerPin: pin === null ? null : await hashPin(pin) })
    if (pin !== null) this.#manager.start()
    return this.#notify(ok(null))
  }

  async addCashier(input: { name: string; pin: string | null }): Promise<Result<null>> {
    return this.#notify(await this.#cashiers.add(input))
  }

  async changeCashier(input: CashierChange): Promise<Result<null>> {
    const changed = await this.#cashiers.change(input)
    if (changed.ok && input.pin !== undefined) this.#attempts.clear(input.id)
    return this.#notify(changed)
  }

  removeCashier(id: string): Result<null> {
    const removed = this.#cashiers.remove(id)
    if (removed.ok) for (const key of [id, managerKeyOf(id)]) this.#attempts.clear(key)
    if (this.#cashierId === id) this.#cashierId = null
    return this.#notify(removed)
  }

  /** Removes the manager PIN and unlocks the till. Call only after the owner of the business was verified. */
  resetManagerPin(): void {
    this.#store.update({ managerPin: null })
    for (const key of Object.keys(this.#store.read().wrongPins))
      if (key.startsWith(MANAGER)) this.#attempts.clear(key)
    this.#open(null)
    this.#dependencies.onChange()
  }

  /** Stops the timers. Call when the app quits. */
  close(): void {
    clearInterval(this.#lockCheck)
    this.#manager.end()
  }

  get #managerKey(): string {
    const serving = this.#cashierId === null ? null : this.#cashiers.find(this.#cashierId)
    return serving?.pin ? managerKeyOf(serving.id) : MANAGER
  }

  #checkLock(): void {
    if (!this.#isLockable()) return
    if (this.#isIdle()) this.lock()
    const wasSystemLocked = this.#wasSystemLocked
    this.#wasSystemLocked = this.#dependencies.isSystemLocked()
    if (this.#wasSystemLocked && !wasSystemLocked) this.handleSystemLock()
  }

  #isLockable(): boolean {
    const { managerPin, cashiers } = this.#store.read()
    return managerPin !== null || cashiers.length > 0
  }

  #isLocked(): boolean {
    return this.#store.read().locked && this.#isLockable()
  }

  #isIdle(): boolean {
    const limit = this.#dependencies.lockAfterMinutes()
    return limit !== null && !this.#isLocked() && this.#idleTime.minutes >= limit
  }

  #open(cashierId: string | null): void {
    this.#cashierId = cashierId
    this.#idleTime.recordActivity()
    this.#store.update({ locked: false })
  }

  /** Reports a successful change and returns the result. */
  #notify(result: Result<null>): Result<null> {
    if (result.ok) this.#dependencies.onChange()
    return result
  }
}

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
