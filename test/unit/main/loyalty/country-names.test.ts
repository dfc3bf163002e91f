import * as fc from 'fast-check'
import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { countryNamed } from '../../../../electron/main/loyalty/country-names.ts'

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
  expect(countryNamed(text)).toBe(country)
})

describe('the names of the runtime', () => {
  test.each(['en', 'fr', 'es', 'de', 'it', 'el'])('in %s all name their country', (language) => {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' })
    const wrong = getCountries().filter((country) => {
      const name = names.of(country)
      return name !== undefined && countryNamed(name) !== country
    })
    expect(wrong).toEqual([])
  })

  test('and any other text throws nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const country = countryNamed(text)
        if (country !== null) expect(getCountries()).toContain(country)
      })
    )
  })
})
