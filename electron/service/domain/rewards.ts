/** Rewards: what points buy. */

/** A reward with the field names of the interface document (part 2). Cost in points; dates in ISO 8601, UTC. */
export interface StoredReward {
  readonly id: string
  readonly name: string
  readonly cost: number
  /** position in the catalogue, from 1 */
  readonly index: number
  readonly createdAt: string
  readonly updatedAt: string
  readonly isEnable: boolean
}

/** What a shop says of a reward. */
export type RewardTerms = Pick<StoredReward, 'name' | 'cost'>

/** Points that a reward costs at most, and at least 1. */
export const MAX_COST = 9_999_999

/**
 * The order of a catalogue after `first` were put first, each once: the others follow in the order that they had.
 * @param all every reward of the catalogue, in its order
 */
export const orderRewards = (all: readonly string[], first: readonly string[]): readonly string[] => {
  const moved = new Set(first)
  return [...moved, ...all.filter((id) => !moved.has(id))]
}
