import type { Result, Failure } from '../../../electron/contract/failure.ts'
import type { Hear } from './answers.svelte.ts'

/**
 * One thing that is asked again and again: whether an answer is awaited, and why the last one failed. Only the latest
 * question counts: answers that come out of order are dropped.
 */
export class Asking {
  readonly #hear: Hear
  #latest = 0
  #running = $state(false)
  #failure = $state<Failure | null>(null)

  constructor(hear: Hear) {
    this.#hear = hear
  }

  get running(): boolean {
    return this.#running
  }

  get failure(): Failure | null {
    return this.#failure
  }

  /** Asks, and gives the value; undefined when it failed (see `failure`) or a later question overtook it. */
  async ask<Value>(call: () => Promise<Result<Value>>): Promise<Value | undefined> {
    const turn = ++this.#latest
    this.#running = true
    const answer = await this.#hear(call)
    if (turn !== this.#latest) return undefined
    this.#running = false
    this.#failure = answer.ok ? null : answer.failure
    return answer.ok ? answer.value : undefined
  }

  /** Shows a failure that was found before anything was asked. */
  refuse(failure: Failure): void {
    this.drop()
    this.#failure = failure
  }

  /** Stops waiting, and takes the failure away. What was asked still runs its course in main. */
  drop(): void {
    this.#latest++
    this.#running = false
    this.#failure = null
  }
}
