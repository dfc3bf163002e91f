/** The rewards catalogue. */
import { ok } from '../../contract/failure.ts'
import type { LoyaltyService } from '../loyalty/index.ts'
import type { RewardsCatalogue } from '../rewards/index.ts'
import type { Answers } from '../platform/ipc.ts'
import type { Session } from '../session/index.ts'

/** Answers the calls of `bridge.rewards`. */
export function rewardsAnswers(
  session: Session<LoyaltyService>,
  catalogue: RewardsCatalogue
): Answers['rewards'] {
  return {
    catalogue: async () => ok(await catalogue.open()),
    read: async () => ok(await catalogue.read()),
    stop: () => Promise.resolve(ok(catalogue.stop())),
    detail: ({ id }) => session.ask((service) => service.reward(id))
  }
}
