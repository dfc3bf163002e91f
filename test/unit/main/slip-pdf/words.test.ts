import { describe, expect, it } from 'vitest'
import { isTimeZone } from '../../../../electron/contract/slip-numbers-and-dates.ts'
import { momentText, pointsText } from '../../../../electron/main/slip-pdf/slip-document.ts'

/** Spaces of any kind as plain ones: which one a locale uses is the system's business. */
const plain = (text: string): string => text.replace(/\s/g, ' ')
const all = (): boolean => true

describe('points', () => {
  it.each([
    ['en-GB', '1,234,567'],
    ['de', '1.234.567'],
    ['fr', '1 234 567'],
    ['en-IN', '12,34,567'],
    ['ar-EG', '1,234,567'],
    ['not a locale', '1,234,567']
  ])('are grouped as in %s', (locale, spelled) => {
    expect(plain(pointsText({ points: 1_234_567, locale }))).toBe(spelled)
  })
})

describe('day and time', () => {
  const at = '2026-11-21T23:30:00.000Z'

  it.each([
    ['Europe/Athens', 'en-GB', '22 Nov 2026, 01:30'],
    ['America/New_York', 'en-US', 'Nov 21, 2026, 6:30 PM'],
    ['Asia/Kathmandu', 'de', '22.11.2026, 05:15'],
    ['', 'en-GB', '21 Nov 2026, 23:30'],
    ['Middle-earth/Shire', 'en-GB', '21 Nov 2026, 23:30']
  ])('in zone "%s", spelled as in %s', (timeZone, locale, spelled) => {
    expect(plain(momentText({ at, timeZone, locale }, all))).toBe(spelled)
  })

  it('gives way to English where the fonts cannot show the spelling', () => {
    const latin = (text: string): boolean => /^[\p{Script=Latin}\p{Script=Common}]*$/u.test(text)
    expect(momentText({ at, timeZone: 'UTC', locale: 'th' }, latin)).toBe('21 Nov 2026, 23:30')
  })

  it('knows the time zones of this system', () => {
    expect(['Europe/Athens', 'UTC', '', 'nowhere'].map(isTimeZone)).toEqual([true, true, false, false])
  })
})
