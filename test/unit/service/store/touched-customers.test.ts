/** Whom other rules touch: counted in parts, as each customer's own standing says it. */
import { expect, it } from 'vitest'
import { FIRST_RULES, type EarningRules } from '../../../../electron/contract/earning-rules.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { StandingStore, twelveMonthsBefore } from '../../../../electron/service/store/standing.ts'
import { countTouched } from '../../../../electron/service/store/touched-customers.ts'
import { seededRandom } from '../../../support/seeded-random.ts'
import { openShop, Shop } from './shop.ts'

const NOW = new Date('2026-11-21T10:00:00.000Z')
const DAY_MS = 24 * 60 * 60_000

const withLevels = (...levels: EarningRules['levels']): EarningRules => ({ ...FIRST_RULES, levels })
const BEFORE = withLevels(
  { name: 'Silver', from: 100, factor: '1.25' },
  { name: 'Gold', from: 300, factor: '1.5' },
  { name: 'Platinum', from: 600, factor: '3' }
)
const AFTER = withLevels(
  { name: 'Silver', from: 150, factor: '1.25' },
  { name: 'Platinum', from: 500, factor: '2' }
)

/** More customers than are read at a time, with entries of each kind within twelve months and before, and some merged. */
const fill = async (shop: Shop, count: number): Promise<readonly string[]> => {
  const random = seededRandom(51)
  const customers: string[] = []
  for (let index = 0; index < count; index += 1) {
    shop.now = NOW
    const customer = await shop.register(`+3069${String(10_000_000 + index)}`)
    for (let entry = Math.floor(random() * 4); entry > 0; entry -= 1) {
      shop.now = new Date(NOW.getTime() - Math.floor(random() * 500) * DAY_MS)
      const { entry: credited } = await shop.credit(customer, 1 + Math.floor(random() * 400))
      if (random() < 0.1) await shop.reverse(customer, credited.id)
      if (random() < 0.1) await shop.adjust(customer, 50)
    }
    const other = customers.at(-1)
    if (random() < 0.1 && other !== undefined) await shop.identities.merge(shop.business, other, customer)
    else customers.push(customer)
  }
  shop.now = NOW
  return customers
}

it('counts a return as long as its purchase, for the level of a customer and for whom rules touch', async () => {
  const shop = await openShop()
  await shop.saveRules(BEFORE)
  const [credited, collected] = [await shop.register('+306910000001'), await shop.register('+306910000002')]
  const standings = new StandingStore(shop.database, () => shop.now)
  const standing = async (customer: string) => {
    const found = await standings.find(shop.business, customer)
    return [found?.level?.name ?? null, found?.next?.missing]
  }
  shop.now = new Date('2025-11-10T10:00:00.000Z')
  await shop.credit(credited, 400, 'R-1')
  const code = await shop.issue(400)
  await shop.collect(collected, code)
  shop.now = new Date('2025-12-24T10:00:00.000Z')
  await shop.giveBack({ by: 'reference', name: 'R-1' }, { rest: true }, 'one')
  await shop.giveBack({ by: 'code', name: code }, { points: 350 }, 'two')
  for (const customer of [credited, collected]) await shop.credit(customer, 120)
  shop.now = new Date('2026-11-09T10:00:00.000Z')
  expect(await standing(credited)).toEqual(['Silver', 180])
  expect(await standing(collected)).toEqual(['Silver', 130])
  // The purchases are older than twelve months now, their returns are not.
  shop.now = new Date('2026-11-11T10:00:00.000Z')
  for (const customer of [credited, collected]) expect(await standing(customer)).toEqual(['Silver', 180])
  const { levels } = await countTouched(shop.database, shop.business, BEFORE, AFTER, shop.now)
  expect(levels).toEqual([{ from: 'Silver', to: null, customers: 2 }])
})

it('counts customers as the standing of each one has it, in a shop of more than are read at a time', async () => {
  const shop = await openShop()
  const other = await Shop.addTo(shop.database)
  await other.credit(await other.register('+306910000000'), 1000)
  const customers = await fill(shop, 460)
  const standings = new StandingStore(shop.database, () => NOW)
  const levelsUnder = async (rules: EarningRules, request: string): Promise<readonly (string | null)[]> => {
    const change = { rules, request, at: NOW.toISOString(), by: 'test' }
    await new RulesStore(shop.database).save(shop.business, change)
    const levels: (string | null)[] = []
    for (const customer of customers)
      levels.push((await standings.find(shop.business, customer))?.level?.name ?? null)
    return levels
  }
  const [before, after] = [await levelsUnder(BEFORE, 'one'), await levelsUnder(AFTER, 'two')]
  const count = (from: string, to: string | null): number =>
    before.filter((level, index) => level === from && after[index] === to).length
  const expected = [
    ['Platinum', 'Platinum'],
    ['Gold', 'Silver'],
    ['Silver', null]
  ] as const
  const { levels, withPoints } = await countTouched(shop.database, shop.business, BEFORE, AFTER, NOW)
  // Who has Platinum in place of Gold loses nothing: it still earns more.
  expect(count('Gold', 'Platinum')).toBeGreaterThan(0)
  expect(levels).toEqual(expected.map(([from, to]) => ({ from, to, customers: count(from, to) })))
  for (const [from, to] of expected) expect(count(from, to)).toBeGreaterThan(0)
  expect(withPoints).toBeNull()
  const balances = await Promise.all(customers.map((customer) => shop.balance(customer)))
  const off = await countTouched(shop.database, shop.business, BEFORE, null, NOW)
  expect(off.withPoints).toBe(balances.filter((balance) => (balance ?? 0) > 0).length)
})

