import { expect, it, vi } from 'vitest'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { StorageFullError } from '../../../../electron/service/store/database.ts'
import { DaySums } from '../../../../electron/service/store/day-sums.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, Shop } from './shop.ts'

const open = async () => {
  const shop = await openShop()
  const business = { key: shop.business, timeZone: 'Asia/Kolkata' }
  return { shop, business, sums: new DaySums(shop.database, () => shop.now) }
}

const NONE = { count: 0, points: 0 }

it('counts by days of the time zone of the shop', async () => {
  const { shop, business, sums } = await open()
  const other = await Shop.addTo(shop.database)
  // A minute before midnight in India, and at midnight.
  shop.now = new Date('2026-11-20T18:29:00Z')
  const customer = await shop.register('+306940000001')
  const [first, second] = [await shop.issue(30), await shop.issue(7)]
  await shop.collect(customer, first)
  shop.now = new Date('2026-11-20T18:30:00Z')
  await shop.collect(customer, second)
  await shop.redeem(customer, await shop.offer(10, 1))
  await shop.redeem(customer, await shop.offer(0, 2))
  await shop.adjust(customer, 100)
  await other.collect(await other.register('+306940000001'), await other.issue(99))
  expect(await sums.days(business, '2026-11-19', '2026-11-21')).toEqual([
    {
      day: '2026-11-19',
      issued: NONE,
      collected: NONE,
      credited: NONE,
      returned: NONE,
      redeemed: NONE,
      joined: 0
    },
    {
      day: '2026-11-20',
      issued: { count: 2, points: 37 },
      collected: { count: 1, points: 30 },
      credited: NONE,
      returned: NONE,
      redeemed: NONE,
      joined: 1
    },
    {
      day: '2026-11-21',
      issued: NONE,
      collected: { count: 1, points: 7 },
      credited: NONE,
      returned: NONE,
      redeemed: { count: 2, points: 10 },
      joined: 0
    }
  ])
})

it('counts what was taken back as if it had not happened, on its own day', async () => {
  const { shop, business, sums } = await open()
  shop.now = new Date('2026-11-20T10:00:00Z')
  const customer = await shop.register('+306940000001')
  const merged = await shop.register('+306940000002')
  const mistake = await shop.collect(customer, await shop.issue(30))
  await shop.collect(customer, await shop.issue(50))
  const cancelled = await shop.issue(5)
  await shop.adjust(customer, 100)
  const redeemed = await shop.redeem(customer, await shop.offer(10, 1))
  shop.now = new Date('2026-11-22T10:00:00Z')
  await shop.reverse(customer, mistake.entry.id)
  await shop.reverse(customer, redeemed.entry.id)
  await shop.database.write(`UPDATE codes SET cancelled_at = '2026-11-22T10:00:00.000Z' WHERE code = $1`, [
    cancelled
  ])
  await shop.identities.merge(shop.business, customer, merged)
  const [then, , today] = await sums.days(business, '2026-11-20', '2026-11-22')
  expect(then).toMatchObject({
    issued: { count: 2, points: 80 },
    collected: { count: 1, points: 50 },
    redeemed: NONE,
    joined: 1
  })
  expect(today).toMatchObject({
    issued: NONE,
    collected: NONE,
    credited: NONE,
    returned: NONE,
    redeemed: NONE,
    joined: 0
  })
})

/** A shop whose days up to now were shown, with what changes them: each a code, an entry or a customer of yesterday. */
const openShown = async () => {
  const { shop, business, sums } = await open()
  shop.now = new Date('2026-11-20T10:00:00Z')
  const [customer, other] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
  const [waiting, lowered] = [await shop.issue(5), await shop.issue(9)]
  const collected = await shop.collect(customer, await shop.issue(30))
  await shop.adjust(customer, 100)
  const redeemed = await shop.redeem(customer, await shop.offer(10, 1))
  shop.now = new Date('2026-11-21T10:00:00Z')
  const shown = () => sums.days(business, '2026-11-19', '2026-11-21')
  await shown()
  const kept = async () => (await shop.database.read('SELECT start FROM day_sums')).length
  const codes = new CodeStore(shop.database)
  return { ...{ shop, customer, other, waiting, lowered, collected, redeemed, codes }, shown, kept }
}
type Shown = Awaited<ReturnType<typeof openShown>>

