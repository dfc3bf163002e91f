/** `npm run test:monkey -- SEED [SECONDS]`: see README.md. Exits with 1 when an invariant is violated. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT } from '../../resources/scripts/tools.ts'
import { describeElectron } from '../e2e/support/electron.ts'
import { Monkey } from './monkey.ts'
import { World } from './world.ts'

const DEFAULT_SECONDS = 120
const LINES = 30

const [seedText = '1', secondsText = String(DEFAULT_SECONDS)] = process.argv.slice(2)
const [seed, seconds] = [Number(seedText), Number(secondsText)]
if (!Number.isSafeInteger(seed) || !(seconds > 0))
  throw new Error('Usage: npm run test:monkey -- SEED [SECONDS]')

console.log(`${describeElectron()} Seed ${String(seed)}, ${String(seconds)} seconds.`)
const folder = mkdtempSync(join(tmpdir(), 'tillpoints-monkey-'))
const world = await World.open(folder)
const monkey = new Monkey(world, seed)
const end = performance.now() + seconds * 1_000
const isVerbose = process.env['MONKEY_LOG'] !== undefined
const fault = await monkey.run(
  () => performance.now() >= end,
  (line) => {
    if (isVerbose) console.log(line)
  }
)

if (fault) {
  const pictures = join(PROJECT, 'out/monkey')
  mkdirSync(pictures, { recursive: true })
  const path = join(pictures, `${String(seed)}-${String(fault.action)}.png`)
  const picture = await world.page.screenshot({ path }).then(
    () => path,
    (error: unknown) => `none: ${String(error)}`
  )
  console.log(`\n${monkey.log.slice(-LINES).join('\n')}\n`)
  console.log(`Seed ${String(seed)}, action ${String(fault.action)}:`)
  for (const sentence of fault.sentences) console.log(`✗ ${sentence}`)
  console.log(`Screenshot: ${picture}`)
} else {
  console.log(`✓ Seed ${String(seed)}: all invariants hold after ${String(monkey.log.length)} actions.`)
}
process.exitCode = fault ? 1 : 0
await world.close()
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
