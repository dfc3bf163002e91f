/** Many slips at once. */
import { bad, type Answer } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'

const notYet = (): Promise<Answer<never>> => Promise.resolve(bad({ kind: 'internal' }))

/** Answers the calls of `bridge.batches`. */
export function batchesAnswers(): Answers['batches'] {
  return {
    start: notYet,
    pause: notYet,
    resume: notYet,
    cancel: notYet,
    printRest: notYet,
    unfinished: notYet
  }
}
