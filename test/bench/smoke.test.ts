/** Every bench works: it measures something, and hands in numbers. How good they are is for `npm run bench`. */
import { describe, expect, it } from 'vitest'
import { BENCHES } from './benches.ts'
import { measure } from './measure.ts'

describe('a bench', () => {
  it('has a name that no other has', () => {
    const names = BENCHES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.for(BENCHES)('measures: $name', async (bench, { skip }) => {
    const reason = bench.skipReason?.() ?? null
    skip(reason !== null, reason ?? '')
    const lines = await measure(bench, 'smoke')
    expect(lines).not.toHaveLength(0)
    for (const { name, p50, baseline } of lines) {
      expect(Number.isFinite(p50) && p50 >= 0, name).toBe(true)
      expect(baseline === null || Number.isFinite(baseline.p50), name).toBe(true)
    }
  })
})
