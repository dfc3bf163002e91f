import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { Reward } from '../../../../electron/contract/loyalty.ts'
import { EMPTY_CATALOGUE, type Catalogue } from '../../../../electron/contract/catalogue.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import {
  DETAIL_READ_DELAY_MS,
  filterAndSort,
  idsOf,
  MAX_DETAILS_PER_BALANCE,
  Rewards,
  type RewardFilter
} from '../../../../renderer/src/state/rewards.svelte.ts'
import { bridgeWith, reward } from '../support/bridge.ts'
import '../support/english.ts'

const whole = (...rewards: Reward[]): Catalogue => ({
  ...EMPTY_CATALOGUE,
  rewards,
  complete: true,
  readAt: '2026-11-21T12:00:00.000Z'
})

const CATALOGUE = whole(reward('mug', 1250), reward('coffee', 80), reward('pie', 180))

const createRewards = (
  catalogue = CATALOGUE,
  { disabled = ['coffee'], balance = null as number | null } = {}
) => {
  const requests: string[] = []
  const bridge = bridgeWith({
    rewards: {
      catalogue: () => Promise.resolve(ok(catalogue)),
      detail: ({ id }) => {
        requests.push(id)
        return Promise.resolve(
          id === 'gone'
            ? err({ kind: 'not-found' })
            : ok({ ...reward(id, 1, !disabled.includes(id)), createdAt: null, updatedAt: null })
        )
      }
    }
  })
  return { requests, bridge, rewards: new Rewards(bridge, new IpcClient(), () => balance) }
}

const ids = (rewards: Rewards) => rewards.shown.map(({ id }) => id)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the catalogue of Rewards', () => {
  test('is loaded from the main process and follows its events', async () => {
    const { bridge, rewards } = createRewards()
    expect(rewards.catalogue).toBeNull()
    expect(ids(rewards)).toEqual([])
    const stop = rewards.start()
    await rewards.open()
    expect(ids(rewards)).toEqual(['mug', 'coffee', 'pie'])
    bridge.sendCatalogue(whole(reward('tea', 60)))
    expect(ids(rewards)).toEqual(['tea'])
    stop()
    bridge.sendCatalogue(CATALOGUE)
    expect(ids(rewards)).toEqual(['tea'])
  })

  test('keeps the chosen reward when a new catalogue arrives', async () => {
    const { bridge, rewards } = createRewards()
    rewards.start()
    await rewards.open()
    await rewards.choose(reward('pie', 180))
    bridge.sendCatalogue(whole(reward('pie', 190)))
    expect(rewards.chosen?.cost).toBe(190)
  })
})

describe('filters of Rewards', () => {
  test('sort, search and filter by the balance of the customer', async () => {
    const { rewards } = createRewards(CATALOGUE, { balance: 200 })
    await rewards.open()
    rewards.filter({ order: 'affordable' })
    expect(ids(rewards)).toEqual(['pie', 'coffee', 'mug'])
    rewards.filter({ affordableOnly: true })
    rewards.filter({ text: 'p' })
    expect(ids(rewards)).toEqual(['pie'])
    expect(rewards.filtered).toBe(true)
    rewards.clearFilters()
    expect(ids(rewards)).toEqual(['pie', 'coffee', 'mug'])
    expect(rewards.filtered).toBe(false)
  })

  test('ignore affordableOnly without a customer', async () => {
    const { rewards } = createRewards()
    await rewards.open()
    rewards.filter({ affordableOnly: true })
    expect(ids(rewards)).toHaveLength(3)
  })

  test('leave out rewards that the catalogue marks as disabled', async () => {
    const { rewards } = createRewards(whole(reward('latte', 250, false), reward('tea', 60, true)))
    await rewards.open()
    rewards.filter({ enabledOnly: true })
    expect(ids(rewards)).toEqual(['tea'])
  })
})

describe('details of visible rewards', () => {
  test('are read after a delay for the last visible range, once per reward', async () => {
    const { requests, rewards } = createRewards()
    await rewards.open()
    rewards.setVisible(rewards.shown.slice(0, 1))
    rewards.setVisible(rewards.shown.slice(1, 3))
    await vi.advanceTimersByTimeAsync(0)
    expect(requests).toEqual([])
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    expect(requests).toEqual(['coffee', 'pie'])
    expect(rewards.shown.map((one) => rewards.isDisabled(one))).toEqual([false, true, false])
    rewards.setVisible(rewards.shown.slice(1, 3))
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    expect(requests).toHaveLength(2)
  })

  test('are requested once when they are not found, without showing a failure', async () => {
    const { requests, rewards } = createRewards(whole(reward('gone', 1), reward('tea', 60)))
    await rewards.open()
    rewards.setVisible(rewards.shown)
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    expect(requests).toEqual(['gone'])
    expect(rewards.failure).toBeNull()
    expect(rewards.detailRequest.failure).toBeNull()
  })

  test('do not remove a displayed row until the next sort', async () => {
    const { rewards } = createRewards()
    await rewards.open()
    rewards.filter({ enabledOnly: true })
    rewards.setVisible(rewards.shown)
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    expect(ids(rewards)).toEqual(['mug', 'coffee', 'pie'])
    rewards.filter({ order: 'cheapest' })
    expect(ids(rewards)).toEqual(['pie', 'mug'])
  })
})

