/** The manager's access: open without a PIN; with one, for a short while after it was typed. */
import type { ManagerAccess } from '../../contract/staff.ts'

/** Milliseconds without any work of the manager's before the PIN is asked for again. */
const MANAGER_IDLE = 5 * 60 * 1000

interface ManagerParts {
  readonly hasPin: () => boolean
  /** told when the access changes by itself */
  readonly onLocked: () => void
}

export interface Manager {
  readonly access: ManagerAccess
  /** The PIN was right, or has just been set. */
  unlock(): void
  /** The manager works: the while begins anew. */
  working(): void
  lock(): void
}

/** Begins locked, where there is a PIN. */
export function createManager({ hasPin, onLocked }: ManagerParts): Manager {
  let timer: NodeJS.Timeout | null = null
  const stop = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
  }
  const start = (): void => {
    stop()
    timer = setTimeout(() => {
      timer = null
      onLocked()
    }, MANAGER_IDLE).unref()
  }
  return {
    get access() {
      if (!hasPin()) return 'open'
      return timer ? 'unlocked' : 'locked'
    },
    unlock: start,
    working() {
      if (timer) start()
    },
    lock: stop
  }
}

/** Whether anybody is at the till: told by what is touched in its page, and by what the system knows. */

interface IdleSources {
  /** milliseconds of a clock that only goes forward */
  readonly clock: () => number
  /** seconds since the system saw a key, a pointer or a touch in any program */
  readonly systemIdleSeconds: () => number
}

export interface Idle {
  /** Somebody touched the till's page. */
  touched(): void
  /** Minutes since somebody did. */
  minutes(): number
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** A system that saw nothing for so long while its page was touched does not see this till's touches at all. */
const DEAF_SECONDS = 30

/** Begins as touched now. */
export function createIdle({ clock, systemIdleSeconds }: IdleSources): Idle {
  let last = clock()
  let believesSystem = true
  return {
    touched() {
      last = clock()
      // Some kiosks report no touches to the system: believing them, the till would lock under the cashier's hands.
      if (systemIdleSeconds() > DEAF_SECONDS) believesSystem = false
    },
    minutes() {
      const system = believesSystem ? systemIdleSeconds() * SECOND : 0
      return Math.max(clock() - last, system) / MINUTE
    }
  }
}
