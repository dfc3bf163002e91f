import type { BatchState } from '../../../electron/contract/batch.ts'
import { MAXIMUM_BATCH } from '../../../electron/contract/batch.ts'
import { formatNumber } from '../format/numbers.ts'
import type { CountFault } from '../state/batch-form.svelte.ts'
import { points as pointsOf } from './common.ts'
import { slipsCounted } from './slips.ts'

export const issueMany = (): string => 'Issue many'
export const issueManyIntro = (): string =>
  'The same points on many slips, for a promotion. Each slip has a code of its own and no customer.'
export const pointsEach = (): string => 'Points on each slip'
export const howMany = (): string => 'How many slips'
export const howManyHint = (): string => `1 to ${formatNumber(MAXIMUM_BATCH)}`
export const countFaults: Readonly<Record<CountFault, () => string>> = {
  missing: () => 'Type how many slips first.',
  'not-a-whole-number': () => 'The number of slips is a whole number. Type digits only.',
  'out-of-bounds': () => `At most ${formatNumber(MAXIMUM_BATCH)} slips at once, at least 1.`
}
export const printingAsJobs = (): string => 'Printing'
export const oneJob = (): string => 'One job for all slips'
export const oneJobHint = (): string => 'Prints when the last code is there'
export const jobPerSlip = (): string => 'One job per slip'
export const jobPerSlipHint = (): string => 'Prints each slip as soon as its code is there'
export const continueToTotal = (): string => 'Continue'
export const total = ({ points }: { points: number }): string => `${pointsOf({ points })} in all`
export const confirmBatch = ({ count, points }: { count: number; points: number }): string =>
  `Issue ${slipsCounted({ count })} of ${pointsOf({ points })}?`
export const confirmBatchHint = ({ total }: { total: number }): string =>
  `That is ${pointsOf({ points: total })} in all. Whoever holds a slip can collect its points.`
export const issueSlips = ({ count }: { count: number }): string => `Issue ${slipsCounted({ count })}`
export const changeBatch = (): string => 'Change'

const STATES: Readonly<Record<BatchState, string>> = {
  running: 'Under way',
  paused: 'Paused',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
  finished: 'Finished'
}
export const batchState = ({ state }: { state: BatchState }): string => STATES[state]
export const batchTitle = ({ count, points }: { count: number; points: number }): string =>
  `${slipsCounted({ count })} of ${pointsOf({ points })}`
export const batchBar = (): string => 'Slips with a code'
export const batchOf = ({ issued, count }: { issued: number; count: number }): string =>
  `${formatNumber(issued)} of ${slipsCounted({ count })} issued`
export const issuedCount = (): string => 'Issued'
export const printedCount = (): string => 'Printed'
export const failedCount = (): string => 'Did not print'
export const waitingCount = (): string => 'Waiting'
export const unknownCount = (): string => 'Unknown'
export const endedCount = (): string => 'Given or discarded'
export const pause = (): string => 'Pause'
export const resume = (): string => 'Resume'
export const batchStopped = (): string => 'The batch stopped by itself. Nothing was issued twice.'
export const batchStoppedNext = (): string => 'Resume goes on exactly where it stopped.'
export const batchPaused = (): string => 'Resume goes on exactly where it paused.'
export const unknownInBatch = ({ count }: { count: number }): string =>
  count === 1
    ? 'Of 1 slip nobody knows whether a code was made. It was not printed, so nobody holds it.'
    : `Of ${slipsCounted({ count })} nobody knows whether codes were made. They were not printed, so nobody holds them.`
export const issueUnknownAgain = ({ count }: { count: number }): string =>
  count === 1 ? 'Issue it again' : `Issue these ${formatNumber(count)} again`
export const missingInBatch = ({ count }: { count: number }): string =>
  count === 1
    ? '1 slip has a code and did not print.'
    : `${slipsCounted({ count })} have a code and did not print.`
export const printThem = (): string => 'Print now'
export const cancelBatchTitle = (): string => 'End this batch?'
export const cancelBatchHint = ({ waiting, unprinted }: { waiting: number; unprinted: number }): string =>
  `${slipsCounted({ count: waiting })} will not be issued. ${
    unprinted === 0
      ? 'Every code that was made is on paper.'
      : `${slipsCounted({ count: unprinted })} ${unprinted === 1 ? 'has a code' : 'have codes'} and no paper yet.`
  }`
export const endBatch = (): string => 'End the batch'
export const endAndPrint = (): string => 'End and print'
export const endAndDiscard = (): string => 'End and discard'
export const keepBatch = (): string => 'Keep the batch'
export const backToSlips = (): string => 'Back to the slips'
export const unfinishedBatch = (batch: { count: number; points: number; issued: number }): string =>
  `A batch of ${batchTitle(batch)} is not finished: ${formatNumber(batch.issued)} issued.`
export const unfinishedBatchNext = (): string => 'Go on where it stopped, or end it.'
export const unfinishedBatches = (): string => 'Unfinished batches'
export const openBatch = (): string => 'Open it'
export const batchResult = (batch: { issued: number; printed: number; failed: number }): string =>
  `${formatNumber(batch.issued)} issued, ${formatNumber(batch.printed)} printed, ${formatNumber(batch.failed)} failed.`
