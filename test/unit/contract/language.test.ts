import { describe, expect, test } from 'vitest'
import {
  chooseLanguage,
  directionOf,
  LANGUAGES,
  languageOf,
  localeOf
} from '../../../electron/contract/language.ts'

describe('the language of a tag', () => {
  test.each([
    ['de-AT', 'de'],
    ['EL_gr', 'el'],
    ['ar', 'ar'],
    ['it-IT', undefined],
    ['', undefined]
  ])('%j is %s', (tag, language) => {
    expect(languageOf(tag)).toBe(language)
  })
})

test('a system’s first language that the till speaks is taken, and English when it speaks none', () => {
  expect(chooseLanguage(['ca-ES', 'es-ES', 'fr'])).toBe('es')
  expect(chooseLanguage(['ja', 'ko'])).toBe('en')
  expect(chooseLanguage([])).toBe('en')
})

test('only Arabic runs from right to left', () => {
  expect(LANGUAGES.filter((language) => directionOf(language) === 'rtl')).toEqual(['ar'])
})

describe('numbers and dates are spelled as the language is in the shop’s country', () => {
  test.each([
    ['en', 'US', 'en-US', '1,250.5', '11/21/2026', '2:02 PM'],
    ['en', 'GR', 'en-GB', '1,250.5', '21/11/2026', '14:02'],
    ['en', 'EG', 'en-GB', '1,250.5', '21/11/2026', '2:02 pm'],
    ['en', 'IN', 'en-IN', '1,250.5', '21/11/2026', '2:02 pm'],
    ['en', null, 'en-GB', '1,250.5', '21/11/2026', '14:02'],
    ['de', 'GR', 'de-GR', '1.250,5', '21.11.2026', '14:02'],
    ['el', 'GR', 'el-GR', '1.250,5', '21/11/2026', '14:02'],
    ['el', null, 'el', '1.250,5', '21/11/2026', '14:02'],
    ['fr', 'CA', 'fr-CA', '1\u00a0250,5', '2026-11-21', '14 h 02'],
    ['ar', 'AE', 'ar-AE', '1,250.5', '21/11/2026', '2:02 م'],
    ['ar', 'EG', 'ar-EG', '1,250.5', '21/11/2026', '2:02 م'],
    ['ar', 'GR', 'ar-GR', '1,250.5', '21/11/2026', '14:02']
  ] as const)('%s in %s is %s', (language, country, locale, number, date, time) => {
    const tag = localeOf(language, country)
    const day = new Intl.DateTimeFormat(tag, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZone: 'UTC'
    })
    expect(new Intl.Locale(tag).baseName).toEqual(locale)
    expect(new Intl.NumberFormat(tag).format(1250.5)).toEqual(number)
    expect(day.format(Date.UTC(2026, 10, 21)).replaceAll(/\p{Bidi_Control}/gu, '')).toEqual(date)
    const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' })
    expect(clock.format(Date.UTC(2026, 10, 21, 14, 2)).replace('\u202f', ' ')).toEqual(time)
  })
})
