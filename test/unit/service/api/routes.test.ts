import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KNOWN_CUSTOMERS, SEEDED_CODES } from '../../../../electron/service/index.ts'
import {
  bodyOf,
  errorOf,
  everyTransport,
  exactly,
  openInProcess,
  OTHER_TOKEN,
  post,
  type Caller
} from '../fixtures.ts'

const [maria, giorgos, otherMaria, zoe] = KNOWN_CUSTOMERS

describe.each(everyTransport)('customers, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  const list = async (query = '') => bodyOf(await caller.call(`/customers${query}`), exactly.customerPage)
  const search = async (name: string) =>
    bodyOf(
      await caller.call(`/customers/?name=${encodeURIComponent(name)}&pageSize=100`),
      exactly.customerPage
    )

  it('lists the first 20 by default', async () => {
    const page = await list()
    expect(page).toMatchObject({ hasMore: true, currentPage: 1, pageSize: 20, noCustomers: 20 })
    expect(page.data).toHaveLength(20)
    expect(page.data[0]).toMatchObject(maria)
  })

  it('lists each customer on exactly one page, and hasMore is false on the last one', async () => {
    const pages = [await list('?pageSize=7'), await list('?pageSize=7&pageNumber=2')]
    pages.push(await list('?pageNumber=3&pageSize=7'), await list('?pageSize=7&pageNumber=4'))
    pages.push(await list('?pageSize=7&pageNumber=5'))
    expect(pages.slice(0, 4).map(({ hasMore }) => hasMore)).toEqual([true, true, true, true])
    const last = pages[4]
    expect(last?.data.length).toBe(last?.noCustomers)
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(
      pages.reduce((sum, { noCustomers }) => sum + noCustomers, 0)
    )
  })

  it('returns an empty page after the end, and hasMore false on a full last page', async () => {
    expect(await list('?pageNumber=900')).toMatchObject({ hasMore: false, currentPage: 900, noCustomers: 0 })
    const other = { headers: { authorization: `Bearer ${OTHER_TOKEN}` } }
    const exact = bodyOf(
      await caller.call('/customers?pageSize=15&pageNumber=2', other),
      exactly.customerPage
    )
    expect(exact).toMatchObject({ hasMore: false, noCustomers: 15 })
  })

  it('searches only on the path with a trailing slash', async () => {
    const listed = await list(`?name=${encodeURIComponent(zoe.name)}`)
    expect(listed.noCustomers).toBe(20)
    expect((await search(zoe.name)).data).toMatchObject([zoe])
  })

  it.each([
    ['a name without its accents and in capitals', 'ZOE LEFEVRE', zoe.phone],
    ['part of a name', 'efèv', zoe.phone],
    ['part of an e-mail in another case', 'LEFEVRE@EXAMPLE', zoe.phone],
    ['a phone', zoe.phone, zoe.phone],
    ['the last digits of a phone, as people write them', '98 01-17', zoe.phone],
    ['one letter of another script', '陽', '+819012990001']
  ])('finds by %s', async (_what, text, phone) => {
    expect((await search(text)).data.map((found) => found.phone)).toContain(phone)
  })

  it('finds both of two customers with the same name', async () => {
    const found = (await search('μαρια παπαδοπουλου')).data
    expect(found.map(({ phone }) => phone)).toEqual(expect.arrayContaining([maria.phone, otherMaria.phone]))
  })

  it('finds no customer for a text without a match, and all customers for a blank text', async () => {
    expect(await search('qqqq')).toMatchObject({ hasMore: false, noCustomers: 0, data: [] })
    expect(await search('x" OR "a')).toMatchObject({ noCustomers: 0 })
    expect((await search(' ')).noCustomers).toBeGreaterThanOrEqual(30)
    expect(bodyOf(await caller.call('/customers/'), exactly.customerPage).noCustomers).toBe(20)
  })

  it('does not match a text across two fields', async () => {
    expect((await search(`${giorgos.name} +30`)).noCustomers).toBe(0)
  })

  it('pages a search', async () => {
    const page = bodyOf(
      await caller.call('/customers/?name=example&pageSize=2&pageNumber=2'),
      exactly.customerPage
    )
    expect(page).toMatchObject({ hasMore: true, currentPage: 2, pageSize: 2, noCustomers: 2 })
  })

  it('responds with 400 to a search that is too long', async () => {
    const reply = await caller.call(`/customers/?name=${'a'.repeat(501)}`)
    expect(reply.status).toBe(400)
    expect(errorOf(reply).message).toContain('500')
  })

  it.each([
    ['id by default', ''],
    ['id', '?type=id']
  ])('reads a customer by %s', async (_what, query) => {
    const [first] = (await list()).data
    const reply = await caller.call(`/customers/${first?.id ?? ''}${query}`)
    expect(bodyOf(reply, exactly.customer)).toEqual(first)
  })

  it('reads a customer by percent-encoded phone and by e-mail in any case', async () => {
    const byPhone = await caller.call(`/customers/${encodeURIComponent(maria.phone)}?type=phone`)
    expect(bodyOf(byPhone, exactly.customer)).toMatchObject(maria)
    const plussed = 'Oliver.Taylor%2Btill%40EXAMPLE.com'
    const byEmail = await caller.call(`/customers/${plussed}?type=email`)
    expect(bodyOf(byEmail, exactly.customer).name).toBe('Oliver Taylor')
  })

  it.each([
    '/customers/unknown',
    `/customers/${zoe.phone}?type=id`,
    '/customers/a%2Fb',
    '/customers/%E0%A4%A'
  ])('responds with 404 for %s', async (path) => {
    const reply = await caller.call(path)
    expect(reply.status).toBe(404)
    expect(errorOf(reply).error).toBe('Not Found')
  })

  it('responds with 400 to an unknown type', async () => {
    const reply = await caller.call('/customers/x?type=name')
    expect(reply.status).toBe(400)
    expect(errorOf(reply).message).toBe('type must be id, phone or email')
  })

  it('adds a customer, who can be read, found and is counted', async () => {
    const before = bodyOf(await caller.call('/account'), exactly.account).currentCustomers
    const reply = await caller.call(
      '/customers',
      post({ name: '  Νέα Πελάτισσα ', phone: '+30 694-000 0001' })
    )
    expect(reply.status).toBe(200)
    const created = bodyOf(reply, exactly.createdCustomer)
    expect(created).toMatchObject({ name: 'Νέα Πελάτισσα', phone: '+306940000001', email: null })
    expect(created).toMatchObject({ balance: 0, lifetimePoints: 0 })
    const { avatar, ...read } = bodyOf(await caller.call(`/customers/${created.id}`), exactly.customer)
    expect(read).toEqual(created)
    expect(avatar).toContain(created.id)
    expect((await search('νεα πελατισσα')).data.map(({ id }) => id)).toEqual([created.id])
    expect(bodyOf(await caller.call('/account'), exactly.account).currentCustomers).toBe(before + 1)
  })

  it.each([
    ['no name', { phone: '+306940000031' }],
    ['a name of spaces', { name: ' \t', phone: '+306940000032' }]
  ])('adds a customer with %s', async (_which, body) => {
    const reply = await caller.call('/customers', post(body))
    expect(bodyOf(reply, exactly.createdCustomer)).toMatchObject({ name: '', phone: body.phone })
  })

  it('stores an e-mail and ignores other fields', async () => {
    const reply = await caller.call(
      '/customers',
      post({ name: 'With mail', phone: '+306940000002', email: 'with@example.com', balance: 900 })
    )
    expect(bodyOf(reply, exactly.createdCustomer)).toMatchObject({ email: 'with@example.com', balance: 0 })
  })

  it.each([maria.phone, '+30 694 123 4567', '＋３０６９４１２３４５６７'])(
    'responds with 406 to an existing phone, written %s',
    async (phone) => {
      const reply = await caller.call('/customers', post({ name: 'Another customer', phone }))
      expect(reply.status).toBe(406)
      expect(errorOf(reply)).toEqual({
        message: 'A customer with this phone already exists',
        error: 'Not Acceptable',
        statusCode: 406
      })
    }
  )

  it.each([
    ['a name that is a number', { name: 7, phone: '+306940000009' }, 'name is required'],
    ['a name too long', { name: 'a'.repeat(201), phone: '+306940000009' }, 'at most 200'],
    ['a name with a line break', { name: 'a\nb', phone: '+306940000009' }, 'control characters'],
    ['half a character', { name: 'a\ud800', phone: '+306940000009' }, 'control characters'],
    ['no phone', { name: 'A' }, 'phone is required'],
    ['a phone that is a number', { name: 'A', phone: 306940000009 }, 'phone is required'],
    ['a phone without plus', { name: 'A', phone: '6940000009' }, 'leading plus sign'],
    ['a phone with 00', { name: 'A', phone: '00306940000009' }, 'leading plus sign'],
    ['a phone too long', { name: 'A', phone: '+3069400000091234' }, 'leading plus sign'],
    ['an e-mail without @', { name: 'A', phone: '+306940000009', email: 'no-at-sign' }, 'e-mail'],
    ['a list', [], 'phone is required'],
    ['null', null, 'JSON object'],
    ['a text', 'name', 'JSON object']
  ])('responds with 400 to %s and adds nothing', async (_what, body, message) => {
    const reply = await caller.call('/customers', post(body))
    expect(reply.status).toBe(400)
    expect(errorOf(reply).message).toContain(message)
    expect((await caller.call('/customers/%2B306940000009?type=phone')).status).toBe(404)
  })
})

