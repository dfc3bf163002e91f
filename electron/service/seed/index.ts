/** Fills a new business with a believable shop, in the transaction of whoever calls. */
import { newIdentifier } from '../identifiers.ts'
import type { BusinessNumber } from '../store/businesses.ts'
import type { CodeStore } from '../store/codes.ts'
import type { CustomerStore } from '../store/customers.ts'
import type { RewardStore } from '../store/rewards.ts'
import { seededCodes } from './codes.ts'
import { seededCustomers, type SeededCustomer } from './customers.ts'
import { bytesFrom, chanceFrom } from './random.ts'
import { seededRewards } from './rewards.ts'

/** How much a new business has. */
export interface SeedSize {
  readonly customers: number
  readonly rewards: number
}

/** A shop of ordinary size. */
export const DEFAULT_SEED: SeedSize = { customers: 500, rewards: 24 }

export interface SeedStores {
  readonly customers: CustomerStore
  readonly rewards: RewardStore
  readonly codes: CodeStore
}

/**
 * Adds the seed of one business. All businesses have the same people and rewards; identifiers follow from `hash`
 * (64 hexadecimal digits), so that they differ between businesses and repeat for the same token.
 */
export const seedBusiness = (
  { customers, rewards, codes }: SeedStores,
  { business, hash, now }: { readonly business: BusinessNumber; readonly hash: string; readonly now: Date },
  size: Partial<SeedSize> = {}
): void => {
  const wanted = { ...DEFAULT_SEED, ...size }
  const random = bytesFrom(chanceFrom(Number.parseInt(hash.slice(0, 8), 16)))
  const withIdentifier = (customer: SeededCustomer) => ({ id: newIdentifier('cus', random), ...customer })
  customers.addAll(business, seededCustomers(wanted.customers).map(withIdentifier))
  for (const reward of seededRewards(wanted.rewards, now)) {
    rewards.add(business, { id: newIdentifier('rew', random), ...reward })
  }
  for (const code of seededCodes(now)) codes.add(business, code)
}
