/** Time limits that a test ends when it has reached what they are for, whatever the speed of the machine. */
import { onTestFinished, vi } from 'vitest'

export interface ControlledTimeLimit {
  /** as it was requested, in ms; null before */
  readonly ms: number | null
  /** Ends the limit. */
  expire(): void
}

/** Takes the next `AbortSignal.timeout` under the control of the test. Later ones are real. */
export function controlTimeLimit(): ControlledTimeLimit {
  const controller = new AbortController()
  let requested: number | null = null
  const spy = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce((ms) => {
    requested = ms
    return controller.signal
  })
  onTestFinished(() => spy.mockRestore())
  return {
    get ms() {
      return requested
    },
    expire: () => controller.abort(new DOMException('The time limit is over', 'TimeoutError'))
  }
}

/** Until the test ends no time passes on the clock of `performance.now`, and no `AbortSignal.timeout` aborts. */
export function stopTime(): void {
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  onTestFinished(() => {
    clock.mockRestore()
    limits.mockRestore()
  })
}

/** Sets the clock of `performance.now` forward until the test ends. Timers keep their real time. */
export function passTime(ms: number): void {
  const spy = setAhead(() => ms)
  onTestFinished(() => spy.mockRestore())
}

/** Lets a minute pass on the clock of `performance.now`, again and again, until `work` ends. */
export async function passTimeUntil<Value>(work: Promise<Value>): Promise<Value> {
  let ahead = 0
  const spy = setAhead(() => ahead)
  const timer = setInterval(() => (ahead += 60_000), 100)
  try {
    return await work
  } finally {
    clearInterval(timer)
    spy.mockRestore()
  }
}

function setAhead(ahead: () => number) {
  const now = performance.now.bind(performance)
  return vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead())
}
