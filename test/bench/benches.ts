/** Every bench, in the order of the table. */
import type { Bench } from './bench.ts'
import { batchBench } from './rows/batch.ts'
import { blockingBench } from './rows/blocking.ts'
import { growthBench } from './rows/growth.ts'
import { localInterfaceBench } from './rows/local-interface.ts'
import { lookUpBench } from './rows/look-up.ts'
import { memoryBench } from './rows/memory.ts'
import { offlineCodesBench } from './rows/offline-codes.ts'
import { print } from './rows/print.ts'
import { scroll } from './rows/scroll.ts'
import { serviceDiskBench } from './rows/service-disk.ts'
import { serviceSizeBench } from './rows/service-size.ts'
import { serviceBackupBench, serviceMemoryBench } from './rows/service-upkeep.ts'
import { serviceBench, serviceChainBench } from './rows/service.ts'
import { startBench } from './rows/start.ts'

/** The rows of the table of the README. */
export const BENCHES: readonly Bench[] = [
  lookUpBench,
  localInterfaceBench,
  blockingBench,
  print,
  startBench,
  scroll,
  growthBench,
  memoryBench,
  batchBench,
  serviceBench,
  offlineCodesBench,
  serviceDiskBench,
  serviceSizeBench,
  serviceMemoryBench,
  serviceBackupBench,
  serviceChainBench
]
