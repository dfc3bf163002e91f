import { describe, expect, it } from 'vitest'
import { seededRandom } from '../support/seeded-random.ts'
import { growth, growthAfterWarmUp } from './growth.ts'

const series = (count: number, value: (index: number) => number): number[] =>
  Array.from({ length: count }, (_none, index) => value(index))

describe('growth', () => {
  it('is zero for constant and for oscillating values', () => {
    const random = seededRandom(1)
    expect(growth(series(40, () => 100))).toBe(0)
    expect(Math.abs(growth(series(400, () => 100 + 10 * random())))).toBeLessThan(2)
  })

  it('is the total of a leak, with and without oscillation', () => {
    const random = seededRandom(2)
    expect(growth(series(11, (index) => 100 + index))).toBeCloseTo(10)
    expect(growth(series(40, (index) => 100 + index + 4 * random()))).toBeGreaterThan(35)
  })

  it('excludes the warm-up in growthAfterWarmUp', () => {
    const filling = series(40, (index) => 100 + Math.min(index, 12) * 10)
    expect(growth(filling)).toBeGreaterThan(50)
    expect(Math.abs(growthAfterWarmUp(filling))).toBeLessThan(1)
  })

  it('is zero for one sample', () => {
    expect(growth([5])).toBe(0)
  })
})
