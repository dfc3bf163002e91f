import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS } from '../../../electron/service/index.ts'
import { MAXIMUM_PAGE_SIZE, pageRequestOf } from '../../../electron/service/requests.ts'
import {
  bodyOf,
  errorOf,
  everyTransport,
  exactly,
  openInProcess,
  OTHER_TOKEN,
  post,
  TOKEN,
  type Caller
} from './fixtures.ts'

describe.each(everyTransport)('credentials, $way', ({ open }) => {
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

const read = (query: Record<string, string>) => pageRequestOf((name) => query[name])

describe('a page request', () => {
  it('has the defaults of the interface document, part 8', () => {
    expect(read({})).toEqual({ pageNumber: 1, pageSize: 20 })
  })

  it('reads numbers from texts', () => {
    expect(read({ pageNumber: '3', pageSize: '50' })).toEqual({ pageNumber: 3, pageSize: 50 })
    expect(read({ pageNumber: '999999999', pageSize: '1' })).toEqual({ pageNumber: 999_999_999, pageSize: 1 })
  })

  it('is given the largest page when it asks for a larger one', () => {
    expect(read({ pageSize: '100' }).pageSize).toBe(100)
    expect(read({ pageSize: '101' }).pageSize).toBe(MAXIMUM_PAGE_SIZE)
  })
})

describe('a page request that cannot be read', () => {
  it.each(['0', '-1', '1.5', '1e2', ' 2', 'two', '', '٢', '0x10', '10000000000', 'NaN'])(
    'is refused by every list: %j',
    async (text) => {
      const caller = await openInProcess({ seed: { customers: 0, rewards: 0 } })
      for (const path of ['/customers', '/customers/', '/rewards']) {
        for (const parameter of ['pageNumber', 'pageSize']) {
          const reply = await caller.call(`${path}?${parameter}=${encodeURIComponent(text)}`)
          expect(reply.status).toBe(400)
          expect(errorOf(reply).message).toBe(`${parameter} must be a whole number, 1 or more`)
        }
      }
      await caller.close()
    }
  )
})

describe('a page of a large shop', () => {
  it('says which size it was cut to', async () => {
    const caller = await openInProcess({ seed: { customers: 101 } })
    const page = bodyOf(await caller.call('/customers?pageSize=5000'), exactly.customerPage)
    expect(page).toMatchObject({ hasMore: true, pageSize: 100, noCustomers: 100 })
    await caller.close()
  })
})