describe.each(everyTransport)('rewards, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  const list = async (query = '') => bodyOf(await caller.call(`/rewards${query}`), exactly.rewardPage)

  it('lists the catalogue in its order, 20 by default', async () => {
    const first = await list()
    expect(first).toMatchObject({ hasMore: true, currentPage: 1, pageSize: 20, noRewards: 20 })
    const second = await list('?pageNumber=2')
    expect(second).toMatchObject({ hasMore: false, currentPage: 2, pageSize: 20, noRewards: 4 })
    const indexes = [...first.data, ...second.data].map(({ index }) => index)
    expect(indexes).toEqual(Array.from({ length: 24 }, (_, place) => place + 1))
  })

  it('reads each reward of the list by id, three of them disabled', async () => {
    const { data } = await list('?pageSize=100')
    const details = await Promise.all(
      data.map(async ({ id }) => bodyOf(await caller.call(`/rewards/${id}`), exactly.rewardDetail))
    )
    expect(details.map(({ id, name, cost, index }) => ({ id, name, cost, index }))).toEqual(data)
    expect(details.filter(({ isEnable }) => !isEnable)).toHaveLength(3)
    for (const { createdAt, updatedAt } of details) expect(createdAt <= updatedAt).toBe(true)
  })

  it.each(['/rewards/none', '/rewards/%2B'])('responds with 404 for %s', async (path) => {
    const reply = await caller.call(path)
    expect(reply.status).toBe(404)
    expect(errorOf(reply).message).toBe('No such reward')
  })
})

