import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MAX_REWARDS, type Catalogue, type Page, type Reward } from '../../../../electron/contract/loyalty.ts'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import {
  createRewardCatalogue,
  type RewardCatalogue
} from '../../../../electron/main/rewards/reward-catalogue.ts'
import {
  createCatalogueCache,
  type CatalogueCache
} from '../../../../electron/main/rewards/catalogue-cache.ts'

const reward = (id: string, index: number | null = null): Reward => ({
  id,
  name: `Reward ${id}`,
  cost: 80,
  index,
  isEnable: null
})

let folder: string
let file: string
let time: number
let owner: { key: string; kept: boolean }
let asked: number[]
let told: Catalogue[]
let answerTo: (page: number) => Result<Page<Reward>> | Promise<Result<Page<Reward>>>
let catalogue: RewardCatalogue
let opened: RewardCatalogue[]
/** What is being written to the disk, or was. */
let writing: Promise<void>[]

/** A service with these pages. */
const pages =
  (...all: readonly (readonly Reward[])[]) =>
  (page: number): Result<Page<Reward>> =>
    ok({ data: all[page - 1] ?? [], hasMore: page < all.length, currentPage: page, pageSize: 100 })

/** The catalogue on the disk, whose writing can be waited for. */
const keptHere = (): CatalogueCache => {
  const kept = createCatalogueCache(file)
  return {
    ...kept,
    keep: (...what) => {
      const done = kept.keep(...what)
      writing.push(done)
      return done
    }
  }
}

const open = (): RewardCatalogue => {
  const one = createRewardCatalogue({
    readPage: async (page) => {
      asked.push(page)
      return answerTo(page)
    },
    owner: () => owner,
    kept: keptHere(),
    now: () => new Date(time),
    tell: (next) => told.push(next)
  })
  opened.push(one)
  return one
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rewards-'))
  file = join(folder, 'rewards.json')
  time = Date.parse('2026-11-21T12:00:00.000Z')
  owner = { key: 'business A', kept: true }
  asked = []
  told = []
  opened = []
  writing = []
  answerTo = pages([reward('b', 2), reward('none')], [reward('a', 1), reward('c', 3)])
  catalogue = open()
})

afterEach(async () => {
  for (const one of opened) one.close()
  await Promise.all(writing)
  await rm(folder, { recursive: true })
})

const ids = (of: Catalogue | undefined) => of?.rewards.map(({ id }) => id)
const lastTold = () => told.at(-1)
/** Waits until the reading under way has ended. */
const read = () => vi.waitUntil(() => lastTold()?.reading === null && lastTold())
/** Waits until what was read is on the disk. */
const written = () => vi.waitUntil(() => writing.length > 0).then(() => Promise.all(writing))

describe('reading the catalogue', () => {
  it('goes to the last page, in the order of the index; what has none comes last', async () => {
    expect(await catalogue.open()).toMatchObject({ rewards: [], complete: false, reading: { read: 0 } })
    await read()
    expect(ids(lastTold())).toEqual(['a', 'b', 'c', 'none'])
    expect(lastTold()).toMatchObject({ complete: true, readAt: '2026-11-21T12:00:00.000Z', failure: null })
  })

  it('shows a reward once that two pages repeat', async () => {
    answerTo = pages([reward('a')], [reward('a'), reward('b')])
    await catalogue.open()
    await read()
    expect(ids(lastTold())).toEqual(['a', 'b'])
  })

  it('ends where a service gives the same page again and again', async () => {
    answerTo = () => ok({ data: [reward('a')], hasMore: true, currentPage: 1, pageSize: 100 })
    await catalogue.open()
    await read()
    expect([asked, lastTold()?.complete]).toEqual([[1, 2], true])
  })

  it('ends at the most that a till reads', async () => {
    answerTo = (page) =>
      ok({
        data: Array.from({ length: 7_000 }, (_, index) => reward(`${page}-${index}`)),
        hasMore: true,
        currentPage: page,
        pageSize: 7_000
      })
    await catalogue.open()
    await read()
    expect([asked, lastTold()?.rewards.length]).toEqual([[1, 2, 3], MAX_REWARDS])
  })

  it('tells what has come so far, a few times a second', async () => {
    const all = Array.from({ length: 50 }, (_, page) => [reward(String(page), page)])
    answerTo = (page) => {
      time += 100
      return pages(...all)(page)
    }
    await catalogue.open()
    await read()
    const parts = told.filter(({ reading }) => reading !== null && reading.read > 0)
    expect(parts.length).toBeGreaterThan(10)
    expect(parts.length).toBeLessThan(20)
    for (const { reading, rewards } of parts) expect(rewards).toHaveLength(reading?.read ?? -1)
  })

  it('is done once by whoever opens it twice, and not at all within a minute', async () => {
    await catalogue.open()
    await catalogue.open()
    await read()
    time += 59_000
    await catalogue.open()
    expect(asked).toEqual([1, 2])
    time += 1_000
    await catalogue.open()
    await read()
    expect(asked).toEqual([1, 2, 1, 2])
  })

  it('is done again for whoever asks for it', async () => {
    await catalogue.open()
    await read()
    await catalogue.read()
    await read()
    expect(asked).toEqual([1, 2, 1, 2])
  })
})

