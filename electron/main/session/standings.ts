/** What customers have by the shop's rules: a level, and points that end. */
import type { Standing } from '../../contract/earning-rules.ts'
import type { RecentCustomers } from './recent-customers.ts'
import type { Session } from './session.ts'
import type { ShopRules } from './shop-rules.ts'

/** How long a slip or the request of a program waits for it at most. */
const STANDING_TIMEOUT_MS = 2500

export interface StandingsDependencies {
  readonly session: Pick<Session, 'owner' | 'offlineSince' | 'askExtension'>
  readonly shopRules: Pick<ShopRules, 'ofShop'>
  readonly recent: Pick<RecentCustomers, 'standingOf' | 'setStanding'>
}

/** Asks the service for the standing of a customer. The last answer counts while it does not respond, and without a connection. */
export class Standings {
  readonly #dependencies: StandingsDependencies

  constructor(dependencies: StandingsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Resolves with what a customer has, within `STANDING_TIMEOUT_MS`; null: not known, or the shop has no rules.
   * @param id of the customer
   */
  async read(id: string): Promise<Standing | null> {
    const { session, shopRules, recent } = this.#dependencies
    if (shopRules.ofShop === null) return null
    const { owner } = session
    if (session.offlineSince === null) {
      const signal = AbortSignal.timeout(STANDING_TIMEOUT_MS)
      const answer = await session.askExtension((service) => service.standing(id, signal))
      if (session.owner !== owner) return null
      if (answer.ok) recent.setStanding(id, answer.value)
    }
    return recent.standingOf(id)
  }
}
