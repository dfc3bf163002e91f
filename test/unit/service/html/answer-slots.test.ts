import { expect, it } from 'vitest'
import { ANSWER_SLOT_MS, atSlot, type SlotClock } from '../../../../electron/service/html/answer-slots.ts'

/** A clock that goes on when `run` is called, to one moment after the other for which something waits. */
class FakeClock implements SlotClock {
  #now = 0
  #waiting: { readonly at: number; readonly resolve: () => void }[] = []

  readonly now = (): number => this.#now

  readonly wait = (ms: number): Promise<void> => {
    expect(ms).toBeGreaterThan(0)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#waiting.push({ at: this.#now + ms, resolve: () => resolve(undefined) })
    return promise
  }

  /** Goes on without what waits, as work does that holds the process. */
  hold(ms: number): void {
    this.#now += ms
  }

  async run(): Promise<void> {
    for (;;) {
      await new Promise(setImmediate)
      const [first, ...others] = this.#waiting.toSorted((a, b) => a.at - b.at)
      if (first === undefined) return
      this.#waiting = others
      this.#now = Math.max(this.#now, first.at)
      first.resolve()
    }
  }
}

/** Resolves with the milliseconds after which work is answered that takes so long, and ends with an outcome. */
const answeredAfter = async (
  workMs: number,
  outcome: (clock: FakeClock) => Promise<unknown>
): Promise<number> => {
  const clock = new FakeClock()
  const work = async (): Promise<unknown> => {
    await clock.wait(workMs)
    return outcome(clock)
  }
  const answered = atSlot(work, clock).then(clock.now, clock.now)
  await clock.run()
  return answered
}

it.each([
  [1, 1],
  [ANSWER_SLOT_MS - 1, 1],
  [ANSWER_SLOT_MS + 1, 2],
  [3 * ANSWER_SLOT_MS - 1, 3]
])(
  'an answer that takes %i ms leaves after %i slots, whether its work succeeds or fails',
  async (workMs, slots) => {
    const outcomes = [() => Promise.resolve('given'), () => Promise.reject(new Error('broken'))]
    for (const outcome of outcomes) expect(await answeredAfter(workMs, outcome)).toBe(slots * ANSWER_SLOT_MS)
  }
)

it.each([
  [4, 2],
  [3 * ANSWER_SLOT_MS - 1, 4]
])(
  'an answer whose work holds the process for %i ms beyond the slot leaves after %i slots',
  async (heldMs, slots) => {
    const hold = (clock: FakeClock): Promise<void> => {
      clock.hold(heldMs)
      return Promise.resolve()
    }
    expect(await answeredAfter(ANSWER_SLOT_MS - 1, hold)).toBe(slots * ANSWER_SLOT_MS)
  }
)

it('an answer is what the work resolves or rejects with', async () => {
  expect(await atSlot(() => Promise.resolve('given'))).toBe('given')
  await expect(atSlot(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
