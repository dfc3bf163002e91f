/** How much is tried, and with which seeds: one that stays, so that a run can be compared, and one that never was. */
import { randomInt } from 'node:crypto'
import { FULL } from '../support/size.ts'

/** Tried in every run. */
const FIXED = 20_261_121

/** Another one with `FUZZ_SEED=…`, which a run that failed has printed. */
const RANDOM = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

/** Both seeds, by name, for `describe.each`. */
export const SEEDS = [
  ['the fixed seed', FIXED],
  [`the seed ${RANDOM} (FUZZ_SEED=${RANDOM})`, RANDOM]
] as const

/** So many of one thing: half with each seed. `full` by the command, `few` inside `npm test`. */
export const runs = (full: number, few: number): number => Math.ceil((FULL ? full : few) / SEEDS.length)
