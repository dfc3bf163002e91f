import { expect, it } from 'vitest'
import { kolmogorovSmirnov, mannWhitney } from './distributions.ts'

const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + index)

it('tells a shift', () => {
  const [first, second] = [numbers(0, 100), numbers(30, 100)]
  expect(mannWhitney(first, second)).toBeLessThan(1e-6)
  // The asymptotic distribution at a distance of 0.3.
  expect(kolmogorovSmirnov(first, second)).toBeCloseTo(2 * (Math.exp(-9) - Math.exp(-36)), 6)
})

it('tells equal values in another number, and no order of the same', () => {
  const [first, second] = [
    [1, 1, 1, 2],
    [2, 2, 2, 1]
  ]
  // Ranks 2.5 and 6.5: U = 4, variance (16 / 12)(9 - 120 / 56).
  expect(mannWhitney(first, second)).toBeCloseTo(0.18588, 4)
  expect(mannWhitney(numbers(0, 50), numbers(0, 50).toReversed())).toBeCloseTo(1, 6)
  expect(kolmogorovSmirnov(numbers(0, 50), numbers(0, 50).toReversed())).toBe(1)
})

it('tells a spread about the same middle by the shares', () => {
  const [narrow, wide] = [numbers(0, 200), numbers(0, 200).map((value) => 3 * value - 199)]
  expect(mannWhitney(narrow, wide)).toBeCloseTo(1, 1)
  expect(kolmogorovSmirnov(narrow, wide)).toBeLessThan(1e-6)
})
