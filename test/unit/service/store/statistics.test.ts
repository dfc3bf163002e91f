import { expect, it } from 'vitest'
import { StatisticsStore } from '../../../../electron/service/store/statistics.ts'
import { openShop, Shop } from './shop.ts'

const open = async () => {
  const shop = await openShop()
  const business = { key: shop.business, timeZone: 'Asia/Kolkata' }
  return { shop, business, statistics: new StatisticsStore(shop.database) }
}

const NONE = { count: 0, points: 0 }

it('counts by days of the time zone of the shop', async () => {
  const { shop, business, statistics } = await open()
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
  expect(await statistics.days(business, '2026-11-19', '2026-11-21')).toEqual([
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
  const { shop, business, statistics } = await open()
  shop.now = new Date('2026-11-20T10:00:00Z')
  const customer = await shop.register('+306940000001')
  const merged = await shop.register('+306940000002')
  const mistake = await shop.collect(customer, await shop.issue(30))
  await shop.collect(customer, await shop.issue(50))
  const cancelled = await shop.issue(5)
  const redeemed = await shop.redeem(customer, await shop.offer(10, 1))
  shop.now = new Date('2026-11-22T10:00:00Z')
  await shop.reverse(customer, mistake.entry.id)
  await shop.reverse(customer, redeemed.entry.id)
  await shop.database.write(`UPDATE codes SET cancelled_at = '2026-11-22T10:00:00.000Z' WHERE code = $1`, [
    cancelled
  ])
  await shop.identities.merge(shop.business, customer, merged)
  const [then, , today] = await statistics.days(business, '2026-11-20', '2026-11-22')
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

it('tells who collects most, with what was collected before a merge, and without who was erased', async () => {
  const { shop, business, statistics } = await open()
  const [anna = '', second = '', ben = '', erased = ''] = await Promise.all(
    ['Άννα', 'Anna', 'Ben', 'Zoé'].map((name, index) => shop.register(`+30694000000${index}`, name))
  )
  shop.now = new Date('2026-11-20T10:00:00Z')
  await shop.collect(ben, await shop.issue(1000))
  shop.now = new Date('2026-11-21T10:00:00Z')
  for (const customer of [anna, second, ben]) await shop.collect(customer, await shop.issue(40))
  await shop.collect(erased, await shop.issue(500))
  const mistake = await shop.collect(ben, await shop.issue(300))
  await shop.adjust(ben, 5000)
  await shop.reverse(ben, mistake.entry.id)
  await shop.identities.merge(shop.business, anna, second)
  await shop.identities.erase(shop.business, erased)
  expect(await statistics.topCollectors(business, '2026-11-21', '2026-11-21', 10)).toEqual([
    { id: anna, name: 'Άννα', phone: '+306940000000', points: 80, codes: 2 },
    { id: ben, name: 'Ben', phone: '+306940000002', points: 40, codes: 1 }
  ])
  expect(await statistics.topCollectors(business, '2026-11-20', '2026-11-21', 1)).toMatchObject([
    { id: ben, points: 1040, codes: 2 }
  ])
})

it('refuses more days than a statement takes', async () => {
  const { business, statistics } = await open()
  expect(await statistics.days(business, '2026-01-01', '2026-04-10')).toHaveLength(100)
  await expect(statistics.days(business, '2026-01-01', '2026-04-11')).rejects.toThrow(RangeError)
})