it('counts what was earned in twelve months to the point and the moment, of whom is neither merged nor erased', async () => {
  const shop = await openShop()
  shop.now = NOW
  let phones = 0
  const add = () => shop.register(`+3069${String(20_000_000 + (phones += 1))}`)
  const earn = async (points: number, at = NOW): Promise<string> => {
    const customer = await add()
    shop.now = at
    await shop.credit(customer, points)
    shop.now = NOW
    return customer
  }
  const before = withLevels(
    { name: 'Silver', from: 100, factor: '1.5' },
    { name: 'Gold', from: 300, factor: '2' }
  )
  // Gold earns as before, under another name.
  const after = withLevels(
    { name: 'Silver', from: 110, factor: '1.5' },
    { name: 'Top', from: 300, factor: '2' }
  )
  const touched = () => countTouched(shop.database, shop.business, before, after, NOW)
  const silver = (customers: number) => ({ from: 'Silver', to: null, customers })
  for (const points of [99, 100, 109, 110, 299]) await earn(points)
  expect((await touched()).levels).toEqual([silver(2)])
  await earn(300)
  const top = { from: 'Gold', to: 'Top', customers: 1 }
  expect((await touched()).levels).toEqual([top, silver(2)])
  const yearAgo = twelveMonthsBefore(NOW)
  expect(yearAgo).toBe('2025-11-21T10:00:00.000Z')
  await earn(105, new Date(yearAgo))
  expect((await touched()).levels).toEqual([top, silver(2)])
  await earn(105, new Date(Date.parse(yearAgo) + 1))
  expect((await touched()).levels).toEqual([top, silver(3)])
  const erased = await earn(105)
  expect((await touched()).levels).toEqual([top, silver(4)])
  await shop.identities.erase(shop.business, erased)
  expect((await touched()).levels).toEqual([top, silver(3)])
  const merged = await earn(105)
  await shop.identities.merge(shop.business, await add(), merged)
  expect((await touched()).levels).toEqual([top, silver(4)])
})

it('counts what was earned: collected, credited and corrected, less what went back, without what was given', async () => {
  const shop = await openShop()
  const customer = await shop.register('+306901234567')
  await shop.database.write("UPDATE customers SET birthday = '11-22'")
  const standings = new StandingStore(shop.database, () => shop.now)
  const rules = { ...withLevels({ name: 'Gold', from: 1000, factor: '2' }), birthdayPoints: 7 }
  await shop.runDaily()
  await shop.saveRules(rules)
  const missing: (number | undefined)[] = []
  const look = async (change: () => Promise<unknown>): Promise<void> => {
    await change()
    missing.push((await standings.find(shop.business, customer))?.next?.missing)
  }
  let credit = ''
  await look(async () => shop.collect(customer, await shop.issue(100)))
  await look(async () => (credit = (await shop.credit(customer, 50)).entry.id))
  await look(() => shop.adjust(customer, 5))
  await look(() => shop.adjust(customer, -15))
  await look(() => shop.giveBack({ by: 'credit', name: credit }, { points: 20 }, 'a return'))
  await look(async () => shop.redeem(customer, await shop.offer(10, 1)))
  await look(async () => shop.reverse(customer, (await shop.adjust(customer, 40)).entry.id))
  await look(() =>
    shop.database.write(
      `INSERT INTO entries (id, business, customer, kind, points, lifetime_points, at, made_by)
       SELECT 'ent_of_a_file', business, customer, 'imported', 60, 60, CAST($1 AS TEXT), 'test' FROM customers`,
      [NOW.toISOString()]
    )
  )
  shop.now = new Date('2026-11-22T10:00:00.000Z')
  await look(() => shop.runDaily())
  expect(missing).toEqual([900, 850, 845, 860, 880, 880, 880, 880, 880])
  expect(await shop.balance(customer)).toBe(100 + 50 + 5 - 15 - 20 - 10 + 7)
})

it.each([
  ['nothing else', FIRST_RULES, FIRST_RULES, null],
  ['another rate', BEFORE, { ...BEFORE, pointsPerUnit: '2' }, null],
  ['first rules', null, BEFORE, null],
  [
    'first rules whose points end',
    null,
    { ...BEFORE, expiry: { months: 6, since: 'earned', onSlips: false } },
    1
  ],
  ['the end of rules', FIRST_RULES, null, 1],
  ['rules that stay off', null, null, null]
] as const)(
  'looks at customers with points for %s only where these end otherwise',
  async (_, before, after, withPoints) => {
    const shop = await openShop()
    await shop.credit(await shop.register('+306901234567'), 5)
    await shop.register('+306901234568')
    expect(await countTouched(shop.database, shop.business, before, after, NOW)).toEqual({
      levels: [],
      withPoints
    })
  }
)
