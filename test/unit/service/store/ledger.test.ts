import { describe, expect, it } from 'vitest'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { ConflictError } from '../../../../electron/service/store/database.ts'
import {
  appendEntry,
  entriesOf,
  type LedgerReceipt
} from '../../../../electron/service/store/ledger-entries.ts'
import { CollectStore } from '../../../../electron/service/store/collects.ts'
import { Ledger, type LedgerDependencies } from '../../../../electron/service/store/ledger.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, Shop } from './shop.ts'

const DAY_MS = 86_400_000

const entries = async (shop: Shop, customer: string) => {
  const key = await new CustomerStore(shop.database).findKey(shop.business, 'id', customer)
  return entriesOf(shop.database, key ?? 0)
}

describe('collecting a code', () => {
  it('adds its points to the balance and the lifetime points, with an entry', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const code = await shop.issue(250)
    const { entry, ...sums } = await shop.collect(customer, ` ${code.toLowerCase()} `)
    expect(sums).toEqual({ balance: 250, lifetimePoints: 250 })
    expect(await entries(shop, customer)).toEqual([
      {
        id: entry.id,
        kind: 'collected',
        points: 250,
        lifetimePoints: 250,
        at: '2026-11-21T10:00:00.000Z',
        by: 'test',
        code,
        reward: null,
        reason: null,
        reverses: null,
        reference: null,
        cashier: null,
        ...{ rules: null, bill: null, lot: null, expiry: null }
      }
    ])
    expect(await shop.customer(customer)).toMatchObject({ balance: 250, lifetimePoints: 250 })
    expect(await new CodeStore(shop.database).find(shop.business, code)).toMatchObject({
      usedAt: '2026-11-21T10:00:00.000Z',
      updatedAt: '2026-11-21T10:00:00.000Z'
    })
  })

  it('again by the same customer gives the first entry, also after the code expired', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const code = await shop.issue(250)
    const first = await shop.collect(customer, code)
    shop.now = new Date(shop.now.getTime() + 200 * DAY_MS)
    expect(await shop.collect(customer, code)).toEqual({ ...first, isRepeated: true })
    expect(await entries(shop, customer)).toHaveLength(1)
  })

  it('is refused for another customer, an unknown code, a cancelled and an expired one', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const other = await shop.register('+306940000002')
    const [used, cancelled, expired] = [await shop.issue(1), await shop.issue(2), await shop.issue(3)]
    await shop.collect(other, used)
    expect(await new CodeStore(shop.database).cancel(shop.business, cancelled, shop.now.toISOString())).toBe(
      true
    )
    await expect(shop.collect(customer, used)).rejects.toMatchObject({ reason: 'code-used' })
    await expect(shop.collect(customer, 'NEVERISSUED0')).rejects.toMatchObject({ reason: 'code-unknown' })
    await expect(shop.collect(customer, cancelled)).rejects.toMatchObject({ reason: 'code-cancelled' })
    shop.now = new Date(shop.now.getTime() + 90 * DAY_MS - 1)
    await shop.collect(customer, await shop.issue(4))
    shop.now = new Date(shop.now.getTime() + 1)
    await expect(shop.collect(customer, expired)).rejects.toMatchObject({ reason: 'code-expired' })
    expect(await shop.balance(customer)).toBe(4)
  })

  it('is refused for a code or a customer of another business', async () => {
    const shop = await openShop()
    const other = await Shop.addTo(shop.database)
    const customer = await shop.register('+306940000001')
    const stranger = await other.register('+306940000001')
    const code = await shop.issue(10)
    await expect(other.collect(stranger, code)).rejects.toMatchObject({ reason: 'code-unknown' })
    await expect(shop.collect(stranger, code)).rejects.toMatchObject({ reason: 'customer-unknown' })
    await shop.collect(customer, code)
    await expect(other.collect(stranger, code)).rejects.toMatchObject({ reason: 'code-unknown' })
  })

  it('200 times at once by as many customers gives the points once', async () => {
    const shop = await openShop()
    const code = await shop.issue(30)
    const customers: string[] = []
    for (let index = 0; index < 200; index += 1) {
      customers.push(await shop.register(`+30694${String(index).padStart(7, '0')}`))
    }
    const results = await Promise.allSettled(customers.map((customer) => shop.collect(customer, code)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'code-used' })
    }
    const balances = await Promise.all(customers.map((customer) => shop.balance(customer)))
    expect(balances.filter((balance) => balance === 30)).toHaveLength(1)
    expect(balances.filter((balance) => balance === 0)).toHaveLength(199)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('200 times at once by one customer gives one entry to all', async () => {
    const shop = await openShop()
    const code = await shop.issue(30)
    const customer = await shop.register('+306940000001')
    const receipts = await Promise.all(Array.from({ length: 200 }, () => shop.collect(customer, code)))
    expect(new Set(receipts.map(({ entry }) => entry.id)).size).toBe(1)
    expect(await shop.balance(customer)).toBe(30)
  })

  it('of different codes at once by one customer adds up', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const codes = await Promise.all(Array.from({ length: 50 }, () => shop.issue(7)))
    await Promise.all(codes.map((code) => shop.collect(customer, code)))
    expect(await shop.customer(customer)).toMatchObject({ balance: 350, lifetimePoints: 350 })
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('redeeming a reward', () => {
  it('takes its cost from the balance and leaves the lifetime points', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const reward = await shop.offer(80, 1)
    await shop.collect(customer, await shop.issue(100))
    expect(await shop.redeem(customer, reward)).toMatchObject({
      entry: { kind: 'redeemed', points: -80, lifetimePoints: 0, reward },
      balance: 20,
      lifetimePoints: 100
    })
    await expect(shop.redeem(customer, reward)).rejects.toMatchObject({ reason: 'points-too-few' })
    expect(await entries(shop, customer)).toHaveLength(2)
  })

  it('is refused for a disabled reward and one of another business', async () => {
    const shop = await openShop()
    const other = await Shop.addTo(shop.database)
    const customer = await shop.register('+306940000001')
    await shop.collect(customer, await shop.issue(100))
    const disabled = await shop.offer(1, 1, false)
    await expect(shop.redeem(customer, disabled)).rejects.toMatchObject({ reason: 'reward-disabled' })
    const foreign = await other.offer(1, 1)
    await expect(shop.redeem(customer, foreign)).rejects.toMatchObject({
      reason: 'reward-unknown',
      message: `There is no reward ${foreign}.`
    })
  })

  it('is refused when the customer was told another cost', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.collect(customer, await shop.issue(100))
    const request = { business: shop.business, customer, by: 'till', reward: await shop.offer(80, 1) }
    await expect(shop.ledger.redeem({ ...request, cost: 79 })).rejects.toMatchObject({
      reason: 'price-changed',
      message: 'The reward costs 80 points now.'
    })
    expect(await shop.ledger.redeem({ ...request, cost: 80 })).toMatchObject({ balance: 20 })
  })

  it('at once never takes more than there is', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const reward = await shop.offer(30, 1)
    await shop.collect(customer, await shop.issue(100))
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => shop.redeem(customer, reward)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await shop.balance(customer)).toBe(10)
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('adjusting points', () => {
  it('gives and takes points with a reason', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    expect(await shop.adjust(customer, 40, ' Forgotten slip ')).toMatchObject({
      entry: { kind: 'adjusted', reason: 'Forgotten slip' },
      balance: 40,
      lifetimePoints: 40
    })
    expect(await shop.adjust(customer, -15)).toMatchObject({ balance: 25, lifetimePoints: 25 })
    await expect(shop.adjust(customer, -26)).rejects.toMatchObject({ reason: 'points-too-few' })
  })

  it('takes as many as a sum may have', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    expect(await shop.adjust(customer, 1_000_000_000)).toMatchObject({ balance: 1_000_000_000 })
  })

  it.each([0, 1.5, Number.NaN, 1_000_000_001])('is refused for %d points', async (points) => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await expect(shop.adjust(customer, points)).rejects.toMatchObject({ reason: 'points-malformed' })
  })

  it('is refused without a reason, and for an unknown customer', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await expect(shop.adjust(customer, 5, ' ')).rejects.toMatchObject({ reason: 'reason-missing' })
    await expect(shop.adjust('cus_none', 5)).rejects.toMatchObject({ reason: 'customer-unknown' })
  })
})