const now = new Date('2026-11-21T10:00:00.000Z')

describe.each(everyTransport)('QR codes, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open({ now: () => now })
  })
  afterAll(() => caller.close())

  it.each([1, 250, 250.0, 9_999_999])('creates a code for %d points and reads it', async (points) => {
    const reply = await caller.call('/qr', post({ points }))
    expect(reply.status).toBe(200)
    const created = bodyOf(reply, exactly.qr)
    expect(created).toMatchObject({
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
      rewardPoints: points,
      status: 'active',
      usedDate: '',
      qrURL: `${caller.baseUrl.replace(/\/api$/, '')}/q/${created.code}`,
      qrImageURL: ''
    })
    expect(created.code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/)
    expect(bodyOf(await caller.call(`/qr/${created.code}`), exactly.qr)).toEqual(created)
    expect(bodyOf(await caller.call(`/qr/${created.code.toLowerCase()}`), exactly.qr)).toEqual(created)
  })

  it('tells those who ask in a header from when a code cannot be collected', async () => {
    const prefer = 'collect-until'
    const headers = { 'content-type': 'application/json', prefer }
    const created = await caller.call('/qr', { ...post({ points: 5 }), headers })
    const until = created.headers.get(prefer) ?? ''
    expect(Date.parse(until)).toBeGreaterThan(now.getTime())
    const path = `/qr/${bodyOf(created, exactly.qr).code}`
    expect((await caller.call(path, { headers: { prefer } })).headers.get(prefer)).toBe(until)
    expect((await caller.call(path)).headers.has(prefer)).toBe(false)
  })

  it('returns an image link only for image=1', async () => {
    const created = bodyOf(await caller.call('/qr?image=1', post({ points: 5 })), exactly.qr)
    expect(created.qrImageURL).toBe(`${created.qrURL}.png`)
    expect(bodyOf(await caller.call(`/qr/${created.code}`), exactly.qr).qrImageURL).toBe(created.qrImageURL)
    for (const query of ['?image=0', '?image=', '?image=true']) {
      const plain = bodyOf(await caller.call(`/qr${query}`, post({ points: 5 })), exactly.qr)
      expect(plain.qrImageURL).toBe('')
    }
  })

  it.each([10_000_000, 9_999_999.5, 1e300])('responds with 406 to %d points', async (points) => {
    const reply = await caller.call('/qr', post({ points }))
    expect(reply.status).toBe(406)
    expect(errorOf(reply)).toMatchObject({
      message: 'points must not be above 9999999',
      error: 'Not Acceptable'
    })
  })

  it.each([
    ['zero', '{"points":0}'],
    ['negative', '{"points":-5}'],
    ['fractional', '{"points":2.5}'],
    ['text', '{"points":"250"}'],
    ['null', '{"points":null}'],
    ['a list', '{"points":[250]}'],
    ['absent', '{}']
  ])('responds with 400 to points that are %s', async (_what, body) => {
    const reply = await caller.call('/qr', { ...post({}), body })
    expect(reply.status).toBe(400)
    expect(errorOf(reply).message).toBe('points must be a whole number, 1 or more')
  })

  it('responds with 406 to points that overflow a number', async () => {
    expect((await caller.call('/qr', { ...post({}), body: '{"points":1e999}' })).status).toBe(406)
  })

  it('are seeded with unused codes and a used one', async () => {
    for (const code of SEEDED_CODES.unused) {
      expect(bodyOf(await caller.call(`/qr/${code}`), exactly.qr)).toMatchObject({
        status: 'active',
        usedDate: ''
      })
    }
    const used = bodyOf(await caller.call(`/qr/${SEEDED_CODES.used[0]}`), exactly.qr)
    expect(used.status).toBe('used')
    expect(Date.parse(used.usedDate)).toBeLessThan(now.getTime())
    expect(used.updatedAt).toBe(used.usedDate)
  })

  it.each(['/qr/NEVERISSUED', '/qr/%00', '/qr/%2e%2e%2f'])('responds with 404 for %s', async (path) => {
    const reply = await caller.call(path)
    expect(reply.status).toBe(404)
    expect(errorOf(reply).error).toBe('Not Found')
  })
})

