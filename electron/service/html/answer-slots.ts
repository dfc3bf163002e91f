/** When the answer to a form leaves: at a moment that tells nothing of the work that was done for it. */
import { setTimeout } from 'node:timers/promises'

/**
 * Long for what a form costs, also on a slow disk and a busy machine, where slots of 10 ms told a known phone, and short for the
 * customer.
 */
export const ANSWER_SLOT_MS = 25

/** In milliseconds. */
export interface SlotClock {
  readonly now: () => number
  readonly wait: (ms: number) => Promise<unknown>
}

const PROCESS_CLOCK: SlotClock = { now: () => performance.now(), wait: (ms) => setTimeout(ms) }

/**
 * Does `work`, and settles as it does at the end of the first slot, counted from now, in which it was done. Known and unknown
 * phones differ by tenths of a millisecond; both are answered after 25.
 */
export const atSlot = async <Value>(
  work: () => Promise<Value>,
  { now, wait }: SlotClock = PROCESS_CLOCK
): Promise<Value> => {
  let due = now() + ANSWER_SLOT_MS
  // Before the work: Node counts whole milliseconds, so that a timer that starts after it would tell a part of its time.
  let slot = wait(ANSWER_SLOT_MS)
  let doneAt = Infinity
  const done = (): void => {
    doneAt = now()
  }
  const outcome = work()
  outcome.then(done, done)
  for (;;) {
    await slot
    if (doneAt <= due) return outcome
    // A commit that holds the process beyond the slot holds the timer, too: what it did is answered at the end of the next one.
    do due += ANSWER_SLOT_MS
    while (due <= now())
    slot = wait(Math.max(1, Math.ceil(due - now())))
  }
}
