import { expect, it } from 'vitest'
import { systemRandomBytes } from '../../../../electron/service/domain/identifiers.ts'
import { CashierStore } from '../../../../electron/service/store/cashiers.ts'
import { CodeStore } from '../../../../electron/service/store/codes.ts'
import { CodeIssuer } from '../../../../electron/service/store/code-issuer.ts'
import { TillStore } from '../../../../electron/service/store/tills.ts'
import { openShop } from './shop.ts'

const ANA = { number: 3, name: 'Ana' }

const openCounter = async (random = systemRandomBytes) => {
  const shop = await openShop()
  const { database, business } = shop
  const till = { id: 'till_1', business, name: 'Till 1', createdAt: shop.now.toISOString() }
  await new TillStore(database).add(till, 'hash')
  const issued = new CodeIssuer({ database, now: () => shop.now, random })
  const issue = (points: number, idempotencyKey: string, reference: string | null = 'R-1', cashier = ANA) =>
    issued.issueOnce({
      ...{ business: { key: business }, by: 'till:till_1', till: 'till_1', idempotencyKey },
      ...{ points, codeValidityDays: 90, sale: { reference, cashier } }
    })
  return { shop, database, issue, codes: new CodeStore(database) }
}

it('gives one code for each key, however often and at whatever time it is asked', async () => {
  const { shop, database, issue, codes } = await openCounter()
  const asked = await Promise.all(Array.from({ length: 8 }, () => issue(250, 'one-key')))
  const [first] = asked
  expect(new Set(asked.map((each) => JSON.stringify(each))).size).toBe(1)
  const customer = await shop.register('+306901234567')
  await shop.collect(customer, first?.code ?? '')
  shop.now = new Date('2027-12-01T10:00:00.000Z')
  expect(await issue(250, 'one-key')).toEqual(first)
  await expect(issue(251, 'one-key')).rejects.toMatchObject({ reason: 'key-reused' })
  expect((await issue(250, 'other-key')).code).not.toBe(first?.code)
  expect(await database.read('SELECT code FROM codes')).toHaveLength(2)
  expect(await codes.find(shop.business, first?.code ?? '')).toMatchObject({
    ...{ points: 250, till: 'till_1', reference: 'R-1', createdAt: '2026-11-21T10:00:00.000Z' }
  })
})

it('never gives one code to two keys, though the random source repeats itself', async () => {
  const { database, issue } = await openCounter((size) => new Uint8Array(size))
  await issue(250, 'one-key')
  await expect(issue(250, 'other-key')).rejects.toThrow('the random source is broken')
  expect(await database.read('SELECT key FROM keyed_answers')).toHaveLength(1)
})

it('keeps its cashier until the till forgets them, and the number afterwards', async () => {
  const { shop, database, issue, codes } = await openCounter()
  const { code } = await issue(250, 'one-key')
  await issue(250, 'key-of-a-namesake', null, { number: 3, name: 'Boris' })
  const cashiers = new CashierStore(database)
  const names = async () => [...(await cashiers.names(shop.business)).values()]
  expect(await names()).toEqual(['3 Ana', '3 Boris'])
  await cashiers.forget(shop.business, ANA)
  await cashiers.forget(shop.business, ANA)
  await cashiers.forget(shop.business + 1, { number: 3, name: 'Boris' })
  expect(await names()).toEqual(['3', '3 Boris'])
  // The repeated request of a till does not bring the name back.
  await issue(250, 'one-key')
  expect(await names()).toEqual(['3', '3 Boris'])
  // Another Ana is not the one who was forgotten.
  await issue(250, 'key-of-another')
  expect(await names()).toEqual(['3', '3 Boris', '3 Ana'])
  const stored = await codes.find(shop.business, code)
  expect((await cashiers.names(shop.business)).get(`cashier:${String(stored?.cashier)}`)).toBe('3')
})
