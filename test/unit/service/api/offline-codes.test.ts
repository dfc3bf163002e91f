import { expect, it } from 'vitest'
import * as v from 'valibot'
import { writeOfflineCode } from '../../../../electron/codes/offline-code.ts'
import { hashToken, newToken, systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openPages } from '../pages/visitor.ts'
import { setLimits } from '../../../support/offline-till.ts'

const keySchema = v.strictObject({
  key: v.pipe(v.string(), v.length(6)),
  secret: v.optional(v.string()),
  ticket: v.string(),
  address: v.literal('HTTPS://POINTS.EXAMPLE.COM/Q/'),
  ...{ pointsOfCode: v.literal(5000), pointsOfDay: v.literal(20_000), days: v.literal(3) },
  ...{ codeValidityDays: v.literal(90), timeZone: v.literal('Europe/Athens'), day: v.literal('2026-11-21') },
  renewAfter: v.literal('2026-11-21T11:00:00.000Z')
})

const openCounter = async () => {
  const pages = await openPages()
  const { shop } = pages
  const token = newToken(systemRandomBytes)
  const till = { id: 'till_1', business: shop.business, name: 'Till 1', createdAt: shop.now.toISOString() }
  await new TillStore(shop.database).add(till, hashToken(token))
  const call = async (path: string, body: unknown) => {
    const response = await pages.fetch(`/ext/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    return { status: response.status, answer: (await response.json()) as unknown }
  }
  const renew = async (known = {}) => v.parse(keySchema, (await call('offline-keys', known)).answer)
  return { shop, call, renew }
}

it('gives a till a key with its secret, and later a ticket alone', async () => {
  const { shop, call, renew } = await openCounter()
  const { key, ticket, secret = '' } = await renew()
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  const again = await renew({ key, ticket })
  expect(again).toMatchObject({ key })
  expect([again.secret, again.ticket === ticket]).toEqual([undefined, false])
  expect((await renew({ key, ticket })).key).not.toBe(key)
  await setLimits(shop, { days: 0 })
  expect(await call('offline-keys', {})).toMatchObject({ status: 409, answer: { code: 'offline-codes-off' } })
  expect(await call('offline-keys', { key: 5 })).toMatchObject({ status: 400 })
})

it('answers for each reported code, in order', async () => {
  const { call, renew } = await openCounter()
  const { key, secret = '' } = await renew()
  const bytes = Buffer.from(secret, 'base64url')
  const make = (serial: string, points: number): string =>
    writeOfflineCode({ key, serial, points, day: '2026-11-21' }, bytes)
  const [one, above] = [make('0000000001', 5), make('0000000002', 5001)]
  const issuedAt = '2026-11-21T09:00:00.000Z'
  const codes = [above.toLowerCase(), one, 'ABC'].map((code) => ({ code, issuedAt }))
  const data = [
    { code: above, status: 'refused', reason: 'above-code-limit' },
    { code: one, status: 'taken' },
    { code: 'ABC', status: 'refused', reason: 'key-unknown' }
  ]
  expect(await call('offline-codes', { codes })).toEqual({ status: 200, answer: { data } })
  const cashier = { number: 1, name: '\u{1F600}'.repeat(50) }
  const many = Array.from({ length: 500 }, () => ({
    code: one,
    issuedAt,
    reference: 'R'.repeat(100),
    cashier
  }))
  expect((await call('offline-codes', { codes: many })).status).toBe(200)
  expect((await call('offline-codes', { codes: [...many, ...many.slice(0, 1)] })).status).toBe(400)
  expect((await call('offline-codes', { codes: [{ code: one, issuedAt: 'today' }] })).status).toBe(400)
})
