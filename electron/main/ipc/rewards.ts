/** Handlers of `bridge.rewards`: the reward catalogue. */
import type { RewardsApi } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { Catalogue, RewardDetail } from '../../contract/loyalty.ts'
import type { LoyaltyClient } from '../loyalty/loyalty-client.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Session } from '../session/session.ts'

export class RewardsHandlers implements RewardsApi {
  readonly #session: Session<LoyaltyClient>
  readonly #catalogue: RewardCatalogue

  constructor(session: Session<LoyaltyClient>, catalogue: RewardCatalogue) {
    this.#session = session
    this.#catalogue = catalogue
  }

  async catalogue(): Promise<Result<Catalogue>> {
    return ok(await this.#catalogue.open())
  }

  async read(): Promise<Result<Catalogue>> {
    return ok(await this.#catalogue.refresh())
  }

  stop(): Promise<Result<Catalogue>> {
    return Promise.resolve(ok(this.#catalogue.stop()))
  }

  detail({ id }: { id: string }): Promise<Result<RewardDetail>> {
    return this.#session.ask((client) => client.reward(id))
  }
}
