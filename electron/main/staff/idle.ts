/** Whether anybody is at the till: told by what is touched in its page, and by what the system knows. */

export interface IdleSources {
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
