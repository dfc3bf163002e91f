import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { affordableRewards, uncheckedRewards } from '../../../electron/contract/affordable-rewards.ts'
import type { Reward } from '../../../electron/contract/loyalty.ts'

const reward = (name: string, cost: number, isEnable: boolean | null = true): Reward => ({
  id: name,
  name,
  cost,
  index: null,
  isEnable
})

const CATALOGUE = [reward('mug', 1250), reward('coffee', 80), reward('latte', 250, false), reward('pie', 180)]
const buys = (balance: number | null, rewards: readonly Reward[] = CATALOGUE) =>
  affordableRewards({ rewards, complete: true }, balance)

describe('affordableRewards', () => {
  test.each([
    ['some', 200, { best: 'pie', others: 1, next: { name: 'mug', missing: 1050 } }],
    ['exactly one', 80, { best: 'coffee', others: 0, next: { name: 'pie', missing: 100 } }],
    ['nothing yet', 79, { best: null, others: 0, next: { name: 'coffee', missing: 1 } }],
    ['everything', 1250, { best: 'mug', others: 2, next: null }]
  ])('names the dearest reward within the balance and the next one: %s', (_, balance, expected) => {
    expect(buys(balance)).toEqual(expected)
  })

  test.each([
    ['the balance is not known', buys(null)],
    ['the catalogue is not complete', affordableRewards({ rewards: CATALOGUE, complete: false }, 200)],
    ['the catalogue is empty', buys(200, [])],
    ['every reward is disabled', buys(200, [reward('latte', 90, false)])],
    ['the best reward may be disabled', buys(200, [reward('pie', 180, null), reward('mug', 1250)])],
    ['the next reward may be disabled', buys(200, [reward('pie', 180), reward('mug', 1250, null)])]
  ])('is null when %s', (_, result) => {
    expect(result).toBeNull()
  })

  test('needs no state of rewards that it only counts', () => {
    expect(buys(200, [reward('tea', 60, null), reward('pie', 180)])).toEqual({
      best: 'pie',
      others: 1,
      next: null
    })
  })

  test('neither names nor counts a reward without a name or a cost', () => {
    const unpriced = { ...reward('free?', 0), cost: null }
    expect(buys(200, [reward(' ', 190), unpriced, reward('pie', 180)])).toMatchObject({
      best: 'pie',
      others: 0
    })
  })

  test('never names a reward that is disabled or may be', () => {
    const rewards = fc.uniqueArray(
      fc.record({
        name: fc.string({ maxLength: 3 }),
        cost: fc.integer({ min: 0, max: 20 }),
        isEnable: fc.constantFrom(true, false, null)
      }),
      { selector: ({ name }) => name, maxLength: 12 }
    )
    fc.assert(
      fc.property(rewards, fc.integer({ min: 0, max: 20 }), (all, balance) => {
        const list = all.map(({ name, cost, isEnable }) => reward(name, cost, isEnable))
        const result = buys(balance, list)
        const enabled = (name: string | undefined | null) =>
          name === undefined || name === null || list.find((one) => one.name === name)?.isEnable === true
        expect(enabled(result?.best) && enabled(result?.next?.name)).toBe(true)
        // What keeps it from naming is what has to be read.
        const isNamable = list.some((one) => one.isEnable !== false && one.name.trim() !== '')
        expect(result === null && isNamable).toBe(uncheckedRewards(list, balance).length > 0)
      })
    )
  })
})
