/** Handlers of `bridge.operations`. */
import type { Api } from '../../contract/bridge.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Returns the handlers of `bridge.operations`. */
export const createOperationsHandlers = (calls: SlipCalls): Api<'operations'> => ({
  print: calls.whenOpen(({ printouts }, operation) => printouts.printOperation(operation)),
  attention: calls.whenOpen(({ operations }) => operations.attention()),
  attentionList: calls.whenOpen(({ operations }) => operations.attentionList()),
  askAgain: calls.whenOpen(({ lostAnswers }) => lostAnswers.askAgain()),
  discard: calls.whenOpen(({ operations }, asked) => operations.discard(asked))
})
