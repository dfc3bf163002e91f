import type { Reward } from '../../../electron/contract/loyalty.ts'

/** The orders a catalogue can be looked at in. */
export const REWARD_ORDERS = ['catalogue', 'cheapest', 'dearest', 'name', 'affordable'] as const
export type RewardOrder = (typeof REWARD_ORDERS)[number]

/** What of the catalogue is looked at, and in which order. */
export interface RewardWish {
  /** parts of names, in any case and with or without accents; all of them must be there */
  readonly text: string
  readonly order: RewardOrder
  /** nothing that costs more than this, in points; null for everything */
  readonly most: number | null
  /** points of the customer that `affordable` goes by */
  readonly balance: number | null
  /** rewards that are left out */
  readonly without: ReadonlySet<string>
}

/** The ids of some rewards. */
export const idsOf = (rewards: readonly Reward[]): ReadonlySet<string> => new Set(rewards.map(({ id }) => id))

/** A text as it is compared: without case, accents and outer spaces. */
export const folded = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase().trim()

const byCost = (one: Reward, other: Reward): number => one.cost - other.cost

/**
 * The rewards that are wished for, in the order that is wished for; `rewards` come in the catalogue's order, which
 * stands where nothing else decides. `compare` goes by the language of the screen.
 */
export function arrange(
  rewards: readonly Reward[],
  { text, order, most, balance, without }: RewardWish,
  compare: (one: string, other: string) => number
): readonly Reward[] {
  const words = folded(text).split(/\s+/u).filter(Boolean)
  const found = rewards.filter(
    ({ id, name, cost }) =>
      (most === null || cost <= most) &&
      !without.has(id) &&
      (words.length === 0 || hasAll(folded(name), words))
  )
  switch (order) {
    case 'catalogue':
      return found
    case 'cheapest':
      return found.sort(byCost)
    case 'dearest':
      return found.sort((one, other) => byCost(other, one))
    case 'name':
      return found.sort((one, other) => compare(one.name, other.name))
    case 'affordable': {
      // The best of what can be had stands first, then what is next within reach.
      const inReach = ({ cost }: Reward): boolean => balance !== null && cost <= balance
      return [
        ...found.filter(inReach).sort((one, other) => byCost(other, one)),
        ...found.filter((reward) => !inReach(reward)).sort(byCost)
      ]
    }
  }
}

const hasAll = (text: string, words: readonly string[]): boolean => words.every((word) => text.includes(word))
