/** Handlers of `bridge.batches`. */
import type { Api } from '../../contract/bridge.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Returns the handlers of `bridge.batches`. */
export const createBatchesHandlers = (calls: SlipCalls): Api<'batches'> => ({
  start: calls.whenReady(({ batches }, batch) => batches.start(batch)),
  pause: calls.whenOpen(({ batches }, batch) => batches.pause(batch)),
  resume: calls.whenOpen(({ batches }, batch) => batches.resume(batch)),
  cancel: calls.whenOpen(({ batches }, batch) => batches.cancel(batch)),
  printRest: calls.whenOpen(({ batches }, batch) => batches.printRest(batch)),
  unfinished: calls.whenOpen(({ queries }) => queries.unfinishedBatches())
})
