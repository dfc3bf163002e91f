import { describe, expect, it } from 'vitest'
import { createIdle } from '../../../../electron/main/staff/auto-lock.ts'

const minutes = (number: number): number => number * 60_000

describe('the idle time', () => {
  it('counts from the last touch of the page', () => {
    let time = 0
    const idle = createIdle({ clock: () => time, systemIdleSeconds: () => 0 })
    time = minutes(7)
    idle.touched()
    time = minutes(10)
    expect(idle.minutes()).toBe(3)
  })

  it('is as long as the system says, when that is longer', () => {
    const idle = createIdle({ clock: () => 0, systemIdleSeconds: () => 600 })
    expect(idle.minutes()).toBe(10)
  })

  it('does not believe a system that saw nothing while the page was touched', () => {
    const idle = createIdle({ clock: () => 0, systemIdleSeconds: () => 600 })
    idle.touched()
    expect(idle.minutes()).toBe(0)
  })
})
