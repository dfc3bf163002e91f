import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { MAX_POINTS } from '../../../../electron/contract/points-calculation.ts'
import {
  currencySymbol,
  formatAmount,
  formatNumber,
  parseAmount,
  parseDecimal,
  parsePoints
} from '../../../../renderer/src/format/numbers.ts'
import '../support/english.ts'

describe('parsePoints', () => {
  test('accepts every whole number from 1 to the maximum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: MAX_POINTS }), (points) => {
        expect(parsePoints(String(points))).toEqual(ok(points))
      })
    )
  })

  test.each([
    [' 1 250 ', 1250],
    ['1\u00a0250', 1250],
    ['0250', 250],
    ['２５０', 250],
    ['٢٥٠', 250],
    ['۲۵۰', 250],
    ['\u200f\u0662\u0665\u0660\u200e', 250],
    ['२५०', 250]
  ])('parses %j as %i', (text, points) => {
    expect(parsePoints(text)).toEqual(ok(points))
  })

  test.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['0', 'below-one'],
    ['-5', 'below-one'],
    ['1.5', 'not-a-whole-number'],
    ['1,250', 'not-a-whole-number'],
    ['1.250', 'not-a-whole-number'],
    ['1e3', 'not-a-whole-number'],
    ['abc', 'not-a-whole-number']
  ] as const)('rejects %j with the fault %s', (text, fault) => {
    expect(parsePoints(text)).toEqual(err({ kind: 'invalid-input', field: 'points', fault }))
  })

  test.each(['10000000', '9'.repeat(400)])('rejects %s with points-too-many', (text) => {
    expect(parsePoints(text)).toEqual(err({ kind: 'points-too-many', maximum: MAX_POINTS }))
  })
})

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
])('parseAmount parses %j in %s as %s', (typed, currency, amount) => {
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
])('parseAmount rejects %j in %s with the fault %s', (typed, currency, fault) => {
  expect(parseAmount(typed, currency)).toMatchObject({ ok: false, failure: { field: 'amount', fault } })
})

test.each([
  ['0,5', '0.5'],
  ['10', '10'],
  ['1.2.3', null],
  ['', null],
  ['1.1234567', null]
])('parseDecimal parses %j as %s', (typed, decimal) => {
  expect(parseDecimal(typed)).toBe(decimal)
})

test('formatAmount and currencySymbol use the symbol and the decimals of the currency', () => {
  expect(formatAmount('1250.5', 'EUR')).toBe('€1,250.50')
  expect(formatAmount('1250', 'JPY')).toBe('¥1,250')
  expect(currencySymbol('GBP')).toBe('£')
})

test('formatNumber groups digits and rounds to two decimals', () => {
  expect(formatNumber(9_999_999)).toBe('9,999,999')
  expect(formatNumber(12.345)).toBe('12.35')
})