describe('a random source that repeats', () => {
  it('is tried again, so codes are unique', async () => {
    const draws = [1, 1, 2]
    const random = (size: number) => new Uint8Array(size).fill(draws.shift() ?? 3)
    const caller = await openInProcess({ random })
    const first = bodyOf(await caller.call('/qr', post({ points: 1 })), exactly.qr)
    const second = bodyOf(await caller.call('/qr', post({ points: 1 })), exactly.qr)
    expect(first.code).toBe('111111111111')
    expect(second.code).toBe('222222222222')
    await caller.close()
  })

  it('causes a 500 without internal details after several attempts, and is reported', async () => {
    const errors: unknown[] = []
    const caller = await openInProcess({
      random: (size) => new Uint8Array(size),
      onInternalError: (error) => errors.push(error)
    })
    expect((await caller.call('/qr', post({ points: 1 }))).status).toBe(200)
    const reply = await caller.call('/qr', post({ points: 1 }))
    expect(errorOf(reply)).toEqual({
      message: 'The service failed; please try again',
      error: 'Internal Server Error',
      statusCode: 500
    })
    expect(errors).toHaveLength(1)
    await caller.close()
  })
})

describe.each(everyTransport)('the account, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  it('has every field of the interface', async () => {
    const account = bodyOf(await caller.call('/account'), exactly.account)
    expect(account).toMatchObject({ timeZone: 'Europe/Athens', currentCustomers: 30 })
    expect(account.address).toMatchObject({ city: 'Αθήνα', country: 'GR' })
    expect(Object.values(account.address).every((line) => line !== '')).toBe(true)
    expect(account.logo).toBe(`${caller.baseUrl.replace(/\/api$/, '')}/images/logo.png`)
  })

  it("tells those who ask in a header the shop's time, with its zone and what that is ahead of UTC", async () => {
    const prefer = 'local-time'
    const before = Math.floor(Date.now() / 1000)
    const told = (await caller.call('/account', { headers: { prefer } })).headers.get(prefer) ?? ''
    expect(told).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[23]:00\[Europe\/Athens\]$/)
    const seconds = Date.parse(told.slice(0, 25)) / 1000
    expect(seconds).toBeGreaterThanOrEqual(before)
    expect(seconds).toBeLessThanOrEqual(Date.now() / 1000)
    expect((await caller.call('/account')).headers.has(prefer)).toBe(false)
  })

  it('differs for another token', async () => {
    const mine = bodyOf(await caller.call('/account'), exactly.account)
    const headers = { authorization: `Bearer ${OTHER_TOKEN}` }
    const other = bodyOf(await caller.call('/account', { headers }), exactly.account)
    expect(other.id).not.toBe(mine.id)
    expect(other.name).not.toBe(mine.name)
  })
})
