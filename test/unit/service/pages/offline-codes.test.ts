import { expect, it } from 'vitest'
import { CustomerStore } from '../../../../electron/service/store/customers.ts'
import { verifyLedger } from '../../../../electron/service/store/verify.ts'
import { OfflineTill, setLimits } from '../../../support/offline-till.ts'
import { openPages, textOf } from './visitor.ts'

const PHONE = '690 123 4567'

const openCounter = async () => {
  const pages = await openPages()
  const till = await OfflineTill.addTo(pages.shop)
  await till.connect()
  const balance = async () =>
    (await new CustomerStore(pages.shop.database).find(pages.shop.business, 'phone', '+306901234567'))
      ?.balance
  return { ...pages, till, balance }
}

it('is collected before the till is back, once, and is the same thing when the till reports it', async () => {
  const { shop, visitor, till, balance, faults } = await openCounter()
  const code = till.make(250)
  const browser = visitor()
  expect(await textOf(await browser.get(`/Q/${code}`))).toContain('250 points')
  expect(await shop.database.read('SELECT code FROM codes')).toEqual([])
  expect(await textOf(await browser.submit(`/q/${code}`, { phone: PHONE }))).toContain('+250 points')
  expect(await till.report([code], { reference: 'R-1' })).toEqual(['taken'])
  expect(await textOf(await browser.submit(`/q/${code}`, { phone: PHONE }))).toContain('+250 points')
  expect((await visitor().submit(`/q/${code}`, { phone: '690 999 9999' })).status).toBe(410)
  expect(await balance()).toBe(250)
  expect(await verifyLedger(shop.database)).toEqual([])
  expect(faults).toEqual([])
})

it('is collected by two phones at once for one of them', async () => {
  const { shop, visitor, till } = await openCounter()
  const code = till.make(250)
  const phones = ['690 123 4567', '690 123 4568', '690 123 4569']
  await Promise.all(phones.map((phone) => visitor().submit(`/q/${code}`, { phone })))
  expect(await shop.database.read('SELECT points FROM entries')).toEqual([{ points: 250 }])
  expect(await verifyLedger(shop.database)).toEqual([])
})

it.each([
  ['above-code-limit', 5001, '2026-11-21', 'so many points at once'],
  ['above-day-limit', 2000, '2026-11-21', 'all the points that it may give'],
  ['day-not-allowed', 5, '2026-11-22', 'date of this slip cannot be right'],
  ['key-revoked', 5, '2026-11-21', 'may not give points now']
])('says why it is not taken, and tells the owner: %s', async (reason, points, day, text) => {
  const { shop, visitor, till, faults } = await openCounter()
  if (reason === 'above-day-limit') await setLimits(shop, { pointsOfDay: 1999 })
  const code = till.make(points, day)
  if (reason === 'key-revoked') await till.keys.stop(shop.business, till.id)
  const page = await visitor().get(`/q/${code}`)
  expect([page.status, await textOf(page)]).toEqual([200, expect.stringContaining(text)])
  expect(await shop.database.read('SELECT code FROM offline_refusals')).toEqual([])
  for (const form of [{}, { phone: PHONE }]) {
    const asked = await textOf(await visitor().submit(`/q/${code}`, form))
    expect(asked).toContain('The shop has been asked')
  }
  expect(await shop.database.read('SELECT code, till, reason, seen_by FROM offline_refusals')).toEqual([
    { code, till: till.id, reason, seen_by: 'customer' }
  ])
  expect(await shop.database.read('SELECT code FROM codes')).toEqual([])
  expect(faults).toEqual([])
})

it('counts forged codes, and requests for those that are not taken, as attempts of an address', async () => {
  const { shop, visitor, till } = await openCounter()
  const forged = (): string => {
    const code = till.make(5)
    return code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
  }
  const statuses = []
  for (let tries = 0; tries < 30; tries += 1) statuses.push((await visitor().get(`/q/${forged()}`)).status)
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect((await visitor().get(`/q/${forged()}`)).status).toBe(429)
  const asked = await Promise.all(Array.from({ length: 121 }, () => visitor().post(`/q/${till.make(5001)}`)))
  const refused = asked.filter((answer) => answer.headers.get('location')?.includes('wait=') === true)
  expect(refused).toHaveLength(1)
  for (const answer of refused)
    expect(await textOf(await visitor().follow(answer))).toContain('too many attempts')
  expect(await shop.database.read('SELECT count(*) AS count FROM offline_refusals')).toEqual([{ count: 120 }])
  // A slip that is worth its points is no attempt.
  expect((await visitor().submit(`/q/${till.make(5)}`, { phone: PHONE })).status).toBe(200)
  shop.now = new Date(shop.now.getTime() + 11 * 60_000)
  expect((await visitor().get(`/q/${forged()}`)).status).toBe(404)
})
