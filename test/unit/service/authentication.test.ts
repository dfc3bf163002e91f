import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { bodyOf, errorOf, everyWay, exactly, OTHER_TOKEN, post, TOKEN, type Caller } from './ways.ts'

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

  /** Asks as one of the two businesses. */
  const speaker = (token: string) => {
    const authorization = `Bearer ${token}`
    const get = (path: string) => caller.call(path, { headers: { authorization } })
    const send = (path: string, body: unknown) =>
      caller.call(path, { ...post(body), headers: { authorization, 'content-type': 'application/json' } })
    return { get, send }
  }
  const first = speaker(TOKEN)
  const second = speaker(OTHER_TOKEN)

  it.each([
    { whose: 'the first', mine: first, theirs: second, phone: '+306940000771' },
    { whose: 'the second', mine: second, theirs: first, phone: '+306940000772' }
  ])('keeps what $whose business has from the other', async ({ mine, theirs, phone }) => {
    const added = await mine.send('/customers', { name: 'Only here', phone })
    const created = bodyOf(added, exactly.createdCustomer)
    const issued = bodyOf(await mine.send('/qr', { points: 40 }), exactly.qr)
    const { data: rewards } = bodyOf(await mine.get('/rewards'), exactly.rewardPage)
    for (const path of [
      `/customers/${created.id}`,
      `/customers/${encodeURIComponent(phone)}?type=phone`,
      `/qr/${issued.code}`,
      `/rewards/${rewards[0]?.id ?? ''}`
    ]) {
      expect((await mine.get(path)).status).toBe(200)
      expect((await theirs.get(path)).status).toBe(404)
    }
    for (const path of ['/customers/?name=only%20here', '/customers/?name=on', '/customers']) {
      const seen = bodyOf(
        await theirs.get(`${path}${path.includes('?') ? '&' : '?'}pageSize=100`),
        exactly.customerPage
      )
      expect(seen.data.map(({ id }) => id)).not.toContain(created.id)
      expect(seen.hasMore).toBe(false)
    }
    const before = bodyOf(await theirs.get('/account'), exactly.account).currentCustomers
    expect((await theirs.send('/customers', { name: 'And there', phone })).status).toBe(200)
    expect(bodyOf(await theirs.get('/account'), exactly.account).currentCustomers).toBe(before + 1)
  })

  it('gives businesses identifiers of their own', async () => {
    const idsOf = async ({ get }: typeof first) =>
      bodyOf(await get('/customers'), exactly.customerPage).data.map(({ id }) => id)
    const ids = new Set(await idsOf(first))
    expect((await idsOf(second)).filter((id) => ids.has(id))).toEqual([])
  })

  it('gives every business the same known customers', async () => {
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
    const { data } = bodyOf(await caller.call('/customers', { headers }), exactly.customerPage)
    expect(data.slice(0, KNOWN_CUSTOMERS.length)).toMatchObject([...KNOWN_CUSTOMERS])
  })
})
