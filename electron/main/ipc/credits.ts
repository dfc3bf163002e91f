/** Handlers of `bridge.credits`. */
import type { Api } from '../../contract/bridge.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Returns the handlers of `bridge.credits`. */
export const createCreditsHandlers = (calls: SlipCalls): Api<'credits'> => ({
  credit: calls.whenReady(({ credits }, request) => credits.credit(request)),
  undo: calls.whenReady(({ credits }, reason) => credits.undo(reason)),
  ofCustomer: calls.whenOpen(({ credits }, { id }) => credits.ofCustomer(id))
})
