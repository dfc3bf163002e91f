/** Forms that are sent twice. */
import { expect, it } from 'vitest'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { entriesOf } from '../../../../electron/service/store/ledger-entries.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, type Shop } from './shop.ts'

const kinds = async (shop: Shop, customer: string) => {
  const key = await new CustomerStore(shop.database).findKey(shop.business, 'id', customer)
  return (await entriesOf(shop.database, key ?? 0)).map(({ kind, points }) => `${kind} ${points}`)
}

it('adjusts once for a form that is sent twice, also at once, and answers the same', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const first = await shop.adjust(customer, 40, 'Goodwill', 'form-1')
  shop.now = new Date(shop.now.getTime() + 1000)
  expect(await shop.adjust(customer, 40, 'Goodwill', 'form-1')).toEqual({ ...first, isRepeated: true })
  const receipts = await Promise.all(
    Array.from({ length: 20 }, () => shop.adjust(customer, 5, 'Goodwill', 'form-2'))
  )
  expect(new Set(receipts.map(({ entry }) => entry.id)).size).toBe(1)
  expect(await kinds(shop, customer)).toEqual(['adjusted 40', 'adjusted 5'])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('makes another change that a page sends again after going back', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const other = await shop.register('+306940000002')
  await shop.adjust(customer, 40, 'Goodwill', 'form-1')
  await shop.adjust(customer, 30, 'Goodwill', 'form-1')
  await shop.adjust(other, 40, 'Goodwill', 'form-1')
  expect(await kinds(shop, customer)).toEqual(['adjusted 40', 'adjusted 30'])
  expect(await kinds(shop, other)).toEqual(['adjusted 40'])
})

it('redeems and reverses once, and gives the first answer when it would be refused by now', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const reward = await shop.offer(80, 1)
  await shop.adjust(customer, 100)
  const owner = { business: shop.business, customer, by: 'test' }
  const redeem = () => shop.ledger.redeem({ ...owner, reward, request: 'form-1' })
  const redeemed = await redeem()
  expect(await redeem()).toEqual({ ...redeemed, isRepeated: true })
  const { id } = redeemed.entry
  const reverse = () => shop.ledger.reverse({ ...owner, entry: id, reason: null, request: 'form-2' })
  const reversed = await reverse()
  expect(await reverse()).toEqual({ ...reversed, isRepeated: true })
  await expect(shop.reverse(customer, id)).rejects.toMatchObject({ reason: 'entry-reversed' })
  expect(await kinds(shop, customer)).toEqual(['adjusted 100', 'redeemed -80', 'reversed 80'])
})
