import { expect, it } from 'vitest'
import { atMost, atMostTimes, judge, type Target } from './line.ts'
import { atRank } from './statistics.ts'

const line = (target: Target): ReturnType<typeof judge> =>
  judge({
    name: 'a line',
    unit: 'ms',
    samples: { ours: [12, 12, 30], baseline: [10, 10, 10] },
    against: 'the least there can be',
    target
  })

it('is judged at the rank that its target names, against its baseline', () => {
  expect(line(atMostTimes(1.25))).toMatchObject({ ratio: 1.2, ok: true })
  expect(line(atMostTimes(1.25, 'p95'))).toMatchObject({ ratio: 3, ok: false })
  expect(line(atMost(11, 'p50')).ok).toBe(false)
  expect(line(null).ok).toBe(true)
})

it('without samples is refused', () => {
  expect(() => judge({ name: 'none', unit: 'ms', samples: { ours: [] }, target: null })).toThrow(
    'Nothing was measured'
  )
})

it('has samples as ranks, never something between two', () => {
  expect(atRank([4, 1, 3, 2], 'p50')).toBe(2)
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  expect([atRank(hundred, 'p95'), atRank(hundred, 'max')]).toEqual([95, 100])
})
