/** Handlers of `bridge.rewards`. */
import type { Handlers } from '../../contract/bridge.ts'
import { ok } from '../../contract/failure.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Session } from '../session/session.ts'

/** Returns the handlers of `bridge.rewards`: the catalogue. */
export const createRewardsHandlers = (session: Session, catalogue: RewardCatalogue): Handlers<'rewards'> => ({
  catalogue: async () => ok(await catalogue.open()),
  read: async () => ok(await catalogue.refresh()),
  stop: () => ok(catalogue.stop()),
  async detail({ id }) {
    const detail = await session.read(() => session.ask((client) => client.reward(id)))
    catalogue.addDetail(id, detail)
    return detail
  }
})
