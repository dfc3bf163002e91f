import { describe, expect, test } from 'vitest'
import '../support/english.ts'
import {
  formatDate,
  formatDateTime,
  formatRecent,
  formatTime,
  supportedTimeZone
} from '../../../../renderer/src/format/dates.ts'

const MOMENT = '2026-11-21T22:30:00.000Z'

describe('dates', () => {
  test('are shown in the time zone of the account', () => {
    expect(formatDateTime(MOMENT, 'Europe/Athens')).toBe('22 Nov 2026, 00:30')
    expect(formatDate(MOMENT, 'America/New_York')).toBe('21 Nov 2026')
    expect(formatTime(MOMENT, 'Asia/Kolkata')).toBe('04:00')
  })

  test('a time zone that nobody knows falls back to the machine’s own', () => {
    expect(supportedTimeZone('Mars/Olympus')).toBeUndefined()
    expect(supportedTimeZone('')).toBeUndefined()
    expect(formatDateTime(MOMENT, 'Mars/Olympus')).toBe(formatDateTime(MOMENT, undefined))
  })

  test('today is told by the hour, any other day with its date', () => {
    const sameDay = new Date('2026-11-22T04:00:00.000Z')
    expect(formatRecent(MOMENT, sameDay, 'Europe/Athens')).toBe('00:30')
    expect(formatRecent(MOMENT, sameDay, 'America/New_York')).toBe('17:30')
    expect(formatRecent(MOMENT, sameDay, 'UTC')).toBe('21 Nov 2026, 22:30')
  })
})
