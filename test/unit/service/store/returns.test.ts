import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import {
  ReturnStore,
  type PurchaseBy,
  type ReturnRequest
} from '../../../../electron/service/store/returns.ts'
import { DaySums } from '../../../../electron/service/store/day-sums.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { openShop } from './shop.ts'

/** A shop with a customer, and what takes points back. */
const openCounter = async () => {
  const shop = await openShop()
  const { database, business } = shop
  const returns = new ReturnStore({ database, now: () => shop.now, random: systemRandomBytes })
  const customer = await shop.register('+306901234567', 'Maria')
  let keys = 0
  const take = (
    by: PurchaseBy,
    name: string,
    part: number | readonly [string, string],
    asked: Partial<ReturnRequest> = {}
  ) =>
    returns.take({
      ...{ business: { key: business }, by: 'till:till_1', idempotencyKey: `key-${String(++keys)}` },
      purchase: { by, name },
      part: typeof part === 'number' ? { points: part } : { amount: { returned: part[0], total: part[1] } },
      ...{ reason: 'Wrong size', cashier: { number: 3, name: 'Ana' } },
      ...asked
    })
  const codes = new CodeStore(database)
  const issue = async (points: number, reference: string) => {
    const code = `CODE${String(++keys).padStart(8, '0')}`
    const at = shop.now.toISOString()
    const times = { createdAt: at, updatedAt: at, expiresAt: '2027-01-01T00:00:00.000Z' }
    await codes.add(business, { code, points, image: false, ...times, reference })
    return code
  }
  const credit = async (points: number, reference: string) =>
    (await shop.credit(customer, points, reference)).entry.id
  const verified = async () => expect(await verifyLedger(database)).toEqual([])
  return { shop, customer, take, issue, credit, codes, verified }
}

it('lowers a code that is not collected yet, and cancels it when nothing remains', async () => {
  const { shop, customer, take, issue, codes, verified } = await openCounter()
  const code = await issue(100, 'R-1')
  expect(await take('code', ` ${code.toLowerCase()}`, 30)).toMatchObject({
    ...{ points: 30, remaining: 70, target: 'code', codeStatus: 'active', customer: null, balance: null },
    ...{ purchase: code, given: 100, createdAt: '2026-11-21T10:00:00.000Z' }
  })
  expect(await codes.find(shop.business, code)).toMatchObject({ points: 70, returnedPoints: 30 })
  await verified()
  expect(await take('reference', 'R-1', ['7', '10'])).toMatchObject({
    ...{ points: 70, remaining: 0, codeStatus: 'cancelled', purchase: code, given: 100 }
  })
  await expect(shop.collect(customer, code)).rejects.toMatchObject({ reason: 'code-cancelled' })
  await expect(take('code', code, 1)).rejects.toMatchObject({ reason: 'purchase-returned' })
  await verified()
})

it('goes on with what a customer has collected since, up to the points of the purchase', async () => {
  const { shop, customer, take, issue, verified } = await openCounter()
  const code = await issue(100, 'R-1')
  await take('code', code, ['1', '3'])
  await shop.collect(customer, code)
  expect(await shop.customer(customer)).toMatchObject({ balance: 67, lifetimePoints: 67 })
  expect(await take('code', code, ['1.00', '3'])).toMatchObject({
    ...{ points: 33, remaining: 34, codeStatus: 'used', customer, balance: 34, purchase: code, given: 100 }
  })
  await expect(take('code', code, 35)).rejects.toMatchObject({
    ...{ reason: 'return-too-much', details: { remaining: 34 } }
  })
  expect(await take('code', code, ['1', '3'])).toMatchObject({ points: 34, remaining: 0, balance: 0 })
  expect(await shop.customer(customer)).toMatchObject({ balance: 0, lifetimePoints: 0 })
  await verified()
})

