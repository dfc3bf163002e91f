/** What a balance buys. The counter, the customer display and the slip show the same. */
import * as v from 'valibot'
import type { Reward } from './loyalty.ts'
import type { Catalogue } from './catalogue.ts'

/** Names and points of rewards, and nothing else. Named rewards are known to be enabled. */
export const affordableRewardsSchema = v.object({
  /** the dearest reward within the balance; null: none is */
  best: v.nullable(v.string()),
  /** number of other rewards within the balance */
  others: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** the cheapest reward above the balance and the missing points; null: every reward is within the balance */
  next: v.nullable(v.object({ name: v.string(), missing: v.pipe(v.number(), v.finite()) }))
})
export type AffordableRewards = Readonly<v.InferOutput<typeof affordableRewardsSchema>>

/** A reward whose cost is known. */
export type PricedReward = Reward & { readonly cost: number }

interface Candidates {
  readonly best: PricedReward | null
  readonly others: number
  readonly next: PricedReward | null
}

/** Whether a reward can be named: its name and cost are known, and it is not known to be disabled. */
export const canBeNamed = (reward: Reward): reward is PricedReward =>
  reward.isEnable !== false && reward.cost !== null && reward.name.trim() !== ''

/** Returns the rewards to name for a balance. Rewards that cannot be named are not counted either. */
function candidatesFor(rewards: readonly Reward[], balance: number): Candidates {
  let best: PricedReward | null = null
  let next: PricedReward | null = null
  let affordable = 0
  for (const reward of rewards) {
    if (!canBeNamed(reward)) continue
    if (reward.cost <= balance) {
      affordable++
      if (best === null || reward.cost > best.cost) best = reward
    } else if (next === null || reward.cost < next.cost) next = reward
  }
  return { best, others: Math.max(0, affordable - 1), next }
}

/** Returns the rewards to name for a balance of which is not known yet whether they are enabled: at most two. */
export function uncheckedRewards(rewards: readonly Reward[], balance: number): readonly Reward[] {
  const { best, next } = candidatesFor(rewards, balance)
  return [best, next].filter((reward) => reward !== null).filter(({ isEnable }) => isEnable === null)
}

/**
 * Returns what a balance buys. Null when the balance or the whole catalogue is not known, when there is no reward, and
 * when it is not known whether a reward that would be named is enabled.
 */
export function affordableRewards(
  { rewards, complete }: Pick<Catalogue, 'rewards' | 'complete'>,
  balance: number | null
): AffordableRewards | null {
  if (!complete || balance === null) return null
  const { best, others, next } = candidatesFor(rewards, balance)
  if (best === null && next === null) return null
  if (best?.isEnable === null || next?.isEnable === null) return null
  return {
    best: best?.name ?? null,
    others,
    next: next && { name: next.name, missing: next.cost - balance }
  }
}
