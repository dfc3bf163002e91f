import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CashierStore } from '../../../../electron/service/store/cashiers.ts'
import { CreditStore, type KeyedCreditRequest } from '../../../../electron/service/store/credits.ts'
import { DaySums } from '../../../../electron/service/store/day-sums.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop } from './shop.ts'

const ANA = { number: 3, name: 'Ana' }

/** A shop with two tills, whose limit tests set, and a customer. */
const openCounter = async (creditLimit: number | null = null, creditApprovalLimit: number | null = null) => {
  const shop = await openShop()
  const { database, business } = shop
  const dependencies = { database, now: () => shop.now, random: systemRandomBytes }
  const tills = new TillStore(database)
  for (const till of ['till_1', 'till_2']) {
    const createdAt = shop.now.toISOString()
    await tills.add({ id: till, business, name: till, createdAt }, `hash of ${till}`)
  }
  const credits = new CreditStore(dependencies)
  let keys = 0
  const requestOf = (till: string, idempotencyKey = `key-${String(++keys)}`) => ({
    business: {
      key: business,
      ...{ reversalMinutes: 60, welcomePoints: 0 },
      timeZone: 'Europe/Athens',
      creditLimit,
      creditApprovalLimit
    },
    ...{ by: `till:${till}`, till, idempotencyKey }
  })
  const customer = await shop.register('+306901234567', 'Maria')
  const credit = (points: number, asked: Partial<KeyedCreditRequest> = {}, till = 'till_1') =>
    credits.credit({
      ...{ ...requestOf(till), customer, points, sale: { reference: 'R-1041', cashier: ANA } },
      isApproved: false,
      ...asked
    })
  const reverse = (id: string, till = 'till_1') =>
    credits.reverse({ ...requestOf(till), credit: id, reason: 'The wrong customer' })
  return { shop, customer, credit, reverse }
}

it('gives points once for each key, with the first answer again', async () => {
  const { shop, customer, credit } = await openCounter()
  await shop.adjust(customer, 20)
  const first = await credit(250, { idempotencyKey: 'one-key' })
  expect(first).toEqual({
    ...{ id: first.id, customer, points: 250, reference: 'R-1041', balanceBefore: 20, balance: 270 },
    ...{ createdAt: '2026-11-21T10:00:00.000Z', reversibleUntil: '2026-11-21T11:00:00.000Z' }
  })
  await shop.adjust(customer, 5)
  shop.now = new Date('2026-11-22T10:00:00.000Z')
  const again = await Promise.all([1, 2, 3].map(() => credit(250, { idempotencyKey: 'one-key' })))
  expect(again).toEqual([first, first, first])
  expect(await shop.customer(customer)).toMatchObject({ balance: 275, lifetimePoints: 275 })
  await expect(credit(251, { idempotencyKey: 'one-key' })).rejects.toMatchObject({ reason: 'key-reused' })
  // Also where the answer is gone.
  await shop.database.write('DELETE FROM keyed_answers')
  expect((await credit(250, { idempotencyKey: 'one-key' })).id).toBe(first.id)
  expect(await shop.balance(customer)).toBe(275)
})

