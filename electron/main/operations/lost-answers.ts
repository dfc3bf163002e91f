/** Asks by itself for the lost answers of operations, with growing delays, until each has its answer. */
import type { Result } from '../../contract/failure.ts'
import type { UnansweredOperation } from '../../contract/operations.ts'
import type { Journal } from '../journal/journal.ts'
import type { CashierErasures } from './cashier-erasures.ts'
import type { Operations } from './operations.ts'

/** Delays before lost answers are asked for again; after the last one the next start, connection or press does. */
const DELAYS_MS = [2, 5, 15, 60, 120, 300, 600, 600, 600].map((seconds) => seconds * 1000)

/** One timer for all operations: they wait for the same service. */
export class LostAnswers {
  readonly #operations: Operations
  readonly #erasures: Pick<CashierErasures, 'send'>
  readonly #delaysMs: readonly number[]
  #timer: NodeJS.Timeout | undefined
  /** delays that were used since the last start */
  #used = 0
  #isStopped = false

  /** @param delaysMs replaces the delays in tests */
  constructor(
    journal: Pick<Journal, 'addListener'>,
    operations: Operations,
    erasures: Pick<CashierErasures, 'send'>,
    delaysMs: readonly number[] = DELAYS_MS
  ) {
    this.#operations = operations
    this.#erasures = erasures
    this.#delaysMs = delaysMs
    journal.addListener({
      operationChanged: ({ state }, before) => {
        if (state === 'unknown' && before === 'requested') this.#askLater(0)
      }
    })
  }

  /** Asks for each lost answer, the oldest first, once. */
  async askAll(): Promise<void> {
    for (const { key } of this.#unanswered().toReversed()) {
      if (this.#isStopped) break
      const asked = await this.#operations.askFor(key)
      // Each further request would wait for the same network.
      if (asked.ok && asked.value.failure?.kind === 'offline') break
    }
  }

  /** Asks for each lost answer now; resolves with the operations that still have none. */
  async askAgain(): Promise<Result<readonly UnansweredOperation[]>> {
    await this.askAll()
    return this.#operations.attentionList()
  }

  /** Asks now, and then after the delays. */
  start(): void {
    this.#used = 0
    this.#askAfter(0)
  }

  /** Asks no more. */
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  #unanswered() {
    const unanswered = this.#operations.unanswered()
    return unanswered.ok ? unanswered.value : []
  }

  /** @param used delays that count as used */
  #askLater(used: number): void {
    const delay = this.#delaysMs[used]
    this.#used = used + 1
    if (delay !== undefined) this.#askAfter(delay)
  }

  #askAfter(delayMs: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), delayMs).unref()
  }

  async #ask(): Promise<void> {
    await this.askAll()
    await this.#erasures.send()
    if (this.#unanswered().length > 0) this.#askLater(this.#used)
  }
}
