import { describe, expect, it } from 'vitest'
import { dayStart, localTimes, stepOf, timeBuckets } from '../../../../electron/main/slips/time-buckets.ts'

describe('the step of a report', () => {
  it.each([
    ['one day', '2026-11-21', '2026-11-21', 'hour'],
    ['two days', '2026-11-20', '2026-11-21', 'day'],
    ['45 days', '2026-01-01', '2026-02-14', 'day'],
    ['46 days', '2026-01-01', '2026-02-15', 'month'],
    ['36 months', '2024-01-15', '2026-12-02', 'month'],
    ['37 months', '2024-01-15', '2027-01-01', 'year']
  ])('%s', (_name, from, to, step) => {
    expect(stepOf({ from, to })).toBe(step)
  })
})

describe('the parts of a range', () => {
  const cut = (from: string, to: string, timeZone: string) =>
    timeBuckets({ from, to }, stepOf({ from, to }), timeZone)

  it('are the hours of a day, on the business’s clock', () => {
    const hours = cut('2026-11-21', '2026-11-21', 'Europe/Athens')
    expect(hours).toHaveLength(24)
    expect(hours[0]).toEqual({ from: '2026-11-20T22:00:00.000Z', until: '2026-11-20T23:00:00.000Z' })
    expect(hours.at(-1)).toEqual({ from: '2026-11-21T21:00:00.000Z', until: '2026-11-21T22:00:00.000Z' })
  })

  it.each([
    ['put back', '2026-10-25', 25],
    ['put forward', '2026-03-29', 23]
  ])('are as many hours as the day has when clocks are %s', (_name, day, hours) => {
    expect(cut(day, day, 'Europe/Athens')).toHaveLength(hours)
  })

  it('are days, also across a change of the clocks', () => {
    const days = cut('2026-10-24', '2026-10-26', 'Europe/Athens')
    expect(days).toEqual([
      { from: '2026-10-23T21:00:00.000Z', until: '2026-10-24T21:00:00.000Z' },
      { from: '2026-10-24T21:00:00.000Z', until: '2026-10-25T22:00:00.000Z' },
      { from: '2026-10-25T22:00:00.000Z', until: '2026-10-26T22:00:00.000Z' }
    ])
  })

  it('are months, of which the first and the last may be cut', () => {
    const months = cut('2026-01-20', '2026-03-10', 'UTC')
    expect(months).toEqual([
      { from: '2026-01-20T00:00:00.000Z', until: '2026-02-01T00:00:00.000Z' },
      { from: '2026-02-01T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' },
      { from: '2026-03-01T00:00:00.000Z', until: '2026-03-11T00:00:00.000Z' }
    ])
  })

  it('are years in a range of many', () => {
    const years = cut('2020-06-01', '2026-06-01', 'UTC')
    expect(years.map(({ from }) => from.slice(0, 10))).toEqual([
      '2020-06-01',
      '2021-01-01',
      '2022-01-01',
      '2023-01-01',
      '2024-01-01',
      '2025-01-01',
      '2026-01-01'
    ])
  })

  it.each(['2026-11-21', '2026-10-25'])('touch one another on %s', (day) => {
    const parts = cut(day, day, 'Europe/Athens')
    for (const [index, { until }] of parts.slice(0, -1).entries()) expect(parts[index + 1]?.from).toBe(until)
  })
})

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
