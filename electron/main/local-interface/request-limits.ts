/** How often, and how many times at once, a program may call. */
import { ApiError } from './api-error.ts'

export interface Limits {
  readonly perSecond: number
  readonly atOnce: number
}

/** A till issues a slip in seconds; a program that calls more often is in a loop. */
export const DEFAULT_LIMITS: Limits = { perSecond: 10, atOnce: 2 }

const SECOND_MS = 1000

interface Use {
  /** times of the last requests, at most `perSecond`, in ms of `performance.now()` */
  readonly startedAt: number[]
  pending: number
}

/** Counts the requests of each program. */
export class RequestLimits {
  readonly #limits: Limits
  readonly #uses = new Map<string, Use>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Counts a request. Returns a function to call when it has ended. Throws 429 beyond a limit. */
  enter(callerId: string): () => void {
    const use = this.#uses.get(callerId) ?? { startedAt: [], pending: 0 }
    this.#uses.set(callerId, use)
    const now = performance.now()
    while (use.startedAt[0] !== undefined && now - use.startedAt[0] >= SECOND_MS) use.startedAt.shift()
    if (use.startedAt.length >= this.#limits.perSecond) throw new ApiError('too-many-requests')
    use.startedAt.push(now)
    if (use.pending >= this.#limits.atOnce) throw new ApiError('too-many-at-once')
    use.pending += 1
    return () => {
      use.pending -= 1
    }
  }

  /** Forgets a program that was removed. */
  remove(callerId: string): void {
    this.#uses.delete(callerId)
  }
}
