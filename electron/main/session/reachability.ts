/**
 * Tracks whether the connected service is reachable, from the results of all requests: a request without a
 * response means unreachable, any response, even a refusal, means reachable. While the service is unreachable,
 * probes are sent until one gets a response. Network state such as `navigator.onLine` is not used.
 */
import type { Result, UnknownOutcomeCause } from '../../contract/failure.ts'
import type { RequestObserver } from '../loyalty/http-client.ts'

/** Source of time and timers, replaced in tests. */
export interface Clock {
  now(): Date
  /** Calls `run` after `ms`. Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void
}

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => new Date(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => {
      clearTimeout(timer)
    }
  }
}

/** First interval between probes; each following one is twice as long. */
const FIRST_PROBE_INTERVAL_MS = 2_000
/** Maximum interval between probes. */
export const MAX_PROBE_INTERVAL_MS = 30_000
/** Maximum time that a request waits for a probe, ms. A refused connection ends the probe earlier. */
export const MAX_PROBE_WAIT_MS = 1_500

/** The meaning of a result for reachability. */
type Sign = 'answered' | 'silent' | 'doubtful' | 'nothing'

function signOfUnknownOutcome(cause: UnknownOutcomeCause): Sign {
  switch (cause) {
    // A write is not repeated, so a probe determines whether only this connection broke.
    case 'timeout':
    case 'connection-lost':
      return 'doubtful'
    case 'till-stopped':
      return 'nothing'
    case 'service-down':
    case 'bad-response':
      return 'answered'
  }
}

const signOf = (answer: Result<unknown>): Sign => {
  if (answer.ok) return 'answered'
  switch (answer.failure.kind) {
    case 'offline':
    case 'timeout':
      return 'silent'
    case 'unknown-outcome':
      return signOfUnknownOutcome(answer.failure.cause)
    case 'internal':
    case 'invalid-input':
      return 'nothing'
    default:
      return 'answered'
  }
}

/** Implemented by `Session`. */
export interface Probe {
  /** Sends a read to the service. Its client reports the request like all others. */
  probe(): Promise<void>
}

/** Dependencies of `Reachability`. */
interface ReachabilityDependencies {
  readonly clock: Clock
  readonly session: Probe
  /** Called when `since` changes. */
  readonly onChange: () => void
}

/** Tracks the reachability of one service until it is closed. */
export class Reachability implements RequestObserver {
  readonly #dependencies: ReachabilityDependencies
  #since: string | null = null
  /** when the response to a write was lost, if no response arrived since */
  #doubtSince: string | null = null
  #answers = 0
  #tries = 0
  #trying: Promise<void> | null = null
  #cancelTimer: (() => void) | null = null
  #closed = false

  constructor(dependencies: ReachabilityDependencies) {
    this.#dependencies = dependencies
  }

  /** Since when the service is unreachable, ISO 8601, UTC; null while it is reachable, and before the first request. */
  get since(): string | null {
    return this.#since
  }

  handleRequest(): (answer: Result<unknown>) => void {
    const answersBefore = this.#answers
    return (answer) => {
      if (this.#closed) return
      const sign = signOf(answer)
      if (sign === 'answered') this.#answered()
      // A request that was sent before the last response and failed later is outdated.
      else if (answersBefore === this.#answers) {
        if (sign === 'silent') this.#silent()
        else if (sign === 'doubtful') this.#doubt()
      }
    }
  }

  /** Sends a probe now, or waits for the running one, and resets the intervals. */
  retryConnection(): Promise<void> {
    this.#tries = 0
    return this.#try()
  }

  /**
   * Sends a probe out of turn because a request is waiting. Resolves with whether the service is reachable,
   * after MAX_PROBE_WAIT_MS at the latest; a slower probe continues.
   */
  async isBack(): Promise<boolean> {
    const waitEnded = Promise.withResolvers<unknown>()
    const cancelTimer = this.#dependencies.clock.after(MAX_PROBE_WAIT_MS, () => {
      waitEnded.resolve(null)
    })
    await Promise.race([this.#try(), waitEnded.promise])
    cancelTimer()
    return this.#since === null
  }

  /** Stops the tracking and cancels the timer. */
  close(): void {
    this.#closed = true
    this.#cancelTimer?.()
  }

  #answered(): void {
    this.#answers += 1
    this.#tries = 0
    this.#doubtSince = null
    this.#cancelTimer?.()
    if (this.#since === null) return
    this.#since = null
    this.#dependencies.onChange()
  }

  #silent(): void {
    if (this.#since === null) {
      this.#since = this.#doubtSince ?? this.#dependencies.clock.now().toISOString()
      this.#dependencies.onChange()
    }
    if (this.#trying === null) this.#tryLater()
  }

  #doubt(): void {
    if (this.#since !== null) return
    this.#doubtSince ??= this.#dependencies.clock.now().toISOString()
    void this.#try()
  }

  #tryLater(): void {
    if (this.#closed || this.#since === null) return
    this.#cancelTimer?.()
    const pause = Math.min(MAX_PROBE_INTERVAL_MS, FIRST_PROBE_INTERVAL_MS * 2 ** this.#tries)
    // The tills must not probe at the same moment after an outage.
    const spread = 0.75 + Math.random() / 4
    this.#cancelTimer = this.#dependencies.clock.after(pause * spread, () => void this.#try())
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
    this.#cancelTimer?.()
    await this.#dependencies.session.probe()
    this.#tries += 1
  }
}
