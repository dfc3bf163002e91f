import { describe, expect, it } from 'vitest'
import { seededRandom } from '../support/seeded-random.ts'
import { growth, growthOnceWarm } from './growth.ts'

const series = (count: number, value: (index: number) => number): number[] =>
  Array.from({ length: count }, (_none, index) => value(index))

describe('growth', () => {
  it('is nothing where nothing grows, however it swings', () => {
    const random = seededRandom(1)
    expect(growth(series(40, () => 100))).toBe(0)
    expect(Math.abs(growth(series(400, () => 100 + 10 * random())))).toBeLessThan(2)
  })

  it('is what a leak adds from the first to the last sample, swings or not', () => {
    const random = seededRandom(2)
    expect(growth(series(11, (index) => 100 + index))).toBeCloseTo(10)
    expect(growth(series(40, (index) => 100 + index + 4 * random()))).toBeGreaterThan(35)
  })

  it('does not count what fills once', () => {
    const filling = series(40, (index) => 100 + Math.min(index, 12) * 10)
    expect(growth(filling)).toBeGreaterThan(50)
    expect(Math.abs(growthOnceWarm(filling))).toBeLessThan(1)
  })

  it('of one sample is nothing', () => {
    expect(growth([5])).toBe(0)
  })
})
