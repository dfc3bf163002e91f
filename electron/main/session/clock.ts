/** Time, as far as the till waits for it: its own where it works, a hand-wound one in tests. */
export interface Clock {
  readonly now: () => Date
  /** Runs `run` after so many ms; call what comes back to forget it. */
  readonly after: (ms: number, run: () => void) => () => void
}

/** The system's time. */
export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => {
      clearTimeout(timer)
    }
  }
}
