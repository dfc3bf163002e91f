import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { MAX_PAGE_SIZE, parsePageRequest } from '../../../../electron/service/api/requests.ts'
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
} from '../fixtures.ts'

describe.each(everyTransport)('authentication, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open({ expired: ['listed-once'] })
  })
  afterAll(() => caller.close())

  const as = (authorization: string) => caller.call('/account', { headers: { authorization } })

  it.each([
    ['an empty header', '', 'The header Authorization: Bearer <token> is missing'],
    ['another scheme', 'Basic Zmlyc3Q6c2hvcA==', 'The Authorization header must read: Bearer <token>'],
    ['a bare token', 'first-shop', 'The Authorization header must read: Bearer <token>'],
    ['a scheme without token', 'Bearer', 'The Authorization header must read: Bearer <token>'],
    ['two tokens', 'Bearer first-shop second-shop', 'The Authorization header must read: Bearer <token>'],
    ['an unknown token', 'Bearer unknown', 'This token is not known'],
    ['part of a token', 'Bearer first', 'This token is not known'],
    ['a token that contains "expired"', 'Bearer shop-Expired-2', 'token expired'],
    ['a token listed as expired', 'Bearer listed-once', 'token expired']
  ])('responds with 401 to %s', async (_what, authorization, message) => {
    const reply = await as(authorization)
    expect(reply.status).toBe(401)
    expect(errorOf(reply)).toEqual({ message, error: 'Unauthorized', statusCode: 401 })
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/)
  })

  it('accepts the scheme in any case (RFC 9110, section 11.1)', async () => {
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
  ])('is checked before the route of %s', async (path) => {
    expect((await caller.call(path, { headers: { authorization: 'Bearer no' } })).status).toBe(401)
  })

  /** Sends requests as one of the two businesses. */
  const asBusiness = (token: string) => {
    const authorization = `Bearer ${token}`
    const get = (path: string) => caller.call(path, { headers: { authorization } })
    const send = (path: string, body: unknown) =>
      caller.call(path, { ...post(body), headers: { authorization, 'content-type': 'application/json' } })
    return { get, send }
  }
  const first = asBusiness(TOKEN)
  const second = asBusiness(OTHER_TOKEN)

  it.each([
    { whose: 'the first', mine: first, theirs: second, phone: '+306940000771' },
    { whose: 'the second', mine: second, theirs: first, phone: '+306940000772' }
  ])('hides the records of $whose business from the other', async ({ mine, theirs, phone }) => {
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

  it('gives the same customers different ids in each business', async () => {
    const idsOf = async ({ get }: typeof first) =>
      bodyOf(await get('/customers'), exactly.customerPage).data.map(({ id }) => id)
    const ids = new Set(await idsOf(first))
    expect((await idsOf(second)).filter((id) => ids.has(id))).toEqual([])
  })

  it('seeds every business with the known customers', async () => {
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
    const { data } = bodyOf(await caller.call('/customers', { headers }), exactly.customerPage)
    expect(data.slice(0, KNOWN_CUSTOMERS.length)).toMatchObject([...KNOWN_CUSTOMERS])
  })
})

const read = (query: Record<string, string>) => parsePageRequest((name) => query[name])

describe('parsePageRequest', () => {
  it('returns the default page and page size', () => {
    expect(read({})).toEqual({ pageNumber: 1, pageSize: 20 })
  })

  it('parses numbers', () => {
    expect(read({ pageNumber: '3', pageSize: '50' })).toEqual({ pageNumber: 3, pageSize: 50 })
    expect(read({ pageNumber: '999999999', pageSize: '1' })).toEqual({ pageNumber: 999_999_999, pageSize: 1 })
  })

  it('limits the page size to the maximum', () => {
    expect(read({ pageSize: '100' }).pageSize).toBe(100)
    expect(read({ pageSize: '101' }).pageSize).toBe(MAX_PAGE_SIZE)
  })
})

describe('an invalid page parameter', () => {
  it.each(['0', '-1', '1.5', '1e2', ' 2', 'two', '', '٢', '0x10', '10000000000', 'NaN'])(
    'gets a 400 from every list: %j',
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

describe('a page larger than the maximum', () => {
  it('has the maximum size and reports it as pageSize', async () => {
    const caller = await openInProcess({ seed: { customers: 101 } })
    const page = bodyOf(await caller.call('/customers?pageSize=5000'), exactly.customerPage)
    expect(page).toMatchObject({ hasMore: true, pageSize: 100, noCustomers: 100 })
    await caller.close()
  })
})
