import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS } from '../../../../electron/main/practice/index.ts'
import { bodyOf, errorOf, everyWay, exactly, OTHER_TOKEN, post } from './ways.ts'
import type { Caller } from './ways.ts'

describe.each(everyWay)('credentials, $way', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open({ expired: ['listed-once'] })
  })
  afterAll(() => caller.close())

  const as = (authorization: string) => caller.call('/account', { headers: { authorization } })

  it.each([
    ['nothing', '', 'The header Authorization: Bearer <token> is missing'],
    ['another scheme', 'Basic Zmlyc3Q6c2hvcA==', 'The Authorization header must read: Bearer <token>'],
    ['a bare token', 'first-shop', 'The Authorization header must read: Bearer <token>'],
    ['a scheme without token', 'Bearer', 'The Authorization header must read: Bearer <token>'],
    ['two tokens', 'Bearer first-shop second-shop', 'The Authorization header must read: Bearer <token>'],
    ['an unknown token', 'Bearer somebody', 'This token is not known'],
    ['part of a token', 'Bearer first', 'This token is not known'],
    ['a token that says expired', 'Bearer shop-Expired-2', 'token expired'],
    ['a token listed as expired', 'Bearer listed-once', 'token expired']
  ])('answers 401 to %s', async (_what, authorization, message) => {
    const reply = await as(authorization)
    expect(reply.status).toBe(401)
    expect(errorOf(reply)).toEqual({ message, error: 'Unauthorized', statusCode: 401 })
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('takes the scheme in any case (RFC 9110, part 11.1)', async () => {
    expect((await as('bearer first-shop')).status).toBe(200)
  })

  it.each([
    '/customers',
    '/customers/',
    '/customers/x',
    '/rewards',
    '/rewards/x',
    '/qr/x',
    '/account',
    '/nothing',
    ''
  ])('guards %s before anything else', async (path) => {
    expect((await caller.call(path, { headers: { authorization: 'Bearer no' } })).status).toBe(401)
  })

  it('keeps businesses apart: nothing of one is seen or changed by the other', async () => {
    const other = { authorization: `Bearer ${OTHER_TOKEN}` }
    const page = bodyOf(await caller.call('/customers'), exactly.customerPage)
    const otherPage = bodyOf(await caller.call('/customers', { headers: other }), exactly.customerPage)
    const ids = new Set(page.data.map(({ id }) => id))
    expect(otherPage.data.filter(({ id }) => ids.has(id))).toEqual([])

    const created = bodyOf(
      await caller.call('/customers', post({ name: 'Only here', phone: '+306940000777' })),
      exactly.createdCustomer
    )
    const issued = bodyOf(await caller.call('/qr', post({ points: 40 })), exactly.qr)
    const { data: rewards } = bodyOf(await caller.call('/rewards'), exactly.rewardPage)
    for (const path of [
      `/customers/${created.id}`,
      '/customers/%2B306940000777?type=phone',
      `/qr/${issued.code}`,
      `/rewards/${rewards[0]?.id ?? ''}`
    ]) {
      expect((await caller.call(path)).status).toBe(200)
      expect((await caller.call(path, { headers: other })).status).toBe(404)
    }
    const found = await caller.call('/customers/?name=only%20here', { headers: other })
    expect(bodyOf(found, exactly.customerPage).noCustomers).toBe(0)
    const sameSearch = await caller.call('/customers/?name=o', { headers: other })
    expect(bodyOf(sameSearch, exactly.customerPage).data.map(({ id }) => id)).not.toContain(created.id)
    const { currentCustomers } = bodyOf(await caller.call('/account', { headers: other }), exactly.account)
    expect(currentCustomers).toBe(30)
    const again = post({ name: 'And there', phone: '+306940000777' })
    const there = await caller.call('/customers', {
      ...again,
      headers: { ...other, 'content-type': 'application/json' }
    })
    expect(there.status).toBe(200)
  })

  it('gives every business the same known customers', async () => {
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
    const { data } = bodyOf(await caller.call('/customers', { headers }), exactly.customerPage)
    expect(data.slice(0, KNOWN_CUSTOMERS.length)).toMatchObject([...KNOWN_CUSTOMERS])
  })
})
