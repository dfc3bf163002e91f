/**
 * Waits after wrong PINs, growing with each. They are measured by a clock that nobody can set, and only while the till
 * runs: of what passed while it was closed nothing counts, and a wait that was not over begins anew at the next start.
 */

/** Wrong PINs in a row, by whose PIN it is. What is kept on disk. */
export type WrongPins = Readonly<Record<string, number>>

export interface TriesMemory {
  readonly wrongPins: () => WrongPins
  /** Writes to disk before it returns. */
  readonly remember: (wrongPins: WrongPins) => void
  /** milliseconds of a clock that only goes forward */
  readonly clock: () => number
}

export interface Tries {
  /** Seconds until this PIN may be tried, rounded up; 0: now. */
  wait(whose: string): number
  /** Notes that a PIN is about to be tried, as a wrong one: whoever ends the till now has not won a try. */
  begin(whose: string): void
  /** The PIN was right: nothing is held against it any more. */
  right(whose: string): void
  /** Forgets what is known of a PIN that is no longer there. */
  forget(whose: string): void
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** The wait after the third wrong PIN, the fourth, and so on; the last one stays. */
const WAITS = [30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE] as const
const FREE = 3

const waitAfter = (wrong: number): number =>
  wrong < FREE ? 0 : (WAITS[Math.min(wrong - FREE, WAITS.length - 1)] ?? 0)

/** Makes the tries; waits that were under way at the last close begin anew. */
export function createTries({ wrongPins, remember, clock }: TriesMemory): Tries {
  const started = clock()
  /** when the last try began; one of an earlier start counts as made now */
  const last = new Map<string, number>()

  const without = (whose: string): WrongPins =>
    Object.fromEntries(Object.entries(wrongPins()).filter(([name]) => name !== whose))
  const drop = (whose: string): void => {
    if (wrongPins()[whose] !== undefined) remember(without(whose))
    last.delete(whose)
  }

  return {
    wait(whose) {
      const since = clock() - (last.get(whose) ?? started)
      return Math.max(0, Math.ceil((waitAfter(wrongPins()[whose] ?? 0) - since) / SECOND))
    },
    begin(whose) {
      last.set(whose, clock())
      remember({ ...wrongPins(), [whose]: (wrongPins()[whose] ?? 0) + 1 })
    },
    right: drop,
    forget: drop
  }
}
