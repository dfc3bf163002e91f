/** Asks by itself for the lost answers of redemptions, with growing delays, until each has its answer. */
import type { Result } from '../../contract/failure.ts'
import type { Redemption } from '../../contract/redemptions.ts'

/** Delays before lost answers are asked for again; after the last one the next start, connection or press does. */
const DELAYS_MS = [2, 5, 15, 60, 120, 300, 600, 600, 600].map((seconds) => seconds * 1000)

/** Implemented by `Redemptions`. */
export interface LostAnswers {
  /** Returns the redemptions without an answer, newest first. */
  attentionList(): Result<readonly Redemption[]>
  /** Asks for the answer of one; resolves with the redemption as it is then. */
  askFor(intentId: string): Promise<Result<Redemption>>
}

/** One timer for all redemptions: they wait for the same service. */
export class RedemptionRetries {
  readonly #redemptions: LostAnswers
  readonly #delaysMs: readonly number[]
  #timer: NodeJS.Timeout | undefined
  /** delays that were used since the last start */
  #used = 0
  #isStopped = false

  /** @param delaysMs replaces the delays in tests */
  constructor(redemptions: LostAnswers, delaysMs: readonly number[] = DELAYS_MS) {
    this.#redemptions = redemptions
    this.#delaysMs = delaysMs
  }

  /** Asks for each lost answer, the oldest first; resolves with the redemptions that still have none. */
  async askAll(): Promise<Result<readonly Redemption[]>> {
    const unanswered = this.#redemptions.attentionList()
    for (const { intentId } of unanswered.ok ? unanswered.value.toReversed() : []) {
      if (this.#isStopped) break
      const asked = await this.#redemptions.askFor(intentId)
      // Each further request would wait for the same network.
      if (asked.ok && asked.value.failure?.kind === 'offline') break
    }
    return this.#redemptions.attentionList()
  }

  /** Asks now, and then after the delays. */
  start(): void {
    this.#used = 0
    this.#askAfter(0)
  }

  /** Asks after the delays, from the first. Call when an answer was lost. */
  startLater(): void {
    this.#used = 0
    this.#askLater()
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #askLater(): void {
    const delay = this.#delaysMs[this.#used]
    if (delay === undefined) return
    this.#used += 1
    this.#askAfter(delay)
  }

  #askAfter(delayMs: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), delayMs).unref()
  }

  async #ask(): Promise<void> {
    const unanswered = await this.askAll()
    if (!unanswered.ok || unanswered.value.length > 0) this.#askLater()
  }
}
