import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdleTime, ManagerSession } from '../../../../electron/main/staff/staff.ts'

const minutes = (number: number): number => number * 60_000

describe('IdleTime', () => {
  it('counts from the last input in the renderer', () => {
    let time = 0
    const idle = new IdleTime({ clock: () => time, systemIdleSeconds: () => 0 })
    time = minutes(7)
    idle.recordActivity()
    time = minutes(10)
    expect(idle.minutes).toBe(3)
  })

  it('uses the idle time of the system if that is longer', () => {
    const idle = new IdleTime({ clock: () => 0, systemIdleSeconds: () => 600 })
    expect(idle.minutes).toBe(10)
  })

  it('ignores a system that does not see the input in the renderer', () => {
    const idle = new IdleTime({ clock: () => 0, systemIdleSeconds: () => 600 })
    idle.recordActivity()
    expect(idle.minutes).toBe(0)
  })
})

describe('ManagerSession', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is always open without a PIN', () => {
    expect(new ManagerSession({ hasPin: () => false, onExpired: vi.fn() }).access).toBe('open')
  })

  it('expires five minutes after the last extension', () => {
    const onExpired = vi.fn()
    const session = new ManagerSession({ hasPin: () => true, onExpired })
    expect(session.access).toBe('locked')
    session.start()
    vi.advanceTimersByTime(minutes(4))
    session.extend()
    vi.advanceTimersByTime(minutes(5) - 1)
    expect(session.access).toBe('unlocked')
    vi.advanceTimersByTime(1)
    expect(session.access).toBe('locked')
    expect(onExpired).toHaveBeenCalledOnce()
  })
})
