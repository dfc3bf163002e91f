import { expect, it } from 'vitest'
import * as v from 'valibot'
import { createServiceApp } from '../../../../electron/service/api/app.ts'
import { createPairingRoutes } from '../../../../electron/service/api/pairing.ts'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { newPairingCode, parsePairingCode } from '../../../../electron/service/domain/pairing.ts'
import { PairingStore } from '../../../../electron/service/store/pairings.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { post } from '../fixtures.ts'
import { openShop, type Shop } from '../store/shop.ts'

const ORIGIN = 'https://points.example.com'

const open = async () => {
  const shop = await openShop()
  const { database } = shop
  const now = () => shop.now
  const shared = { database, now, random: systemRandomBytes }
  const baseUrl = `${ORIGIN}/api`
  const app = createServiceApp({
    ...shared,
    publicUrl: ORIGIN,
    isSample: false,
    shopRoutes: createPairingRoutes({ ...shared, baseUrl, addressOf: () => shop.address }),
    isExpired: () => false,
    onInternalError: (error) => {
      throw new Error('internal error of the service', { cause: error })
    }
  })
  const pairings = new PairingStore(shared)
  return {
    shop,
    offer: async (name = 'Till 1') => (await pairings.add(shop.business, name)).code,
    pair: async (body: unknown) => app.fetch(new Request(`${ORIGIN}/pair`, post(body))),
    confirm: async (code: string, business: string) =>
      app.fetch(new Request(`${ORIGIN}/pair/confirm`, post({ code, business }))),
    account: async (token: string) =>
      app.fetch(new Request(`${ORIGIN}/api/account`, { headers: { authorization: `Bearer ${token}` } }))
  }
}

const tills = (shop: Shop) => new TillStore(shop.database).list(shop.business)

/** The code with another last character: the same pairing, and a wrong secret. */
const wrong = (code: string): string => code.slice(0, -1) + (code.endsWith('B') ? 'C' : 'B')

