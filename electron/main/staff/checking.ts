/** Checking a PIN that somebody typed, with the waits after wrong ones. */
import { err, ok, type Result } from '../../contract/failure.ts'
import { isKeptPin, type KeptPin } from './pin.ts'
import type { Tries } from './tries.ts'

/** Checks a PIN against the kept one of `whose`: `too-many-tries` without looking at it, or `wrong-pin`. */
export type CheckPin = (whose: string, pin: string, kept: KeptPin) => Promise<Result<null>>

/** Makes the checking. */
export function createCheckPin(tries: Tries): CheckPin {
  return async (whose, pin, kept) => {
    const waitSeconds = tries.wait(whose)
    if (waitSeconds > 0) return err({ kind: 'too-many-tries', waitSeconds })
    // Counted before it is checked: two tries at once are two, and one that is cut short counts.
    tries.begin(whose)
    if (!(await isKeptPin(pin, kept))) return err({ kind: 'wrong-pin', waitSeconds: tries.wait(whose) })
    tries.right(whose)
    return ok(null)
  }
}
