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
