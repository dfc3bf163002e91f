/**
 * `npm run soak`: two hours of load in some minutes. `--lookups 10000 --slips 2000 --seed 1 --leak` are its
 * switches. Exits with 1 when an invariant is violated or memory grows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { GROWTH_LIMITS } from './growth-limits.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    lookups: { type: 'string', default: '10000' },
    slips: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '20261121' },
    /** leaks memory on purpose: the test must detect it */
    leak: { type: 'boolean', default: false }
  }
})

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`
const folder = mkdtempSync(join(tmpdir(), 'soak-'))
const begun = performance.now()
const plan = {
  seed: Number(values.seed),
  lookups: Number(values.lookups),
  slips: Number(values.slips),
  leak: values.leak
}
const outcome = await soak(folder, plan, ({ lookups, slips, heap, handles, descriptors }) => {
  console.log(
    `${String(lookups).padStart(6)} look-ups ${String(slips).padStart(5)} slips  ${megabytes(heap)}  ${String(handles)} handles  ${String(descriptors)} descriptors`
  )
})
rmSync(folder, { recursive: true, force: true })

const { growth } = outcome
const minutes = ((performance.now() - begun) / 60_000).toFixed(1)
console.log(`\n${minutes} minutes, seed ${values.seed}`)
console.log(`Slips: ${[...outcome.states].map(([state, count]) => `${String(count)} ${state}`).join(', ')}`)
console.log(`Copies: ${String(outcome.copies)}, batches: ${String(outcome.batches)}`)
console.log(
  `Growth after the warm-up: ${megabytes(growth.heap)}, ${growth.handles.toFixed(1)} handles, ${growth.descriptors.toFixed(1)} descriptors`
)
if (outcome.errors !== '') console.log(`Errors:\n${outcome.errors}`)
for (const [invariant, violations] of Object.entries(outcome.violations))
  console.log(`Violated: ${invariant}: ${violations.join('; ')}`)

const hasGrown =
  growth.heap > GROWTH_LIMITS.heap ||
  growth.handles > GROWTH_LIMITS.handles ||
  growth.descriptors > GROWTH_LIMITS.descriptors
const isViolated = Object.keys(outcome.violations).length > 0 || outcome.errors !== ''
console.log(hasGrown ? 'Growth above the limits.' : 'No growth above the limits.')
console.log(isViolated ? 'Invariants violated.' : 'All invariants hold.')
process.exitCode = hasGrown || isViolated ? 1 : 0
