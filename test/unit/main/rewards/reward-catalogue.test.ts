import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Page, Reward, RewardDetail } from '../../../../electron/contract/loyalty.ts'
import type { Catalogue } from '../../../../electron/contract/catalogue.ts'
import { err, mapResult, ok, type Result } from '../../../../electron/contract/failure.ts'
import {
  type CachedCatalogue,
  CatalogueCache,
  MAX_DETAILS,
  MAX_REWARDS,
  RewardCatalogue
} from '../../../../electron/main/rewards/reward-catalogue.ts'
import { AccountClient } from '../../../support/session.ts'
import { account } from '../loyalty/samples.ts'

/** Its state is in the list, unless the test says otherwise: then no details are read. */
const reward = (id: string, index: number | null = null, change: Partial<Reward> = {}): Reward => ({
  id,
  name: `Reward ${id}`,
  cost: 80,
  index,
  isEnable: true,
  ...change
})

let folder: string
let file: string
let owner: { key: string; cached: boolean } | null
let requestedDetails: string[]
let affordableChanges: number
/** whether rewards are enabled, by id, by their details */
let details: (id: string) => Result<boolean | null> | Promise<Result<boolean | null>>
let requestedPages: number[]
let changes: Catalogue[]
let answerTo: (page: number) => Result<Page<Reward>> | Promise<Result<Page<Reward>>>
let catalogue: RewardCatalogue
let opened: RewardCatalogue[]
/** pending and finished writes to disk */
let writing: Promise<void>[]
/** Writes to disk resolve after this. */
let disk: Promise<void>

/** A service with these pages. */
const pages =
  (...all: readonly (readonly Reward[])[]) =>
  (page: number): Result<Page<Reward>> =>
    ok({ data: all[page - 1] ?? [], hasMore: page < all.length, currentPage: page, pageSize: 100 })

/** A cache that records its writes so that tests can wait for them. */
class RecordingCache extends CatalogueCache {
  override write(key: string, catalogue: CachedCatalogue): Promise<void> {
    const done = super.write(key, catalogue).then(() => disk)
    writing.push(done)
    return done
  }
}

/** A client whose rewards are those of the test. */
class RewardsClient extends AccountClient {
  override async listRewards({ page }: { readonly page: number }): Promise<Result<Page<Reward>>> {
    requestedPages.push(page)
    return answerTo(page)
  }

  override async reward(id: string): Promise<Result<RewardDetail>> {
    requestedDetails.push(id)
    return mapResult(await details(id), (isEnable) => ({
      ...reward(id),
      isEnable,
      createdAt: null,
      updatedAt: null
    }))
  }
}

const createCatalogue = (): RewardCatalogue => {
  const client = new RewardsClient(() => ok(account))
  const one = new RewardCatalogue({
    session: {
      ask: (question) => question(client),
      get mode() {
        if (owner === null) return 'onboarding'
        return owner.cached ? 'business' : 'training'
      },
      owner: { number: 1 },
      business: account,
      get businessKey() {
        return owner?.key ?? ''
      }
    },
    languages: { screen: 'en' },
    cache: new RecordingCache(file),
    onChange: (next) => changes.push(next),
    onAffordableChange: () => affordableChanges++
  })
  opened.push(one)
  return one
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-'))
  file = join(folder, 'rewards.json')
  vi.setSystemTime('2026-11-21T12:00:00.000Z')
  owner = { key: 'business A', cached: true }
  requestedPages = []
  requestedDetails = []
  affordableChanges = 0
  details = () => ok(true)
  changes = []
  opened = []
  writing = []
  disk = Promise.resolve()
  answerTo = pages([reward('b', 2), reward('none')], [reward('a', 1), reward('c', 3)])
  catalogue = createCatalogue()
})

afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened) one.close()
  await Promise.all(writing)
  await rm(folder, { recursive: true })
})

const later = (ms: number): void => void vi.setSystemTime(Date.now() + ms)
const ids = (of: Catalogue | undefined) => of?.rewards.map(({ id }) => id)
const lastChange = () => changes.at(-1)
/** Resolves with the catalogue when the reading has ended. */
const read = () => vi.waitUntil(() => lastChange()?.reading === null && lastChange())
/** Resolves when the catalogue is on disk. */
const written = () => vi.waitUntil(() => writing.length > 0).then(() => Promise.all(writing))

