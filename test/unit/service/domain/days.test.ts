import { describe, expect, it } from 'vitest'
import { shiftDay, dayOf, daysBetween } from '../../../../electron/service/domain/days.ts'

describe('daysBetween', () => {
  it.each([
    [
      'a day of 23 hours',
      'Europe/Athens',
      '2026-03-29',
      '2026-03-28T22:00:00.000Z',
      '2026-03-29T21:00:00.000Z'
    ],
    [
      'a day of 25 hours',
      'Europe/Athens',
      '2026-10-25',
      '2026-10-24T21:00:00.000Z',
      '2026-10-25T22:00:00.000Z'
    ],
    [
      'a zone with half hours',
      'Asia/Kolkata',
      '2026-11-25',
      '2026-11-24T18:30:00.000Z',
      '2026-11-25T18:30:00.000Z'
    ],
    [
      'a zone with quarters',
      'Asia/Kathmandu',
      '2026-11-25',
      '2026-11-24T18:15:00.000Z',
      '2026-11-25T18:15:00.000Z'
    ],
    [
      'half an hour of summer time',
      'Australia/Lord_Howe',
      '2026-10-04',
      '2026-10-03T13:30:00.000Z',
      '2026-10-04T13:00:00.000Z'
    ],
    [
      'a day without a midnight',
      'Africa/Cairo',
      '2026-04-24',
      '2026-04-23T22:00:00.000Z',
      '2026-04-24T21:00:00.000Z'
    ],
    [
      'the far east',
      'Pacific/Kiritimati',
      '2026-01-01',
      '2025-12-31T10:00:00.000Z',
      '2026-01-01T10:00:00.000Z'
    ],
    [
      'the far west',
      'Pacific/Pago_Pago',
      '2026-01-01',
      '2026-01-01T11:00:00.000Z',
      '2026-01-02T11:00:00.000Z'
    ],
    [
      'a day that was left out',
      'Pacific/Apia',
      '2011-12-30',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T10:00:00.000Z'
    ]
  ])('knows %s', (_, zone, day, start, end) => {
    expect(daysBetween(day, day, zone)).toEqual([{ day, start, end }])
  })

  it('joins day to day, over months', () => {
    const days = daysBetween('2026-02-20', '2026-04-05', 'Europe/Berlin')
    expect(days).toHaveLength(45)
    for (const [index, { day, end }] of days.entries()) {
      const next = days[index + 1]
      if (next !== undefined) expect([next.day, next.start]).toEqual([shiftDay(day, 1), end])
    }
    expect(daysBetween('2026-02-20', '2026-02-19', 'UTC')).toEqual([])
  })
})

it('tells the day of a moment', () => {
  const moment = new Date('2026-11-25T22:30:00Z')
  expect(dayOf(moment, 'Europe/Athens')).toBe('2026-11-26')
  expect(dayOf(moment, 'America/New_York')).toBe('2026-11-25')
})
