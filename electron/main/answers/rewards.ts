/** The rewards catalogue. */
import type { LoyaltyService } from '../loyalty/index.ts'
import type { Answers } from '../shell/ipc.ts'
import type { Session } from '../till/index.ts'

/** Answers the calls of `bridge.rewards`. */
export function rewardsAnswers(session: Session<LoyaltyService>): Answers['rewards'] {
  return {
    list: ({ page }) => session.ask((service) => service.listRewards({ page })),
    detail: ({ id }) => session.ask((service) => service.reward(id))
  }
}