it('takes spent points below zero, which the next ones fill, and no reward is had meanwhile', async () => {
  const { shop, customer, take, credit, verified } = await openCounter()
  const id = await credit(150, 'R-1')
  const reward = await shop.offer(120, 1)
  await shop.redeem(customer, reward)
  expect(await take('credit', id, 150)).toMatchObject({
    ...{ points: 150, remaining: 0, target: 'credit', codeStatus: null, customer, balance: -120 }
  })
  expect(await shop.customer(customer)).toMatchObject({ balance: -120, lifetimePoints: 0 })
  await expect(shop.redeem(customer, reward)).rejects.toMatchObject({ reason: 'points-too-few' })
  await expect(shop.adjust(customer, -1)).rejects.toMatchObject({ reason: 'points-too-few' })
  await shop.collect(customer, await shop.issue(100))
  expect(await shop.balance(customer)).toBe(-20)
  await shop.credit(customer, 140)
  expect((await shop.redeem(customer, reward)).balance).toBe(0)
  await verified()
})

it('is in the ledger, and in the statistics of its day', async () => {
  const { shop, customer, take, issue, credit } = await openCounter()
  await take('credit', await credit(50, 'R-1'), 20)
  await take('code', await issue(10, 'R-2'), 4)
  const kept = await shop.identities.export(shop.business, customer)
  expect(kept?.entries.at(-1)).toMatchObject({
    ...{ kind: 'returned', points: -20, lifetimePoints: -20, by: 'till:till_1', reason: 'Wrong size' }
  })
  const days = await new DaySums(shop.database, () => shop.now).days(
    { key: shop.business, timeZone: 'Europe/Athens' },
    ...(['2026-11-21', '2026-11-21'] as const)
  )
  expect(days).toMatchObject([
    {
      ...{ issued: { points: 6 }, credited: { count: 1, points: 50 } },
      returned: { count: 2, points: 24 }
    }
  ])
})

it('has one answer for each key, refusals included', async () => {
  const { shop, customer, take, credit, verified } = await openCounter()
  const id = await credit(100, 'R-1')
  const asked = { idempotencyKey: 'one-key' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => take('credit', id, 40, asked)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await shop.balance(customer)).toBe(60)
  const tooMuch = { reason: 'return-too-much', details: { remaining: 60 } }
  const other = { idempotencyKey: 'other-key' }
  await expect(take('credit', id, 61, other)).rejects.toMatchObject(tooMuch)
  await take('credit', id, 60)
  await expect(take('credit', id, 61, other)).rejects.toMatchObject(tooMuch)
  expect(await take('credit', id, 40, asked)).toEqual(answers[0])
  await expect(take('credit', id, 41, asked)).rejects.toMatchObject({ reason: 'key-reused' })
  await verified()
})

it('repeats an answer that an earlier version kept, which does not name the purchase', async () => {
  const { shop, take, credit } = await openCounter()
  const id = await credit(100, 'R-1')
  const asked = { idempotencyKey: 'one-key' }
  const { purchase, given, ...earlier } = await take('credit', id, 40, asked)
  expect({ purchase, given }).toEqual({ purchase: id, given: 100 })
  await shop.database.write('UPDATE keyed_answers SET answer = $1 WHERE refusal IS NULL', [
    JSON.stringify(earlier)
  ])
  expect(await take('credit', id, 40, asked)).toEqual(earlier)
})

it('takes each point once, however many tills ask at once', async () => {
  const { shop, customer, take, issue, credit, verified } = await openCounter()
  const purchases = [
    ['code', await issue(100, 'R-1')],
    ['credit', await credit(100, 'R-2')]
  ] as const
  for (const [by, name] of purchases) {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => take(by, name, ['3', '10'])))
    const taken = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value.points] : []))
    expect(taken).toEqual([30, 30, 30])
    for (const each of outcomes)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ reason: 'return-too-much' })
  }
  expect(await shop.balance(customer)).toBe(10)
  await verified()
})

it('gives the lowered points to a customer whose page has read the code before', async () => {
  const { shop, customer, take, issue, codes, verified } = await openCounter()
  const code = await issue(100, 'R-1')
  const stored = await codes.find(shop.business, code)
  if (stored === null) throw new Error('there is no code')
  await take('code', code, 40)
  const request = { business: shop.business, customer, by: 'customer', code, stored }
  expect(await shop.collects.collect(request)).toMatchObject({ balance: 60 })
  expect(await shop.balance(customer)).toBe(60)
  await verified()
})

