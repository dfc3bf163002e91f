/** A small soak, for each run of the tests; `npm run soak` has the long one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { soak } from './soak.ts'
import { ALLOWED } from './growth-limits.ts'

/** Another one with `SOAK_SEED=…`. */
const SEED = Number(process.env['SOAK_SEED'] ?? 20_261_121)

/** ms: a limit for what hangs, never for what is slow. */
const PATIENCE = 300_000

it('a busy till stays as small as it is, and loses nothing', { timeout: PATIENCE }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const outcome = await soak(folder, { seed: SEED, lookups: 500, slips: 100, leak: false })
  expect({ seed: SEED, complaints: outcome.complaints, ...outcome.broken }).toEqual({
    seed: SEED,
    complaints: ''
  })
  expect(outcome.growth.heap).toBeLessThan(ALLOWED.heap)
  expect(outcome.growth.handles).toBeLessThan(ALLOWED.handles)
  expect(outcome.growth.descriptors).toBeLessThan(ALLOWED.descriptors)
  // It was a till at work.
  expect(outcome.states.get('printed')).toBeGreaterThan(10)
  expect(outcome.samples.at(-1)?.lookups).toBeGreaterThan(50)
})
