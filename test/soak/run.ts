/**
 * `npm run soak`: two hours of a busy till in some minutes. `--lookups 10000 --slips 2000 --seed 1 --leak` are its
 * switches. Ends with 1 when something was lost or something grew.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ALLOWED } from './growth-limits.ts'
import { soak } from './soak.ts'

const { values } = parseArgs({
  options: {
    lookups: { type: 'string', default: '10000' },
    slips: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '20261121' },
    /** keeps something of each slip on purpose: the soak must find it */
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
  `Grew once warm: ${megabytes(growth.heap)}, ${growth.handles.toFixed(1)} handles, ${growth.descriptors.toFixed(1)} descriptors`
)
if (outcome.complaints !== '') console.log(`Complaints:\n${outcome.complaints}`)
for (const [promise, what] of Object.entries(outcome.broken))
  console.log(`Broken: ${promise}: ${what.join('; ')}`)

const grew =
  growth.heap > ALLOWED.heap || growth.handles > ALLOWED.handles || growth.descriptors > ALLOWED.descriptors
const lost = Object.keys(outcome.broken).length > 0 || outcome.complaints !== ''
console.log(grew ? 'Something grew.' : 'Nothing grew.')
console.log(lost ? 'Something was lost.' : 'Nothing was lost.')
process.exitCode = grew || lost ? 1 : 0
