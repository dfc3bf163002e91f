/** The shop's rules as tills read them, and what tills say that they have calculated with. */
import { expect, it } from 'vitest'
import { FIRST_RULES } from '../../../../electron/contract/earning-rules.ts'
import { hashToken } from '../../../../electron/service/domain/identifiers.ts'
import { RulesStore } from '../../../../electron/service/store/rules.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openPages } from '../pages/visitor.ts'
import { openShop, type Shop } from '../store/shop.ts'

const addTill = async ({ database, business, now }: Shop, token: string): Promise<void> =>
  new TillStore(database).add(
    { id: `till_${token}`, business, name: token, createdAt: now.toISOString() },
    hashToken(token)
  )

const openCounter = async () => {
  const shop = await openShop()
  const pages = await openPages(shop)
  const other = await pages.addShop()
  await addTill(shop, 'own')
  await addTill(other, 'other')
  const rulesOf = async (token: string): Promise<unknown> =>
    (await pages.fetch('/ext/rules', { headers: { authorization: `Bearer ${token}` } })).json()
  let keys = 0
  const post = async (path: string, body: object) => {
    const response = await pages.fetch(`/ext${path}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer own',
        'content-type': 'application/json',
        'idempotency-key': `key-of-${String((keys += 1))}`
      },
      body: JSON.stringify(body)
    })
    return response.status
  }
  return { shop, rulesOf, post }
}

it('gives each till the newest rules of its own shop', async () => {
  const { shop, rulesOf } = await openCounter()
  const none = { version: 0, timeZone: 'Europe/Athens', rules: null }
  expect(await rulesOf('own')).toEqual(none)
  const change = { at: shop.now.toISOString(), by: 'staff:stf_1' }
  const store = new RulesStore(shop.database)
  await store.save(shop.business, { ...change, rules: FIRST_RULES, request: 'one' })
  expect(await rulesOf('own')).toEqual({ ...none, version: 1, rules: FIRST_RULES })
  expect(await rulesOf('other')).toEqual(none)
  await store.save(shop.business, { ...change, rules: null, request: 'two' })
  expect(await rulesOf('own')).toEqual({ ...none, version: 2 })
})

const BILL = { amount: '45.20', groups: [{ name: 'Βιβλία', amount: '5' }] }

it('keeps the version of the rules and the bill of a code and of a credit', async () => {
  const { shop, post } = await openCounter()
  const customer = await shop.register('+306901234567')
  expect(await post('/codes', { points: 45, rules: 3, bill: { ...BILL, more: 1 } })).toBe(200)
  expect(await post('/credits', { customer, points: 45, rules: 4, bill: BILL })).toBe(200)
  expect(await post('/credits', { customer, points: 1, rules: null, bill: null })).toBe(200)
  const bill = JSON.stringify(BILL)
  expect(await shop.database.read('SELECT rules, bill FROM codes')).toEqual([{ rules: 3, bill }])
  expect(await shop.database.read('SELECT rules, bill FROM entries ORDER BY entry')).toEqual([
    { rules: 4, bill },
    { rules: null, bill: null }
  ])
})

it.each([
  ...[0, -1, 1.5, '3'].map((rules) => ({ rules })),
  ...[
    ...['45.20', {}, { amount: 45.2 }, { amount: '45,20' }, { amount: '-1' }, { amount: '1.1234567' }],
    ...[[{ name: '', amount: '1' }], [{ name: 'A\0', amount: '1' }], [{ name: 'A' }], [{ amount: '1' }]].map(
      (groups) => ({ amount: '1', groups })
    ),
    { amount: '1', groups: Array.from({ length: 21 }, () => ({ name: 'A', amount: '0' })) },
    { amount: '1', groups: [{ name: 'x'.repeat(31), amount: '1' }] }
  ].map((bill) => ({ bill }))
])('refuses %j', async (entries) => {
  const { shop, post } = await openCounter()
  const customer = await shop.register('+306901234567')
  expect(await post('/codes', { points: 1, ...entries })).toBe(400)
  expect(await post('/credits', { customer, points: 1, ...entries })).toBe(400)
  expect(await shop.database.read('SELECT code FROM codes')).toEqual([])
})
