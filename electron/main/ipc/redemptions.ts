/** Handlers of `bridge.redemptions`. */
import type { Api } from '../../contract/bridge.ts'
import type { Result } from '../../contract/failure.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { SlipCalls } from './slip-calls.ts'

/** Returns whether the catalogue of the till is out of date: its reward is not what the service has. */
const isOutdated = (answer: Result<unknown>): boolean =>
  !answer.ok &&
  answer.failure.kind === 'operation-refused' &&
  ['price-changed', 'reward-disabled', 'reward-unknown'].includes(answer.failure.reason)

/** Returns the handlers of `bridge.redemptions`. */
export const createRedemptionsHandlers = (
  calls: SlipCalls,
  catalogue: Pick<RewardCatalogue, 'refresh'>
): Api<'redemptions'> => ({
  redeem: calls.whenReady(async ({ redemptions }, request) => {
    const redeemed = await redemptions.redeem(request)
    if (isOutdated(redeemed)) void catalogue.refresh()
    return redeemed
  }),
  undo: calls.whenReady(({ redemptions }, reason) => redemptions.undo(reason)),
  ofCustomer: calls.whenOpen(({ redemptions }, { id }) => redemptions.ofCustomer(id))
})
