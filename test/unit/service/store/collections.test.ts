import { expect, it } from 'vitest'
import { CollectionStore, type Position } from '../../../../electron/service/store/collections.ts'
import { openShop, Shop } from './shop.ts'

const MINUTE_MS = 60_000

it('lists what was collected and taken back, page by page, and reads on from what is settled', async () => {
  const shop = await openShop()
  const other = await Shop.addTo(shop.database)
  const collections = new CollectionStore(shop.database, () => shop.now)
  const customer = await shop.register('+306940000001')
  await other.collect(await other.register('+306940000001'), await other.issue(7))
  await shop.adjust(customer, 100)
  const codes: string[] = []
  for (const points of [10, 20, 30]) {
    codes.push(await shop.issue(points))
    const { entry } = await shop.collect(customer, codes.at(-1) ?? '')
    if (points === 20) await shop.reverse(customer, entry.id)
  }
  const redeemed = await shop.redeem(customer, await shop.offer(5, 1))
  await shop.reverse(customer, redeemed.entry.id)
  const at = shop.now.toISOString()
  const all = [
    { code: codes[0], state: 'collected', points: 10, at },
    { code: codes[1], state: 'collected', points: 20, at },
    { code: codes[1], state: 'reversed', points: 20, at },
    { code: codes[2], state: 'collected', points: 30, at }
  ]
  const read = async (position: Position) => collections.since(shop.business, position, 3)
  const begin = { at: '2000-01-01T00:00:00.000Z', entry: 0 }
  const first = await read(begin)
  expect(first).toMatchObject({ events: all.slice(0, 3), hasMore: true })
  const second = await read(first.next)
  expect(second).toMatchObject({ events: all.slice(3), hasMore: false })
  // Everything is newer than two minutes, and read again.
  expect((await collections.since(shop.business, second.next, 500)).events).toEqual(all)
  shop.now = new Date(shop.now.getTime() + 2 * MINUTE_MS + 1)
  const settled = (await read(second.next)).hasMore ? await read((await read(second.next)).next) : null
  expect(settled?.hasMore).toBe(false)
  expect((await read(settled?.next ?? begin)).events).toEqual([])
})

/** Collects a code at a time, and reads on from a cursor. */
const openReader = async () => {
  const shop = await openShop()
  const collections = new CollectionStore(shop.database, () => shop.now)
  const customer = await shop.register('+306940000001')
  const right = shop.now.getTime()
  let cursor: Position = { at: shop.now.toISOString(), entry: 0 }
  return {
    shop,
    collectAt: async (minutes: number) => {
      shop.now = new Date(right + minutes * MINUTE_MS)
      const code = await shop.issue(5)
      await shop.collect(customer, code)
      return code
    },
    readAt: async (minutes: number) => {
      shop.now = new Date(right + minutes * MINUTE_MS)
      const { events, next } = await collections.since(shop.business, cursor, 500)
      cursor = next
      return events.map(({ code }) => code)
    }
  }
}

it.each([true, false])(
  'reports what is collected after a clock was ahead, which saw codes: %s',
  async (hasSeen) => {
    const { collectAt, readAt } = await openReader()
    const YEAR = 365 * 24 * 60
    const ahead = hasSeen ? await collectAt(YEAR) : null
    await readAt(YEAR)
    await readAt(YEAR + 3)
    const [first, second] = [await collectAt(0), await collectAt(1)]
    expect(await readAt(1)).toEqual(expect.arrayContaining([first, second]))
    await readAt(4)
    expect(await readAt(4)).toEqual([])
    const third = await collectAt(5)
    expect(await readAt(5)).toEqual([third])
    // What the clock that was ahead dates is not reported again for ever.
    expect(ahead === null ? [] : await readAt(8)).not.toContain(ahead)
  }
)

it('reports what is collected after a restore, where numbers of entries are given again', async () => {
  const { shop, collectAt } = await openReader()
  await collectAt(0)
  const at = new Date(shop.now.getTime() + 3 * MINUTE_MS).toISOString()
  const code = await collectAt(4)
  const collections = new CollectionStore(shop.database, () => shop.now)
  for (const entry of [2, 7]) {
    const { events } = await collections.since(shop.business, { at, entry }, 500)
    expect(events.map((event) => event.code)).toEqual([code])
  }
})
