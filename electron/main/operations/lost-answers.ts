/** Asks by itself for lost answers, with growing delays, until each has come. */
import type { Failure, Result } from '../../contract/failure.ts'
import type { UnansweredOperation } from '../../contract/operations.ts'
import type { Journal } from '../journal/journal.ts'
import type { CashierErasures } from './cashier-erasures.ts'
import type { KeyedSlips } from './keyed-slips.ts'
import type { Operations } from './operations.ts'

/** Delays before lost answers are asked for again; after the last one the next start, connection or press does. */
const DELAYS_MS = [2, 5, 15, 60, 120, 300, 600, 600, 600].map((seconds) => seconds * 1000)

/** One timer for all: they wait for the same service. */
export class LostAnswers {
  readonly #operations: Operations
  readonly #slips: KeyedSlips
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
    slips: KeyedSlips,
    erasures: Pick<CashierErasures, 'send'>,
    delaysMs: readonly number[] = DELAYS_MS
  ) {
    this.#operations = operations
    this.#slips = slips
    this.#erasures = erasures
    this.#delaysMs = delaysMs
    journal.addListener({
      operationChanged: ({ state }, before) => {
        if (state === 'unknown' && before === 'requested') this.#askLater(0)
      },
      rowChanged: ({ slip, keyed }, change) => {
        if (change === 'state' && slip.state === 'unknown' && keyed) this.#askLater(0)
      }
    })
  }

  /** Asks for each lost answer once: for slips, then for operations, the oldest first. */
  async askAll(): Promise<void> {
    for (const ask of this.#unanswered()) {
      // Each further request would wait for the same network.
      if (this.#isStopped || (await ask())?.kind === 'offline') return
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

  /** Returns what asks for each lost answer, and resolves with why it did not come. */
  #unanswered(): readonly (() => Promise<Failure | null>)[] {
    const slips = this.#slips.unanswered()
    const operations = this.#operations.unanswered()
    return [
      ...(slips.ok ? slips.value.toReversed() : []).map(({ slip }) => async () => {
        const asked = await this.#slips.askFor(slip.intentId)
        return asked.ok ? null : asked.failure
      }),
      ...(operations.ok ? operations.value.toReversed() : []).map(({ key }) => async () => {
        const asked = await this.#operations.askFor(key)
        return asked.ok ? asked.value.failure : asked.failure
      })
    ]
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
