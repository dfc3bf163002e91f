/** The printers of this machine. */
import { bad, good } from '../../contract/failure.ts'
import type { Answers } from '../shell/ipc.ts'

/** Answers the calls of `bridge.printers`. */
export function printersAnswers(): Answers['printers'] {
  return {
    list: () => Promise.resolve(good([])),
    printTestPage: () =>
      Promise.resolve(bad({ kind: 'not-printed', fault: 'not-configured', mayStillPrint: false })),
    preview: () => Promise.resolve(bad({ kind: 'internal' }))
  }
}
