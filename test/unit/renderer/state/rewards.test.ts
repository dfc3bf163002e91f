import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { EMPTY_CATALOGUE, type Catalogue, type Reward } from '../../../../electron/contract/loyalty.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { DETAIL_READ_DELAY_MS, Rewards } from '../../../../renderer/src/state/rewards.svelte.ts'
import { bridgeWith, settle } from '../support/bridge.ts'
import '../support/english.ts'

const reward = (id: string, cost: number, isEnable: boolean | null = null): Reward => ({
  id,
  name: id,
  cost,
  index: null,
  isEnable
})
const whole = (...rewards: Reward[]): Catalogue => ({
  ...EMPTY_CATALOGUE,
  rewards,
  complete: true,
  readAt: '2026-11-21T12:00:00.000Z'
})

const CATALOGUE = whole(reward('mug', 1250), reward('coffee', 80), reward('pie', 180))

const make = (catalogue = CATALOGUE, { disabled = ['coffee'], balance = null as number | null } = {}) => {
  const asked: string[] = []
  const bridge = bridgeWith({
    rewards: {
      catalogue: () => Promise.resolve(ok(catalogue)),
      detail: ({ id }) => {
        asked.push(id)
        return Promise.resolve(
          id === 'gone'
            ? err({ kind: 'not-found' })
            : ok({ ...reward(id, 1, !disabled.includes(id)), createdAt: null, updatedAt: null })
        )
      }
    }
  })
  return { asked, bridge, rewards: new Rewards(bridge, new IpcClient(), () => balance) }
}

const ids = (rewards: Rewards) => rewards.shown.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the catalogue', () => {
  test('is what main knows, and follows what it tells', async () => {
    const { bridge, rewards } = make()
    expect([rewards.catalogue, ids(rewards)]).toEqual([null, []])
    const stop = rewards.start()
    await rewards.open()
    expect(ids(rewards)).toEqual(['mug', 'coffee', 'pie'])
    bridge.sendCatalogue(whole(reward('tea', 60)))
    expect(ids(rewards)).toEqual(['tea'])
    stop()
    bridge.sendCatalogue(CATALOGUE)
    expect(ids(rewards)).toEqual(['tea'])
  })

  test('keeps the chosen reward when it is replaced', async () => {
    const { bridge, rewards } = make()
    rewards.start()
    await rewards.open()
    await rewards.choose(reward('pie', 180))
    bridge.sendCatalogue(whole(reward('pie', 190)))
    expect(rewards.chosen?.cost).toBe(190)
  })
})

describe('how it is looked at', () => {
  test('in order, by text, and for the points of the chosen customer', async () => {
    const { rewards } = make(CATALOGUE, { balance: 200 })
    await rewards.open()
    rewards.order = 'affordable'
    expect(ids(rewards)).toEqual(['pie', 'coffee', 'mug'])
    rewards.affordableOnly = true
    rewards.text = 'p'
    expect([ids(rewards), rewards.filtered]).toEqual([['pie'], true])
    rewards.clearFilters()
    expect([ids(rewards), rewards.filtered]).toEqual([['pie', 'coffee', 'mug'], false])
  })

  test('everything while nobody is chosen who could afford something', async () => {
    const { rewards } = make()
    await rewards.open()
    rewards.affordableOnly = true
    expect(ids(rewards)).toHaveLength(3)
  })

  test('without what the catalogue says is disabled', async () => {
    const { rewards } = make(whole(reward('latte', 250, false), reward('tea', 60, true)))
    await rewards.open()
    rewards.enabledOnly = true
    expect(ids(rewards)).toEqual(['tea'])
  })
})

describe('details', () => {
  test('are read quietly for the rewards that the cashier rests on', async () => {
    const { asked, rewards } = make()
    await rewards.open()
    rewards.setVisible(rewards.shown.slice(0, 1))
    rewards.setVisible(rewards.shown.slice(1, 3))
    await settle()
    expect(asked).toEqual([])
    vi.advanceTimersByTime(DETAIL_READ_DELAY_MS)
    await settle()
    expect(asked).toEqual(['coffee', 'pie'])
    expect(rewards.shown.map((one) => rewards.isDisabled(one))).toEqual([false, true, false])
    rewards.setVisible(rewards.shown.slice(1, 3))
    vi.advanceTimersByTime(DETAIL_READ_DELAY_MS)
    await settle()
    expect(asked).toHaveLength(2)
  })

  test('that are not to be had are asked for once, and nobody is told', async () => {
    const { asked, rewards } = make(whole(reward('gone', 1), reward('tea', 60)))
    await rewards.open()
    rewards.setVisible(rewards.shown)
    vi.advanceTimersByTime(DETAIL_READ_DELAY_MS)
    await settle()
    expect([asked, rewards.failure, rewards.detailRequest.failure]).toEqual([['gone'], null, null])
  })

  test('do not take a row away from under a finger', async () => {
    const { rewards } = make()
    await rewards.open()
    rewards.enabledOnly = true
    rewards.setVisible(rewards.shown)
    vi.advanceTimersByTime(DETAIL_READ_DELAY_MS)
    await settle()
    expect(ids(rewards)).toEqual(['mug', 'coffee', 'pie'])
    rewards.order = 'cheapest'
    expect(ids(rewards)).toEqual(['pie', 'mug'])
  })
})

describe('what a customer can have', () => {
  test('the next reward is the cheapest beyond the balance', async () => {
    const { rewards } = make()
    await rewards.open()
    expect([79, 80, 5000].map((balance) => rewards.nextFor(balance)?.id)).toEqual([
      'coffee',
      'pie',
      undefined
    ])
  })

  test('a reward that is known to be disabled is nobody’s next', async () => {
    const { rewards } = make()
    await rewards.open()
    await rewards.choose(reward('coffee', 80))
    expect(rewards.nextFor(0)?.id).toBe('pie')
  })
})
