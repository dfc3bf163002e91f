/**
 * Three tills of a shop and the phones of 200 customers, whose lines are cut and mended at random. The first till only loses its line
 * and is killed; the clock of the second one jumps; the third one is restored from backups, images of its disk are started, and its
 * key is stolen. While a form of a phone is under way, another one collects, or the owner stops the till.
 * At the end each slip in a customer's hand was worth its points once, or the service says why it is not, for a cause that this test
 * knows; nothing was taken above the limits or of a till that was stopped; the journals and the ledger agree; and what was refused
 * is worth its points once when the owner allows it.
 */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { OFFLINE_REFUSALS } from '../../electron/contract/offline.ts'
import { FULL } from '../support/size.ts'
import { newDisk } from './offline-tills.ts'
import { World } from './offline-world.ts'

const FULL_SIZE = inject('postgresUrl') === undefined ? 10_000 : 1000
const SEQUENCES = Number(process.env['TILLPOINTS_SEQUENCES'] ?? (FULL ? FULL_SIZE : 20))
/** Of the first sequence; `FUZZ_SEED=…` begins elsewhere. */
const FIRST_SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const STEPS = 24
/** Sequences at once: the answer to each form waits for the end of its 25 ms. */
const AT_ONCE = 4
/** For runs that hang. */
const TIMEOUT_MS = 4 * 60 * 60_000
/** So many sequences have had everything that can happen. */
const ENOUGH_FOR_ALL = 60

/** Runs a sequence. Resolves with what happened. */
const run = async (seed: number, disk: string): Promise<readonly string[]> => {
  const world = await World.open(seed, disk)
  const { checks, log } = world
  try {
    for (let step = 0; step < STEPS; step += 1) await world.step()
    await world.settle()
    const refused = await checks.expectWorth()
    await checks.expectLimits()
    await checks.expectAgreement()
    await world.allow(refused)
    await checks.expectAgreement()
    return log
  } catch (error) {
    throw new Error(`FUZZ_SEED=${String(seed)} TILLPOINTS_SEQUENCES=1 repeats it`, { cause: error })
  } finally {
    await world.close()
  }
}

describe('three tills and 200 phones', () => {
  let disk: string
  beforeAll(async () => {
    disk = await newDisk()
  })
  afterAll(() => {
    rmSync(disk, { recursive: true })
  })

  test(
    `${String(SEQUENCES)} sequences: each slip is worth its points once, or says why not`,
    { timeout: TIMEOUT_MS },
    async () => {
      const ends: Record<string, number> = {}
      let next = FIRST_SEED
      const work = async (): Promise<void> => {
        while (next < FIRST_SEED + SEQUENCES) {
          next += 1
          for (const line of await run(next - 1, disk)) {
            const [, end] = /([a-z-]+)$/.exec(line) ?? []
            if (end !== undefined) ends[end] = (ends[end] ?? 0) + 1
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      process.stdout.write(`${JSON.stringify(ends)}\n`)
      expect(ends['collected']).toBeGreaterThan(5 * SEQUENCES)
      const possible = OFFLINE_REFUSALS.filter((reason) => reason !== 'key-unknown')
      if (SEQUENCES >= ENOUGH_FOR_ALL) expect(Object.keys(ends)).toEqual(expect.arrayContaining(possible))
    }
  )

  test('a seed replays exactly', async () => {
    const [first, again] = [await run(FIRST_SEED, disk), await run(FIRST_SEED, disk)]
    expect(again).toEqual(first)
    expect(await run(FIRST_SEED + 1, disk)).not.toEqual(first)
  })
})