describe('reading the catalogue', () => {
  it('reads all pages and sorts by index, rewards without index last', async () => {
    expect(await catalogue.open()).toMatchObject({ rewards: [], complete: false, reading: { read: 0 } })
    await read()
    expect(ids(lastChange())).toEqual(['a', 'b', 'c', 'none'])
    expect(lastChange()).toMatchObject({ complete: true, readAt: '2026-11-21T12:00:00.000Z', failure: null })
  })

  it('removes duplicates between pages', async () => {
    answerTo = pages([reward('a')], [reward('a'), reward('b')])
    await catalogue.open()
    await read()
    expect(ids(lastChange())).toEqual(['a', 'b'])
  })

  it('ends when a page brings nothing new', async () => {
    answerTo = () => ok({ data: [reward('a')], hasMore: true, currentPage: 1, pageSize: 100 })
    await catalogue.open()
    await read()
    expect(requestedPages).toEqual([1, 2])
    expect(lastChange()?.complete).toBe(true)
  })

  it('ends at MAX_REWARDS', async () => {
    answerTo = (page) =>
      ok({
        data: Array.from({ length: 7_000 }, (_, index) => reward(`${page}-${index}`)),
        hasMore: true,
        currentPage: page,
        pageSize: 7_000
      })
    await catalogue.open()
    await read()
    expect(requestedPages).toEqual([1, 2, 3])
    expect(lastChange()?.rewards).toHaveLength(MAX_REWARDS)
  })

  it('reports progress at most every 300 ms', async () => {
    const all = Array.from({ length: 50 }, (_, page) => [reward(String(page), page)])
    answerTo = (page) => {
      later(100)
      return pages(...all)(page)
    }
    await catalogue.open()
    await read()
    const parts = changes.filter(({ reading }) => reading !== null && reading.read > 0)
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.length).toBeLessThan(20)
    for (const { reading, rewards } of parts) expect(rewards).toHaveLength(reading?.read ?? -1)
  })

  it('runs once for two calls of open, and not again within a minute', async () => {
    await catalogue.open()
    await catalogue.open()
    await read()
    later(59_000)
    await catalogue.open()
    expect(requestedPages).toEqual([1, 2])
    later(1_000)
    await catalogue.open()
    await read()
    expect(requestedPages).toEqual([1, 2, 1, 2])
  })

  it('runs again on refresh', async () => {
    await catalogue.open()
    await read()
    await catalogue.refresh()
    await read()
    expect(requestedPages).toEqual([1, 2, 1, 2])
  })
})

describe('a reading that ends early', () => {
  it('keeps the pages before a failure as an incomplete catalogue', async () => {
    answerTo = (page) => (page === 1 ? pages([reward('a')], [])(1) : err({ kind: 'offline' }))
    await catalogue.open()
    await read()
    expect(ids(lastChange())).toEqual(['a'])
    expect(lastChange()).toMatchObject({ complete: false, failure: { kind: 'offline' } })
  })

  it('keeps the complete catalogue when a later reading fails', async () => {
    await catalogue.open()
    await read()
    later(60_000)
    answerTo = (page) => (page === 1 ? pages([reward('new')], [])(1) : err({ kind: 'timeout' }))
    await catalogue.open()
    await read()
    expect(ids(lastChange())).toEqual(['a', 'b', 'c', 'none'])
    expect(lastChange()).toMatchObject({ complete: true, failure: { kind: 'timeout' } })
    expect(lastChange()?.readAt).toBe('2026-11-21T12:00:00.000Z')
  })

  it('can be stopped: the rewards so far stay and no further page is requested', async () => {
    const second = Promise.withResolvers<Result<Page<Reward>>>()
    later(1_000)
    answerTo = (page) => (page === 1 ? pages([reward('a')], [])(1) : second.promise)
    await catalogue.open()
    await vi.waitUntil(() => requestedPages.length === 2)
    expect(catalogue.stop()).toMatchObject({ reading: null, failure: null, complete: false })
    const before = changes.length
    second.resolve(pages([], [reward('b')], [reward('c')])(2))
    await second.promise
    await Promise.resolve()
    expect(requestedPages).toEqual([1, 2])
    expect(changes).toHaveLength(before)
    expect(ids(lastChange())).toEqual(['a'])
  })

  it('is dropped when the owner has changed', async () => {
    const first = Promise.withResolvers<Result<Page<Reward>>>()
    answerTo = () => first.promise
    await catalogue.open()
    owner = { key: 'business B', cached: true }
    answerTo = pages([reward('of B')])
    await catalogue.open()
    first.resolve(pages([reward('of A')])(1))
    await read()
    expect(ids(lastChange())).toEqual(['of B'])
    await written()
    expect(await readFile(file, 'utf8')).not.toContain('of A')
  })
})

