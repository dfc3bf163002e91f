import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPaint, whenSettled } from '../../../../renderer/src/wanted/settled.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A window whose clock is the test's, and that is idle and paints when it is told so. */
function window() {
  const idle = new Map<number, () => void>()
  const frames = new Map<number, () => void>()
  let last = 0
  const run = (waiting: Map<number, () => void>): void => {
    const now = [...waiting.values()]
    waiting.clear()
    for (const one of now) one()
  }
  return {
    page: {
      setTimeout: (handler: TimerHandler, ms?: number) => Number(setTimeout(handler as () => void, ms)),
      clearTimeout: (clock: number | undefined) => {
        clearTimeout(clock)
      },
      requestIdleCallback: (callback: IdleRequestCallback) => {
        idle.set(++last, () => {
          callback({ didTimeout: false, timeRemaining: () => 1 })
        })
        return last
      },
      cancelIdleCallback: (handle: number) => void idle.delete(handle),
      requestAnimationFrame: (callback: FrameRequestCallback) => {
        frames.set(++last, () => {
          callback(0)
        })
        return last
      },
      cancelAnimationFrame: (handle: number) => void frames.delete(handle)
    },
    becomeIdle: () => {
      run(idle)
    },
    paint: () => {
      run(frames)
    }
  }
}

test('what waits for a settled window begins half a second later, once the window is idle', () => {
  const { page, becomeIdle } = window()
  const begin = vi.fn(() => undefined)
  whenSettled(page, begin)
  vi.advanceTimersByTime(499)
  becomeIdle()
  expect(begin).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(begin).not.toHaveBeenCalled()
  becomeIdle()
  expect(begin).toHaveBeenCalledTimes(1)
})

test.each([
  ['before its time', 0],
  ['before the window is idle', 500]
])('what was ended %s never begins', (_, passed) => {
  const { page, becomeIdle } = window()
  const begin = vi.fn(() => undefined)
  const stop = whenSettled(page, begin)
  vi.advanceTimersByTime(passed)
  stop()
  vi.advanceTimersByTime(500)
  becomeIdle()
  expect(begin).not.toHaveBeenCalled()
})

test('what began is ended with the waiting', () => {
  const { page, becomeIdle } = window()
  const end = vi.fn()
  const stop = whenSettled(page, () => end)
  vi.advanceTimersByTime(500)
  becomeIdle()
  expect(end).not.toHaveBeenCalled()
  stop()
  expect(end).toHaveBeenCalledTimes(1)
})

test('what waits for a paint begins after the frame, and not in it', () => {
  const { page, paint } = window()
  const then = vi.fn()
  afterPaint(page, then)
  vi.runAllTimers()
  paint()
  expect(then).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(then).toHaveBeenCalledTimes(1)
})

test.each([
  ['before the frame', false],
  ['right behind the frame', true]
])('what was ended %s is not called', (_, painted) => {
  const { page, paint } = window()
  const then = vi.fn()
  const stop = afterPaint(page, then)
  if (painted) paint()
  stop()
  paint()
  vi.runAllTimers()
  expect(then).not.toHaveBeenCalled()
})
