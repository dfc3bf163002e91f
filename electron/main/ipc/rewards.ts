/** Handlers of `bridge.rewards`. */
import type { Api } from '../../contract/bridge.ts'
import { ok, type Result } from '../../contract/failure.ts'
import type { Catalogue, RewardDetail } from '../../contract/loyalty.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Session } from '../session/session.ts'

/** The reward catalogue. */
export class RewardsHandlers implements Api<'rewards'> {
  readonly #session: Session
  readonly #catalogue: RewardCatalogue

  constructor(session: Session, catalogue: RewardCatalogue) {
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

  async detail({ id }: { id: string }): Promise<Result<RewardDetail>> {
    const detail = await this.#session.read(() => this.#session.ask((client) => client.reward(id)))
    this.#catalogue.addDetail(id, detail)
    return detail
  }
}
