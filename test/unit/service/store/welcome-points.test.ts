/** Welcome points: with a customer's first purchase, once, whatever happens to it and to the customer. */
import { expect, it } from 'vitest'
import { FIRST_RULES } from '../../../../electron/contract/earning-rules.ts'
import { newIdentifier, systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { BusinessStore } from '../../../../electron/service/store/businesses.ts'
import { CreditStore } from '../../../../electron/service/store/credits.ts'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { StandingStore } from '../../../../electron/service/store/standing.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop, Shop } from './shop.ts'

const PHONE = '+306901234567'

/** A shop that welcomes with 50 points, and what its tills and customers do there. */
const openWelcome = async (welcomePoints = 50, opened?: Shop) => {
  const shop = opened ?? (await openShop())
  const { database, business } = shop
  const at = shop.now.toISOString()
  const setWelcome = (points: number, request = String(points)) =>
    new RulesStore(database).save(business, {
      ...{ rules: { ...FIRST_RULES, welcomePoints: points }, request, at, by: 'test' }
    })
  await setWelcome(welcomePoints)
  const till = newIdentifier('till', systemRandomBytes)
  await new TillStore(database).add({ id: till, business, name: 'Till', createdAt: at }, till)
  const credits = new CreditStore({ database, now: () => shop.now, random: systemRandomBytes })
  const stored = () => new BusinessStore(database).get(business)
  const credit = async (customer: string, points: number, idempotencyKey: string) =>
    credits.credit({
      ...{ business: await stored(), by: `till:${till}`, till, idempotencyKey, customer, points },
      ...{ isApproved: false, sale: { reference: null, cashier: null } }
    })
  const ids = (): string => newIdentifier('cus', systemRandomBytes)
  /** As the page of a code does, for a phone that may be unknown. */
  const collect = async (points: number, phone = PHONE, code?: string) => {
    const joining = { id: ids(), name: '', phone, email: null }
    return shop.collects.collect({
      ...{ business, customer: phone, named: 'phone', joining, by: 'customer' },
      ...{ code: code ?? (await shop.issue(points)), welcomePoints: (await stored()).welcomePoints }
    })
  }
  const find = async (phone = PHONE) => new CustomerStore(database).find(business, 'phone', phone)
  const kinds = async (phone = PHONE) => {
    const kept = await shop.identities.export(business, (await find(phone))?.id ?? '')
    return kept?.entries.map(({ kind, points }) => `${kind} ${String(points)}`)
  }
  return { shop, setWelcome, credit, collect, find, kinds, verify: () => verifyLedger(database) }
}

it('come with the first code of a phone that joins and of one that is known, and with no later one', async () => {
  const { shop, collect, kinds, verify, find } = await openWelcome()
  await shop.register('+306900000002')
  for (const phone of [PHONE, '+306900000002']) {
    expect(await collect(10, phone)).toMatchObject({
      ...{ entry: { kind: 'collected', points: 10 }, balance: 60, lifetimePoints: 60, welcomed: 50 }
    })
    expect(await collect(5, phone)).not.toHaveProperty('welcomed')
    expect(await kinds(phone)).toEqual(['collected 10', 'welcomed 50', 'collected 5'])
    expect(await find(phone)).toMatchObject({ balance: 65, lifetimePoints: 65 })
  }
  expect(await verify()).toEqual([])
})

it('come with the first credit, whose answer has them, and once for all credits and codes', async () => {
  const { shop, credit, collect, kinds, verify } = await openWelcome()
  const customer = await shop.register(PHONE)
  await shop.adjust(customer, 7)
  const first = await credit(customer, 20, 'the-first-key')
  expect(first).toMatchObject({ points: 20, balanceBefore: 7, balance: 77 })
  // The answer was lost.
  expect(await credit(customer, 20, 'the-first-key')).toEqual(first)
  expect(await credit(customer, 20, 'another-key')).toMatchObject({ balanceBefore: 77, balance: 97 })
  expect(await collect(1)).toMatchObject({ balance: 98 })
  expect(await kinds()).toEqual(['adjusted 7', 'credited 20', 'welcomed 50', 'credited 20', 'collected 1'])
  expect(await verify()).toEqual([])
})

it('come once for purchases at once, and for a code that is collected twice', async () => {
  const { shop, collect, credit, kinds, verify } = await openWelcome()
  const customer = await shop.register(PHONE)
  const code = await shop.issue(3)
  await Promise.all([
    ...[1, 2].map((points) => collect(points)),
    ...[collect(3, PHONE, code), collect(3, PHONE, code)],
    ...[4, 5].map((points) => credit(customer, points, `the-key-of-${String(points)}`))
  ])
  expect(await shop.balance(customer)).toBe(1 + 2 + 3 + 4 + 5 + 50)
  expect((await kinds())?.filter((kind) => kind === 'welcomed 50')).toHaveLength(1)
  expect(await verify()).toEqual([])
})

it('come once for two codes that are collected at once, by a phone that joins and by one that is known', async () => {
  const { shop, collect, kinds, verify } = await openWelcome()
  await shop.register('+306900000002')
  for (const phone of [PHONE, '+306900000002']) {
    await Promise.all([collect(1, phone), collect(2, phone)])
    expect((await kinds(phone))?.toSorted()).toEqual(['collected 1', 'collected 2', 'welcomed 50'])
  }
  expect(await verify()).toEqual([])
})

it('stay when the first purchase is taken back or returned, and come with no other one then', async () => {
  const { shop, collect, credit, find, kinds } = await openWelcome()
  const { entry } = await collect(10)
  const id = (await find())?.id ?? ''
  await shop.reverse(id, entry.id)
  expect(await shop.balance(id)).toBe(50)
  const other = await shop.register('+306900000002')
  const credited = await credit(other, 20, 'the-first-key')
  await shop.giveBack({ by: 'credit', name: credited.id }, { points: 20 }, 'a-return-of-all')
  expect(await shop.balance(other)).toBe(50)
  await collect(1)
  await collect(1, '+306900000002')
  expect(await kinds()).toEqual(['collected 10', 'welcomed 50', 'reversed -10', 'collected 1'])
  expect(await shop.balance(other)).toBe(51)
})

it('come to no customer who was there before: with a purchase, imported, or merged with such a one', async () => {
  const { shop, setWelcome, collect, kinds } = await openWelcome(0)
  await collect(10, '+306900000001')
  const merged = await shop.register('+306900000002')
  const kept = await shop.register('+306900000003')
  await shop.credit(merged, 10)
  await shop.identities.merge(shop.business, kept, merged)
  const imported = (number: number) => ({
    ...{
      id: `cus_imported${String(number)}`,
      name: 'Anna',
      phone: `+30690000000${String(number)}`,
      email: null
    },
    ...{ balance: 0, lifetimePoints: 0 }
  })
  await shop.database.transaction((queries) =>
    new CustomerStore(queries).addImported(shop.business, [imported(4), imported(5)], shop.now.toISOString())
  )
  await shop.identities.merge(shop.business, await shop.register('+306900000006'), 'cus_imported5')
  await setWelcome(50)
  for (const number of [1, 2, 3, 4, 5, 6]) await collect(1, `+30690000000${String(number)}`)
  for (const number of [1, 3, 4, 6])
    expect(await kinds(`+30690000000${String(number)}`)).not.toContain('welcomed 50')
})

it('come to who has had points on a birthday, and not when the rules are off', async () => {
  const { shop, collect, kinds } = await openWelcome()
  await shop.runDaily()
  await shop.saveRules({ welcomePoints: 50, birthdayPoints: 5 })
  await shop.register(PHONE)
  await shop.database.write("UPDATE customers SET birthday = '11-22'")
  shop.now = new Date('2026-11-22T10:00:00.000Z')
  await shop.runDaily()
  await collect(10)
  expect(await kinds()).toEqual(['birthday 5', 'collected 10', 'welcomed 50'])
  const change = { rules: null, request: 'off', at: shop.now.toISOString(), by: 'test' }
  await new RulesStore(shop.database).save(shop.business, change)
  await collect(10, '+306900000002')
  expect(await kinds('+306900000002')).toEqual(['collected 10'])
})

it('come again to nobody who deletes the account and joins with the same phone, also after a restore', async () => {
  const { shop, collect, find, kinds } = await openWelcome()
  const erase = async (phone: string) => shop.identities.erase(shop.business, (await find(phone))?.id ?? '')
  await collect(10)
  await erase(PHONE)
  // Of a restored backup, with a salt of its own.
  await shop.database.write(
    "INSERT INTO erased_phones (business, salt, hash) VALUES ($1, '0', 'x'), ($1, 'g', 'y')",
    [shop.business]
  )
  await shop.register('+306900000002')
  await erase('+306900000002')
  for (const phone of [PHONE, '+306900000002']) {
    await collect(10, phone)
    expect(await kinds(phone)).toEqual(['collected 10'])
  }
  await collect(10, '+306900000003')
  expect(await kinds('+306900000003')).toEqual(['collected 10', 'welcomed 50'])
  const other = await openWelcome(50, await Shop.addTo(shop.database))
  await other.collect(10)
  expect(await other.kinds()).toEqual(['collected 10', 'welcomed 50'])
})

it('come with neither rules nor points', async () => {
  const { collect, kinds } = await openWelcome(0)
  await collect(10)
  expect(await kinds()).toEqual(['collected 10'])
})

it('are of the shop of the purchase, count for no level, and end by its rule', async () => {
  const first = await openWelcome(50)
  const { shop, find } = first
  const other = await openWelcome(0, await Shop.addTo(shop.database))
  await first.collect(10)
  await other.collect(10)
  expect(await other.kinds()).toEqual(['collected 10'])
  const rules = {
    ...{ ...FIRST_RULES, welcomePoints: 50, levels: [{ name: 'Gold', from: 11, factor: '2' }] },
    expiry: { months: 6, since: 'earned', onSlips: false } as const
  }
  await new RulesStore(shop.database).save(shop.business, {
    ...{ rules, request: 'levels', at: shop.now.toISOString(), by: 'test' }
  })
  await first.collect(10, '+306900000002')
  const standing = await new StandingStore(shop.database, () => shop.now).find(
    shop.business,
    (await find('+306900000002'))?.id ?? ''
  )
  expect(standing).toMatchObject({ level: null, next: { name: 'Gold', missing: 1 } })
  expect(
    await shop.database.read("SELECT points, expiry FROM entries WHERE kind = 'welcomed' ORDER BY entry")
  ).toEqual([
    { points: 50, expiry: null },
    { points: 50, expiry: 'earned 6' }
  ])
})