describe('the details of rewards whose list row does not say whether they are enabled', () => {
  const unstated = (id: string, cost: number) => reward(id, null, { cost, isEnable: null })
  const detailsRead = (count: number) => vi.waitUntil(() => requestedDetails.length === count)
  const states = () => lastChange()?.rewards.map(({ isEnable }) => isEnable)

  it('are read after the list, the cheapest first, and nothing is named before', async () => {
    answerTo = pages([unstated('pie', 180), reward('tea', null, { cost: 60 }), unstated('coffee', 80)])
    const slow = Promise.withResolvers<Result<boolean>>()
    details = (id) => (id === 'pie' ? slow.promise : ok(true))
    await catalogue.open()
    await detailsRead(2)
    expect(requestedDetails).toEqual(['coffee', 'pie'])
    expect(catalogue.affordable(200)).toBeNull()
    slow.resolve(ok(false))
    await vi.waitUntil(() => catalogue.affordable(200))
    expect(catalogue.affordable(200)).toEqual({ best: 'Reward coffee', others: 1, next: null })
    expect(states()).toEqual([false, true, true])
  })

  it('are stored with the catalogue: after a restart a balance needs no request', async () => {
    answerTo = pages([unstated('pie', 180), unstated('mug', 1250)])
    await catalogue.open()
    await vi.waitUntil(() => catalogue.affordable(200))
    await written()
    answerTo = () => err({ kind: 'offline' })
    const next = createCatalogue()
    await next.open()
    expect(next.affordable(200)).toEqual({
      best: 'Reward pie',
      others: 0,
      next: { name: 'Reward mug', missing: 1050 }
    })
    expect(requestedDetails).toHaveLength(2)
  })

  it('are requested at most MAX_DETAILS times for a reading', async () => {
    answerTo = pages(Array.from({ length: 500 }, (_, index) => unstated(String(index), 1000 - index)))
    await catalogue.open()
    await vi.waitUntil(() => affordableChanges === 2)
    expect(requestedDetails).toHaveLength(MAX_DETAILS)
    expect(requestedDetails[0]).toBe('499')
    expect(catalogue.affordable(1000)).toBeNull()
  })

  it('count as enabled if they do not say so, and as disabled if the reward is gone', async () => {
    answerTo = pages([unstated('silent', 80), unstated('gone', 90)])
    details = (id) => (id === 'gone' ? err({ kind: 'not-found' }) : ok(null))
    await catalogue.open()
    await vi.waitUntil(() => affordableChanges === 2)
    expect(states()).toEqual([true, false])
  })

  it('end at a failure; what was known stays, and the next reading reads the rest', async () => {
    answerTo = pages([unstated('coffee', 80), unstated('pie', 180)])
    details = (id) => (id === 'pie' ? err({ kind: 'busy', retryAfterSeconds: null }) : ok(true))
    await catalogue.open()
    await vi.waitUntil(() => affordableChanges === 2)
    expect(states()).toEqual([true, null])
    expect(lastChange()?.failure).toBeNull()
    details = () => ok(false)
    await catalogue.refresh()
    await vi.waitUntil(() => states()?.[1] === false)
    expect(requestedDetails.slice(0, 3)).toEqual(['coffee', 'pie', 'coffee'])
  })

  it('are read again after an hour, and keep their state until then', async () => {
    answerTo = pages([unstated('coffee', 80)])
    await catalogue.open()
    await vi.waitUntil(() => affordableChanges === 2)
    await catalogue.refresh()
    await vi.waitUntil(() => affordableChanges === 3)
    expect([requestedDetails, states()]).toEqual([['coffee'], [true]])
    later(60 * 60_000)
    details = () => ok(false)
    await catalogue.refresh()
    await vi.waitUntil(() => states()?.[0] === false)
    expect(requestedDetails).toEqual(['coffee', 'coffee'])
  })

  it('of a reading that a slow disk delays do not replace a newer catalogue', async () => {
    let finishWrite = (): void => undefined
    disk = new Promise((resolve) => (finishWrite = resolve))
    answerTo = pages([reward('old', 1, { isEnable: null })])
    await catalogue.open()
    expect(ids(await read())).toEqual(['old'])
    disk = Promise.resolve()
    answerTo = pages([reward('new', 1, { isEnable: null })])
    await catalogue.refresh()
    await vi.waitFor(() => expect(requestedDetails).toContain('new'))
    finishWrite()
    await Promise.all(writing)
    expect(requestedDetails).toEqual(['new'])
    expect(ids(lastChange())).toEqual(['new'])
  })

  it('take over what the page read for a reward', async () => {
    answerTo = pages([unstated('coffee', 80)])
    details = () => err({ kind: 'timeout' })
    await catalogue.open()
    await vi.waitUntil(() => affordableChanges === 2)
    const detail = { ...unstated('coffee', 80), isEnable: true, createdAt: null, updatedAt: null }
    catalogue.addDetail('coffee', ok(detail))
    expect(catalogue.affordable(80)?.best).toBe('Reward coffee')
    expect(affordableChanges).toBe(3)
  })
})

