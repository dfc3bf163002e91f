import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { err, MAX_POINTS, ok } from '../../../../electron/contract/failure.ts'
import { parsePoints } from '../../../../renderer/src/format/numbers.ts'

describe('points as typed', () => {
  test('every whole number from 1 to the maximum is itself', () => {
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
  ])('%j reads as %i', (text, points) => {
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
  ] as const)('%j is refused as %s', (text, fault) => {
    expect(parsePoints(text)).toEqual(err({ kind: 'invalid-input', field: 'points', fault }))
  })

  test.each(['10000000', '9'.repeat(400)])('%s is too many', (text) => {
    expect(parsePoints(text)).toEqual(err({ kind: 'points-too-many', maximum: MAX_POINTS }))
  })
})
