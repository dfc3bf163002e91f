import { describe, expect, test } from 'vitest'
import { initials, maskPhone } from '../../../../renderer/src/format/people.ts'
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

test.each([
  ['+30 690 123 4567', '+30 ••• ••• 4567'],
  ['+44 20 7946 0958', '+44 •• •••• 0958'],
  ['+7 912 345-67-89', '+7 ••• •••-67-89'],
  ['690 123 4567', '••• ••• 4567'],
  ['+306901234567', '+••••••••4567'],
  // At least half of the digits of a short number are masked.
  ['+30 12345', '+30 •••45'],
  ['+30 1', '+30 •'],
  ['', ''],
  ['unknown', 'unknown']
])('maskPhone shows %s as %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked)
})
