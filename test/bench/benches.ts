/** Every bench, in the order of the table. */
import type { Bench } from './bench.ts'
import { batchBench } from './rows/batch.ts'
import { blockingBench } from './rows/blocking.ts'
import { bridge } from './rows/bridge.ts'
import { firstPageBench } from './rows/first-page.ts'
import { growthBench } from './rows/growth.ts'
import { journalBench } from './rows/journal.ts'
import { layoutBench } from './rows/layout.ts'
import { localInterfaceBench } from './rows/local-interface.ts'
import { lookUpBench } from './rows/look-up.ts'
import { mainModules } from './rows/main-modules.ts'
import { memory } from './rows/memory.ts'
import { trainingBench } from './rows/service.ts'
import { print } from './rows/print.ts'
import { scroll } from './rows/scroll.ts'
import { sizeBench } from './rows/size.ts'
import { startBench } from './rows/start.ts'

/** The rows of the table of the README. */
export const BENCHES: readonly Bench[] = [
  lookUpBench,
  bridge,
  localInterfaceBench,
  blockingBench,
  layoutBench,
  print,
  startBench,
  mainModules,
  firstPageBench,
  scroll,
  journalBench,
  growthBench,
  batchBench,
  trainingBench,
  memory,
  sizeBench
]
