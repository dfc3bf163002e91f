import { describe, expect, it } from 'vitest'
import { seededRewards } from '../../../../electron/service/seed/seed.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const rewards = [...seededRewards(24, now)]

describe('seededRewards', () => {
  it('cost from 50 to 5000 points and are not ordered by cost', () => {
    const costs = rewards.map(({ cost }) => cost)
    expect(Math.min(...costs)).toBe(50)
    expect(Math.max(...costs)).toBe(5000)
    expect(costs.toSorted((one, other) => one - other)).not.toEqual(costs)
  })

  it('have dates in the year before now', () => {
    for (const { createdAt, updatedAt } of rewards) {
      expect(Date.parse(createdAt)).toBeGreaterThan(now.getTime() - 366 * 86_400_000)
      expect(Date.parse(updatedAt)).toBeLessThan(now.getTime())
    }
  })

  it('have unique names and consecutive indexes, also for thousands', () => {
    const many = [...seededRewards(5000, now)]
    expect(new Set(many.map(({ name }) => name)).size).toBe(5000)
    expect(many.map(({ index }) => index)).toEqual(Array.from({ length: 5000 }, (_, place) => place + 1))
  })
})
