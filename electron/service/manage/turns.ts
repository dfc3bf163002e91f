/** Does work one after the other, and lets those who ask take turns. */
export class Turns {
  /** what waits, by who asks, in the order of their turns; first whose work is under way */
  readonly #waiting = new Map<string, (() => Promise<void>)[]>()
  #isWorking = false

  /** Does work when it is its turn: however much one asks for, another waits for one piece of it. Rejects as the work does. */
  run<Value>(who: string, work: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const own = this.#waiting.get(who) ?? []
      own.push(() => work().then(resolve, reject))
      this.#waiting.set(who, own)
      if (!this.#isWorking) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      const [next] = this.#waiting
      if (next === undefined) break
      const [who, own] = next
      await own.shift()?.()
      this.#waiting.delete(who)
      // Behind all others who wait.
      if (own.length > 0) this.#waiting.set(who, own)
    }
    this.#isWorking = false
  }
}
