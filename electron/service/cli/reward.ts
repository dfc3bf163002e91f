/** `reward add|edit|disable|enable|order|list`: the catalogue of a business. */
import { newIdentifier, systemRandomBytes } from '../domain/identifiers.ts'
import { parseName } from '../domain/names.ts'
import { MAX_COST, type StoredReward } from '../domain/rewards.ts'
import { RewardStore } from '../store/rewards.ts'
import { InvalidArgumentsError, type CommandInput, type ShopCommand } from './command.ts'
import { businessOf, businessOption, wholeNumber } from './options.ts'

const rewardLine = ({ index, id, name, cost, isEnable }: StoredReward): string =>
  `${index}. ${id}  ${name}  ${cost} points${isEnable ? '' : '  disabled'}`

const shown = (reward: StoredReward) => ({ text: rewardLine(reward), json: reward })

const catalogue = (rewards: readonly StoredReward[]) => ({
  text: rewards.map(rewardLine).join('\n') || 'No rewards yet.',
  json: rewards
})

const costOf = (text: string): number => wholeNumber('--points', text, 1, MAX_COST)

/** Changes the reward of a command. */
const update = async (
  input: CommandInput,
  changes: Partial<Pick<StoredReward, 'name' | 'cost' | 'isEnable'>>
) => {
  const { key } = await businessOf(input)
  const at = input.now().toISOString()
  return shown(
    await input.database.transaction((queries) =>
      new RewardStore(queries).update(key, input.required('REWARD'), changes, at)
    )
  )
}

const NAME = { value: 'NAME', text: 'name of the reward' }
const POINTS = { value: 'N', text: 'points that it costs' }

export const rewardCommands: readonly ShopCommand[] = [
  {
    name: 'reward add',
    summary: 'Adds a reward at the end of the catalogue.',
    options: {
      ...businessOption,
      name: { ...NAME, isRequired: true },
      points: { ...POINTS, isRequired: true }
    },
    run: async (input) => {
      const { key } = await businessOf(input)
      const id = newIdentifier('rew', systemRandomBytes)
      const terms = { name: parseName(input.required('name')), cost: costOf(input.required('points')) }
      return shown(
        await input.database.transaction(async (queries) => {
          const rewards = new RewardStore(queries)
          await rewards.append(key, id, terms, input.now().toISOString())
          return rewards.update(key, id, {}, input.now().toISOString())
        })
      )
    }
  },
  {
    name: 'reward edit',
    summary: 'Changes what is given of a reward. Entries of the ledger keep the points that they took.',
    args: ['REWARD'],
    options: { ...businessOption, name: NAME, points: POINTS },
    run: (input) => {
      const [name, points] = [input.option('name'), input.option('points')]
      if (name === undefined && points === undefined) {
        throw new InvalidArgumentsError('--name or --points is needed (see reward edit --help)')
      }
      return update(input, {
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(points === undefined ? {} : { cost: costOf(points) })
      })
    }
  },
  {
    name: 'reward disable',
    summary: 'Ends redeeming a reward; it stays in the catalogue.',
    args: ['REWARD'],
    options: businessOption,
    run: (input) => update(input, { isEnable: false })
  },
  {
    name: 'reward enable',
    summary: 'Lets a disabled reward be redeemed again.',
    args: ['REWARD'],
    options: businessOption,
    run: (input) => update(input, { isEnable: true })
  },
  {
    name: 'reward order',
    summary: 'Puts the named rewards first, in this order; the others follow as they were.',
    args: ['REWARD…'],
    options: businessOption,
    run: async (input) => {
      const { key } = await businessOf(input)
      const at = input.now().toISOString()
      return catalogue(
        await input.database.transaction(async (queries) => {
          const rewards = new RewardStore(queries)
          await rewards.order(key, input.all('REWARD'), at)
          return rewards.all(key)
        })
      )
    }
  },
  {
    name: 'reward list',
    summary: 'Lists the catalogue in its order, disabled rewards included.',
    options: businessOption,
    run: async (input) => catalogue(await new RewardStore(input.database).all((await businessOf(input)).key))
  }
]
