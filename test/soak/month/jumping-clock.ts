/**
 * Replaces the clock of a process or a page by one that runs at the normal speed and can jump ahead. A jump calls the
 * timers that are due within it, in order, each at its own time. A timeout of less than a minute limits work that takes
 * real time, such as a request, so jumps do not affect it.
 */

export interface JumpingClock {
  /** Returns milliseconds since 1970, as `Date.now` does. */
  readonly now: () => number
  /** Lets `ms` pass, and calls what is due meanwhile. */
  readonly advance: (ms: number) => void
  /** Lets `ms` pass as on a machine that is suspended: timers and `performance.now` do not advance. */
  readonly sleep: (ms: number) => void
  /** Returns the number of pending intervals, and of pending timeouts of a minute or more. */
  readonly timers: () => number
}

/**
 * Installs the clock, `offset` milliseconds ahead of the real one. Timers that were started before are not affected.
 * Refers to nothing outside, so that its source can be evaluated in a page.
 */
export function installJumpingClock(offset: number): JumpingClock {
  const MIN_TIMEOUT_MS = 60_000
  interface Timer {
    due: number
    /** null: a timeout */
    readonly period: number | null
    readonly run: () => void
  }
  type Handle = ReturnType<typeof setTimeout>
  type Callback = (...args: unknown[]) => void
  type Schedule = (callback: Callback, delay?: number, ...args: unknown[]) => Handle
  const RealDate = Date
  const realPerformanceNow = performance.now.bind(performance)
  let ahead = offset
  let awake = 0
  const pending = new Map<Handle, Timer>()
  const now = (): number => RealDate.now() + ahead

  const tracked =
    (schedule: Schedule, isInterval: boolean): Schedule =>
    (callback, delay = 0, ...args) => {
      if (!isInterval && delay < MIN_TIMEOUT_MS) return schedule(callback, delay, ...args)
      const timer: Timer = {
        due: now() + delay,
        period: isInterval ? delay : null,
        run: () => callback(...args)
      }
      const handle = schedule(() => {
        if (isInterval) timer.due = now() + delay
        else pending.delete(handle)
        timer.run()
      }, delay)
      pending.set(handle, timer)
      return handle
    }
  const untracked =
    (clear: (handle: Handle | undefined) => void) =>
    (handle: Handle | undefined): void => {
      if (handle !== undefined) pending.delete(handle)
      clear(handle)
    }

  const { setTimeout: realSetTimeout, setInterval: realSetInterval, clearTimeout, clearInterval } = globalThis
  Object.assign(globalThis, {
    setTimeout: tracked(realSetTimeout as Schedule, false),
    setInterval: tracked(realSetInterval as Schedule, true),
    clearTimeout: untracked(clearTimeout),
    clearInterval: untracked(clearInterval),
    Date: new Proxy(RealDate, {
      construct: (target, args: unknown[], newTarget) =>
        Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
      apply: (target) => new target(now()).toString(),
      get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown))
    })
  })
  performance.now = () => realPerformanceNow() + awake

  const moveTo = (time: number): void => {
    const ms = Math.max(0, time - now())
    ahead += ms
    awake += ms
  }
  const nextDue = (target: number): [Handle, Timer] | undefined => {
    let next: [Handle, Timer] | undefined
    for (const entry of pending) {
      if (entry[1].due <= target && (next === undefined || entry[1].due < next[1].due)) next = entry
    }
    return next
  }
  return {
    now,
    advance(ms) {
      const target = now() + ms
      for (let next = nextDue(target); next !== undefined; next = nextDue(target)) {
        const [handle, timer] = next
        moveTo(timer.due)
        if (timer.period === null) {
          clearTimeout(handle)
          pending.delete(handle)
        } else timer.due += timer.period
        timer.run()
      }
      moveTo(target)
    },
    sleep(ms) {
      ahead += ms
      for (const timer of pending.values()) timer.due += ms
    },
    timers: () => pending.size
  }
}