describe('another language or business', () => {
  it('replaces the catalogue, and names nothing of the previous one', async () => {
    await catalogue.open()
    await read()
    expect(catalogue.affordable(80)).not.toBeNull()
    owner = { key: 'business A de', cached: true }
    expect(catalogue.affordable(80)).toBeNull()
    answerTo = pages([reward('neu')])
    changes = []
    catalogue.handleStateChange()
    await vi.waitUntil(() => lastChange()?.complete)
    expect(ids(lastChange())).toEqual(['neu'])
    catalogue.handleStateChange()
    expect(requestedPages).toEqual([1, 2, 1])
  })

  it('is not read before a catalogue was opened, nor while no business is served', async () => {
    catalogue.handleStateChange()
    owner = null
    expect(await catalogue.open()).toMatchObject({ rewards: [], complete: false })
    expect(requestedPages).toEqual([])
  })
})

describe('the catalogue on disk', () => {
  const keepOne = async () => {
    await catalogue.open()
    await read()
    await written()
    catalogue.close()
    changes = []
    requestedPages = []
  }

  it('is available after a restart and read again in the background', async () => {
    await keepOne()
    later(86_400_000)
    answerTo = pages([reward('new')])
    const next = createCatalogue()
    const opened = await next.open()
    expect(opened).toMatchObject({ complete: true, readAt: '2026-11-21T12:00:00.000Z' })
    expect(ids(opened)).toEqual(['a', 'b', 'c', 'none'])
    await read()
    expect(ids(lastChange())).toEqual(['new'])
  })

  it('is used while the service is offline', async () => {
    await keepOne()
    later(86_400_000)
    answerTo = () => err({ kind: 'offline' })
    const next = createCatalogue()
    await next.open()
    await read()
    expect(lastChange()).toMatchObject({ complete: true, failure: { kind: 'offline' } })
    expect(ids(lastChange())).toEqual(['a', 'b', 'c', 'none'])
  })

  it.each([
    ['not JSON', () => Promise.resolve('{"version": 1, "owner"')],
    ['of another shape', () => Promise.resolve('{"version": 1, "owner": "business A", "rewards": [{}]}')],
    ['of another version', async () => (await readFile(file, 'utf8')).replace('"version":1', '"version":2')],
    ['too large', async () => (await readFile(file, 'utf8')) + ' '.repeat(8 * 1024 * 1024)]
  ])('is ignored if it is %s', async (_, content) => {
    await keepOne()
    await writeFile(file, await content())
    expect(await createCatalogue().open()).toMatchObject({ rewards: [], complete: false })
  })

  it('is not used for another owner', async () => {
    await keepOne()
    owner = { key: 'business B', cached: true }
    expect(await createCatalogue().open()).toMatchObject({ rewards: [], complete: false })
  })

  it('is deleted by clear', async () => {
    await keepOne()
    const next = createCatalogue()
    await next.open()
    await next.clear()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('stays deleted if it was being written during clear', async () => {
    const cache = new CatalogueCache(file)
    const written = cache.write('business A', { rewards: [], readAt: '2026-11-21T12:00:00.000Z' })
    await Promise.all([cache.clear(), written])
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('is not written in training mode', async () => {
    owner = { key: 'training', cached: false }
    await catalogue.open()
    await read()
    await catalogue.open()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('is optional: a failing write does not fail the reading', async () => {
    file = join(folder, 'rewards.json', 'below a file')
    await writeFile(join(folder, 'rewards.json'), 'in the way')
    catalogue = createCatalogue()
    await catalogue.open()
    await read()
    expect(lastChange()).toMatchObject({ complete: true })
  })
})
