/** The rewards catalogue. */
import { ok } from '../../contract/failure.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Session } from '../session/session.ts'

/** Answers the calls of `bridge.rewards`. */
export function rewardsAnswers(
  session: Session<LoyaltyClient>,
  catalogue: RewardCatalogue
): Answers['rewards'] {
  return {
    catalogue: async () => ok(await catalogue.open()),
    read: async () => ok(await catalogue.refresh()),
    stop: () => Promise.resolve(ok(catalogue.stop())),
    detail: ({ id }) => session.ask((service) => service.reward(id))
  }
}
