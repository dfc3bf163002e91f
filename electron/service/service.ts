/** What the routes share. */
import type { Hono } from 'hono'
import type { Links } from './links.ts'
import type { RandomBytes } from './identifiers.ts'
import type { BusinessNumber } from './store/businesses.ts'
import type { CodeStore } from './store/codes.ts'
import type { CustomerStore } from './store/customers.ts'
import type { RewardStore } from './store/rewards.ts'

/** The parts that routes work with. */
export interface Parts {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
  readonly links: Links
  readonly now: () => Date
  readonly random: RandomBytes
}

/** What is known of a request before its route runs. */
export interface RequestVariables {
  business: BusinessNumber
}

export type App = Hono<{ Variables: RequestVariables }>
