import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { IdleTime, ManagerSession } from '../../../../electron/main/staff/staff.ts'
import { hashPin } from '../../../../electron/main/staff/pin.ts'
import { StaffStore } from '../../../../electron/main/settings/index.ts'
import { MemorySettings } from '../../../support/session.ts'

const minutes = (number: number): number => number * 60_000

afterEach(() => {
  vi.useRealTimers()
})

describe('IdleTime', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] })
  })

  it('counts from the last input in the renderer', () => {
    const idle = new IdleTime({ idleSeconds: () => 0 })
    vi.advanceTimersByTime(minutes(7))
    idle.recordActivity()
    vi.advanceTimersByTime(minutes(3))
    expect(idle.minutes).toBe(3)
  })

  it('uses the idle time of the system if that is longer', () => {
    const idle = new IdleTime({ idleSeconds: () => 600 })
    expect(idle.minutes).toBe(10)
  })

  it('ignores a system that does not see the input in the renderer', () => {
    const idle = new IdleTime({ idleSeconds: () => 600 })
    idle.recordActivity()
    expect(idle.minutes).toBe(0)
  })
})

describe('ManagerSession', () => {
  it('is always open without a PIN', () => {
    expect(new ManagerSession(new StaffStore(new MemorySettings()), vi.fn()).access).toBe('open')
  })

  it('expires five minutes after the last extension', async () => {
    const store = new StaffStore(new MemorySettings())
    store.update({ managerPin: await hashPin('4711') })
    vi.useFakeTimers()
    const onExpired = vi.fn()
    const session = new ManagerSession(store, onExpired)
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
