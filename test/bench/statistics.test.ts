import { describe, expect, it } from 'vitest'
import { atRank } from './statistics.ts'

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
