/** Cashiers, the till lock and the manager session. */
import { err, type Failure, ok, type Result } from '../../contract/failure.ts'
import { isPinText, type ManagerAccess, type StaffState } from '../../contract/staff.ts'
import { type CashierErasure, type Settings, StaffStore } from '../settings/index.ts'
import { type CashierChange, Cashiers } from './cashiers.ts'
import type { RequiredRole } from './permissions.ts'
import { hashPin, MALFORMED_PIN, PinAttempts } from './pin.ts'

/** How the machine is used; implemented in `platform/system.ts`. */
export interface SystemUse {
  /** Returns the seconds since the last keyboard, pointer or touch input in any app. */
  idleSeconds(): number
  /** Returns whether the screen is locked. Asked repeatedly while this till can be locked. */
  isLocked(): boolean
}

export interface StaffDependencies {
  readonly settings: Pick<Settings, 'values' | 'update'>
  readonly system: SystemUse
  /** hashes PINs; at the usual cost unless given */
  readonly hash?: typeof hashPin
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
  readonly #hash: typeof hashPin
  readonly #attempts: PinAttempts
  readonly #idleTime: IdleTime
  readonly #manager: ManagerSession
  readonly #cashiers: Cashiers
  readonly #lockCheck: NodeJS.Timeout
  #cashierId: string | null = null
  #wasSystemLocked = false

  /** A till with cashiers starts locked. */
  constructor(dependencies: StaffDependencies) {
    const { settings, system, onChange, hash = hashPin } = dependencies
    this.#dependencies = dependencies
    const store = new StaffStore(settings)
    this.#store = store
    this.#hash = hash
    this.#attempts = new PinAttempts(store)
    this.#idleTime = new IdleTime(system)
    this.#manager = new ManagerSession(store, onChange)
    this.#cashiers = new Cashiers(store, hash)
    if (store.values.cashiers.length > 0 && !store.values.locked) store.update({ locked: true })
    this.#lockCheck = setInterval(() => this.#checkLock(), LOCK_CHECK_MS).unref()
  }

  get state(): StaffState {
    const serving = this.#cashierId === null ? null : this.#cashiers.find(this.#cashierId)
    return {
      manager: this.#manager.access,
      cashiers: this.#store.values.cashiers.map(({ id, name, pin }) => ({ id, name, hasPin: pin !== null })),
      cashier: serving && { id: serving.id, name: serving.name, number: serving.number },
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
    if (this.#dependencies.settings.values.lockAfterMinutes === null) this.lockManager()
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
    const { managerPin } = this.#store.values
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
    const { managerPin } = this.#store.values
    if (managerPin) {
      const verified = await this.#attempts.verifyPin(this.#managerKey, current ?? '', managerPin)
      if (!verified.ok) return verified
    }
    this.#store.update({ managerPin: pin === null ? null : await this.#hash(pin) })
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

  /** @param businessId `Session.connectedBusinessId`, whose service forgets the names of the cashier; null: none knows them */
  removeCashier(id: string, businessId: string | null): Result<null> {
    const removed = this.#cashiers.remove(id, businessId)
    if (removed.ok) for (const key of [id, managerKeyOf(id)]) this.#attempts.clear(key)
    if (this.#cashierId === id) this.#cashierId = null
    return this.#notify(removed)
  }

  /** The names that the service is to forget. */
  get erasures(): readonly CashierErasure[] {
    return this.#store.values.erasures
  }

  /** Call when the service forgot a name. */
  endErasure(ended: CashierErasure): void {
    this.#store.update({ erasures: this.erasures.filter((one) => one !== ended) })
  }

  /** Removes the manager PIN and unlocks the till. Call only after the owner of the business was verified. */
  resetManagerPin(): void {
    this.#store.update({ managerPin: null })
    for (const key of Object.keys(this.#store.values.wrongPins))
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
    this.#wasSystemLocked = this.#dependencies.system.isLocked()
    if (this.#wasSystemLocked && !wasSystemLocked) this.handleSystemLock()
  }

  #isLockable(): boolean {
    const { managerPin, cashiers } = this.#store.values
    return managerPin !== null || cashiers.length > 0
  }

  #isLocked(): boolean {
    return this.#store.values.locked && this.#isLockable()
  }

  #isIdle(): boolean {
    const limit = this.#dependencies.settings.values.lockAfterMinutes
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

/** The manager's access. Always open without a manager PIN; with one, open for a limited time after the PIN was entered. */
export class ManagerSession {
  readonly #store: StaffStore
  readonly #onExpired: () => void
  #timer: NodeJS.Timeout | null = null

  /** @param onExpired called when the session expires */
  constructor(store: StaffStore, onExpired: () => void) {
    this.#store = store
    this.#onExpired = onExpired
  }

  get access(): ManagerAccess {
    if (this.#store.values.managerPin === null) return 'open'
    return this.#timer ? 'unlocked' : 'locked'
  }

  /** Starts the session. Call after the PIN was verified or set. */
  start(): void {
    this.end()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#onExpired()
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

/** If the system reports a longer idle time while the renderer is used, it does not see this till's input. */
const UNRELIABLE_SYSTEM_SECONDS = 30

/** How long the till has not been used, by the renderer's input and by the system's idle time. */
export class IdleTime {
  readonly #system: Pick<SystemUse, 'idleSeconds'>
  #lastActivity = performance.now()
  #trustsSystem = true

  /** Starts at zero. */
  constructor(system: Pick<SystemUse, 'idleSeconds'>) {
    this.#system = system
  }

  /** Records input in the renderer. */
  recordActivity(): void {
    this.#lastActivity = performance.now()
    // Some kiosk systems do not report touches. With their idle time the till would lock while it is used.
    if (this.#system.idleSeconds() > UNRELIABLE_SYSTEM_SECONDS) this.#trustsSystem = false
  }

  /** Minutes without input: the longer of the renderer's and the system's idle time. */
  get minutes(): number {
    const system = this.#trustsSystem ? this.#system.idleSeconds() * SECOND_MS : 0
    return Math.max(performance.now() - this.#lastActivity, system) / MINUTE_MS
  }
}
