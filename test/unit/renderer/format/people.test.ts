import { getCountries } from 'libphonenumber-js/min'
import { describe, expect, test } from 'vitest'
import { formatNumber } from '../../../../renderer/src/format/numbers.ts'
import { addressLines, initials, maskPhone } from '../../../../renderer/src/format/people.ts'
import { COUNTRIES, countriesByName, countryName } from '../../../../renderer/src/format/regions.ts'
import '../support/english.ts'

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

describe('names of countries', () => {
  test('are in the language of the screen', () => {
    expect(countryName('GR')).toBe('Greece')
  })

  test('a code that is none is shown as it is', () => {
    expect(countryName('not a code')).toBe('not a code')
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

test.each([
  ['+30 690 123 4567', '+30 ••• ••• 4567'],
  ['+44 20 7946 0958', '+44 •• •••• 0958'],
  ['+7 912 345-67-89', '+7 ••• •••-67-89'],
  ['690 123 4567', '••• ••• 4567'],
  ['+306901234567', '+••••••••4567'],
  // A short one keeps half of itself back.
  ['+30 12345', '+30 •••45'],
  ['+30 1', '+30 •'],
  ['', ''],
  ['unknown', 'unknown']
])('%s is shown as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})
