import { expect, it } from 'vitest'
import { CollectedTooSoon } from '../../../../electron/service/domain/refusal.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { openShop, type Shop } from './shop.ts'

const HOUR_MS = 3_600_000

const collectAfterHour = (shop: Shop, customer: string, code: string) =>
  shop.collects.collect({ business: shop.business, customer, code, by: 'test', pauseMinutes: 60 })

it('lets a customer collect again after the shortest time, and leaves the code as it is until then', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const other = await shop.register('+306940000002')
  const codes = [await shop.issue(10), await shop.issue(20), await shop.issue(30)] as const
  const begun = shop.now.getTime()
  await collectAfterHour(shop, customer, codes[0])
  shop.now = new Date(begun + HOUR_MS - 1)
  const refused = collectAfterHour(shop, customer, codes[1])
  await expect(refused).rejects.toThrow(CollectedTooSoon)
  await expect(refused).rejects.toMatchObject({ next: new Date(begun + HOUR_MS).toISOString() })
  // The first answer again, and another customer.
  expect(await collectAfterHour(shop, customer, codes[0])).toMatchObject({ isRepeated: true, balance: 10 })
  await collectAfterHour(shop, other, codes[2])
  shop.now = new Date(begun + HOUR_MS)
  expect(await collectAfterHour(shop, customer, codes[1])).toMatchObject({ balance: 30 })
})

it('counts what those collected who were merged, and not what was taken back', async () => {
  const shop = await openShop()
  const [kept, merged] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
  const { entry } = await collectAfterHour(shop, merged, await shop.issue(10))
  await shop.identities.merge(shop.business, kept, merged)
  const code = await shop.issue(20)
  await expect(collectAfterHour(shop, kept, code)).rejects.toThrow(CollectedTooSoon)
  await shop.reverse(kept, entry.id)
  expect(await collectAfterHour(shop, kept, code)).toMatchObject({ balance: 20 })
})

it('gives one of many codes that a customer collects at once', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const codes = await Promise.all(Array.from({ length: 12 }, () => shop.issue(10)))
  const collected = await Promise.allSettled(codes.map((code) => collectAfterHour(shop, customer, code)))
  expect(collected.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await shop.balance(customer)).toBe(10)
})

it('does not make a customer wait for a time at which a clock that was ahead took a code', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306940000001')
  const codes = [await shop.issue(10), await shop.issue(20), await shop.issue(30)] as const
  const right = shop.now.getTime()
  shop.now = new Date(right + 40 * 24 * HOUR_MS)
  await collectAfterHour(shop, customer, codes[0])
  shop.now = new Date(right)
  expect(await collectAfterHour(shop, customer, codes[1])).toMatchObject({ balance: 30 })
  await expect(collectAfterHour(shop, customer, codes[2])).rejects.toMatchObject({
    next: new Date(right + HOUR_MS).toISOString()
  })
})

it('gives who sends a form twice at once the first answer again, not the time of the next one', async () => {
  const shop = await openShop()
  const [customer, other] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
  const code = await shop.issue(10)
  const stored = await new CodeStore(shop.database).find(shop.business, code)
  if (stored === null) throw new Error('The code was not issued')
  // Both pages have read the code before one of them takes it.
  const collect = (by: string) =>
    shop.collects.collect({
      business: shop.business,
      customer: by,
      code,
      stored,
      by: 'test',
      pauseMinutes: 60
    })
  const first = await collect(customer)
  expect(await collect(customer)).toEqual({ ...first, isRepeated: true })
  await expect(collect(other)).rejects.toMatchObject({ reason: 'code-used' })
})