describe('reversing an entry', () => {
  it('takes back what was collected, once; the code stays used', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const code = await shop.issue(100)
    const { entry } = await shop.collect(customer, code)
    expect(await shop.reverse(customer, entry.id)).toMatchObject({
      entry: { kind: 'reversed', points: -100, lifetimePoints: -100, reverses: entry.id },
      balance: 0,
      lifetimePoints: 0
    })
    await expect(shop.reverse(customer, entry.id)).rejects.toMatchObject({ reason: 'entry-reversed' })
    expect(await shop.collect(customer, code)).toMatchObject({ entry, balance: 0 })
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('gives back what was redeemed', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.collect(customer, await shop.issue(100))
    const { entry } = await shop.redeem(customer, await shop.offer(60, 1))
    expect(await shop.reverse(customer, entry.id)).toMatchObject({ balance: 100, lifetimePoints: 100 })
  })

  it('is refused for points that are spent, a reversal, and an entry of another customer', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const other = await shop.register('+306940000002')
    const { entry: collected } = await shop.collect(customer, await shop.issue(100))
    await shop.redeem(customer, await shop.offer(60, 1))
    await expect(shop.reverse(customer, collected.id)).rejects.toMatchObject({ reason: 'points-too-few' })
    const { entry: adjusted } = await shop.adjust(customer, 5)
    const { entry: reversal } = await shop.reverse(customer, adjusted.id)
    await expect(shop.reverse(customer, reversal.id)).rejects.toMatchObject({ reason: 'entry-is-reversal' })
    await expect(shop.reverse(other, collected.id)).rejects.toMatchObject({ reason: 'entry-unknown' })
    await expect(shop.reverse(customer, 'ent_none')).rejects.toMatchObject({ reason: 'entry-unknown' })
  })

  it('at once happens once', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const { entry } = await shop.adjust(customer, 100)
    await shop.adjust(customer, 500)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => shop.reverse(customer, entry.id))
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ reason: 'entry-reversed' })
    }
    expect(await shop.balance(customer)).toBe(500)
  })
})

