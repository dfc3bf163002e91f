/** The cost of what customers and tills ask of a shop's service, in SQL statements and commits of its data file. */
import { expect, it, vi } from 'vitest'
import { parseE164 } from '../../../electron/contract/phone.ts'
import { hashToken, systemRandomBytes } from '../../../electron/service/domain/identifiers.ts'
import { DeviceStore } from '../../../electron/service/store/devices.ts'
import { TillStore } from '../../../electron/service/store/tills.ts'
import { OfflineTill } from '../../support/offline-till.ts'
import { FIRST_RULES } from '../../../electron/contract/earning-rules.ts'
import { RulesStore } from '../../../electron/service/store/rules.ts'
import { openPages } from '../../unit/service/pages/visitor.ts'
import { countRows, countSql } from './sql.ts'

vi.mock('../../../electron/contract/phone.ts', { spy: true })

const PHONE = '690 123 4567'

/** Statements of a credit. */
const CREDIT = 8

it('collecting takes 1 commit and the same statements by a phone that joins and one that is known', async () => {
  const { shop, visitor } = await openPages()
  const codes = [await shop.issue(5), await shop.issue(5)]
  const counts = countSql()
  const taken: unknown[] = []
  let before = counts()
  for (const code of codes) {
    expect((await visitor().post(`/q/${code}`, { phone: PHONE })).status).toBe(303)
    const after = counts()
    taken.push({ statements: after.statements - before.statements, commits: after.commits - before.commits })
    before = after
  }
  expect(taken).toEqual([
    { statements: 15, commits: 1 },
    { statements: 15, commits: 1 }
  ])
})

it('welcome points take 4 statements more, and 5 once a customer was erased, whether a phone joins, is known or was erased', async () => {
  const { shop, visitor } = await openPages()
  const rules = { ...FIRST_RULES, welcomePoints: 50 }
  const at = shop.now.toISOString()
  await new RulesStore(shop.database).save(shop.business, { rules, request: 'one', at, by: 'test' })
  const counts = countSql()
  const statementsOf = async (phone: string): Promise<number> => {
    const code = await shop.issue(5)
    const before = counts().statements
    await visitor().post(`/q/${code}`, { phone })
    return counts().statements - before
  }
  for (const phone of [PHONE, PHONE]) expect(await statementsOf(phone)).toBe(15 + 4)
  const erased = await shop.register('+306901234568')
  await shop.identities.erase(shop.business, erased)
  for (const phone of [PHONE, '690 123 4568', '690 123 4569']) expect(await statementsOf(phone)).toBe(15 + 5)
})

it('a credit takes the statements that it took before, and 4 more with welcome points', async () => {
  const { shop, fetch } = await openPages()
  const customers = [await shop.register('+306901234567'), await shop.register('+306901234568')]
  for (const id of ['till_1', 'till_2']) {
    const till = { id, business: shop.business, name: id, createdAt: shop.now.toISOString() }
    await shop.database.transaction((queries) => new TillStore(queries).add(till, hashToken(id)))
  }
  const counts = countSql()
  const statementsOf = async (customer: string, key: string, till = 'till_1'): Promise<number> => {
    const before = counts().statements
    const response = await fetch('/ext/credits', {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${till}`, 'content-type': 'application/json', 'idempotency-key': key }
      },
      body: JSON.stringify({ customer, points: 5 })
    })
    expect(response.status).toBe(200)
    return counts().statements - before
  }
  await statementsOf(customers[0] ?? '', 'the-first-key')
  const without = await statementsOf(customers[0] ?? '', 'the-second-key')
  expect(without).toBe(CREDIT)
  const rules = { ...FIRST_RULES, welcomePoints: 50 }
  const at = shop.now.toISOString()
  await new RulesStore(shop.database).save(shop.business, { rules, request: 'one', at, by: 'test' })
  // The first request of another till reads that.
  await statementsOf(customers[0] ?? '', 'the-third-key', 'till_2')
  for (const [index, customer] of customers.entries())
    expect(await statementsOf(customer, `key-of-${String(index)}`, 'till_2')).toBe(CREDIT + 4)
})

it('a code that is refused takes no more statements than one that is collected, and one made offline three more', async () => {
  const { shop, visitor } = await openPages()
  const till = await OfflineTill.addTo(shop)
  await till.connect()
  const codes = {
    ordinary: await shop.issue(5),
    offline: till.make(5),
    forged: till.make(5).replace(/.$/, (last) => (last === '0' ? '1' : '0')),
    refused: till.make(5001)
  }
  const counts = countSql()
  const taken: Record<string, object> = {}
  for (const [name, code] of Object.entries(codes)) {
    const before = counts()
    await visitor().get(`/q/${code}`)
    const page = counts()
    await visitor().post(`/q/${code}`, { phone: PHONE })
    const form = counts()
    taken[name] = {
      page: page.statements - before.statements,
      form: form.statements - page.statements,
      commits: form.commits - before.commits
    }
  }
  expect(taken).toEqual({
    ordinary: { page: 2, form: 14, commits: 1 },
    offline: { page: 2, form: 17, commits: 1 },
    // The attempt is counted by its page, as for any code that there is not.
    forged: { page: 8, form: 4, commits: 1 },
    refused: { page: 2, form: 12, commits: 2 }
  })
})

it('the page of a linked phone reads no more rows of a customer with many entries', async () => {
  const { shop, visitor, business } = await openPages()
  const customer = await shop.register('+306901234567')
  const browser = visitor()
  await browser.submit(`/me/${business}/link`)
  const digits = /(\d{3})<\/span><span>(\d{3})/.exec(await (await browser.get(`/me/${business}/link`)).text())
  await new DeviceStore({ database: shop.database, now: () => shop.now, random: systemRandomBytes }).link(
    shop.business,
    customer,
    `${digits?.[1] ?? ''}${digits?.[2] ?? ''}`
  )
  for (let entry = 0; entry < 60; entry += 1) await shop.adjust(customer, 1)
  const rows = countRows()
  await browser.get(`/me/${business}`)
  const few = rows()
  for (let entry = 0; entry < 60; entry += 1) await shop.adjust(customer, 1)
  const before = rows()
  await browser.get(`/me/${business}`)
  expect(rows() - before).toBe(few)
})

it('a look-up by the phone of a customer reads no phone', async () => {
  const { shop, fetch } = await openPages()
  await shop.register('+306901234567')
  const till = { id: 'till_1', business: shop.business, name: 'Till', createdAt: shop.now.toISOString() }
  await shop.database.transaction((queries) => new TillStore(queries).add(till, hashToken('till')))
  vi.mocked(parseE164).mockClear()
  const headers = { authorization: 'Bearer till' }
  expect((await fetch('/api/customers/%2B306901234567?type=phone', { headers })).status).toBe(200)
  expect(parseE164).not.toHaveBeenCalled()
  expect((await fetch('/api/customers/6901234567?type=phone', { headers })).status).toBe(200)
})
