import { describe, expect, test } from 'vitest'
import { bad, good } from '../../../../electron/contract/failure.ts'
import type { Reward } from '../../../../electron/contract/loyalty.ts'
import { Answers } from '../../../../renderer/src/state/answers.svelte.ts'
import { Rewards } from '../../../../renderer/src/state/rewards.svelte.ts'
import { bridgeWith } from '../support/bridge.ts'

const reward = (id: string, cost: number, index: number | null): Reward => ({ id, name: id, cost, index })

const make = (pages: Reward[][], disabled: string[] = []) => {
  const asked: number[] = []
  const bridge = bridgeWith({
    rewards: {
      list: ({ page }) => {
        asked.push(page)
        const data = pages[page - 1]
        return Promise.resolve(
          data
            ? good({ data, hasMore: page < pages.length, currentPage: page, pageSize: 2 })
            : bad({ kind: 'not-found' })
        )
      },
      detail: ({ id }) =>
        Promise.resolve(
          good({ ...reward(id, 1, 1), createdAt: null, updatedAt: null, isEnable: !disabled.includes(id) })
        )
    }
  })
  return { asked, rewards: new Rewards(bridge, new Answers()) }
}

const ids = (rewards: Rewards) => rewards.list?.map(({ id }) => id)

describe('the catalogue', () => {
  test('stands in the order of its index over all pages; what has none comes last', async () => {
    const { rewards } = make([
      [reward('b', 2, 2), reward('none', 1, null)],
      [reward('a', 3, 1), reward('also none', 1, null)]
    ])
    expect(rewards.list).toBeNull()
    await rewards.load()
    expect(ids(rewards)).toEqual(['a', 'b', 'none', 'also none'])
    expect(rewards.hasMore).toBe(false)
  })

  test('reads ten pages by itself, and goes on at a press', async () => {
    const { asked, rewards } = make(Array.from({ length: 12 }, (_, page) => [reward(String(page), 1, page)]))
    await rewards.load()
    expect([asked.length, rewards.hasMore]).toEqual([10, true])
    await rewards.more()
    expect([ids(rewards)?.length, rewards.hasMore]).toEqual([12, false])
  })

  test('shows a reward once that two pages repeat', async () => {
    const { rewards } = make([[reward('a', 1, 1)], [reward('a', 1, 1), reward('b', 1, 2)]])
    await rewards.load()
    expect(ids(rewards)).toEqual(['a', 'b'])
  })
})

describe('what a customer can have', () => {
  test('the next reward is the cheapest beyond the balance', async () => {
    const { rewards } = make([[reward('mug', 1250, 1), reward('coffee', 80, 2), reward('pie', 180, 3)]])
    await rewards.load()
    expect(rewards.nextFor(79)?.id).toBe('coffee')
    expect(rewards.nextFor(80)?.id).toBe('pie')
    expect(rewards.nextFor(5000)).toBeNull()
  })

  test('a reward that is known to be disabled is nobody’s next', async () => {
    const { rewards } = make([[reward('coffee', 80, 1), reward('pie', 180, 2)]], ['coffee'])
    await rewards.load()
    expect(rewards.isDisabled('coffee')).toBe(false)
    await rewards.choose(reward('coffee', 80, 1))
    expect([rewards.isDisabled('coffee'), rewards.nextFor(0)?.id]).toEqual([true, 'pie'])
    await rewards.load()
    expect(rewards.isDisabled('coffee')).toBe(true)
  })
})
