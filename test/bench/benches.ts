/** Every bench, in the order of the table. */
import type { Bench } from './bench.ts'
import { bridge } from './rows/bridge.ts'

/** The rows of the table of the README. */
export const BENCHES: readonly Bench[] = [bridge]
