/** Handlers of `bridge.returns`. */
import type { Api } from '../../contract/bridge.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Returns the handlers of `bridge.returns`. */
export const createReturnsHandlers = (calls: SlipCalls): Api<'returns'> => ({
  take: calls.whenReady(({ returns }, request) => returns.take(request))
})
