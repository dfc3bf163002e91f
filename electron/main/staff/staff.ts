/** The people at the till: who serves, whether it is locked, and whether the manager's work is open. */
import { err, ok, type Result, type Failure } from '../../contract/failure.ts'
import { isPinText, type StaffState } from '../../contract/staff.ts'
import { createCashiers, PIN_MALFORMED, type Cashiers, type StaffStore } from './cashiers.ts'
import { createCheckPin, createPinAttempts, hashPin } from './pin.ts'
import { createIdle, createManager } from './auto-lock.ts'
import type { RequiredRole } from './permissions.ts'

export interface StaffOptions extends StaffStore {
  /** null: the till never locks by itself */
  readonly lockAfterMinutes: () => number | null
  /** seconds since the system saw a key, a pointer or a touch in any program */
  readonly systemIdleSeconds: () => number
  /** told whenever the state is another one */
  readonly onChange: () => void
}

/**
 * What the calls of `bridge.staff` do is said there. Failures of those that take a PIN: `wrong-pin`, `too-many-tries`,
 * `invalid-input` for a PIN that cannot be one.
 */
export interface Staff {
  state(): StaffState
  /** Why a call with this need is not answered now; null: it is. Manager's work keeps the manager's access alive. */
  refusal(need: RequiredRole): Failure | null
  lock(): void
  lockManager(): void
  /** The system was locked, or goes to sleep: the till locks as after the idle time, where it ever does by itself. */
  systemLeft(): void
  active(): void
  unlock(input: { readonly cashierId: string; readonly pin: string | null }): Promise<Result<null>>
  unlockManager(input: { readonly pin: string }): Promise<Result<null>>
  setManagerPin(input: {
    readonly current: string | null
    readonly pin: string | null
  }): Promise<Result<null>>
  readonly addCashier: Cashiers['add']
  readonly changeCashier: Cashiers['change']
  readonly removeCashier: Cashiers['remove']
  /** Whoever owns the business stands here: takes the manager PIN away, and unlocks. */
  reset(): void
  close(): void
}

/** How often the idle time is looked at, in milliseconds. */
const LOOK = 5000

/** Whose wrong PINs are counted, beside the cashiers' ids. */
const MANAGER = 'manager'

/** Makes the staff; a till with cashiers begins locked, until one of them is chosen. */
export function createStaff({
  kept,
  remember,
  lockAfterMinutes,
  systemIdleSeconds,
  onChange
}: StaffOptions): Staff {
  const clock = (): number => performance.now()
  const tries = createPinAttempts({
    wrongPins: () => kept().wrongPins,
    remember: (wrongPins) => remember({ wrongPins }),
    clock
  })
  const isPin = createCheckPin(tries)
  const idle = createIdle({ clock, systemIdleSeconds })
  const manager = createManager({ hasPin: () => kept().managerPin !== null, onLocked: onChange })
  const cashiers = createCashiers({ kept, remember })
  let cashierId: string | null = null

  const isLockable = (): boolean => kept().managerPin !== null || kept().cashiers.length > 0
  const isLocked = (): boolean => kept().locked && isLockable()
  if (kept().cashiers.length > 0 && !kept().locked) remember({ locked: true })

  const open = (by: string | null): void => {
    cashierId = by
    idle.touched()
    remember({ locked: false })
  }
  const lock = (): void => {
    manager.lock()
    if (isLockable() && !isLocked()) {
      cashierId = null
      remember({ locked: true })
    }
    onChange()
  }
  const lockManager = (): void => {
    manager.lock()
    onChange()
  }
  const isIdle = (): boolean => {
    const limit = lockAfterMinutes()
    return limit !== null && isLockable() && !isLocked() && idle.minutes() >= limit
  }
  const watch = setInterval(() => {
    if (isIdle()) lock()
  }, LOOK).unref()

  /** Tells of a change that went well. */
  const told = (answer: Result<null>): Result<null> => {
    if (answer.ok) onChange()
    return answer
  }

  return {
    state() {
      const serving = cashierId === null ? null : cashiers.find(cashierId)
      return {
        manager: manager.access,
        cashiers: kept().cashiers.map(({ id, name, pin }) => ({ id, name, hasPin: pin !== null })),
        cashier: serving && { id: serving.id, name: serving.name },
        locked: isLocked(),
        lockable: isLockable()
      }
    },
    refusal(need) {
      if (need === 'nothing') return null
      if (isLocked()) return { kind: 'locked', needs: 'cashier' }
      if (need === 'counter') return null
      if (manager.access === 'locked') return { kind: 'locked', needs: 'manager' }
      manager.working()
      return null
    },
    lock,
    lockManager,
    systemLeft() {
      if (lockAfterMinutes() === null) lockManager()
      else lock()
    },
    active() {
      if (!isLocked()) idle.touched()
    },
    async unlock({ cashierId: id, pin }) {
      const cashier = cashiers.find(id)
      if (!cashier) return err({ kind: 'not-found' })
      if (cashier.pin) {
        const checked = await isPin(id, pin ?? '', cashier.pin)
        if (!checked.ok) return checked
      }
      manager.lock()
      open(id)
      return told(ok(null))
    },
    async unlockManager({ pin }) {
      const { managerPin } = kept()
      if (managerPin) {
        const checked = await isPin(MANAGER, pin, managerPin)
        if (!checked.ok) return checked
        manager.unlock()
        if (isLocked()) open(null)
      }
      return told(ok(null))
    },
    async setManagerPin({ current, pin }) {
      if (pin !== null && !isPinText(pin)) return err(PIN_MALFORMED)
      const { managerPin } = kept()
      if (managerPin) {
        const checked = await isPin(MANAGER, current ?? '', managerPin)
        if (!checked.ok) return checked
      }
      remember({ managerPin: pin === null ? null : await hashPin(pin) })
      if (pin !== null) manager.unlock()
      return told(ok(null))
    },
    addCashier: async (input) => told(await cashiers.add(input)),
    async changeCashier(input) {
      const changed = await cashiers.change(input)
      if (changed.ok && input.pin !== undefined) tries.forget(input.id)
      return told(changed)
    },
    removeCashier(id) {
      const removed = cashiers.remove(id)
      if (removed.ok) tries.forget(id)
      if (cashierId === id) cashierId = null
      return told(removed)
    },
    reset() {
      remember({ managerPin: null })
      tries.forget(MANAGER)
      open(null)
      onChange()
    },
    close() {
      clearInterval(watch)
      manager.lock()
    }
  }
}
