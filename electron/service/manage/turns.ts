/** One client, and its work that has not begun. */
interface Asking {
  /** how often work was asked for since there was last none to do */
  asked: number
  readonly waiting: (() => Promise<void>)[]
}

/** Does work one after the other: first for those who ask for the least, however many others ask for more. */
export class Turns {
  /** by who asks, those who asked last at the end */
  readonly #asking = new Map<string, Asking>()
  #isWorking = false

  /**
   * Does work when it is its turn, before that of all who have asked more often. Of those who have asked as often, and of
   * one's own work, the newest comes first: who asks once waits for no flood that began before. Rejects as the work does.
   */
  run<Value>(who: string, work: () => Promise<Value>): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      const own = this.#asking.get(who) ?? { asked: 0, waiting: [] }
      own.asked += 1
      own.waiting.push(() => work().then(resolve, reject))
      this.#asking.delete(who)
      this.#asking.set(who, own)
      if (!this.#isWorking) void this.#work()
    })
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#next(); next !== undefined; next = this.#next()) await next()
    this.#asking.clear()
    this.#isWorking = false
  }

  #next(): (() => Promise<void>) | undefined {
    const waiting = [...this.#asking.values()].filter((each) => each.waiting.length > 0)
    const least = Math.min(...waiting.map(({ asked }) => asked))
    return waiting.findLast(({ asked }) => asked === least)?.waiting.pop()
  }
}
