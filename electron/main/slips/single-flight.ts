/** Shares the result of a pending call between all callers with the same key. */
export class SingleFlight<Value> {
  readonly #pending = new Map<string, Promise<Value>>()

  /** Runs `work`, or returns the promise of a pending run with this key. */
  run(key: string, work: () => Promise<Value>): Promise<Value> {
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const result = work().finally(() => this.#pending.delete(key))
    this.#pending.set(key, result)
    return result
  }

  /** Returns the pending run with this key. */
  pending(key: string): Promise<Value> | undefined {
    return this.#pending.get(key)
  }

  isBusy(): boolean {
    return this.#pending.size > 0
  }

  /** Resolves when the runs that are pending now have ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#pending.values())
  }
}
