/** Numbers of runs and their seeds: a fixed one, so that runs can be compared, and a random one. */
import { randomInt } from 'node:crypto'
import { FULL } from '../support/size.ts'

/** The same in every run. */
const FIXED = 20_261_121

/** Random; `FUZZ_SEED=…` repeats a run that failed and printed it. */
const RANDOM = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

/** Both seeds with their names, for `describe.each`. */
export const SEEDS = [
  ['the fixed seed', FIXED],
  [`the seed ${RANDOM} (FUZZ_SEED=${RANDOM})`, RANDOM]
] as const

/** Returns the number of runs for one seed: half of `full` in `npm run test:fuzz`, half of `few` in `npm run test:all`. */
export const runs = (full: number, few: number): number => Math.ceil((FULL ? full : few) / SEEDS.length)