it('and collecting or undoing at once agree', async () => {
  const { shop, customer, take, issue, credit, verified } = await openCounter()
  for (let round = 0; round < 5; round += 1) {
    const code = await issue(100, `R-${String(round)}`)
    const before = (await shop.balance(customer)) ?? 0
    await Promise.all([take('code', code, 40), shop.collect(customer, code)])
    expect(await shop.balance(customer)).toBe(before + 60)
    const id = await credit(50, `C-${String(round)}`)
    const outcomes = await Promise.allSettled([take('credit', id, 20), shop.reverse(customer, id)])
    const [returned, reversed] = outcomes.map(({ status }) => status === 'fulfilled')
    expect(returned).not.toBe(reversed)
    expect(await shop.balance(customer)).toBe(before + 60 + (returned === true ? 30 : 0))
    await verified()
  }
})

it('and reversals exclude each other', async () => {
  const { shop, customer, take, issue, credit, verified } = await openCounter()
  const code = await issue(100, 'R-1')
  const collected = await shop.collect(customer, code)
  await take('code', code, 1)
  await expect(shop.reverse(customer, collected.entry.id)).rejects.toMatchObject({
    reason: 'purchase-returned'
  })
  const kept = await shop.identities.export(shop.business, customer)
  const returned = kept?.entries.at(-1)?.id ?? ''
  await expect(shop.reverse(customer, returned)).rejects.toMatchObject({ reason: 'entry-is-reversal' })
  const id = await credit(50, 'R-2')
  await shop.reverse(customer, id)
  await expect(take('credit', id, 1)).rejects.toMatchObject({ reason: 'purchase-returned' })
  await verified()
})

it('follows a customer who was merged, and takes from one who was erased without naming them', async () => {
  const { shop, customer, take, credit, verified } = await openCounter()
  const id = await credit(50, 'R-1')
  const kept = await shop.register('+306901234568')
  await shop.identities.merge(shop.business, kept, customer)
  expect(await take('credit', id, 10)).toMatchObject({ customer: kept, balance: 40 })
  await shop.identities.erase(shop.business, kept)
  expect(await take('credit', id, 40)).toMatchObject({
    points: 40,
    remaining: 0,
    customer: null,
    balance: null
  })
  await verified()
})

it('is of the purchase that did not go back, where a bill was returned and sold again under its reference', async () => {
  const { shop, take, issue, credit, verified } = await openCounter()
  const first = await credit(50, 'R-1')
  await take('reference', 'R-1', 50)
  const second = await credit(40, 'R-1')
  expect(await take('reference', 'R-1', 40)).toMatchObject({ purchase: second, remaining: 0 })
  // Also a collected code: it is not cancelled when all of its points went back.
  const code = await issue(30, 'R-1')
  await shop.collect(await shop.register('+306901234599'), code)
  expect(await take('reference', 'R-1', 30)).toMatchObject({ purchase: code, remaining: 0 })
  const last = await credit(20, 'R-1')
  expect(await take('reference', 'R-1', 5)).toMatchObject({ purchase: last, remaining: 15 })
  await expect(take('credit', first, 1)).rejects.toMatchObject({ reason: 'purchase-returned' })
  await verified()
})

it('is refused for what is not there, named twice, expired or cancelled', async () => {
  const { shop, take, issue, credit, codes, verified } = await openCounter()
  const refused = (call: Promise<unknown>, reason: string) => expect(call).rejects.toMatchObject({ reason })
  await refused(take('code', 'NO-SUCH-CODE', 1), 'purchase-unknown')
  await refused(take('credit', 'ent_none', 1), 'purchase-unknown')
  await refused(take('reference', 'R-0', 1), 'purchase-unknown')
  const code = await issue(5, 'R-1')
  const id = await credit(5, 'R-1')
  await refused(take('reference', 'R-1', 1), 'purchase-ambiguous')
  await codes.cancel(shop.business, code, shop.now.toISOString())
  await refused(take('code', code, 1), 'code-cancelled')
  // The sale that was done again is meant.
  expect(await take('reference', 'R-1', 1)).toMatchObject({
    ...{ target: 'credit', purchase: id, given: 5, remaining: 4 }
  })
  const adjusted = await shop.adjust(await shop.register('+306901234569'), 5)
  await refused(take('credit', adjusted.entry.id, 1), 'purchase-unknown')
  const late = await issue(5, 'R-2')
  shop.now = new Date('2027-01-01T00:00:00.000Z')
  await refused(take('code', late, 1), 'code-expired')
  expect(await take('credit', id, 4)).toMatchObject({ remaining: 0 })
  await verified()
})
