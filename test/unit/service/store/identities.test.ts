import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { eraseAgain } from '../../../../electron/service/store/identities.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, Shop } from './shop.ts'

const PAGE = { limit: 100, offset: 0 }

const counted = async (shop: Shop) => (await new BusinessStore(shop.database).get(shop.business)).customers
const listed = async (shop: Shop) =>
  (await new CustomerStore(shop.database).list(shop.business, PAGE)).map(({ id }) => id)
const found = async (shop: Shop, text: string) =>
  (await new CustomerStore(shop.database).search(shop.business, text, PAGE)).map(({ id }) => id)
const erasedIds = async (shop: Shop) => {
  const rows = await shop.database.read('SELECT customer_id AS id FROM erasures ORDER BY customer_id')
  return rows.map((row) => v.parse(v.object({ id: v.string() }), row).id)
}
const byPhone = async (shop: Shop, phone: string) =>
  (await new CustomerStore(shop.database).find(shop.business, 'phone', phone))?.id

describe('merging customers', () => {
  it('adds up their points, and both ids and phones lead to the one that is kept', async () => {
    const shop = await openShop()
    const kept = await shop.register('+306940000001', 'Zoé Lefèvre')
    const merged = await shop.register('+306940000002', 'Zoe Lefevre-Martin')
    await shop.adjust(kept, 100)
    const code = await shop.issue(40)
    const { entry } = await shop.collect(merged, code)
    await shop.redeem(merged, await shop.offer(15, 1))

    await shop.identities.merge(shop.business, kept, merged)
    expect(await shop.customer(kept)).toMatchObject({ id: kept, balance: 125, lifetimePoints: 140 })
    expect(await shop.customer(merged)).toMatchObject({ id: kept, name: 'Zoé Lefèvre', balance: 125 })
    expect(await byPhone(shop, '+306940000002')).toBe(kept)
    expect(await listed(shop)).toEqual([kept])
    expect(await found(shop, 'lefevre')).toEqual([kept])
    for (const text of ['martin', '6940000002', `${merged}@`]) expect(await found(shop, text)).toEqual([kept])
    // Not across two of them.
    expect(await found(shop, '0001 zoe')).toEqual([])
    expect(await counted(shop)).toBe(1)
    expect(await verifyLedger(shop.database)).toEqual([])

    // What the merged customer did before is the kept one's now.
    expect(await shop.collect(kept, code)).toMatchObject({ entry })
    expect(await shop.reverse(merged, entry.id)).toMatchObject({ balance: 85, lifetimePoints: 100 })
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('again changes nothing, and a chain of merges leads to the last one', async () => {
    const shop = await openShop()
    const [first, second, third] = [
      await shop.register('+306940000001'),
      await shop.register('+306940000002'),
      await shop.register('+306940000003')
    ]
    for (const customer of [first, second, third]) await shop.adjust(customer, 10)
    await shop.identities.merge(shop.business, second, first)
    await shop.identities.merge(shop.business, second, first)
    await shop.identities.merge(shop.business, third, second)
    for (const customer of [first, second, third]) {
      expect(await shop.customer(customer)).toMatchObject({ id: third, balance: 30 })
    }
    expect(await counted(shop)).toBe(1)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('is refused for one customer, an unknown one and one of another business', async () => {
    const shop = await openShop()
    const other = await Shop.addTo(shop.database)
    const customer = await shop.register('+306940000001')
    const stranger = await other.register('+306940000002')
    const merge = (merged: string) => shop.identities.merge(shop.business, customer, merged)
    await expect(merge(customer)).rejects.toMatchObject({ reason: 'customers-identical' })
    await expect(merge('cus_none')).rejects.toMatchObject({ reason: 'customer-unknown' })
    await expect(merge(stranger)).rejects.toMatchObject({ reason: 'customer-unknown' })
  })

  it('both ways at once joins them once', async () => {
    const shop = await openShop()
    const one = await shop.register('+306940000001')
    const other = await shop.register('+306940000002')
    await shop.adjust(one, 10)
    await shop.adjust(other, 20)
    await Promise.allSettled([
      shop.identities.merge(shop.business, one, other),
      shop.identities.merge(shop.business, other, one),
      shop.collect(one, await shop.issue(5)),
      shop.collect(other, await shop.issue(7))
    ])
    expect(await counted(shop)).toBe(1)
    expect(await shop.customer(one)).toEqual(await shop.customer(other))
    expect(await shop.balance(one)).toBe(42)
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('correcting a customer', () => {
  const identity = (id: string, phone = '+306940000003') => ({
    id,
    name: 'Zoë',
    phone,
    email: 'Zoe@example.org'
  })

  it('replaces name, phone and e-mail, is found by them, and records who changed which', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001', 'Zoltan')
    const correct = () => shop.identities.correct(shop.business, identity(customer), 'staff:stf_1')
    expect(await correct()).toEqual(['name', 'phone', 'email'])
    expect(await correct()).toEqual([])
    expect(await shop.customer(customer)).toMatchObject(identity(customer))
    const other = { ...identity(customer), name: 'Zoé' }
    await shop.identities.correct(shop.business, other, 'command line')
    for (const text of ['zoe', '6940000003', 'example.org'])
      expect(await found(shop, text)).toEqual([customer])
    for (const text of ['6940000001', 'example.com']) expect(await found(shop, text)).toEqual([])
    expect(await byPhone(shop, '+306940000001')).toBeUndefined()
    const at = shop.now.toISOString()
    expect((await shop.identities.export(shop.business, customer))?.corrections).toEqual([
      { at, by: 'staff:stf_1', fields: ['name', 'phone', 'email'] },
      { at, by: 'command line', fields: ['name'] }
    ])
  })

  it('takes the phone of one merged into it, but of no other', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001', 'Zoe')
    const merged = await shop.register('+306940000003', 'Zoltan')
    const correct = () => shop.identities.correct(shop.business, identity(customer), 'test')
    await expect(correct()).rejects.toMatchObject({ reason: 'phone-taken' })
    await expect(shop.identities.correct(shop.business, identity('cus_none'), 'test')).rejects.toMatchObject({
      reason: 'customer-unknown'
    })
    await shop.identities.merge(shop.business, customer, merged)
    await correct()
    for (const phone of ['+306940000001', '+306940000003']) {
      expect(await byPhone(shop, phone)).toBe(customer)
      expect(await found(shop, phone)).toEqual([customer])
    }
    await shop.identities.erase(shop.business, customer)
    const rows = JSON.stringify(await shop.database.read('SELECT * FROM customers'))
    for (const trace of ['Zoltan', '+30694', 'example']) expect(rows).not.toContain(trace)
  })

  it('gives a phone to one of two who ask for it at once', async () => {
    const shop = await openShop()
    const [one, other] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
    const asked = await Promise.allSettled([
      shop.identities.correct(shop.business, identity(one), 'test'),
      shop.identities.correct(shop.business, identity(other), 'test'),
      shop.register('+306940000003')
    ])
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('erasing a customer', () => {
  it('while another is merged into it leaves nothing of either, or all of one', async () => {
    const shop = await openShop()
    for (let round = 10; round < 40; round += 1) {
      const [kept, merged] = [
        await shop.register(`+3069400001${String(round)}`, `Kept ${String(round)}`),
        await shop.register(`+3069400002${String(round)}`, `Merged ${String(round)}`)
      ]
      const erased = round % 2 === 0 ? kept : merged
      const [merge, erase] = await Promise.allSettled([
        shop.identities.merge(shop.business, kept, merged),
        shop.identities.erase(shop.business, erased)
      ])
      if (merge.status === 'rejected') expect(merge.reason).toMatchObject({ reason: 'customer-unknown' })
      expect(erase).toEqual({ status: 'fulfilled', value: undefined })
      const staying = await Promise.all([shop.customer(kept), shop.customer(merged)])
      const isJoined = merge.status === 'fulfilled'
      expect(staying.filter((customer) => customer !== null)).toHaveLength(isJoined ? 0 : 1)
      const names = [await found(shop, `Kept ${String(round)}`), await found(shop, `Merged ${String(round)}`)]
      expect(names.flat()).toHaveLength(isJoined ? 0 : 1)
    }
    expect(await counted(shop)).toBe((await listed(shop)).length)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('blanks name, phone and e-mail and keeps the entries', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001', 'Grace Wood')
    const staying = await shop.register('+306940000002', 'Grace Hill')
    await shop.collect(customer, await shop.issue(10))
    await shop.identities.erase(shop.business, customer)
    expect(await shop.customer(customer)).toBeNull()
    expect(await byPhone(shop, '+306940000001')).toBeUndefined()
    expect(await found(shop, 'grace')).toEqual([staying])
    expect(await listed(shop)).toEqual([staying])
    expect(await counted(shop)).toBe(1)
    const rows = JSON.stringify(await shop.database.read('SELECT * FROM customers'))
    for (const trace of ['Wood', 'wood', '+306940000001', `${customer}@`]) expect(rows).not.toContain(trace)
    expect(await shop.database.read('SELECT points FROM entries')).toEqual([{ points: 10 }])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('frees the phone, ends collecting, and is done for a second one', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.identities.erase(shop.business, customer)
    const again = await shop.register('+306940000001')
    expect(await byPhone(shop, '+306940000001')).toBe(again)
    const refused = { reason: 'customer-unknown' }
    await expect(shop.collect(customer, await shop.issue(10))).rejects.toMatchObject(refused)
    await expect(shop.identities.merge(shop.business, again, customer)).rejects.toMatchObject(refused)
    const erased = await shop.database.read('SELECT * FROM erasures')
    shop.now = new Date('2026-11-21T11:00:00.000Z')
    await shop.identities.erase(shop.business, customer)
    expect(await shop.database.read('SELECT * FROM erasures')).toEqual(erased)
    expect(await byPhone(shop, '+306940000001')).toBe(again)
    const other = await Shop.addTo(shop.database)
    for (const [business, id] of [
      [shop.business, 'cus_none'],
      [other.business, customer]
    ] as const)
      await expect(shop.identities.erase(business, id)).rejects.toMatchObject(refused)
  })

  it('includes the customers merged into this one, and any of their ids will do', async () => {
    const shop = await openShop()
    const kept = await shop.register('+306940000001', 'Grace Wood')
    const merged = await shop.register('+306940000002', 'Grace Wood')
    await shop.identities.merge(shop.business, kept, merged)
    await shop.identities.erase(shop.business, merged)
    expect(JSON.stringify(await shop.database.read('SELECT * FROM customers'))).not.toContain('Grace')
    expect(await counted(shop)).toBe(0)
    expect(await erasedIds(shop)).toEqual([kept, merged].toSorted())
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('is repeated in a store from before it, whatever is missing there', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001', 'Grace Wood')
    const at = '2026-11-20T09:00:00.000Z'
    for (const id of ['cus_later', customer, 'cus_later', customer]) {
      await shop.database.transaction((queries) => eraseAgain(queries, id, at))
    }
    expect(await shop.customer(customer)).toBeNull()
    // A backup that is restored next may have the other one.
    expect(await erasedIds(shop)).toEqual([customer, 'cus_later'].toSorted())
    expect(await counted(shop)).toBe(0)
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('exporting a customer', () => {
  it('gives the identity, those merged into it and every entry', async () => {
    const shop = await openShop()
    const kept = await shop.register('+306940000001', 'Grace Wood')
    const merged = await shop.register('+306940000002', 'G. Wood')
    const stranger = await shop.register('+306940000003')
    await shop.adjust(merged, 20, 'Welcome')
    await shop.adjust(stranger, 99)
    await shop.identities.merge(shop.business, kept, merged)
    await shop.collect(kept, await shop.issue(10))
    expect(await shop.identities.export(shop.business, merged)).toMatchObject({
      customer: { id: kept, name: 'Grace Wood', phone: '+306940000001', balance: 30, lifetimePoints: 30 },
      merged: [{ id: merged, name: 'G. Wood', phone: '+306940000002' }],
      entries: [
        { kind: 'adjusted', points: 20, reason: 'Welcome' },
        { kind: 'collected', points: 10 }
      ]
    })
    expect(await shop.identities.export(shop.business, 'cus_none')).toBeNull()
  })
})

it('reads for a page the newest entries only, also of a customer merged into it, however many there are', async () => {
  const shop = await openShop()
  const kept = await shop.register('+306940000001')
  const merged = await shop.register('+306940000002')
  for (const [index, customer] of [kept, merged, kept, merged, kept].entries()) {
    await shop.adjust(customer, index + 1)
  }
  await shop.identities.merge(shop.business, kept, merged)
  const shown = await shop.identities.overview(shop.business, merged, 3)
  expect(shown?.customer).toMatchObject({ id: kept, balance: 15 })
  expect(shown?.entries.map(({ points }) => points)).toEqual([5, 4, 3])
  expect(await shop.identities.overview(shop.business, 'cus_unknown', 3)).toBeNull()
})
