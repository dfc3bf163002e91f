import { describe, expect, test } from 'vitest'
import type { Reward } from '../../../../electron/contract/loyalty.ts'
import { filterAndSort, idsOf, type RewardFilter } from '../../../../renderer/src/state/rewards.svelte.ts'

const pricedReward = (name: string, cost: number): Reward => ({ id: name, name, cost, index: null, isEnable: null })
const REWARDS = [pricedReward('Mug', 1250), pricedReward('Koulouri', 60), pricedReward('Café crème', 180), pricedReward('Tea', 60)]

const filter = (change: Partial<RewardFilter> = {}): RewardFilter => ({
  text: '',
  order: 'catalogue',
  maxCost: null,
  balance: null,
  excludedIds: idsOf([]),
  ...change
})
const names = (change: Partial<RewardFilter>) =>
  filterAndSort(REWARDS, filter(change), new Intl.Collator('en').compare).map(({ name }) => name)

describe('the order', () => {
  test.each([
    ['catalogue', null, ['Mug', 'Koulouri', 'Café crème', 'Tea']],
    ['cheapest', null, ['Koulouri', 'Tea', 'Café crème', 'Mug']],
    ['dearest', null, ['Mug', 'Café crème', 'Koulouri', 'Tea']],
    ['name', null, ['Café crème', 'Koulouri', 'Mug', 'Tea']],
    ['affordable', 200, ['Café crème', 'Koulouri', 'Tea', 'Mug']],
    ['affordable', 60, ['Koulouri', 'Tea', 'Café crème', 'Mug']],
    ['affordable', null, ['Koulouri', 'Tea', 'Café crème', 'Mug']]
  ] as const)('%s, with %s points', (order, balance, wanted) => {
    expect(names({ order, balance })).toEqual(wanted)
  })

  test('leaves the catalogue itself as it is', () => {
    names({ order: 'cheapest' })
    expect(REWARDS[0]?.name).toBe('Mug')
  })
})

describe('what is left out', () => {
  test.each([
    ['cafe', ['Café crème']],
    ['CRÈME café', ['Café crème']],
    ['cafe mug', []],
    ['  ', ['Mug', 'Koulouri', 'Café crème', 'Tea']]
  ])('all that has not each word of "%s"', (text, wanted) => {
    expect(names({ text })).toEqual(wanted)
  })

  test('what costs more', () => {
    expect(names({ maxCost: 180 })).toEqual(['Koulouri', 'Café crème', 'Tea'])
  })

  test('what is named', () => {
    expect(names({ excludedIds: idsOf([pricedReward('Mug', 0)]) })).toEqual(['Koulouri', 'Café crème', 'Tea'])
  })
})

test('5,000 rewards are arranged in any order', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => pricedReward(`Reward ${index}`, (index * 37) % 4_960))
  const found = filterAndSort(
    many,
    filter({ text: 'reward 1', order: 'affordable', balance: 2_000 }),
    () => 0
  )
  expect(found).toHaveLength(2_084)
  expect(found[0]?.cost).toBeLessThanOrEqual(2_000)
})
