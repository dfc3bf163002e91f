/** The manager's access: open without a PIN; with one, for a short while after it was typed. */
import type { ManagerAccess } from '../../contract/staff.ts'

/** Milliseconds without any work of the manager's before the PIN is asked for again. */
export const MANAGER_IDLE = 5 * 60 * 1000

export interface ManagerParts {
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
