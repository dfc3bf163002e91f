import { expect, it } from 'vitest'
import { StatisticsStore } from '../../../../electron/service/store/statistics.ts'
import { openShop } from './shop.ts'

const open = async () => {
  const shop = await openShop()
  const business = { key: shop.business, timeZone: 'Asia/Kolkata' }
  return { shop, business, statistics: new StatisticsStore(shop.database) }
}

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
