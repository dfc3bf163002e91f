import { describe, expect, it } from 'vitest'
import { DailyRun } from '../../../../electron/service/store/daily-run.ts'
import type { Database } from '../../../../electron/service/store/database.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { StandingStore } from '../../../../electron/service/store/standing.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, Shop } from './shop.ts'

const expiry = (months: number, since: 'earned' | 'visit' = 'earned') => ({
  expiry: { months, since, onSlips: false }
})

/** Sets the shop's clock. */
const setClock = (shop: Shop, day: string): void => {
  shop.now = new Date(`${day}T10:00:00.000Z`)
}

/** Runs at some days, one after the other. */
const runOn = async (shop: Shop, ...days: readonly string[]): Promise<void> => {
  for (const day of days) {
    setClock(shop, day)
    await shop.runDaily()
  }
}

/** The entries of a kind, with whose they are. */
const entriesOf = async (shop: Shop, customer: string, kind: string) => {
  const exported = await shop.identities.export(shop.business, customer)
  return exported?.entries.filter((entry) => entry.kind === kind) ?? []
}

const ending = async (shop: Shop, customer: string) =>
  (await new StandingStore(shop.database, () => shop.now).find(shop.business, customer))?.ending

/** A shop whose points end after a month, and a customer who got 100 on 5 January 2027. */
const openEnding = async () => {
  const shop = await openShop()
  await runOn(shop, '2027-01-01')
  await shop.saveRules(expiry(1))
  setClock(shop, '2027-01-05')
  const customer = await shop.register('+306940000001')
  const credit = (await shop.credit(customer, 100)).entry.id
  return { shop, customer, credit }
}