it.each<[string, (shown: Shown) => Promise<unknown>]>([
  ['a code', ({ shop }) => shop.issue(7)],
  [
    'a cancelled code',
    ({ codes, shop, waiting }) => codes.cancel(shop.business, waiting, shop.now.toISOString())
  ],
  [
    'a lowered code',
    ({ shop, lowered }) => shop.giveBack({ by: 'code', name: lowered }, { points: 4 }, 'return-1')
  ],
  ['a collected code', ({ shop, other, waiting }) => shop.collect(other, waiting)],
  ['a credit', ({ shop, customer }) => shop.credit(customer, 11)],
  ['a reversed collect', ({ shop, customer, collected }) => shop.reverse(customer, collected.entry.id)],
  ['a reversed redemption', ({ shop, customer, redeemed }) => shop.reverse(customer, redeemed.entry.id)],
  [
    'a return',
    ({ shop, collected }) =>
      shop.giveBack({ by: 'code', name: collected.entry.code ?? '' }, { points: 3 }, 'return-1')
  ],
  ['a customer', ({ shop }) => shop.register('+306940000003')],
  ['a merge', ({ shop, customer, other }) => shop.identities.merge(shop.business, customer, other)],
  ['an erasure', ({ shop, other }) => shop.identities.erase(shop.business, other)]
])(
  'keeps the sums of what is past, and counts again after %s, now and by a clock that is set back',
  async (_, change) => {
    for (const now of ['2026-11-21T10:00:00Z', '2026-11-21T08:07:00Z']) {
      const all = await openShown()
      const { shop, shown, kept } = all
      // Two days, and ten minutes from half past six in the evening to two minutes before ten.
      expect(await kept()).toBe(2 + 92)
      shop.now = new Date(now)
      await change(all)
      expect(await verifyLedger(shop.database)).toEqual([])
      shop.now = new Date('2026-11-21T10:00:00Z')
      const after = await shown()
      await shop.database.write('DELETE FROM day_sums')
      expect(after).toEqual(await shown())
      expect(await kept()).toBe(2 + 92)
    }
  }
)

it('counts what is past once', async () => {
  const { shop, shown, kept } = await openShown()
  const count = vi.spyOn(shop.database, 'transaction')
  await shown()
  expect(count).not.toHaveBeenCalled()
  shop.now = new Date('2026-11-21T10:12:00Z')
  await shown()
  expect(count).toHaveBeenCalledTimes(1)
  expect(await kept()).toBe(2 + 94)
  // The day takes the place of its parts.
  shop.now = new Date('2026-11-21T18:32:00Z')
  await shown()
  expect(await kept()).toBe(3)
})

it('is proved by the verification', async () => {
  const { shop } = await openShown()
  await shop.database.write(`UPDATE day_sums SET sums = '1' || sums WHERE start = '2026-11-19T18:30:00.000Z'`)
  expect(await verifyLedger(shop.database)).toMatchObject([
    { check: 'sums of days are those of entries, codes and customers', records: 1 }
  ])
})

it('is right when codes are cancelled while it is counted', async () => {
  const { shop, shown, codes } = await openShown()
  const issued = await Promise.all(Array.from({ length: 40 }, () => shop.issue(3)))
  shop.now = new Date('2026-11-23T10:00:00Z')
  const at = shop.now.toISOString()
  await Promise.all(issued.flatMap((code) => [shown(), codes.cancel(shop.business, code, at), shop.issue(2)]))
  expect(await verifyLedger(shop.database)).toEqual([])
  expect((await shown()).at(-1)?.issued).toEqual(NONE)
})

it('is shown on a full disk', async () => {
  const { shop, shown } = await openShown()
  const before = await shown()
  await shop.database.write('DELETE FROM day_sums')
  vi.spyOn(shop.database, 'transaction').mockRejectedValue(new StorageFullError('The disk is full.'))
  expect(await shown()).toEqual(before)
})
