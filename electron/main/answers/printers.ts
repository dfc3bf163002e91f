/** The printers of this machine. */
import { bad } from '../../contract/failure.ts'
import type { Printing } from '../printing/index.ts'
import type { Answers } from '../shell/ipc.ts'
import { mapped } from './mapped.ts'

/** Answers the calls of `bridge.printers`. */
export function printersAnswers(printing: Printing): Answers['printers'] {
  return {
    list: () => printing.list(),
    printTestPage: async (settings) => mapped(await printing.testPage(settings), () => null),
    preview: () => Promise.resolve(bad({ kind: 'internal' }))
  }
}
