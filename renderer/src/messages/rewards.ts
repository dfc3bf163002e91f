import { formatNumber } from '../format/numbers.ts'
import { points as pointsOf, pointsWord } from './common.ts'

export const noRewards = (): string => 'The catalogue is empty.'
export const noRewardsHint = (): string => 'Rewards are made in the points service, not at the till.'
export const canAfford = (): string => 'Affordable'
export const pointsToGo = ({ points }: { points: number }): string =>
  `${formatNumber(points)} more ${pointsWord({ points })}`
export const disabled = (): string => 'Disabled'
export const disabledHint = (): string => 'Disabled by the business: it cannot be had now.'
export const enabled = (): string => 'Available'
export const affordFor = ({ name, points }: { name: string; points: number }): string =>
  `${name} has ${pointsOf({ points })}`
export const nextReward = ({ name, points }: { name: string; points: number }): string =>
  `${pointsToGo({ points })} for ${name}`
export const nextRewardBar = (): string => 'Way to the next reward'
export const allWithinReach = (): string => 'Every reward is affordable.'
export const affordWithoutCustomer = (): string => 'Choose a customer at the till to see what they can have.'
export const rewardDetails = (): string => 'Reward'
export const chooseReward = (): string => 'Choose a reward to see more.'
export const cost = (): string => 'Cost'
export const state = (): string => 'State'
export const place = (): string => 'Place in the catalogue'
export const since = (): string => 'In the catalogue since'
export const changed = (): string => 'Last changed'
