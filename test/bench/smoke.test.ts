/** Benches work: each measures something, and hands in numbers. How good they are is for `npm run bench`. */
import { describe, expect, it } from 'vitest'
import { BENCHES } from './benches.ts'
import { measure } from './measure.ts'

/** They take most of the time, and run in `npm run bench` alone, by the parts of the others. */
const LONG = [
  'print',
  'service-size',
  'service-disk',
  'service-memory',
  'service-chain',
  'start',
  'scroll',
  'memory'
]

describe('a bench', () => {
  it('has a name that no other has', () => {
    const names = BENCHES.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })

  it.for(BENCHES.filter(({ name }) => !LONG.includes(name)))('measures: $name', async (bench, { skip }) => {
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