describe('affordable', () => {
  const affordable = async (rewards: Rewards, balance: number) => {
    rewards.prepare(balance)
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    return rewards.affordable(balance)
  }

  test('is known at once from a catalogue that contains which rewards are enabled', async () => {
    const { requests, rewards } = createRewards(whole(reward('tea', 60, true), reward('mug', 1250, true)))
    rewards.start()
    await vi.advanceTimersByTimeAsync(0)
    expect(rewards.affordable(100)).toEqual({ best: 'tea', others: 0, next: { name: 'mug', missing: 1150 } })
    await affordable(rewards, 100)
    expect(requests).toEqual([])
  })

  test('reads the details of the rewards to name, and names none that is disabled', async () => {
    const { requests, rewards } = createRewards()
    await rewards.open()
    expect(rewards.affordable(100)).toBeNull()
    // The only reward within the balance is disabled.
    expect(await affordable(rewards, 100)).toEqual({
      best: null,
      others: 0,
      next: { name: 'pie', missing: 80 }
    })
    expect(requests).toEqual(['coffee', 'pie'])
    await rewards.choose(reward('pie', 180))
    expect(rewards.affordable(100)?.next?.name).toBe('pie')
  })

  test('reads at most MAX_DETAILS_PER_BALANCE details, and none for a balance that has changed', async () => {
    const many = Array.from({ length: 50 }, (_, index) => reward(`r${String(index)}`, index + 1))
    const { requests, rewards } = createRewards(whole(...many), { disabled: many.map(({ id }) => id) })
    await rewards.open()
    rewards.prepare(20)
    rewards.prepare(null)
    await vi.advanceTimersByTimeAsync(DETAIL_READ_DELAY_MS)
    expect(requests).toEqual([])
    expect(await affordable(rewards, 50)).toBeNull()
    expect(requests).toHaveLength(MAX_DETAILS_PER_BALANCE)
  })

  test('forgets the details of an earlier reading of the catalogue', async () => {
    const { bridge, requests, rewards } = createRewards(whole(reward('tea', 60)))
    rewards.start()
    await rewards.open()
    expect((await affordable(rewards, 60))?.best).toBe('tea')
    bridge.sendCatalogue({ ...whole(reward('tea', 60)), readAt: '2026-11-21T13:00:00.000Z' })
    expect(rewards.affordable(60)).toBeNull()
    expect((await affordable(rewards, 60))?.best).toBe('tea')
    expect(requests).toEqual(['tea', 'tea'])
  })
})

const REWARDS = [reward('Mug', 1250), reward('Koulouri', 60), reward('Café crème', 180), reward('Tea', 60)]

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

describe('filterAndSort order', () => {
  test.each([
    ['catalogue', null, ['Mug', 'Koulouri', 'Café crème', 'Tea']],
    ['cheapest', null, ['Koulouri', 'Tea', 'Café crème', 'Mug']],
    ['dearest', null, ['Mug', 'Café crème', 'Koulouri', 'Tea']],
    ['name', null, ['Café crème', 'Koulouri', 'Mug', 'Tea']],
    ['affordable', 200, ['Café crème', 'Koulouri', 'Tea', 'Mug']],
    ['affordable', 60, ['Koulouri', 'Tea', 'Café crème', 'Mug']],
    ['affordable', null, ['Koulouri', 'Tea', 'Café crème', 'Mug']]
  ] as const)('%s with a balance of %s points', (order, balance, wanted) => {
    expect(names({ order, balance })).toEqual(wanted)
  })

  test('does not change the catalogue', () => {
    names({ order: 'cheapest' })
    expect(REWARDS[0]?.name).toBe('Mug')
  })
})

describe('filterAndSort filters', () => {
  test.each([
    ['cafe', ['Café crème']],
    ['CRÈME café', ['Café crème']],
    ['cafe mug', []],
    ['  ', ['Mug', 'Koulouri', 'Café crème', 'Tea']]
  ])('by all words of "%s", ignoring case and accents', (text, wanted) => {
    expect(names({ text })).toEqual(wanted)
  })

  test('by maximum cost', () => {
    expect(names({ maxCost: 180 })).toEqual(['Koulouri', 'Café crème', 'Tea'])
  })

  test('by excluded ids', () => {
    expect(names({ excludedIds: idsOf([reward('Mug', 0)]) })).toEqual(['Koulouri', 'Café crème', 'Tea'])
  })
})

test('filterAndSort handles 5,000 rewards', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => reward(`Reward ${index}`, (index * 37) % 4_960))
  const found = filterAndSort(
    many,
    filter({ text: 'reward 1', order: 'affordable', balance: 2_000 }),
    () => 0
  )
  expect(found).toHaveLength(2_084)
  expect(found[0]?.cost).toBeLessThanOrEqual(2_000)
})