it('is in the ledger with its bill, its till and its cashier', async () => {
  const { shop, customer, credit } = await openCounter()
  const { id } = await credit(250)
  await credit(5, { sale: { reference: null, cashier: ANA } })
  const kept = await shop.identities.export(shop.business, customer)
  expect(kept?.entries).toMatchObject([
    { id, kind: 'credited', points: 250, lifetimePoints: 250, by: 'till:till_1', reference: 'R-1041' },
    { kind: 'credited', points: 5, reference: null }
  ])
  const names = await new CashierStore(shop.database).names(shop.business)
  expect([...names.values()]).toEqual(['3 Ana'])
  expect(kept?.entries.map(({ cashier }) => names.get(`cashier:${String(cashier)}`))).toEqual([
    '3 Ana',
    '3 Ana'
  ])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('is counted on its day until it is undone', async () => {
  const { shop, credit, reverse } = await openCounter()
  const today = () =>
    new DaySums(shop.database, () => shop.now).days(
      { key: shop.business, timeZone: 'Europe/Athens' },
      '2026-11-21',
      '2026-11-21'
    )
  const { id } = await credit(250)
  await credit(50)
  expect(await today()).toMatchObject([{ credited: { count: 2, points: 300 }, collected: { count: 0 } }])
  await reverse(id)
  expect(await today()).toMatchObject([{ credited: { count: 1, points: 50 } }])
})

it('is refused for a customer who is not there, and goes to the one whom a customer was merged into', async () => {
  const { shop, customer, credit } = await openCounter()
  await expect(credit(1, { customer: 'cus_unknown' })).rejects.toMatchObject({ reason: 'customer-unknown' })
  const kept = await shop.register('+306901234568')
  await shop.identities.merge(shop.business, kept, customer)
  expect(await credit(10)).toMatchObject({ customer: kept, balance: 10 })
  await shop.identities.erase(shop.business, kept)
  await expect(credit(10)).rejects.toMatchObject({ reason: 'customer-unknown' })
})

it('is undone once, in the time of the shop, while its points are there', async () => {
  const { shop, customer, credit, reverse } = await openCounter()
  const { id } = await credit(250)
  const { id: spent } = await credit(100)
  await shop.redeem(customer, await shop.offer(300, 1))
  await expect(reverse(id)).rejects.toMatchObject({ reason: 'points-too-few' })
  await shop.adjust(customer, 200)
  expect(await reverse(id)).toMatchObject({ credit: id, balance: 0 })
  await expect(reverse(id)).rejects.toMatchObject({ reason: 'entry-reversed' })
  await expect(reverse('ent_unknown')).rejects.toMatchObject({ reason: 'entry-unknown' })
  const { entry } = await shop.adjust(customer, 500)
  await expect(reverse(entry.id)).rejects.toMatchObject({ reason: 'entry-unknown' })
  shop.now = new Date('2026-11-21T11:00:00.001Z')
  await expect(reverse(spent)).rejects.toMatchObject({ reason: 'reversal-too-late' })
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('never exceeds the limit of its till and day, however many come at once', async () => {
  const { shop, customer, credit, reverse } = await openCounter(1000)
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => credit(150)))
  const done = outcomes.filter(({ status }) => status === 'fulfilled')
  expect(done).toHaveLength(6)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected')
      expect(outcome.reason).toMatchObject({ reason: 'credit-limit-reached' })
  }
  expect(await shop.balance(customer)).toBe(900)
  await credit(100)
  await expect(credit(1)).rejects.toMatchObject({ reason: 'credit-limit-reached' })
  // Another till has its own, and what is undone does not count.
  const { id } = await credit(1000, {}, 'till_2')
  await expect(credit(1, {}, 'till_2')).rejects.toMatchObject({ reason: 'credit-limit-reached' })
  await reverse(id, 'till_2')
  await credit(1, {}, 'till_2')
  // Midnight in Athens.
  shop.now = new Date('2026-11-21T21:59:59.999Z')
  await expect(credit(1)).rejects.toMatchObject({ reason: 'credit-limit-reached' })
  shop.now = new Date('2026-11-21T22:00:00.000Z')
  await credit(1000)
  expect(await shop.balance(customer)).toBe(2001)
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('needs an approval above the limit of its till and day, which its key can bring later', async () => {
  const { shop, customer, credit, reverse } = await openCounter(2000, 1000)
  const needed = { reason: 'credit-needs-approval' }
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => credit(150)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(needed)
  }
  await expect(credit(101, { idempotencyKey: 'one-key' })).rejects.toMatchObject(needed)
  await expect(credit(101, { idempotencyKey: 'one-key' })).rejects.toMatchObject(needed)
  const approved = await credit(101, { idempotencyKey: 'one-key', isApproved: true })
  // Given once, also to who asks without the approval then.
  expect(await credit(101, { idempotencyKey: 'one-key' })).toEqual(approved)
  expect(await shop.balance(customer)).toBe(1001)
  // A manager cannot approve more than the shop allows.
  await expect(credit(1000, { isApproved: true })).rejects.toMatchObject({ reason: 'credit-limit-reached' })
  await expect(credit(1000)).rejects.toMatchObject({ reason: 'credit-limit-reached' })
  await expect(credit(1)).rejects.toMatchObject(needed)
  await reverse(approved.id)
  await credit(100)
  await expect(credit(1)).rejects.toMatchObject(needed)
  // Codes are no credits, and another till has its own.
  await shop.issueAt('till_2', 5000, null)
  await credit(1000, {}, 'till_2')
  expect(await verifyLedger(shop.database)).toEqual([])
})
