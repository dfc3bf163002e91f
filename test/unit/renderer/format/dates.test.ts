import { afterAll, describe, expect, test, vi } from 'vitest'
import { LANGUAGES, localeOf } from '../../../../electron/contract/language.ts'
import { numberFormat, slipMoment } from '../../../../electron/contract/slip-numbers-and-dates.ts'
import { dateTimeText, numberText } from '../../../../electron/service/html/locale.ts'
import { formatNumber, formatSlipPoints } from '../../../../renderer/src/format/numbers.ts'
import { setLocale } from '../../../../renderer/src/i18n/locale.svelte.ts'
import '../support/english.ts'
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatRecent,
  formatShort,
  formatShortReportBucket,
  formatSlipMoment,
  formatTime,
  formatTimeOrDay,
  supportedTimeZone
} from '../../../../renderer/src/format/dates.ts'

const MOMENT = '2026-11-21T22:30:00.000Z'

describe('date and time formats', () => {
  test('a time of today, a day of this year, and a year before', () => {
    const of = (moment: string) => formatTimeOrDay(moment, new Date(MOMENT), 'Europe/Athens')
    expect(of('2026-11-21T22:05:00.000Z')).toBe('00:05')
    expect(of('2026-11-21T21:59:00.000Z')).toBe('21 November')
    expect(of('2025-12-31T21:59:00.000Z')).toBe('31 Dec 2025')
    expect(of('2025-12-31T22:00:00.000Z')).toBe('1 January')
  })

  test('use the given time zone', () => {
    expect(formatDateTime(MOMENT, 'Europe/Athens')).toBe('22 Nov 2026, 00:30')
    expect(formatDate(MOMENT, 'America/New_York')).toBe('21 Nov 2026')
    expect(formatTime(MOMENT, 'Asia/Kolkata')).toBe('04:00')
  })

  test.each([
    [6, '6 minutes'],
    [119, '119 minutes'],
    [120, '2 hours'],
    [47 * 60, '47 hours'],
    [3 * 1440, '3 days']
  ])('formatDuration shows %i minutes as %s', (minutes, text) => {
    expect(formatDuration(minutes)).toBe(text)
  })

  test('use the system time zone when the given one is unknown or empty', () => {
    expect(supportedTimeZone('Mars/Olympus')).toBeUndefined()
    expect(supportedTimeZone('')).toBeUndefined()
    expect(formatDateTime(MOMENT, 'Mars/Olympus')).toBe(formatDateTime(MOMENT, undefined))
    // What the service sends as a time zone is never part of a formatter's name.
    expect(formatDate(MOMENT, 'and time ')).toBe(formatDate(MOMENT, undefined))
  })

  test('formatRecent shows the time for today and the date for any other day', () => {
    const sameDay = new Date('2026-11-22T04:00:00.000Z')
    expect(formatRecent(MOMENT, sameDay, 'Europe/Athens')).toBe('00:30')
    expect(formatRecent(MOMENT, sameDay, 'America/New_York')).toBe('17:30')
    expect(formatRecent(MOMENT, sameDay, 'UTC')).toBe('21 Nov 2026, 22:30')
  })

  test('create formatters for the first row of a list only', () => {
    const row = (moment: string) =>
      [formatRecent, formatShort, formatTimeOrDay].map((of) => of(moment, new Date(MOMENT), 'Asia/Tokyo'))
    const moments = [MOMENT, '2026-11-20T22:30:00.000Z', '2025-11-20T22:30:00.000Z']
    const first = moments.map(row)
    const created = vi.spyOn(Intl, 'DateTimeFormat')
    expect(moments.map(row)).toEqual(first)
    expect(created).not.toHaveBeenCalled()
    created.mockRestore()
  })
})

describe('every output of a shop writes the same number and the same time', () => {
  afterAll(() => setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' }))

  /** Spaces of any kind as plain ones: the pages of the service keep a line's end together. */
  const plain = (text: string): string => text.replaceAll(/\s/gu, ' ')

  const cases = ['GR', 'DE', 'ES', 'EG', 'MA', 'US', 'IN', 'CA'].flatMap((country) =>
    LANGUAGES.map((language) => [language, country] as const)
  )

  test.each(cases)('in %s, in %s', async (language, country) => {
    await setLocale({ language, slipLanguage: language, country })
    const locale = localeOf(language, country)
    const form = { tag: locale, timeZone: 'Europe/Athens' }
    const moment = formatDateTime(MOMENT, 'Europe/Athens')
    expect(formatSlipMoment(MOMENT, 'Europe/Athens')).toBe(moment)
    expect(slipMoment(new Date(MOMENT), 'Europe/Athens', locale)).toBe(moment)
    expect(plain(dateTimeText(MOMENT, form))).toBe(plain(moment))
    const number = formatNumber(1240)
    expect(number).toMatch(/^1\D240$/u)
    expect([formatSlipPoints(1240), numberText(1240, form), numberFormat(locale).format(1240)]).toEqual([
      number,
      number,
      number
    ])
    expect(moment).not.toMatch(/[^\P{Nd}0-9]/u)
  })

  test.each([
    ['GR', '22:30'],
    ['DE', '22:30'],
    ['MA', '22:30'],
    ['EG', '10:30'],
    ['US', '10:30']
  ])('the clock is the same in all languages in %s', async (country, time) => {
    for (const language of LANGUAGES) {
      await setLocale({ language, slipLanguage: 'en', country })
      expect(formatTime(MOMENT, 'UTC')).toContain(time)
      expect(formatSlipMoment(MOMENT, 'UTC')).toContain(time)
    }
  })
})

describe('labels of the bars of a chart', () => {
  test.each(LANGUAGES)('have no more than the number of an hour or day in %s', async (language) => {
    await setLocale({ language, slipLanguage: language, country: 'GR' })
    for (const bucketSize of ['hour', 'day'] as const) {
      expect(formatShortReportBucket(MOMENT, bucketSize, 'Europe/Athens')).toMatch(/^\p{Nd}{1,2}$/u)
    }
    expect(formatShortReportBucket(MOMENT, 'month', 'Europe/Athens')).toMatch(/^\p{L}+\.?$/u)
    await setLocale({ language: 'en', slipLanguage: 'en', country: 'GB' })
  })
})
