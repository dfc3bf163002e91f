import { expect, test } from 'vitest'
import '../support/english.ts'
import {
  currencySymbol,
  formatAmount,
  parseAmount,
  parseDecimal
} from '../../../../renderer/src/format/numbers.ts'

test.each([
  ['12', 'EUR', '12'],
  ['12.5', 'EUR', '12.5'],
  ['12,50', 'EUR', '12.50'],
  [' 1 250,00 ', 'EUR', '1250.00'],
  ['١٢٫٥', 'EUR', '12.5'],
  ['۱۲,۵', 'EUR', '12.5'],
  ['12.', 'EUR', '12'],
  ['1.250', 'KWD', '1.250'],
  ['1250', 'JPY', '1250']
])('%j in %s is %s', (typed, currency, amount) => {
  expect(parseAmount(typed, currency)).toEqual({ ok: true, value: amount })
})

test.each([
  ['', 'EUR', 'missing'],
  ['1.250', 'EUR', 'malformed'],
  ['1,250.00', 'EUR', 'malformed'],
  ['-5', 'EUR', 'malformed'],
  ['12.5', 'JPY', 'malformed'],
  ['.50', 'EUR', 'malformed'],
  ['12 €', 'EUR', 'malformed']
])('%j in %s is refused: %s', (typed, currency, fault) => {
  expect(parseAmount(typed, currency)).toMatchObject({ ok: false, failure: { field: 'amount', fault } })
})

test.each([
  ['0,5', '0.5'],
  ['10', '10'],
  ['1.2.3', null],
  ['', null],
  ['1.1234567', null]
])('%j is the decimal %s', (typed, decimal) => {
  expect(parseDecimal(typed)).toBe(decimal)
})

test('amounts are shown in their currency', () => {
  expect([formatAmount('1250.5', 'EUR'), formatAmount('1250', 'JPY'), currencySymbol('GBP')]).toEqual([
    '€1,250.50',
    '¥1,250',
    '£'
  ])
})
