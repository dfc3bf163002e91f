import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import '../support/english.ts'
import { COUNTRIES, countriesByName, countryName } from '../../../../renderer/src/i18n/locale.svelte.ts'

describe('countryName', () => {
  test('returns the name in the language of the screen', () => {
    expect(countryName('GR')).toBe('Greece')
  })

  test('returns an unknown code unchanged', () => {
    expect(countryName('not a code')).toBe('not a code')
  })
})

describe('countries', () => {
  test('COUNTRIES has the same countries as the phone number library', () => {
    expect([...COUNTRIES].sort()).toEqual(getCountries().toSorted())
  })

  test('countriesByName is sorted by name with the collation of the locale', () => {
    const names = countriesByName().map(({ name }) => name)
    expect(names.indexOf('Åland Islands')).toBeLessThan(names.indexOf('Greece'))
    expect(names.indexOf('Greece')).toBeLessThan(names.indexOf('Zambia'))
  })
})
