import * as fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test, vi } from 'vitest'
import { resolveCountry, parseCountry } from '../../../../electron/main/loyalty/country.ts'

const nothing = {
  setting: null,
  accountCountry: null,
  accountTimeZone: null,
  systemCountry: null,
  systemLocale: null
}

describe('the order of the sources of the country', () => {
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
    expect(resolveCountry(hints)).toBe(country)
  })

  test('ignores a setting that is no country', () => {
    expect(resolveCountry({ ...all, setting: 'XX' })).toBe('GR')
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
    expect(resolveCountry({ ...nothing, accountTimeZone })).toBe(country)
  })

  test('is looked up once: ICU takes 100 ms, and every read of a slip needs it', () => {
    const prototype = Intl.Locale.prototype as { getTimeZones: () => unknown }
    const zonesOfCountry = vi.spyOn(prototype, 'getTimeZones')
    resolveCountry({ ...nothing, accountTimeZone: 'Pacific/Auckland' })
    const { length } = zonesOfCountry.mock.calls
    expect(length).toBeGreaterThan(0)
    resolveCountry({ ...nothing, accountTimeZone: 'Pacific/Auckland' })
    expect(zonesOfCountry).toHaveBeenCalledTimes(length)
    zonesOfCountry.mockRestore()
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
    expect(resolveCountry({ ...nothing, systemLocale })).toBe(country)
  })
})

test('every country comes out as itself', () => {
  for (const setting of getCountries()) expect(resolveCountry({ ...nothing, setting })).toBe(setting)
})

test.each([
  ['GR', 'GR'],
  ['gr', 'GR'],
  ['GRC', 'GR'],
  ['Greece', 'GR'],
  ['GREECE ', 'GR'],
  ['Ελλάδα', 'GR'],
  ['ΕΛΛΑΔΑ', 'GR'],
  ['Ελλάς', null],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['United States', 'US'],
  ['United States of America', 'US'],
  ['UK', 'GB'],
  ['U.K.', 'GB'],
  ['England', 'GB'],
  ['Great Britain', 'GB'],
  ['Deutschland', 'DE'],
  ['Allemagne', 'DE'],
  ['España', 'ES'],
  ['Espana', 'ES'],
  ['Nederland', 'NL'],
  ['The Netherlands', 'NL'],
  ['Schweiz', 'CH'],
  ['Suisse', 'CH'],
  ['Türkiye', 'TR'],
  ['TÜRKİYE', 'TR'],
  ['Turkey', 'TR'],
  ['Česká republika', null],
  ['Česko', 'CZ'],
  ['Czech Republic', 'CZ'],
  ['Россия', 'RU'],
  ['日本', 'JP'],
  ['대한민국', 'KR'],
  ['ישראל', 'IL'],
  ['भारत', 'IN'],
  ["Cote d'Ivoire", 'CI'],
  ['Côte d’Ivoire', 'CI'],
  ['Hong Kong', 'HK'],
  ['Bosnia and Herzegovina', 'BA'],
  ['Việt Nam', 'VN'],
  ['Narnia', null],
  ['', null],
  ['!!', null],
  ['XX', null],
  ['constructor', null]
])('%j is %s', (text, country) => {
  expect(parseCountry(text)).toBe(country)
})

/** The languages that have the names of countries in Chromium's ICU (`region/*.res` in icudtl.dat of Chromium 156). */
const CHROMIUM_LANGUAGES = new Set(
  `af am ar bg bn ca cs da de el en es et fa fi fil fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl pl pt ro ru
   sk sl sr sv sw ta te th tr uk ur vi zh`.split(/\s+/)
)

/** `Intl.DisplayNames` as Electron's processes have it. */
class ChromiumDisplayNames extends Intl.DisplayNames {
  override of(code: string): string | undefined {
    const { language } = new Intl.Locale(this.resolvedOptions().locale)
    return CHROMIUM_LANGUAGES.has(language) ? super.of(code) : undefined
  }
}

test('recognises the name of each country in its own language with the names that Chromium has', async () => {
  const own = getCountries().flatMap((country) => {
    const { language } = new Intl.Locale(`und-${country}`).maximize()
    const name = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country)
    return name === undefined ? [] : [{ country, name }]
  })
  vi.stubGlobal('Intl', Object.create(Intl, { DisplayNames: { value: ChromiumDisplayNames } }))
  vi.resetModules()
  try {
    const fresh = await import('../../../../electron/main/loyalty/country.ts')
    expect(own.filter(({ country, name }) => fresh.parseCountry(name) !== country)).toEqual([])
  } finally {
    vi.unstubAllGlobals()
    vi.resetModules()
  }
})

describe('the names of the runtime', () => {
  test.each(['en', 'fr', 'es', 'de', 'it', 'el'])('in %s all name their country', (language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    const wrong = getCountries().filter((country) => {
      const name = names.of(country)
      return name !== undefined && parseCountry(name) !== country
    })
    expect(wrong).toEqual([])
  })

  test('and any other text throws nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const country = parseCountry(text)
        if (country !== null) expect(getCountries()).toContain(country)
      })
    )
  })
})
