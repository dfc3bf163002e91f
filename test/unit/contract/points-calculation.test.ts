import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, ok } from '../../../electron/contract/failure.ts'
import {
  calculatePoints,
  currencyPlaces,
  ROUNDING_MODES,
  type EarningRule
} from '../../../electron/contract/points-calculation.ts'

const rule = (changes: Partial<EarningRule> = {}): EarningRule => ({
  ...{ pointsPerUnit: '1', rounding: 'down', minimum: '0', currency: 'EUR' },
  ...{ version: null, maximum: null, groups: [], levels: [], factors: [] },
  ...changes
})
const points = (amount: string, changes: Partial<EarningRule> = {}): number => {
  const answer = calculatePoints({ amount }, rule(changes))
  if (!answer.ok) throw new Error(JSON.stringify(answer.failure))
  return answer.value.kind === 'points' ? answer.value.points : 0
}

/** A decimal with up to six places, as text. */
const decimals = fc
  .tuple(fc.nat({ max: 999_999 }), fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: null }))
  .map(([whole, fraction]) => (fraction === null ? String(whole) : `${String(whole)}.${fraction}`))
const rates = decimals.filter((text) => /[1-9]/.test(text))
/** Millionths. */
const exact = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

describe('points from an amount', () => {
  test.each([
    ['12.34', '1', 'down', 12],
    ['12.99', '1', 'down', 12],
    ['12.01', '1', 'up', 13],
    ['12.00', '1', 'up', 12],
    ['12.50', '1', 'nearest', 13],
    ['12.49', '1', 'nearest', 12],
    ['0.3', '10', 'down', 3],
    ['1.1', '1.1', 'down', 1],
    // In floating point 4.35 × 100 is 434.99999999999994, and 1.005 × 1000 is 1004.9999999999999.
    ['4.35', '100', 'down', 435],
    ['1.005', '1000', 'down', 1005],
    ['999999999', '0.01', 'down', 9_999_999]
  ] as const)('%s at %s a unit, rounded %s: %d', (amount, pointsPerUnit, rounding, expected) => {
    expect(points(amount, { pointsPerUnit, rounding })).toBe(expected)
  })

  test('come to none below the minimum, and from the minimum on', () => {
    expect(calculatePoints({ amount: '4.99' }, rule({ minimum: '5' }))).toEqual(
      ok({ kind: 'below-minimum', minimum: '5' })
    )
    expect(points('5', { minimum: '5.00' })).toBe(5)
  })

  test('come to none where the bill rounds to nothing', () => {
    expect(calculatePoints({ amount: '0.99' }, rule())).toEqual(ok({ kind: 'no-points' }))
    expect(points('0.01', { rounding: 'up' })).toBe(1)
  })

  test('never exceed what one code may carry', () => {
    expect(calculatePoints({ amount: '10000000' }, rule())).toEqual(
      err({ kind: 'points-too-many', maximum: 9_999_999 })
    )
  })

  test.each(['', ' '])('%j is missing', (amount) => {
    expect(calculatePoints({ amount }, rule())).toEqual(
      err({ kind: 'invalid-input', field: 'amount', fault: 'missing' })
    )
  })

  test.each(['-1', '1,50', '1.', '.5', '1e3', '1.0000001', '1234567890', 'x'])(
    '%j is malformed',
    (amount) => {
      expect(calculatePoints({ amount }, rule())).toEqual(
        err({ kind: 'invalid-input', field: 'amount', fault: 'malformed' })
      )
    }
  )
})

describe('for any bill and any rule', () => {
  test('the points are the whole number next to the exact product, on the side that the rounding says', () => {
    fc.assert(
      fc.property(decimals, rates, fc.constantFrom(...ROUNDING_MODES), (amount, pointsPerUnit, rounding) => {
        const product = exact(amount) * exact(pointsPerUnit)
        const unit = 10n ** 12n
        const answer = calculatePoints({ amount }, rule({ pointsPerUnit, rounding }))
        if (!answer.ok) {
          expect(product > 9_999_998n * unit).toBe(true)
          return
        }
        const off = BigInt(answer.value.kind === 'points' ? answer.value.points : 0) * unit - product
        if (rounding === 'down') expect(off <= 0n && off > -unit).toBe(true)
        if (rounding === 'up') expect(off >= 0n && off < unit).toBe(true)
        if (rounding === 'nearest') expect(2n * off <= unit && 2n * off > -unit).toBe(true)
      })
    )
  })

  test('a larger bill never earns fewer points, and how a number is written changes nothing', () => {
    fc.assert(
      fc.property(decimals, decimals, fc.constantFrom(...ROUNDING_MODES), (one, other, rounding) => {
        const [less, more] = exact(one) <= exact(other) ? [one, other] : [other, one]
        expect(points(less, { rounding })).toBeLessThanOrEqual(points(more, { rounding }))
        const longer = one.includes('.') ? one.padEnd(one.indexOf('.') + 7, '0') : `${one}.000000`
        expect(points(longer, { rounding })).toBe(points(one, { rounding }))
      })
    )
  })
})

test('a currency has the decimal places of ISO 4217, whatever the runtime shows', () => {
  const places = ['EUR', 'RSD', 'LBP', 'JPY', 'KWD', 'CLF', 'XCG'].map(currencyPlaces)
  expect(places).toEqual([2, 2, 2, 0, 3, 4, 2])
})
