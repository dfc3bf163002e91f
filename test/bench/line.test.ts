import { expect, it } from 'vitest'
import { judge, type Target } from './line.ts'

const line = (target: Target): ReturnType<typeof judge> =>
  judge({
    name: 'a line',
    unit: 'ms',
    samples: { ours: [12, 12, 30], baseline: [10, 10, 10] },
    against: 'the least there can be',
    target
  })

it('is judged at the rank that its target names, against its baseline', () => {
  expect(line({ kind: 'at most times', times: 1.25, rank: 'p50' })).toMatchObject({ ratio: 1.2, ok: true })
  expect(line({ kind: 'at most times', times: 1.25, rank: 'p95' })).toMatchObject({ ratio: 3, ok: false })
  expect(line({ kind: 'at most', most: 11, rank: 'p50' }).ok).toBe(false)
  expect(line({ kind: 'none' }).ok).toBe(true)
})

it('without samples is refused', () => {
  expect(() =>
    judge({ name: 'none', unit: 'ms', samples: { ours: [], baseline: [] }, target: { kind: 'none' } })
  ).toThrow('Nothing was measured')
})
