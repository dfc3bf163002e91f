/** Drives a till with everything around it through random commands, and checks the invariants after each. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs, SEEDS } from '../fuzz/runs.ts'
import { FULL } from '../support/size.ts'
import { COMMANDS } from './commands.ts'
import { worldsForTests } from './run.ts'
import { reachedTransitions } from './state-machine.ts'

const RUNS = runs(10_000, 120)
const MAX_COMMANDS = 24
/** For runs that hang, not for slow ones. */
const TIMEOUT_MS = 3 * 60 * 60_000

const run = worldsForTests()

describe.each(SEEDS)('slips with %s', (name, seed) => {
  it(`keep every invariant in ${String(RUNS)} runs`, { timeout: TIMEOUT_MS }, async () => {
    const seen = new Set<string>()
    let count = 0
    const property = fc.asyncProperty(
      fc.commands([...COMMANDS], { maxCommands: MAX_COMMANDS, size: 'max' }),
      async (commands) => {
        const { reality } = await run(commands)
        for (const transition of reality.transitions) seen.add(transition)
        count += 1
        if (FULL && count % 500 === 0) process.stdout.write(`seed ${String(seed)}: ${String(count)} runs\n`)
      }
    )
    await fc.assert(property, { seed, numRuns: RUNS })
    // The runs reach every transition. Of the few of `npm run test:all` a random seed may reach any number.
    if (FULL) expect([...seen].toSorted()).toEqual([...reachedTransitions].toSorted())
    else if (name === 'the fixed seed') expect(seen.size).toBeGreaterThan(reachedTransitions.size / 2)
  })
})