/** A shop's store that runs the work of each transaction twice, as after a commit on a connection that broke. */
const runningTwice = (shop: Shop): LedgerDependencies => {
  const { database } = shop
  return {
    database: {
      ...{
        dialect: database.dialect,
        read: database.read.bind(database),
        write: database.write.bind(database)
      },
      ...{ deleteReplaced: () => undefined, close: () => Promise.resolve() },
      async transaction(work) {
        await database.transaction(work)
        return database.transaction(work)
      }
    },
    now: () => shop.now,
    random: systemRandomBytes
  }
}

describe('a change whose answer was lost after the commit', () => {
  const twice = (shop: Shop): Ledger => new Ledger(runningTwice(shop))

  it.each<[string, (shop: Shop, customer: string) => Promise<LedgerReceipt>, number]>([
    [
      'a collect',
      async (shop, customer) =>
        new CollectStore(runningTwice(shop)).collect({
          ...{ business: shop.business, customer, by: 'till', code: await shop.issue(40) }
        }),
      540
    ],
    [
      'a redemption',
      async (shop, customer) =>
        twice(shop).redeem({
          business: shop.business,
          customer,
          by: 'till',
          reward: await shop.offer(40, 1)
        }),
      460
    ],
    [
      'an adjustment',
      (shop, customer) =>
        twice(shop).adjust({
          business: shop.business,
          customer,
          by: 'staff',
          points: 40,
          reason: 'Goodwill'
        }),
      540
    ],
    [
      'a reversal',
      async (shop, customer) => {
        const { entry } = await shop.adjust(customer, 40)
        const request = { business: shop.business, customer, by: 'staff', entry: entry.id, reason: null }
        return twice(shop).reverse(request)
      },
      500
    ]
  ])('is made once: %s', async (_what, change, balance) => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.adjust(customer, 500)
    const receipt = await change(shop, customer)
    expect(receipt).toMatchObject({ balance, lifetimePoints: balance < 500 ? 500 : balance })
    expect((await entries(shop, customer)).at(-1)).toMatchObject(receipt.entry)
    expect(receipt.entry.id).toMatch(/^ent_/)
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('a change with the id of its form', () => {
  it('is made once, and another one with the same id beside it', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.adjust(customer, 1000)
    const form = { business: shop.business, customer, by: 'staff', request: 'form-1' }
    const adjustments = [
      { points: 300, reason: 'Goodwill' },
      { points: 300, reason: ' Goodwill ' },
      { points: 300, reason: 'Complaint' }
    ].map((change) => ({ ...form, ...change }))
    const ids: string[] = []
    for (const change of adjustments) ids.push((await shop.ledger.adjust(change)).entry.id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[0]).toMatch(/^ent_/)
    expect(await shop.balance(customer)).toBe(1600)

    const [first, second] = [await shop.offer(10, 1), await shop.offer(10, 2)]
    for (const reward of [first, first, second]) await shop.ledger.redeem({ ...form, reward })
    expect(await shop.balance(customer)).toBe(1580)

    const [one = '', , other = ''] = ids
    for (const entry of [one, one, other]) await shop.ledger.reverse({ ...form, entry, reason: null })
    expect(await shop.balance(customer)).toBe(980)
    expect((await entries(shop, customer)).filter(({ kind }) => kind === 'reversed')).toHaveLength(2)
  })
})

describe('a code that was collected meanwhile', () => {
  it('has the transaction run again', async () => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    const { entry } = await shop.collect(customer, await shop.issue(5))
    const key = (await new CustomerStore(shop.database).findKey(shop.business, 'id', customer)) ?? 0
    const owner = { business: shop.business, customer: key }
    await expect(appendEntry(shop.database, owner, { ...entry, id: 'ent_other' })).rejects.toThrow(
      ConflictError
    )
    expect(await shop.balance(customer)).toBe(5)
  })
})

describe('a customer who joins by collecting', () => {
  it('is registered with the same change, or known', async () => {
    const shop = await openShop()
    const phone = '+306940000001'
    const request = { business: shop.business, customer: phone, named: 'phone', by: 'customer' } as const
    // Each form has an id for who may join.
    for (const [balance, id] of [
      [5, 'cus_joined'],
      [10, 'cus_again']
    ] as const) {
      const joining = { id, name: 'Maria', phone, email: 'maria@example.com' }
      const code = await shop.issue(5)
      expect(await shop.collects.collect({ ...request, joining, code })).toMatchObject({ balance })
    }
    expect(await shop.customer('cus_again')).toBeNull()
    expect(await shop.customer('cus_joined')).toMatchObject({ phone, balance: 10 })
  })

  it('is registered once when the answer of the commit was lost', async () => {
    const shop = await openShop()
    const phone = '+306940000001'
    const joining = { id: 'cus_joined', name: 'Maria', phone, email: null }
    const { entry, ...receipt } = await new CollectStore(runningTwice(shop)).collect({
      ...{ business: shop.business, customer: phone, named: 'phone', by: 'customer' },
      ...{ code: await shop.issue(5), joining }
    })
    expect(receipt).toEqual({ balance: 5, lifetimePoints: 5 })
    expect(await entries(shop, 'cus_joined')).toMatchObject([{ id: entry.id, points: 5 }])
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('the ledger', () => {
  it.each(['UPDATE entries SET points = 1', 'DELETE FROM entries'])('refuses %s', async (statement) => {
    const shop = await openShop()
    const customer = await shop.register('+306940000001')
    await shop.adjust(customer, 5)
    await expect(shop.database.write(statement)).rejects.toThrow('entries never change')
    expect(await entries(shop, customer)).toMatchObject([{ points: 5 }])
  })
})

describe('verifyLedger', () => {
  it.each([
    ['UPDATE customers SET balance = balance - 1', 'balances are the sums of the entries'],
    ['UPDATE customers SET lifetime_points = lifetime_points + 1', 'balances are the sums of the entries'],
    ['UPDATE codes SET points = 99', 'collected codes have their entry'],
    ['UPDATE codes SET used_at = NULL, used_by = NULL', 'collected entries have their code'],
    ['UPDATE businesses SET customers = 7', 'customers are counted'],
    [
      `UPDATE customers SET erased_at = '2026-11-21'`,
      'erased customers have no name, phone, e-mail and birthday'
    ]
  ])('finds what %s breaks', async (statement, check) => {
    const shop = await openShop()
    await shop.collect(await shop.register('+306940000001'), await shop.issue(10))
    expect(await verifyLedger(shop.database)).toEqual([])
    await shop.database.write(statement)
    const faults = await verifyLedger(shop.database)
    expect(faults).toContainEqual({ check, records: 1, examples: [expect.any(String)] })
  })
})
