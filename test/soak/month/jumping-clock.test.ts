import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installJumpingClock, type JumpingClock } from './jumping-clock.ts'

const MINUTE_MS = 60_000
const real = { Date, setTimeout, setInterval, clearTimeout, clearInterval }

let clock: JumpingClock
/** what ran, and at which minute after the start */
let ran: [string, number][]
let start: number

const record = (name: string) => (): void => {
  ran.push([name, Math.round((Date.now() - start) / MINUTE_MS)])
}

beforeEach(() => {
  clock = installJumpingClock(1_000_000_000)
  ran = []
  start = Date.now()
})

afterEach(() => {
  Object.assign(globalThis, real)
  // The method of the prototype again.
  Reflect.deleteProperty(performance, 'now')
})

describe('a clock that can jump', () => {
  it('is ahead of the real one, and dates follow it', () => {
    const ahead = start - real.Date.now()
    expect(Math.abs(ahead - 1_000_000_000)).toBeLessThan(MINUTE_MS)
    clock.advance(5 * MINUTE_MS)
    expect(new Date().getTime() - start).toBeGreaterThanOrEqual(5 * MINUTE_MS)
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
    expect(new Date() instanceof Date).toBe(true)
  })

  it('calls what is due within a jump, in order and at its own time', () => {
    setTimeout(record('timeout'), 7 * MINUTE_MS)
    const interval = setInterval(record('interval'), 3 * MINUTE_MS)
    clock.advance(10 * MINUTE_MS)
    clearInterval(interval)
    clock.advance(10 * MINUTE_MS)
    expect(ran).toEqual([
      ['interval', 3],
      ['interval', 6],
      ['timeout', 7],
      ['interval', 9]
    ])
    expect(clock.timers()).toBe(0)
  })

  it('calls what a timer starts, if that is due too, and not what it clears', () => {
    const cleared = setTimeout(record('cleared'), 5 * MINUTE_MS)
    setTimeout(() => {
      clearTimeout(cleared)
      setTimeout(record('started'), 2 * MINUTE_MS)
    }, 4 * MINUTE_MS)
    clock.advance(10 * MINUTE_MS)
    expect(ran).toEqual([['started', 6]])
  })

  it('leaves short timeouts to the real clock', async () => {
    const ended = new Promise<void>((resolve) => setTimeout(resolve, 20))
    setTimeout(record('limit of a request'), 30_000).unref()
    clock.advance(60 * MINUTE_MS)
    expect(ran).toEqual([])
    await ended
  })

  it('moves dates but neither timers nor the monotonic clock during a sleep', () => {
    setTimeout(record('timeout'), 2 * MINUTE_MS)
    const before = performance.now()
    clock.sleep(600 * MINUTE_MS)
    expect(performance.now() - before).toBeLessThan(MINUTE_MS)
    expect(ran).toEqual([])
    clock.advance(2 * MINUTE_MS)
    expect(ran).toEqual([['timeout', 602]])
    expect(performance.now() - before).toBeGreaterThanOrEqual(2 * MINUTE_MS)
  })
})
