/** A short soak test for each run of the tests; `npm run soak` runs the long one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { soak } from './soak.ts'
import { GROWTH_LIMITS } from './growth-limits.ts'

/** Another one with `SOAK_SEED=…`. */
const SEED = Number(process.env['SOAK_SEED'] ?? 20_261_121)

/** For a process that hangs, not for a slow one. */
const TIMEOUT_MS = 300_000

it(
  'memory, handles and descriptors do not grow under load, and every invariant holds',
  { timeout: TIMEOUT_MS },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'soak-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const outcome = await soak(folder, { seed: SEED, lookups: 500, slips: 100, leak: false })
    expect({ seed: SEED, errors: outcome.errors, ...outcome.violations }).toEqual({
      seed: SEED,
      errors: ''
    })
    expect(outcome.growth.heap).toBeLessThan(GROWTH_LIMITS.heap)
    expect(outcome.growth.handles).toBeLessThan(GROWTH_LIMITS.handles)
    expect(outcome.growth.descriptors).toBeLessThan(GROWTH_LIMITS.descriptors)
    // The process did work.
    expect(outcome.states.get('printed')).toBeGreaterThan(10)
    expect(outcome.samples.at(-1)?.lookups).toBeGreaterThan(50)
  }
)