describe('points', () => {
  it('end a day after their last day, once, with an entry that names their lot', async () => {
    const { shop, customer, credit } = await openEnding()
    await runOn(shop, '2027-01-31')
    expect(await ending(shop, customer)).toEqual({ points: 100, lastDay: '2027-02-05' })
    await runOn(shop, '2027-02-05', '2027-02-06')
    expect(await shop.balance(customer)).toBe(100)
    await runOn(shop, '2027-02-07')
    await runOn(shop, '2027-02-07', '2027-02-08', '2027-02-09')
    expect(await shop.customer(customer)).toMatchObject({ balance: 0, lifetimePoints: 100 })
    expect(await entriesOf(shop, customer, 'expired')).toMatchObject([
      { points: -100, lifetimePoints: 0, by: 'service', lot: credit, at: '2027-02-07T10:00:00.000Z' }
    ])
    expect(await ending(shop, customer)).toBeNull()
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('that were earned before a rule do not end, nor do those of another rule by the new one', async () => {
    const { shop, customer } = await openEnding()
    const early = await shop.register('+306940000002')
    await shop.saveRules({})
    await shop.credit(early, 10)
    await shop.saveRules(expiry(2))
    await shop.credit(early, 20)
    await runOn(shop, '2027-02-09', '2027-02-10')
    expect([await shop.balance(customer), await shop.balance(early)]).toEqual([0, 30])
    await runOn(shop, '2027-03-06', '2027-03-07')
    expect(await shop.balance(early)).toBe(10)
    expect(await ending(shop, early)).toBeNull()
  })

  it('are not taken by a clock that is ahead, nor by one that is set back', async () => {
    const { shop, customer } = await openEnding()
    await runOn(shop, '2027-01-06', '2029-01-01', '2027-01-07', '2029-01-02', '2027-01-08', '2026-01-08')
    expect(await shop.balance(customer)).toBe(100)
    // What is earned while the clock is right again ends, too, though a run with the other one was later.
    await runOn(shop, '2029-01-01', '2029-01-02', '2027-01-09')
    expect(await shop.balance(customer)).toBe(0)
    await shop.credit(customer, 50)
    await runOn(shop, '2027-01-10', '2027-02-10', '2027-02-11')
    expect(await shop.balance(customer)).toBe(0)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('end a day later by a service that was off for a month', async () => {
    const { shop, customer } = await openEnding()
    await runOn(shop, '2027-02-01', '2027-03-10')
    expect(await shop.balance(customer)).toBe(100)
    await runOn(shop, '2027-03-11')
    expect(await shop.balance(customer)).toBe(0)
  })

  it('end after the last visit, at another till or by a merged customer, too', async () => {
    const shop = await openShop()
    await runOn(shop, '2027-01-01')
    await shop.saveRules(expiry(2, 'visit'))
    setClock(shop, '2027-01-31')
    const [customer, merged] = [await shop.register('+306940000001'), await shop.register('+306940000002')]
    await shop.credit(customer, 100)
    await shop.credit(merged, 11)
    await shop.identities.merge(shop.business, customer, merged)
    setClock(shop, '2027-02-28')
    await shop.redeem(customer, await shop.offer(1, 1))
    expect(await ending(shop, customer)).toEqual({ points: 110, lastDay: '2027-04-28' })
    await runOn(shop, '2027-04-10', '2027-04-28', '2027-04-29')
    expect(await shop.balance(customer)).toBe(110)
    await runOn(shop, '2027-04-30')
    expect(await shop.balance(customer)).toBe(0)
    expect((await entriesOf(shop, customer, 'expired')).map(({ points }) => points)).toEqual([-99, -11])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('that were spent before a merge were those of the customer who spent them', async () => {
    const { shop, customer } = await openEnding()
    await shop.saveRules(expiry(2))
    const merged = await shop.register('+306940000002')
    await shop.credit(merged, 40)
    await shop.redeem(merged, await shop.offer(30, 1))
    await shop.identities.merge(shop.business, customer, merged)
    // Together from now on: the first ones of both are spent.
    await shop.redeem(customer, await shop.offer(1, 2))
    await runOn(shop, '2027-02-09', '2027-02-10')
    expect(await shop.balance(customer)).toBe(10)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('of customers who are erased stay as they are', async () => {
    const { shop, customer } = await openEnding()
    await shop.identities.erase(shop.business, customer)
    await runOn(shop, '2027-02-09', '2027-02-10')
    expect(await shop.database.read(`SELECT id FROM entries WHERE kind = 'expired'`)).toEqual([])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('that have expired are not taken again with the goods, and cannot be reversed', async () => {
    const { shop, customer, credit } = await openEnding()
    const redeemed = await shop.redeem(customer, await shop.offer(30, 1))
    await runOn(shop, '2027-02-09', '2027-02-10')
    await expect(shop.reverse(customer, credit)).rejects.toMatchObject({ reason: 'points-expired' })
    const take = (part: Parameters<Shop['giveBack']>[1], key: string) =>
      shop.giveBack({ by: 'credit', name: credit }, part, key)
    await expect(take({ points: 31 }, 'too many')).rejects.toMatchObject({
      ...{ reason: 'return-too-much', details: { remaining: 30 } }
    })
    const fifth = { amount: { returned: '1', total: '5' } }
    expect(await take(fifth, 'one')).toMatchObject({ points: 20, remaining: 10, balance: -20 })
    expect(await take(fifth, 'two')).toMatchObject({ points: 10, remaining: 0, balance: -30 })
    await expect(take(fifth, 'three')).rejects.toMatchObject({ reason: 'purchase-returned' })
    // Given back, and owed.
    await shop.reverse(customer, redeemed.entry.id)
    expect(await shop.balance(customer)).toBe(0)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('that are given back after their last day are new ones', async () => {
    const { shop, customer } = await openEnding()
    const { entry } = await shop.redeem(customer, await shop.offer(30, 1))
    await runOn(shop, '2027-02-09', '2027-02-10')
    expect(await shop.balance(customer)).toBe(0)
    await shop.reverse(customer, entry.id)
    expect(await ending(shop, customer)).toEqual({ points: 30, lastDay: '2027-03-10' })
    await runOn(shop, '2027-03-10', '2027-03-11')
    expect(await shop.balance(customer)).toBe(30)
    await runOn(shop, '2027-03-12')
    expect(await shop.balance(customer)).toBe(0)
    const expired = await entriesOf(shop, customer, 'expired')
    expect(expired.map(({ points }) => points)).toEqual([-70, -30])
    expect(await verifyLedger(shop.database)).toEqual([])
  })
})

describe('the run', () => {
  it('does all of more customers than are read at a time', async () => {
    const { shop, customer } = await openEnding()
    await shop.saveRules({ ...expiry(1), birthdayPoints: 25 })
    await shop.database.write(
      `WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 600)
       INSERT INTO customers (customer, business, id, name, phone, search_text, balance, lifetime_points, created_at, birthday)
       SELECT customer + 1000 + number, business, 'cus_' || number, '', '+3069' || number, '', 7, 7, created_at, '02-07'
       FROM customers JOIN numbers ON id = $1`,
      [customer]
    )
    await shop.database
      .write(`INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, reason, expiry)
      SELECT 'ent_' || customer, business, customer, 'adjusted', 7, 7, created_at, 'test', 'x', 'earned 1'
      FROM customers WHERE birthday IS NOT NULL`)
    await runOn(shop, '2027-02-06', '2027-02-07')
    const kinds = 'SELECT kind, CAST(count(*) AS BIGINT) AS number FROM entries GROUP BY kind ORDER BY kind'
    expect(await shop.database.read(kinds)).toEqual([
      { kind: 'adjusted', number: 600 },
      { kind: 'birthday', number: 600 },
      { kind: 'credited', number: 1 },
      { kind: 'expired', number: 601 }
    ])
    expect(await shop.database.read('SELECT id FROM customers WHERE balance = 25')).toHaveLength(600)
  })

  /** Many customers whose points end on one day. */
  const openMany = async (count: number) => {
    const { shop } = await openEnding()
    const customers = Array.from(
      { length: count },
      (_, index) => `+30694100${String(index).padStart(4, '0')}`
    )
    const ids = await Promise.all(customers.map((phone) => shop.register(phone)))
    await Promise.all(ids.map((id) => shop.credit(id, 7)))
    await runOn(shop, '2027-02-06')
    setClock(shop, '2027-02-07')
    const open = () => shop.database.read(`SELECT id FROM customers WHERE balance > 0 AND erased_at IS NULL`)
    return { shop, open, count: count + 1 }
  }
  const runOf = (shop: Shop, database: Database = shop.database) =>
    new DailyRun({ database, now: () => shop.now })

  it('ends in the middle when it is closed, and the next one goes on', async () => {
    const { shop, open, count } = await openMany(300)
    const run = runOf(shop)
    let transactions = 0
    const closing = runOf(shop, {
      ...{ dialect: shop.database.dialect, deleteReplaced: () => undefined, close: () => Promise.resolve() },
      read: (...statement) => shop.database.read(...statement),
      write: (...statement) => shop.database.write(...statement),
      transaction: (work) => {
        transactions += 1
        closing.close()
        return shop.database.transaction(work)
      }
    })
    await closing.run()
    expect(transactions).toBe(1)
    const left = (await open()).length
    expect(left).toBeLessThan(count)
    await run.run()
    expect(await open()).toEqual([])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('has its own day, also where the clock is set back meanwhile', async () => {
    const { shop, customer } = await openEnding()
    await runOn(shop, '2027-02-06')
    const clock = ['2027-02-07T10:00:00.000Z']
    const { database } = shop
    await new DailyRun({ database, now: () => new Date(clock.shift() ?? '2027-02-01T00:00:00.000Z') }).run()
    expect(await entriesOf(shop, customer, 'expired')).toMatchObject([{ at: '2027-02-07T10:00:00.000Z' }])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('is done by two processes at once as by one, and by a transaction that runs twice', async () => {
    const { shop, open, count } = await openMany(200)
    const twice: Database = {
      ...{ dialect: shop.database.dialect, deleteReplaced: () => undefined, close: () => Promise.resolve() },
      read: (...statement) => shop.database.read(...statement),
      write: (...statement) => shop.database.write(...statement),
      transaction: async (work) => {
        await shop.database.transaction(work)
        return shop.database.transaction(work)
      }
    }
    await Promise.all([runOf(shop).run(), runOf(shop).run(), runOf(shop, twice).run()])
    expect(await open()).toEqual([])
    const expired = await shop.database.read(`SELECT id FROM entries WHERE kind = 'expired'`)
    expect(expired).toHaveLength(count)
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it.each<[string, (shop: Shop, id: string) => Promise<unknown>, readonly number[]]>([
    ['corrects points twice', (shop, id) => shop.adjust(id, 5).then(() => shop.adjust(id, -5)), [-95, -7]],
    ['spends', async (shop, id) => shop.redeem(id, await shop.offer(30, 1)), [-70, -7]],
    ['is erased', (shop, id) => shop.identities.erase(shop.business, id), []],
    [
      'is merged into another',
      async (shop, id) => shop.identities.merge(shop.business, await shop.register('+306940000009'), id),
      [-100, -7]
    ],
    [
      'takes over one who owes',
      async (shop, id) => {
        const other = await shop.register('+306940000009')
        const { entry } = await shop.credit(other, 40)
        await shop.redeem(other, await shop.offer(40, 1))
        await shop.giveBack({ by: 'credit', name: entry.id }, { rest: true }, 'a return')
        await shop.identities.merge(shop.business, id, other)
      },
      [-60, -7]
    ]
  ])('sees what a customer does between its reading and its writing: %s', async (_, change, points) => {
    const { shop, customer } = await openEnding()
    await shop.credit(customer, 7)
    await runOn(shop, '2027-02-06')
    setClock(shop, '2027-02-07')
    let isChanged = false
    const changing: Database = {
      ...{ dialect: shop.database.dialect, deleteReplaced: () => undefined, close: () => Promise.resolve() },
      read: (...statement) => shop.database.read(...statement),
      write: (...statement) => shop.database.write(...statement),
      transaction: async (work) => {
        if (!isChanged) await change(shop, customer)
        isChanged = true
        return shop.database.transaction(work)
      }
    }
    await runOf(shop, changing).run()
    const expired = await shop.database.read(
      `SELECT points FROM entries WHERE kind = 'expired' ORDER BY entry`
    )
    expect(expired).toEqual(points.map((each) => ({ points: each })))
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('ends hundreds of lots of one customer, and of others beside it', async () => {
    const { shop, customer } = await openEnding()
    const other = await shop.register('+306940000002')
    for (let lot = 0; lot < 250; lot += 1) await shop.credit(customer, 1)
    await shop.credit(other, 5)
    await runOn(shop, '2027-02-06', '2027-02-07')
    expect(await entriesOf(shop, customer, 'expired')).toHaveLength(251)
    expect([await shop.balance(customer), await shop.balance(other)]).toEqual([0, 0])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('meets what customers do meanwhile', async () => {
    const { shop, open } = await openMany(100)
    const reward = await shop.offer(3, 2)
    const customers = (await open()).map((row) => (row as { readonly id: string }).id)
    const changes = customers.flatMap((id, index) => [
      shop.redeem(id, reward).catch(() => null),
      index % 2 === 0 ? shop.credit(id, 5) : shop.adjust(id, -2).catch(() => null)
    ])
    await Promise.all([runOf(shop).run(), ...changes])
    expect(await verifyLedger(shop.database)).toEqual([])
    const balances = await Promise.all(customers.map((id) => shop.balance(id)))
    for (const [index, balance] of balances.entries())
      expect(balance).toBeLessThanOrEqual(index % 2 === 0 ? 5 : 0)
  })
})

describe('birthdays', () => {
  const openBirthdays = async (...birthdays: readonly string[]) => {
    const shop = await openShop()
    await shop.saveRules({ birthdayPoints: 25 })
    const customers: string[] = []
    for (const [index, birthday] of birthdays.entries()) {
      const id = await shop.register(`+30694000000${String(index)}`)
      await shop.database.write('UPDATE customers SET birthday = $2 WHERE id = $1', [id, birthday])
      customers.push(id)
    }
    const balances = () => Promise.all(customers.map((id) => shop.balance(id)))
    return { shop, customers, balances }
  }

  it('bring points once a year, also on days without a run', async () => {
    const { shop, balances, customers } = await openBirthdays('01-10', '01-12', '01-13', '01-14')
    await runOn(shop, '2027-01-10', '2027-01-13')
    expect(await balances()).toEqual([0, 25, 25, 0])
    await runOn(shop, '2027-01-14', '2027-01-15', '2027-12-31')
    expect(await balances()).toEqual([0, 25, 25, 25])
    await runOn(shop, '2028-01-20')
    expect(await balances()).toEqual([25, 50, 50, 50])
    expect(await entriesOf(shop, customers[1] ?? '', 'birthday')).toMatchObject([
      { points: 25, lifetimePoints: 25, by: 'service' },
      { points: 25 }
    ])
    expect(await verifyLedger(shop.database)).toEqual([])
  })

  it('of 29 February are on 28 February in other years', async () => {
    const { shop, balances } = await openBirthdays('02-28', '02-29')
    await runOn(shop, '2028-02-27', '2028-02-28')
    expect(await balances()).toEqual([25, 0])
    await runOn(shop, '2028-02-29', '2029-02-27')
    expect(await balances()).toEqual([25, 25])
    await runOn(shop, '2029-02-28')
    expect(await balances()).toEqual([50, 50])
  })

  it('are made up for within a month, and bring nothing twice to who corrects the day', async () => {
    const { shop, balances, customers } = await openBirthdays('01-10', '01-10')
    await runOn(shop, '2027-01-01', '2027-02-02')
    expect(await balances()).toEqual([0, 0])
    await runOn(shop, '2028-01-01', '2028-02-01')
    expect(await balances()).toEqual([25, 25])
    await shop.database.write(`UPDATE customers SET birthday = '01-12'`)
    await shop.identities.erase(shop.business, customers[0] ?? '')
    await runOn(shop, '2028-02-02', '2028-12-20')
    expect(await shop.balance(customers[1] ?? '')).toBe(25)
    expect(await shop.database.read(`SELECT id FROM entries WHERE kind = 'birthday'`)).toHaveLength(2)
  })

  it('bring nothing twice to who is merged, or moves the day over the end of a year', async () => {
    const { shop, balances, customers } = await openBirthdays('01-10', '01-12', '12-31')
    const [merged = '', kept = '', moved = ''] = customers
    await runOn(shop, '2027-01-09', '2027-01-10')
    await shop.identities.merge(shop.business, kept, merged)
    await runOn(shop, '2027-01-12', '2027-12-31')
    await shop.database.write(`UPDATE customers SET birthday = '01-02' WHERE id = $1`, [moved])
    await runOn(shop, '2028-01-02')
    expect((await balances()).slice(1)).toEqual([25, 25])
  })

  it('bring nothing in another shop, or in one that has switched its rules off', async () => {
    const { shop, balances } = await openBirthdays('01-10')
    const other = await Shop.addTo(shop.database)
    const theirs = await other.register('+306940000000')
    await shop.database.write(`UPDATE customers SET birthday = '01-10'`)
    await runOn(shop, '2027-01-09', '2027-01-10')
    expect([await balances(), await other.balance(theirs)]).toEqual([[25], 0])
    const change = { rules: null, request: 'off', at: shop.now.toISOString(), by: 'test' }
    await new RulesStore(shop.database).save(shop.business, change)
    await runOn(shop, '2028-01-10')
    expect(await balances()).toEqual([25])
  })

  it('bring points that end by the rule of the day', async () => {
    const { shop, customers } = await openBirthdays('05-05')
    await shop.saveRules({ birthdayPoints: 25, ...expiry(1) })
    await runOn(shop, '2027-05-04', '2027-05-05')
    expect(await ending(shop, customers[0] ?? '')).toEqual({ points: 25, lastDay: '2027-06-05' })
  })
})

describe('verifyLedger', () => {
  /** Writes an entry that expires points of a lot, as a fault of the program would. */
  const expire = (shop: Shop, customer: string, points: number, lot: string) =>
    shop.database.transaction(async (queries) => {
      const owner = 'SELECT customer FROM customers WHERE id = $1'
      await queries.write(
        `INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by, lot)
         SELECT 'ent_wrong', business, customer, 'expired', CAST($2 AS BIGINT), 0, CAST($3 AS TEXT), 'service', CAST($4 AS TEXT)
         FROM customers WHERE id = $1`,
        [customer, -points, shop.now.toISOString(), lot]
      )
      await queries.write(`UPDATE customers SET balance = balance - $2 WHERE customer = (${owner})`, [
        customer,
        points
      ])
    })
  const faultsOf = async (shop: Shop) => (await verifyLedger(shop.database)).map(({ check }) => check)
  const BROUGHT = 'points that have expired were brought by their lot'
  const LOTS = 'lots are what is left of the balance, and ended after their last day'

  it('finds points that expired early, and more than a lot brought, or of another customer', async () => {
    const { shop, customer, credit } = await openEnding()
    await expire(shop, customer, 40, credit)
    expect(await faultsOf(shop)).toEqual([LOTS])
    const second = await openEnding()
    await second.shop.adjust(second.customer, 50)
    setClock(second.shop, '2028-01-01')
    await expire(second.shop, second.customer, 120, second.credit)
    expect(await faultsOf(second.shop)).toEqual([BROUGHT])
    const third = await openEnding()
    const other = await third.shop.register('+306940000002')
    await third.shop.credit(other, 50)
    setClock(third.shop, '2028-01-01')
    await expire(third.shop, other, 20, third.credit)
    expect(await faultsOf(third.shop)).toEqual([BROUGHT, LOTS])
  })

  it('finds a lot that is not in the balance', async () => {
    const { shop } = await openEnding()
    await shop.database.write('UPDATE customers SET balance = balance - 1')
    expect(await faultsOf(shop)).toEqual(['balances are the sums of the entries', LOTS])
  })
})
