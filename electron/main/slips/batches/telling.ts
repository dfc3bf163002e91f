/**
 * Tells how far a batch came while its slips come one upon the other: at once, and then not more often than the page
 * can show. To count a batch is to walk all its slips; counted at each step, it would cost the square of its length.
 */
import type { Scope } from '../journal/scope.ts'

/** Milliseconds from one telling to the next. */
export const BETWEEN_TELLINGS = 100

export interface Telling {
  /** A slip of this batch came a step further. */
  changed(scope: Scope, batchId: string): void
  /** Tells what was not told yet, and nothing more. */
  close(): void
}

/** Makes the telling; `tell` must not throw. */
export function createTelling(tell: (scope: Scope, batchId: string) => void): Telling {
  const changes = new Map<string, Scope>()
  let timer: NodeJS.Timeout | null = null

  const tellAll = (): void => {
    for (const [batchId, scope] of changes) tell(scope, batchId)
    changes.clear()
  }
  const tellOrRest = (): void => {
    timer = changes.size === 0 ? null : setTimeout(tellOrRest, BETWEEN_TELLINGS)
    tellAll()
  }
  return {
    changed(scope, batchId) {
      changes.set(batchId, scope)
      if (timer === null) tellOrRest()
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      tellAll()
    }
  }
}
