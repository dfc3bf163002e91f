import { describe, expect, it } from 'vitest'
import { dayStart, localTimes } from '../../../../../electron/main/slips/history/days.ts'

describe('a day begins', () => {
  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'Europe/Athens', '2026-11-20T22:00:00.000Z'],
    ['2026-07-21', 'Europe/Athens', '2026-07-20T21:00:00.000Z'],
    ['2026-11-21', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    // the days on which the clocks change
    ['2026-03-29', 'Europe/Athens', '2026-03-28T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Athens', '2026-10-24T21:00:00.000Z'],
    // clocks go forward at midnight: the day begins at one
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z']
  ])('%s in %s: %s', (day, timeZone, start) => {
    expect(dayStart(day, timeZone)).toBe(start)
  })

  it('one day later across a change of the clocks, too', () => {
    expect(dayStart('2026-10-25', 'Europe/Athens', 1)).toBe('2026-10-25T22:00:00.000Z')
    expect(dayStart('2026-12-31', 'UTC', 1)).toBe('2027-01-01T00:00:00.000Z')
  })
})

it('times are spelled so that they sort', () => {
  expect(localTimes('Europe/Athens')('2026-11-21T12:05:33.000Z')).toBe('2026-11-21 14:05:33')
})
