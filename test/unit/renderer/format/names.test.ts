import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import '../support/english.ts'
import { addressLines } from '../../../../renderer/src/format/address.ts'
import { COUNTRIES, countriesByName } from '../../../../renderer/src/format/countries.ts'
import { countryName, initials, languageName } from '../../../../renderer/src/format/names.ts'
import { formatNumber } from '../../../../renderer/src/format/numbers.ts'

describe('initials', () => {
  test.each([
    ['Μαρία Παπαδοπούλου', 'ΜΠ'],
    ['  ana maria jovanović ', 'AJ'],
    ['Søren', 'S'],
    ['👩🏽‍🚀 Astro', '👩🏽‍🚀A'],
    ['', '']
  ])('of %j are %j', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })
})

describe('names of countries and languages', () => {
  test('are in the language of the screen', () => {
    expect(countryName('GR')).toBe('Greece')
    expect(languageName('el')).toBe('Greek')
  })

  test('a code that is none is shown as it is', () => {
    expect(countryName('not a code')).toBe('not a code')
    expect(languageName('!')).toBe('!')
  })
})

describe('the list of countries', () => {
  test('is the phone library’s list', () => {
    expect([...COUNTRIES].sort()).toEqual(getCountries().toSorted())
  })

  test('stands in the order of the names', () => {
    const names = countriesByName().map(({ name }) => name)
    expect(names.indexOf('Åland Islands')).toBeLessThan(names.indexOf('Greece'))
    expect(names.indexOf('Greece')).toBeLessThan(names.indexOf('Zambia'))
  })
})

test('an address leaves out what the service left empty', () => {
  const address = { street: ' Ermou 24 ', city: 'Athina', state: '', country: 'GR', zipCode: '105 63' }
  expect(addressLines(address)).toEqual(['Ermou 24', '105 63 Athina, GR'])
  expect(addressLines({ street: '', city: '', state: '', country: '', zipCode: '' })).toEqual([])
})

test('numbers are grouped', () => {
  expect(formatNumber(9_999_999)).toBe('9,999,999')
  expect(formatNumber(12.345)).toBe('12.35')
})
