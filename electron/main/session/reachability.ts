import type { Result } from '../../contract/failure.ts'

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

/* from reachability.ts:
 * Whether the connected service answers. It is heard from every request: one that gets no answer means that the
 * service cannot be reached, any answer at all, a refusal too, that it can. While it cannot, the till asks by itself
 * until an answer proves otherwise; nothing that only believes in a network (`navigator.onLine`) counts.
 */

/** Called when a request is sent; what comes back hears what it came to. */
export type RequestObserver = () => (answer: Result<unknown>) => void

/** First pause between two tries, ms; each next one is twice as long. */
const FIRST_PROBE_INTERVAL_MS = 2_000
/** Longest pause between two tries, ms. */
export const MAX_PROBE_INTERVAL_MS = 30_000
/** How long somebody who wants something waits for a try, ms. Where nobody listens a try ends sooner. */
const PATIENCE = 1_500

/** What an answer says of the way to the service. */
type Sign = 'answered' | 'silent' | 'doubtful' | 'nothing'

const signOf = (answer: Result<unknown>): Sign => {
  if (answer.ok) return 'answered'
  switch (answer.failure.kind) {
    case 'offline':
    case 'timeout':
      return 'silent'
    case 'unknown-outcome':
      switch (answer.failure.cause) {
        // One connection broke, and a write is not tried again: another request tells whether that was all.
        case 'timeout':
        case 'connection-lost':
          return 'doubtful'
        case 'till-stopped':
          return 'nothing'
        case 'service-down':
        case 'bad-response':
          return 'answered'
      }
    // eslint-disable-next-line no-fallthrough -- each cause above returns
    case 'internal':
    case 'invalid-input':
      return 'nothing'
    default:
      return 'answered'
  }
}

/** What the watching of one service needs. */
interface ReachabilityParts {
  readonly clock: Clock
  /** Asks the service something that changes nothing. Its request is watched like all others. */
  readonly probe: () => Promise<unknown>
  /** Hears that `since` changed. */
  readonly onChange: () => void
  /** 0 to 1: hundreds of tills must not come back in the same instant after an outage */
  readonly random?: () => number
}

/** Watches one service until it is closed. */
export class Reachability {
  readonly #parts: ReachabilityParts
  #since: string | null = null
  /** when a write's answer was lost and nothing was heard since */
  #doubtSince: string | null = null
  #answers = 0
  #tries = 0
  #trying: Promise<void> | null = null
  #forgetTimer: (() => void) | null = null
  #closed = false

  constructor(parts: ReachabilityParts) {
    this.#parts = parts
  }

  /** Since when the service has not answered, ISO 8601, UTC; null while it answers, or was not asked. */
  get since(): string | null {
    return this.#since
  }

  readonly watch: RequestObserver = () => {
    const answersBefore = this.#answers
    return (answer) => {
      if (this.#closed) return
      const sign = signOf(answer)
      if (sign === 'answered') this.#answered()
      // What was asked before the last answer came, and broke, is no news.
      else if (answersBefore === this.#answers) {
        if (sign === 'silent') this.#silent()
        else if (sign === 'doubtful') this.#doubt()
      }
    }
  }

  /** Asks the service now, or waits for the try under way; the pauses begin anew. */
  retryConnection(): Promise<void> {
    this.#tries = 0
    return this.#try()
  }

  /**
   * Somebody wants something of a service that is out of reach: worth a try out of turn, so that nobody is refused who
   * could be served. Tells soon whether it is back; a try that takes longer goes on.
   */
  async isBack(): Promise<boolean> {
    const impatient = Promise.withResolvers<unknown>()
    const forget = this.#parts.clock.after(PATIENCE, () => {
      impatient.resolve(null)
    })
    await Promise.race([this.#try(), impatient.promise])
    forget()
    return this.#since === null
  }

  /** Ends the watching and every timer. */
  close(): void {
    this.#closed = true
    this.#forgetTimer?.()
  }

  #answered(): void {
    this.#answers += 1
    this.#tries = 0
    this.#doubtSince = null
    this.#forgetTimer?.()
    if (this.#since === null) return
    this.#since = null
    this.#parts.onChange()
  }

  #silent(): void {
    if (this.#since === null) {
      this.#since = this.#doubtSince ?? this.#parts.clock.now().toISOString()
      this.#parts.onChange()
    }
    if (this.#trying === null) this.#tryLater()
  }

  #doubt(): void {
    if (this.#since !== null) return
    this.#doubtSince ??= this.#parts.clock.now().toISOString()
    void this.#try()
  }

  #tryLater(): void {
    if (this.#closed || this.#since === null) return
    this.#forgetTimer?.()
    const pause = Math.min(MAX_PROBE_INTERVAL_MS, FIRST_PROBE_INTERVAL_MS * 2 ** this.#tries)
    const spread = 0.75 + (this.#parts.random ?? Math.random)() / 4
    this.#forgetTimer = this.#parts.clock.after(pause * spread, () => void this.#try())
  }

  #try(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#trying ??= this.#ask().finally(() => {
      this.#trying = null
      this.#tryLater()
    })
    return this.#trying
  }

  async #ask(): Promise<void> {
    this.#forgetTimer?.()
    await this.#parts.probe()
    this.#tries += 1
  }
}
