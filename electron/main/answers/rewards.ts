/** The rewards catalogue. */
import { good } from '../../contract/failure.ts'
import type { LoyaltyService } from '../loyalty/index.ts'
import type { RewardsCatalogue } from '../rewards/index.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Session } from '../till/index.ts'

/** Answers the calls of `bridge.rewards`. */
export function rewardsAnswers(
  session: Session<LoyaltyService>,
  catalogue: RewardsCatalogue
): Answers['rewards'] {
  return {
    catalogue: async () => good(await catalogue.open()),
    read: async () => good(await catalogue.read()),
    stop: () => Promise.resolve(good(catalogue.stop())),
    detail: ({ id }) => session.ask((service) => service.reward(id))
  }
}
