import { describe, expect, it } from 'vitest'
import { atRank, growthOf, growsFast } from './statistics.ts'

describe('ranks', () => {
  it('are samples, never something between two', () => {
    expect(atRank([4, 1, 3, 2], 'p50')).toBe(2)
    expect(
      atRank(
        Array.from({ length: 100 }, (_, index) => index + 1),
        'p95'
      )
    ).toBe(95)
  })

  it('of nothing are refused', () => {
    expect(() => atRank([], 'p50')).toThrow('Nothing was measured')
  })
})

describe('how a cost grows', () => {
  const sizes = [1_000, 10_000, 100_000, 1_000_000]
  const costs = (of: (size: number) => number): { size: number; cost: number }[] =>
    // Noise of five percent, the same each time.
    sizes.map((size, index) => ({ size, cost: (3 + of(size)) * (index % 2 === 0 ? 1.05 : 0.95) }))

  it.each([
    ['O(1)', () => 0],
    ['O(log n)', (size: number) => 2 * Math.log2(size)],
    ['O(n)', (size: number) => size / 1_000],
    ['O(n²)', (size: number) => (size / 1_000) ** 2]
  ] as const)('is found: %s', (growth, of) => {
    expect(growthOf(costs(of))).toBe(growth)
  })

  it('is named where it is more than O(log n)', () => {
    expect(growsFast('O(log n)')).toBe(false)
    expect(growsFast('O(√n)')).toBe(true)
  })
})
