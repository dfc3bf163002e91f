import { expect, it } from 'vitest'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { DaySums } from '../../../../electron/service/store/day-sums.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { OfflineTill, setLimits } from '../../../support/offline-till.ts'
import { openShop, Shop } from './shop.ts'

const ANA = { number: 3, name: 'Ana' }

const openTill = async () => {
  const shop = await openShop()
  const till = await OfflineTill.addTo(shop)
  await till.connect()
  const find = (code: string) => new CodeStore(shop.database).find(shop.business, code)
  return { shop, till, find }
}

it('takes what a till reports once, as often as it reports, with what it says of the sale', async () => {
  const { shop, till, find } = await openTill()
  const codes = [till.make(250), till.make(5000)]
  const bill = '{"amount":"125.00"}'
  const said = { issuedAt: '2026-11-21T09:30:00.000Z', reference: 'R-1', cashier: ANA, rules: 4, bill }
  for (let times = 0; times < 3; times += 1)
    expect(await till.report(codes, said)).toEqual(['taken', 'taken'])
  expect(await find(codes[0] ?? '')).toMatchObject({
    ...{ points: 250, createdAt: said.issuedAt, till: till.id, reference: 'R-1', cashier: 1, usedAt: null },
    // The end of the day in Athens, and 90 days.
    expiresAt: '2027-02-19T22:00:00.000Z'
  })
  const kept = await shop.database.read('SELECT rules, bill FROM codes')
  expect(kept).toEqual(codes.map(() => ({ rules: 4, bill })))
  expect(await shop.database.read('SELECT day, points FROM offline_days')).toEqual([
    { day: '2026-11-21', points: 5250 }
  ])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('takes no code that no key has proved, and none of another shop', async () => {
  const { shop, till } = await openTill()
  const code = till.make(250)
  const changed = `${code.slice(0, 20)}${code.charAt(20) === '0' ? '1' : '0'}${code.slice(21)}`
  const other = new OfflineTill(shop, till.id)
  other.held = { key: 'AAAAAA', ticket: '', secret: new Uint8Array(32) }
  const zero = till.make(0)
  const unknown = [changed, other.make(5), 'ABC', zero]
  expect(await till.report(unknown)).toEqual(unknown.map(() => 'key-unknown'))
  const elsewhere = await OfflineTill.addTo(await Shop.addTo(shop.database))
  expect(await elsewhere.report([code])).toEqual(['key-unknown'])
  expect(await till.report([code])).toEqual(['taken'])
  expect(await shop.database.read('SELECT code FROM codes')).toEqual([{ code }])
})

it('takes no more than the limits of a code and of a day, over all keys of a till', async () => {
  const { shop, till } = await openTill()
  await setLimits(shop, { pointsOfCode: 100, pointsOfDay: 250 })
  const lost = till.copy()
  lost.held = null
  await lost.connect()
  expect(await till.report([till.make(101), till.make(100)])).toEqual(['above-code-limit', 'taken'])
  const [above, fits] = [lost.make(100), lost.make(50)]
  expect(await lost.report([lost.make(100), above, fits])).toEqual(['taken', 'above-day-limit', 'taken'])
  expect(await lost.report([above])).toEqual(['above-day-limit'])
  expect(
    await shop.database.read('SELECT points, reason, seen_by FROM offline_refusals ORDER BY points')
  ).toEqual([
    { points: 100, reason: 'above-day-limit', seen_by: 'report' },
    { points: 101, reason: 'above-code-limit', seen_by: 'report' }
  ])
  await setLimits(shop, { pointsOfDay: 350 })
  expect(await lost.report([above])).toEqual(['taken'])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('takes the days from the one on which the till was connected, and none that is to come', async () => {
  const { shop, till } = await openTill()
  shop.now = new Date('2026-11-24T10:00:00.000Z')
  const days = ['2026-11-20', '2026-11-21', '2026-11-24', '2026-11-25']
  const codes = days.map((day) => till.make(5, day))
  const refused = 'day-not-allowed'
  expect(await till.report(codes)).toEqual([refused, 'taken', 'taken', refused])
  shop.now = new Date('2026-11-25T10:00:00.000Z')
  expect(await till.report([codes[3] ?? ''])).toEqual([refused])
  await till.connect()
  expect(await till.report([...codes, till.make(5, '2026-11-24')])).toEqual([
    refused,
    'taken',
    'taken',
    'taken',
    refused
  ])
})

it('gives a copy of a till another key, and so the till that is asked for an old ticket', async () => {
  const { shop, till } = await openTill()
  const copy = till.copy()
  const first = till.held?.key
  expect(await till.connect()).toBe(first)
  const second = await copy.connect()
  expect(second).not.toBe(first)
  // The key that the copy named is not extended, and its codes are taken on its days.
  const made = till.make(5)
  const third = await till.connect()
  expect(new Set([first, second, third]).size).toBe(3)
  expect(await copy.connect()).toBe(second)
  expect(await till.report([made, copy.make(5), till.make(5)])).toEqual(['taken', 'taken', 'taken'])
  shop.now = new Date('2026-12-21T10:00:00.001Z')
  expect(await till.connect()).not.toBe(third)
})

it('takes nothing of a till that was stopped or revoked, and a new key when it may again', async () => {
  const { shop, till } = await openTill()
  const before = till.make(5)
  await till.report([before])
  expect(await till.keys.stop(shop.business, till.id)).toBe(true)
  await expect(till.connect()).rejects.toMatchObject({ reason: 'offline-codes-off' })
  const stolen = till.copy()
  expect(await till.report([before, stolen.make(5)])).toEqual(['taken', 'key-revoked'])
  expect(await till.keys.resume(shop.business, till.id)).toBe(true)
  await till.connect()
  expect(await till.report([till.make(5), stolen.make(5)])).toEqual(['taken', 'key-revoked'])
  await new TillStore(shop.database).revoke(till.id, shop.now.toISOString())
  expect(await till.report([till.make(5)])).toEqual(['key-revoked'])
  expect(await till.keys.stop(shop.business + 1, till.id)).toBe(false)
  await setLimits(shop, { days: 0 })
  await expect((await OfflineTill.addTo(shop)).connect()).rejects.toMatchObject({
    reason: 'offline-codes-off'
  })
})

it('has the sums of the day on which a code was made, though it was seen on another one', async () => {
  const { shop, till, find } = await openTill()
  const code = till.make(250)
  shop.now = new Date('2026-11-23T10:00:00.000Z')
  await shop.database.transaction((queries) => till.codes.admit(queries, shop.business, code))
  const issued = async () => {
    const days = await new DaySums(shop.database, () => shop.now).days(
      { key: shop.business, timeZone: 'Europe/Athens' },
      '2026-11-21',
      '2026-11-23'
    )
    return days.map(({ issued: { points } }) => points)
  }
  expect(await issued()).toEqual([0, 0, 250])
  shop.now = new Date('2026-11-24T10:00:00.000Z')
  expect(await issued()).toEqual([0, 0, 250])
  await till.report([code], { reference: 'R-1', rules: 4, bill: '{"amount":"125.00"}' })
  expect(await issued()).toEqual([250, 0, 0])
  expect(await find(code)).toMatchObject({ createdAt: '2026-11-21T09:00:00.000Z', reference: 'R-1' })
  expect(await shop.database.read('SELECT rules FROM codes')).toEqual([{ rules: 4 }])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it('knows the sale of a code that a customer collected before its till, whose clock is ahead, reported it', async () => {
  const { shop, till, find } = await openTill()
  const code = till.make(250)
  await shop.database.transaction((queries) => till.codes.admit(queries, shop.business, code))
  const said = { issuedAt: '2026-11-21T10:03:00.000Z', reference: 'R-1', cashier: ANA }
  expect(await till.report([code], said)).toEqual(['taken'])
  expect(await find(code)).toMatchObject({ createdAt: shop.now.toISOString(), reference: 'R-1', cashier: 1 })
  const back = shop.giveBack({ by: 'reference', name: 'R-1' }, { points: 50 }, 'key')
  expect(await back).toMatchObject({ points: 50, purchase: code })
})

it('goes back with goods before its till has reported it, and after it was collected', async () => {
  const { shop, till, find } = await openTill()
  const [one, other] = [till.make(250), till.make(100)]
  const take = (code: string, points: number) =>
    shop.giveBack({ by: 'code', name: code }, { points }, `key of ${code}`)
  expect(await take(one, 50)).toMatchObject({ points: 50, remaining: 200, codeStatus: 'active' })
  expect(await till.report([one])).toEqual(['taken'])
  expect(await find(one)).toMatchObject({ points: 200, returnedPoints: 50 })
  const customer = await shop.register('+306901234567')
  const opened = await till.codes.open(other)
  if (opened === null) throw new Error('not proved')
  const request = { business: shop.business, customer, by: 'test', code: other, stored: opened.stored }
  await shop.collects.collect({ ...request, unadmitted: opened })
  expect(await take(other, 100)).toMatchObject({ points: 100, remaining: 0, codeStatus: 'used' })
  expect(await shop.balance(customer)).toBe(0)
  await till.keys.stop(shop.business, till.id)
  await expect(take(till.make(5), 5)).rejects.toMatchObject({ reason: 'offline-code-refused' })
  expect(await verifyLedger(shop.database)).toEqual([])
})
