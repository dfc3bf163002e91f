import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { countryFrom } from '../../../../electron/main/loyalty/index.ts'

const nothing = {
  setting: null,
  accountCountry: null,
  accountTimeZone: null,
  systemCountry: null,
  systemLocale: null
}

describe('the order of what tells the country', () => {
  const all = {
    setting: 'FR',
    accountCountry: 'Greece',
    accountTimeZone: 'Europe/Rome',
    systemCountry: 'DE',
    systemLocale: 'pt-BR'
  }

  test.each([
    ['the setting', all, 'FR'],
    ["the account's address", { ...all, setting: null }, 'GR'],
    ["the account's time zone", { ...all, setting: null, accountCountry: '' }, 'IT'],
    [
      "the system's country",
      { ...all, setting: null, accountCountry: 'Nowhere', accountTimeZone: 'UTC' },
      'DE'
    ],
    ["the system's locale", { ...nothing, systemLocale: 'pt-BR' }, 'BR'],
    ['nothing', nothing, 'US'],
    ['no hint at all', { setting: null }, 'US']
  ])('%s', (_name, hints, country) => {
    expect(countryFrom(hints)).toBe(country)
  })

  test('a setting that is no country is passed over', () => {
    expect(countryFrom({ ...all, setting: 'XX' })).toBe('GR')
  })
})

describe('a time zone', () => {
  test.each([
    ['Europe/Athens', 'GR'],
    ['Asia/Kolkata', 'IN'],
    ['Asia/Calcutta', 'IN'],
    ['America/New_York', 'US'],
    ['Europe/Kyiv', 'UA'],
    ['Not/AZone', 'US'],
    ['UTC', 'US'],
    ['', 'US']
  ])('%s is %s', (accountTimeZone, country) => {
    expect(countryFrom({ ...nothing, accountTimeZone })).toBe(country)
  })
})

describe('a locale', () => {
  test.each([
    ['el', 'GR'],
    ['en-GB', 'GB'],
    ['de_AT', 'AT'],
    ['zh-Hant-TW', 'TW'],
    ['C.UTF-8', 'US'],
    ['', 'US']
  ])('%s is %s', (systemLocale, country) => {
    expect(countryFrom({ ...nothing, systemLocale })).toBe(country)
  })
})

test('every country comes out as itself', () => {
  for (const setting of getCountries()) expect(countryFrom({ ...nothing, setting })).toBe(setting)
})