it('trades a code, in any spelling, once for a token that the API accepts', async () => {
  const { shop, offer, pair, account } = await open()
  const code = await offer('Till 1')
  const response = await pair({ code: ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} ` })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const body: unknown = await response.json()
  expect(body).toMatchObject({ baseUrl: `${ORIGIN}/api`, till: 'Till 1', business: 'Corner Café' })
  const { token } = v.parse(v.object({ token: v.string() }), body)
  expect((await account(token)).status).toBe(200)
  expect(await tills(shop)).toMatchObject([
    { name: 'Till 1', createdAt: shop.now.toISOString(), lastUsedAt: shop.now.toISOString(), revokedAt: null }
  ])
  expect((await pair({ code })).status).toBe(404)
  expect(await tills(shop)).toHaveLength(1)
})

it('trades a code once for tills that send it at once', async () => {
  const { shop, offer, pair } = await open()
  const code = await offer()
  const responses = await Promise.all([pair({ code }), pair({ code }), pair({ code }), pair({ code })])
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
  expect(await tills(shop)).toHaveLength(1)
})

it('ends a code after five tries, and leaves the other codes', async () => {
  const { offer, pair } = await open()
  const [code, fourTimesWrong] = [await offer('Till 1'), await offer('Till 2')]
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await pair({ code: wrong(code) })).status).toBe(404)
  expect((await pair({ code })).status).toBe(404)
  for (let attempt = 0; attempt < 4; attempt += 1) await pair({ code: wrong(fourTimesWrong) })
  expect((await pair({ code: fourTimesWrong })).status).toBe(200)
})

it('ends a code after ten minutes', async () => {
  const { shop, offer, pair } = await open()
  const [inTime, late] = [await offer(), await offer()]
  shop.now = new Date(shop.now.getTime() + 10 * 60_000 - 1)
  expect((await pair({ code: inTime })).status).toBe(200)
  shop.now = new Date(shop.now.getTime() + 1)
  const refused = await pair({ code: late })
  expect(refused.status).toBe(404)
  expect(await refused.json()).toMatchObject({
    message: 'This pairing code is not known, was used or has expired; create a new one'
  })
})

it.each([[{}], [{ code: 7 }], [null], [[]]])('refuses the body %j with 400', async (body) => {
  const { pair } = await open()
  expect((await pair(body)).status).toBe(400)
})

it.each(['', 'AEIOUAEI', 'BCDFGHJKL', '😀😀😀😀', '\0'])('refuses the code %j with 404', async (code) => {
  const { pair } = await open()
  expect((await pair({ code })).status).toBe(404)
})

it('refuses a revoked token with 401, and the first revocation stays', async () => {
  const { shop, offer, pair, account } = await open()
  const { token } = v.parse(
    v.object({ token: v.string() }),
    await (await pair({ code: await offer() })).json()
  )
  const [till] = await tills(shop)
  const store = new TillStore(shop.database)
  expect(await store.revoke(till?.id ?? '', '2026-11-21T10:00:00.000Z')).toBe(true)
  await store.revoke(till?.id ?? '', '2026-11-22T10:00:00.000Z')
  const refused = await account(token)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toMatchObject({ message: 'This token was revoked; pair the till again' })
  expect(await tills(shop)).toMatchObject([{ revokedAt: '2026-11-21T10:00:00.000Z' }])
  expect(await store.revoke('till_none', '2026-11-22T10:00:00.000Z')).toBe(false)
})

it('makes codes of the letters of RFC 8628, whatever the random bytes', () => {
  const bytes = [255, 254, 253, 252, 251, 250, 249, 248, 240, 239, 0, 19, 20, 21, 22, 23]
  const random = (size: number) => Uint8Array.from({ length: size }, () => bytes.shift() ?? 1)
  expect(newPairingCode(random)).toBe('ZBZBCDFC')
  expect(parsePairingCode('ZBZBCDFC')).toMatchObject({ id: 'ZBZ' })
})

it('lets one address try twenty codes in ten minutes, and others go on', async () => {
  const { shop, offer, pair } = await open()
  const code = await offer()
  for (let tried = 0; tried < 20; tried += 1) {
    expect((await pair({ code: newPairingCode(systemRandomBytes) })).status).toBe(404)
  }
  const refused = await pair({ code })
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('600')
  shop.address = '203.0.113.8'
  expect((await pair({ code })).status).toBe(200)
})

const idOf = async (response: Response): Promise<string> =>
  v.parse(v.object({ id: v.string() }), await response.json()).id

it('confirms with a code of the business, once, and makes no token', async () => {
  const { shop, offer, pair, account, confirm } = await open()
  const { token } = v.parse(
    v.object({ token: v.string() }),
    await (await pair({ code: await offer() })).json()
  )
  const business = await idOf(await account(token))
  const code = await offer('Till 1 again')
  const confirmed = await confirm(` ${code.slice(0, 2).toLowerCase()} ${code.slice(2)}`, business)
  expect(confirmed.status).toBe(200)
  expect(confirmed.headers.get('cache-control')).toBe('no-store')
  expect((await confirm(code, business)).status).toBe(404)
  expect((await pair({ code })).status).toBe(404)
  // Nothing is left but the till that was there, with the token that it had.
  expect(await tills(shop)).toMatchObject([{ name: 'Till 1', revokedAt: null }])
  expect((await account(token)).status).toBe(200)
})

it('leaves a code that is meant for another business to its till', async () => {
  const { offer, pair, confirm } = await open()
  const code = await offer()
  expect((await confirm(code, 'another')).status).toBe(409)
  expect((await pair({ code })).status).toBe(200)
})

it('ends a code after five tries to confirm with it, and after ten minutes', async () => {
  const { shop, offer, confirm } = await open()
  const code = await offer()
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect((await confirm(wrong(code), 'any')).status).toBe(404)
  expect((await confirm(code, 'any')).status).toBe(404)
  const late = await offer()
  shop.now = new Date(shop.now.getTime() + 10 * 60_000)
  expect((await confirm(late, 'any')).status).toBe(404)
})
