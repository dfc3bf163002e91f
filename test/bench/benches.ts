/** Every bench, in the order of the table. */
import type { Bench } from './bench.ts'
import { bridge } from './rows/bridge.ts'
import { lookUpBench } from './rows/look-up.ts'
import { print } from './rows/print.ts'
import { scroll } from './rows/scroll.ts'

/** The rows of the table of the README. */
export const BENCHES: readonly Bench[] = [lookUpBench, bridge, print, scroll]