describe('a reading that ends early', () => {
  it('keeps what came before the failure, and says that it is not all', async () => {
    answerTo = (page) => (page === 1 ? pages([reward('a')], [])(1) : err({ kind: 'offline' }))
    await catalogue.open()
    await read()
    expect(ids(lastTold())).toEqual(['a'])
    expect(lastTold()).toMatchObject({ complete: false, failure: { kind: 'offline' } })
  })

  it('leaves a whole catalogue as it was', async () => {
    await catalogue.open()
    await read()
    time += 60_000
    answerTo = (page) => (page === 1 ? pages([reward('new')], [])(1) : err({ kind: 'timeout' }))
    await catalogue.open()
    await read()
    expect(ids(lastTold())).toEqual(['a', 'b', 'c', 'none'])
    expect(lastTold()).toMatchObject({ complete: true, failure: { kind: 'timeout' } })
    expect(lastTold()?.readAt).toBe('2026-11-21T12:00:00.000Z')
  })

  it('can be stopped: what is there stays, and no page is asked for any more', async () => {
    const second = Promise.withResolvers<Result<Page<Reward>>>()
    time += 1_000
    answerTo = (page) => (page === 1 ? pages([reward('a')], [])(1) : second.promise)
    await catalogue.open()
    await vi.waitUntil(() => asked.length === 2)
    expect(catalogue.stop()).toMatchObject({ reading: null, failure: null, complete: false })
    const heard = told.length
    second.resolve(pages([], [reward('b')], [reward('c')])(2))
    await second.promise
    await Promise.resolve()
    expect([asked, told.length, ids(lastTold())]).toEqual([[1, 2], heard, ['a']])
  })

  it('is dropped when the till serves somebody else by then', async () => {
    const first = Promise.withResolvers<Result<Page<Reward>>>()
    answerTo = () => first.promise
    await catalogue.open()
    owner = { key: 'business B', kept: true }
    answerTo = pages([reward('of B')])
    await catalogue.open()
    first.resolve(pages([reward('of A')])(1))
    await read()
    expect(ids(lastTold())).toEqual(['of B'])
    await written()
    expect(await readFile(file, 'utf8')).not.toContain('of A')
  })
})

describe('the catalogue on disk', () => {
  const keepOne = async () => {
    await catalogue.open()
    await read()
    await written()
    catalogue.close()
    told = []
    asked = []
  }

  it('opens at once at the next start, with its age, and is read again meanwhile', async () => {
    await keepOne()
    time += 86_400_000
    answerTo = pages([reward('new')])
    const next = open()
    const opened = await next.open()
    expect(opened).toMatchObject({ complete: true, readAt: '2026-11-21T12:00:00.000Z' })
    expect(ids(opened)).toEqual(['a', 'b', 'c', 'none'])
    await read()
    expect(ids(lastTold())).toEqual(['new'])
  })

  it('is there while the service does not answer', async () => {
    await keepOne()
    time += 86_400_000
    answerTo = () => err({ kind: 'offline' })
    const next = open()
    await next.open()
    await read()
    expect(lastTold()).toMatchObject({ complete: true, failure: { kind: 'offline' } })
    expect(ids(lastTold())).toEqual(['a', 'b', 'c', 'none'])
  })

  it.each([
    ['not JSON', () => Promise.resolve('{"version": 1, "of"')],
    ['of another shape', () => Promise.resolve('{"version": 1, "of": "business A", "rewards": [{}]}')],
    ['of another version', async () => (await readFile(file, 'utf8')).replace('"version":1', '"version":2')],
    ['too large', async () => (await readFile(file, 'utf8')) + ' '.repeat(8 * 1024 * 1024)]
  ])('is ignored when it is %s', async (_, content) => {
    await keepOne()
    await writeFile(file, await content())
    expect(await open().open()).toMatchObject({ rewards: [], complete: false })
  })

  it('is nobody else’s', async () => {
    await keepOne()
    owner = { key: 'business B', kept: true }
    expect(await open().open()).toMatchObject({ rewards: [], complete: false })
  })

  it('goes when the business is forgotten', async () => {
    await keepOne()
    const next = open()
    await next.open()
    await next.forget()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('that is still being written when it is forgotten does not come back', async () => {
    const kept = createCatalogueCache(file)
    const written = kept.keep('business A', { rewards: [], readAt: '2026-11-21T12:00:00.000Z' })
    await Promise.all([kept.forget(), written])
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('is not written in training', async () => {
    owner = { key: 'training', kept: false }
    await catalogue.open()
    await read()
    await catalogue.open()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('that cannot be written costs nobody an answer', async () => {
    file = join(folder, 'rewards.json', 'below a file')
    await writeFile(join(folder, 'rewards.json'), 'in the way')
    catalogue = open()
    await catalogue.open()
    await read()
    expect(lastTold()).toMatchObject({ complete: true })
  })
})
