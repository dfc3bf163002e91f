import { describe, expect, it } from 'vitest'
import {
  dayStart,
  localTimes,
  bucketSizeOf,
  timeBuckets
} from '../../../../electron/main/reports/time-buckets.ts'

describe('bucketSizeOf', () => {
  it.each([
    ['one day', '2026-11-21', '2026-11-21', 'hour'],
    ['two days', '2026-11-20', '2026-11-21', 'day'],
    ['45 days', '2026-01-01', '2026-02-14', 'day'],
    ['46 days', '2026-01-01', '2026-02-15', 'month'],
    ['36 months', '2024-01-15', '2026-12-02', 'month'],
    ['37 months', '2024-01-15', '2027-01-01', 'year']
  ])('%s', (_name, from, to, step) => {
    expect(bucketSizeOf({ from, to })).toBe(step)
  })
})

describe('timeBuckets', () => {
  const cut = (from: string, to: string, timeZone: string) =>
    timeBuckets({ from, to }, bucketSizeOf({ from, to }), timeZone)

  it('divides a day into hours in the time zone of the business', () => {
    const hours = cut('2026-11-21', '2026-11-21', 'Europe/Athens')
    expect(hours).toHaveLength(24)
    expect(hours[0]).toEqual({ from: '2026-11-20T22:00:00.000Z', until: '2026-11-20T23:00:00.000Z' })
    expect(hours.at(-1)).toEqual({ from: '2026-11-21T21:00:00.000Z', until: '2026-11-21T22:00:00.000Z' })
  })

  it.each([
    ['put back', '2026-10-25', 25],
    ['put forward', '2026-03-29', 23]
  ])('divides the day on which clocks are %s into its hours', (_name, day, hours) => {
    expect(cut(day, day, 'Europe/Athens')).toHaveLength(hours)
  })

  it('divides a range into days across a change of the clocks', () => {
    const days = cut('2026-10-24', '2026-10-26', 'Europe/Athens')
    expect(days).toEqual([
      { from: '2026-10-23T21:00:00.000Z', until: '2026-10-24T21:00:00.000Z' },
      { from: '2026-10-24T21:00:00.000Z', until: '2026-10-25T22:00:00.000Z' },
      { from: '2026-10-25T22:00:00.000Z', until: '2026-10-26T22:00:00.000Z' }
    ])
  })

  it('divides a range into months, the first and the last shortened', () => {
    const months = cut('2026-01-20', '2026-03-10', 'UTC')
    expect(months).toEqual([
      { from: '2026-01-20T00:00:00.000Z', until: '2026-02-01T00:00:00.000Z' },
      { from: '2026-02-01T00:00:00.000Z', until: '2026-03-01T00:00:00.000Z' },
      { from: '2026-03-01T00:00:00.000Z', until: '2026-03-11T00:00:00.000Z' }
    ])
  })

  it('divides a long range into years', () => {
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

  it.each(['2026-11-21', '2026-10-25'])('returns consecutive buckets on %s', (day) => {
    const parts = cut(day, day, 'Europe/Athens')
    for (const [index, { until }] of parts.slice(0, -1).entries()) expect(parts[index + 1]?.from).toBe(until)
  })
})

describe('dayStart', () => {
  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'Europe/Athens', '2026-11-20T22:00:00.000Z'],
    ['2026-07-21', 'Europe/Athens', '2026-07-20T21:00:00.000Z'],
    ['2026-11-21', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
    ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
    ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    // days on which the clocks change
    ['2026-03-29', 'Europe/Athens', '2026-03-28T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Athens', '2026-10-24T21:00:00.000Z'],
    // clocks go forward at midnight: the day starts at one
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z']
  ])('of %s in %s is %s', (day, timeZone, start) => {
    expect(dayStart(day, timeZone)).toBe(start)
  })

  it('adds days across a change of the clocks', () => {
    expect(dayStart('2026-10-25', 'Europe/Athens', 1)).toBe('2026-10-25T22:00:00.000Z')
    expect(dayStart('2026-12-31', 'UTC', 1)).toBe('2027-01-01T00:00:00.000Z')
  })
})

it('localTimes formats sortable times', () => {
  expect(localTimes('Europe/Athens')('2026-11-21T12:05:33.000Z')).toBe('2026-11-21 14:05:33')
})
