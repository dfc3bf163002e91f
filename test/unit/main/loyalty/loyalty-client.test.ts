import * as fc from 'fast-check'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { Page } from '../../../../electron/contract/loyalty.ts'
import type { Language } from '../../../../electron/contract/language.ts'
import type { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { createPageReader } from '../../../../electron/main/loyalty/page-reader.ts'
import {
  allowedAccount,
  allowedCode,
  allowedCustomer,
  allowedCustomerPage,
  allowedNewCode,
  allowedRewardPage
} from '../../../support/allowed-responses.ts'
import {
  startRecordingServer,
  type Recorded,
  type RecordingServer
} from '../../../support/recording-server.ts'
import {
  account,
  customer,
  customerPage,
  qrCode,
  reward,
  rewardDetail,
  rewardPage,
  serviceAt,
  without
} from './samples.ts'

let server: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
})
afterAll(() => server.close())

/** Makes one call with one scripted response. Returns its result and the requests. */
const call = async <Value>(
  body: object,
  make: (service: LoyaltyClient) => Promise<Value>,
  options: Parameters<typeof serviceAt>[1] = {}
): Promise<{ answer: Value; sent: Recorded | undefined; count: number }> => {
  server.answer({ body })
  const answer = await make(serviceAt(server.baseUrl, options))
  return { answer, sent: server.requests[0], count: server.requests.length }
}

describe('a code with a key', () => {
  const asked = { points: 250, reference: 'R-1', cashier: { number: 3, name: 'Rosa' } }

  it('is sent with its key to /ext/codes, and its answer tells that the service is reachable', async () => {
    const answers: boolean[] = []
    const observer = { handleRequest: () => (answer: Result<unknown>) => void answers.push(answer.ok) }
    const { answer, sent } = await call(qrCode, (service) => service.issueCode('a-key-of-1', asked), {
      observer
    })
    expect(answer).toMatchObject(ok({ code: qrCode.code }))
    expect(sent).toMatchObject({ method: 'POST', target: '/ext/codes' })
    expect(sent?.headers['idempotency-key']).toBe('a-key-of-1')
    expect(JSON.parse(sent?.body ?? '')).toEqual(asked)
    expect(answers).toEqual([true])
  })

  it('is not sent with points that no slip has', async () => {
    const { answer, count } = await call(qrCode, (service) =>
      service.issueCode('a-key-of-1', { ...asked, points: 0 })
    )
    expect([answer.ok, count]).toEqual([false, 0])
  })
})

describe('what a customer has by the shop’s rules', () => {
  const level = { name: 'Gold', factor: '1.5' }
  const next = { name: 'Platinum', missing: 250 }
  const ending = { points: 120, lastDay: '2026-11-30' }
  const whole = { level, next, ending }

  it('is asked for by the id of the customer', async () => {
    const { answer, sent } = await call(whole, (service) => service.standing('a/b'))
    expect(answer).toEqual(ok(whole))
    expect(sent).toMatchObject({ method: 'GET', target: '/ext/customers/a%2Fb/standing' })
  })

  it('is not asked for by what no path can contain', async () => {
    const { answer, count } = await call(whole, (service) => service.standing('..'))
    expect([answer, count]).toEqual([err({ kind: 'not-found' }), 0])
  })

  test.each([
    [{ level: null }, { level: null, next: null, ending: null }],
    [
      { ...whole, level: null, further: 1 },
      { ...whole, level: null }
    ],
    [
      { ...whole, level: { ...level, factor: 1.5 } },
      { ...whole, level: null }
    ],
    [
      { ...whole, level: { ...level, factor: '0' } },
      { ...whole, level: null }
    ],
    [
      { ...whole, level: { ...level, name: ' ' } },
      { ...whole, level: null }
    ],
    [
      { ...whole, level: 'Gold' },
      { ...whole, level: null }
    ],
    [
      { ...whole, next: { ...next, missing: 0 } },
      { ...whole, next: null }
    ],
    [
      { ...whole, ending: { ...ending, points: 0 } },
      { ...whole, ending: null }
    ],
    [
      { ...whole, ending: { ...ending, points: 1.5 } },
      { ...whole, ending: null }
    ],
    [
      { ...whole, ending: { ...ending, lastDay: '30.11.2026' } },
      { ...whole, ending: null }
    ]
  ])('has of %j what can be read', async (body, read) => {
    const { answer } = await call(body, (service) => service.standing('a'))
    expect(answer).toEqual(ok(read))
  })

  it.each([{}, [whole], { status: 'ok' }])('is none in %j', async (body) => {
    const { answer } = await call(body, (service) => service.standing('a'))
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'bad-response' } })
  })
})

describe('the request', () => {
  const pageOfCustomers = without(customerPage, 'noCustomers')
  const pageOfRewards = without(rewardPage, 'noRewards')

  const reads = [
    {
      name: 'lists customers without a slash',
      make: (service: LoyaltyClient) => service.listCustomers({ page: 2, pageSize: 1 }),
      body: customerPage,
      target: '/api/customers?pageNumber=2&pageSize=1',
      value: pageOfCustomers
    },
    {
      name: 'searches customers with the slash',
      make: (service: LoyaltyClient) => service.searchCustomers({ text: 'ada & +33 é', page: 2 }),
      body: customerPage,
      target: '/api/customers/?name=ada+%26+%2B33+%C3%A9&pageNumber=2',
      value: pageOfCustomers
    },
    {
      name: 'reads a customer by id, percent-encoded',
      make: (service: LoyaltyClient) => service.customerBy('id', 'a/b c?d#e%'),
      body: customer,
      target: '/api/customers/a%2Fb%20c%3Fd%23e%25?type=id',
      value: customer
    },
    {
      name: 'reads a customer by phone, the plus as %2B',
      make: (service: LoyaltyClient) => service.customerBy('phone', '+33612345678'),
      body: customer,
      target: '/api/customers/%2B33612345678?type=phone',
      value: customer
    },
    {
      name: 'reads a customer by e-mail, the at sign as %40',
      make: (service: LoyaltyClient) => service.customerBy('email', 'ada+till@example.org'),
      body: customer,
      target: '/api/customers/ada%2Btill%40example.org?type=email',
      value: customer
    },
    {
      name: 'lists rewards',
      make: (service: LoyaltyClient) => service.listRewards({ page: 1 }),
      body: rewardPage,
      target: '/api/rewards?pageNumber=1',
      value: pageOfRewards
    },
    {
      name: 'reads a reward',
      make: (service: LoyaltyClient) => service.reward('r/1'),
      body: rewardDetail,
      target: '/api/rewards/r%2F1',
      value: rewardDetail
    },
    {
      name: 'reads the account',
      make: (service: LoyaltyClient) => service.account(),
      body: account,
      target: '/api/account',
      value: account
    },
    {
      name: 'reads a code',
      make: (service: LoyaltyClient) => service.qr('AB/12'),
      body: qrCode,
      target: '/api/qr/AB%2F12',
      value: qrCode
    }
  ]

  test.each(reads)('$name', async ({ make, body, target, value }) => {
    const { answer, sent, count } = await call<unknown>(body, make)
    expect(answer).toEqual({ ok: true, value })
    expect(count).toBe(1)
    expect(sent).toMatchObject({
      method: 'GET',
      target,
      body: '',
      headers: { authorization: 'Bearer secret-token', 'x-lang': 'fr', accept: 'application/json' }
    })
    expect(sent?.headers['content-type']).toBeUndefined()
    expect(sent?.headers.cookie).toBeUndefined()
  })

  test('adds a customer', async () => {
    const created = without(customer, 'avatar')
    const { answer, sent } = await call(created, (service) =>
      service.addCustomer({ name: 'Ada Lovelace', phone: '+33612345678' })
    )
    expect(answer).toEqual({ ok: true, value: { ...created, avatar: null } })
    expect(sent).toMatchObject({
      method: 'POST',
      target: '/api/customers',
      body: '{"name":"Ada Lovelace","phone":"+33612345678"}',
      headers: {
        authorization: 'Bearer secret-token',
        'x-lang': 'fr',
        accept: 'application/json',
        'content-type': 'application/json',
        prefer: 'not-stored'
      }
    })
  })

  it.each([{ status: 'used' }, { usedDate: '2026-01-01T10:00:00.000Z' }])(
    'treats a new code with %o as an unknown outcome',
    async (used) => {
      const { answer } = await call({ ...qrCode, ...used }, (service) => service.createQr(250))
      expect(answer).toEqual(err({ kind: 'unknown-outcome', cause: 'bad-response' }))
    }
  )

  it.each([
    ['2027-02-19T13:05:33.000Z', '2027-02-19T13:05:33.000Z'],
    ['soon', null]
  ])('reads from the header %j until when a code can be collected', async (sent, read) => {
    server.answer({ body: qrCode, headers: { 'collect-until': sent } })
    const service = serviceAt(server.baseUrl)
    expect(await service.createQr(250)).toEqual(ok({ ...qrCode, expiresAt: read }))
    expect(await service.qr('AB12')).toEqual(ok({ ...qrCode, expiresAt: read }))
    expect(server.requests.map(({ headers }) => headers['prefer'])).toEqual([
      'collect-until',
      'collect-until'
    ])
  })

  test('creates a code without an image', async () => {
    const { answer, sent } = await call(qrCode, (service) => service.createQr(250))
    expect(answer).toEqual({ ok: true, value: qrCode })
    expect(sent).toMatchObject({
      method: 'POST',
      target: '/api/qr',
      body: '{"points":250}',
      headers: {
        authorization: 'Bearer secret-token',
        'x-lang': 'fr',
        accept: 'application/json',
        'content-type': 'application/json'
      }
    })
  })

  test('ignores a slash at the end of the base URL', async () => {
    server.answer({ body: account })
    await serviceAt(`${server.baseUrl}/`).account()
    expect(server.requests[0]?.target).toBe('/api/account')
  })

  test('sends the language of the moment', async () => {
    const languages: { screen: Language } = { screen: 'el' }
    server.answer({ body: account })
    const service = serviceAt(server.baseUrl, { languages })
    await service.account()
    languages.screen = 'de'
    await service.account()
    expect(server.requests.map(({ headers }) => headers['x-lang'])).toEqual(['el', 'de'])
  })

  test('replaces lone surrogates in the URL', async () => {
    const { answer, sent } = await call(customer, (service) => service.customerBy('id', 'a\ud800b'))
    expect(answer.ok).toBe(true)
    expect(sent?.target).toBe('/api/customers/a%EF%BF%BDb?type=id')
  })
})

describe('collected codes', () => {
  const page = {
    hasMore: false,
    next: '2026-11-24T14:03:00.000Z~0',
    data: [{ code: 'AB12', state: 'collected', points: 250, at: '2026-11-24T14:05:00.000Z' }]
  }
  const since = '2026-11-24T08:00:00.000Z'

  test('are read below the origin of the service, not below its API', async () => {
    const { answer, sent } = await call(page, (service) => service.collections(since))
    expect(answer).toMatchObject({ ok: true, value: { hasMore: false, next: page.next, leftOut: 0 } })
    expect(sent).toMatchObject({
      method: 'GET',
      target: '/ext/collections?since=2026-11-24T08%3A00%3A00.000Z',
      headers: { authorization: 'Bearer secret-token' }
    })
  })

  it.each([
    [404, '<!doctype html><title>Not here</title>', 'not-found'],
    [500, { statusCode: 500, error: 'Internal', message: '' }, 'service-down'],
    [503, '', 'service-down'],
    [200, '<!doctype html><title>Welcome</title>', 'bad-response'],
    [200, { hello: 'world' }, 'bad-response'],
    [401, { statusCode: 401, error: 'Unauthorized', message: '' }, 'unauthorised']
  ])('cost one request with the answer %s %j, of which no observer hears', async (status, body, kind) => {
    server.answer({ status, body })
    const handleRequest = vi.fn()
    const answer = await serviceAt(server.baseUrl, { observer: { handleRequest } }).collections(since)
    expect(answer).toMatchObject({ ok: false, failure: { kind } })
    expect(server.requests).toHaveLength(1)
    expect(handleRequest).not.toHaveBeenCalled()
  })
})

/** A number of 100 digits, as JSON. */
const HUGE = `1${'0'.repeat(99)}`

describe('the response of each operation', () => {
  const page = (data: object) => ({ hasMore: false, currentPage: 1, pageSize: 20, data: [data] })
  const operations: readonly {
    readonly name: string
    readonly make: (service: LoyaltyClient) => Promise<Result<unknown>>
    readonly body: object
    /** with HUGE instead of a number */
    readonly huge: string
    readonly hugeValue: object
  }[] = [
    {
      name: 'GET /customers',
      make: (service) => service.listCustomers({ page: 1 }),
      body: page(customer),
      huge: `{"hasMore":false,"pageSize":${HUGE},"noCustomers":${HUGE},"data":[{"id":${HUGE},"balance":${HUGE}}]}`,
      hugeValue: { pageSize: 20, data: [{ id: HUGE, balance: null }] }
    },
    {
      name: 'GET /customers/',
      make: (service) => service.searchCustomers({ text: 'ada', page: 1 }),
      body: page(customer),
      huge: `{"hasMore":${HUGE},"data":[{"id":"a","phone":${HUGE},"lifetimePoints":${HUGE}}]}`,
      hugeValue: { hasMore: false, data: [{ id: 'a', phone: HUGE, lifetimePoints: null }] }
    },
    {
      name: 'POST /customers',
      make: (service) => service.addCustomer({ name: 'Ada Lovelace', phone: '+33612345678' }),
      body: customer,
      huge: `{"id":${HUGE},"balance":${HUGE}}`,
      hugeValue: { id: HUGE, balance: null }
    },
    {
      name: 'GET /customers/{id}',
      make: (service) => service.customerBy('id', 'c-1'),
      body: customer,
      huge: `{"id":"a","balance":${HUGE}}`,
      hugeValue: { id: 'a', balance: null }
    },
    {
      name: 'GET /rewards',
      make: (service) => service.listRewards({ page: 1 }),
      body: page(reward),
      huge: `{"data":[{"id":"r","cost":${HUGE},"index":${HUGE}}]}`,
      hugeValue: { data: [{ id: 'r', cost: null, index: null }] }
    },
    {
      name: 'GET /rewards/{id}',
      make: (service) => service.reward('r-1'),
      body: rewardDetail,
      huge: `{"id":"r","cost":${HUGE},"isEnable":${HUGE}}`,
      hugeValue: { id: 'r', cost: null, isEnable: null }
    },
    {
      name: 'GET /account',
      make: (service) => service.account(),
      body: account,
      huge: `{"id":${HUGE},"currentCustomers":${HUGE},"address":{"zipCode":${HUGE}}}`,
      hugeValue: { id: HUGE, currentCustomers: null, address: { zipCode: HUGE } }
    },
    {
      name: 'POST /qr',
      make: (service) => service.createQr(250),
      body: qrCode,
      huge: `{"code":${HUGE},"qrURL":"https://points.example/q","rewardPoints":250,"status":${HUGE}}`,
      hugeValue: { code: HUGE, status: HUGE }
    },
    {
      name: 'GET /qr/{qrCode}',
      make: (service) => service.qr('AB12CD'),
      body: qrCode,
      huge: `{"code":${HUGE},"rewardPoints":${HUGE}}`,
      hugeValue: { code: HUGE, rewardPoints: null }
    }
  ]
  const json = (body: object): string => JSON.stringify(body)
  const forms: readonly {
    readonly form: string
    readonly encode: (body: object) => { body: string | Buffer; headers?: Record<string, string> }
  }[] = [
    { form: 'after a byte order mark', encode: (body) => ({ body: `\uFEFF${json(body)}` }) },
    {
      form: 'compressed with gzip',
      encode: (body) => ({ body: gzipSync(json(body)), headers: { 'content-encoding': 'gzip' } })
    },
    {
      form: 'compressed with brotli',
      encode: (body) => ({ body: brotliCompressSync(json(body)), headers: { 'content-encoding': 'br' } })
    },
    {
      form: 'with another content type',
      encode: (body) => ({ body: json(body), headers: { 'content-type': 'text/plain; charset=utf-16' } })
    },
    {
      form: 'with unknown fields',
      encode: (body) => ({
        body: json({ ...body, error: null, message: 'Done', statusCode: 200, extra: { list: [1, {}] } })
      })
    }
  ]

  describe.each(operations)('$name', ({ make, body, huge, hugeValue }) => {
    test.each(forms)('is read $form', async ({ encode }) => {
      server.answer({ body })
      const plain = await make(serviceAt(server.baseUrl))
      expect(plain).toMatchObject({ ok: true })
      server.answer(encode(body))
      expect(await make(serviceAt(server.baseUrl))).toEqual(plain)
      expect(server.requests).toHaveLength(1)
    })

    test('is read with numbers of 100 digits, none of them rounded', async () => {
      server.answer({ body: huge })
      const answer = await make(serviceAt(server.baseUrl))
      expect(answer).toMatchObject({ ok: true, value: hugeValue })
      expect(json(answer)).not.toMatch(/e\+?\d\d|Infinity/)
    })
  })
})

describe('any response that the interface allows', () => {
  const answerOf = (body: object, make: (service: LoyaltyClient) => Promise<Result<unknown>>) =>
    make(serviceAt('https://points.example/api', { fetch: () => Promise.resolve(Response.json(body)) }))
  const property = async <Sent>(
    arbitrary: fc.Arbitrary<Sent>,
    check: (sent: Sent) => Promise<void>
  ): Promise<void> => {
    await fc.assert(fc.asyncProperty(arbitrary, check), { numRuns: 300 })
  }

  test.each([
    [
      'customers',
      allowedCustomerPage,
      (service: LoyaltyClient) => service.searchCustomers({ text: 'a', page: 1 })
    ],
    ['rewards', allowedRewardPage, (service: LoyaltyClient) => service.listRewards({ page: 1 })]
  ] as const)('to a list of %s has all of its rows', async (_name, arbitrary, make) => {
    await property(arbitrary, async ({ rows, body }) => {
      const answer = await answerOf(body, make)
      expect(answer).toMatchObject({ ok: true, value: { data: { length: rows } } })
    })
  })

  test.each([
    ['a customer', allowedCustomer('7'), (service: LoyaltyClient) => service.customerBy('id', '7')],
    [
      'a registration',
      allowedCustomer('7'),
      (service: LoyaltyClient) => service.addCustomer({ name: 'a', phone: '+33612345678' })
    ],
    ['a new code', allowedNewCode('AB12'), (service: LoyaltyClient) => service.createQr(40)],
    ['a check', allowedCode('AB12'), (service: LoyaltyClient) => service.qr('AB12')],
    ['the profile', allowedAccount('b-1'), (service: LoyaltyClient) => service.account()]
  ] as const)('to %s is read', async (_name, arbitrary, make) => {
    await property(arbitrary, async (body) => {
      expect(await answerOf(body, make)).toMatchObject({ ok: true })
    })
  })
})

describe('rows without an id', () => {
  test('are left out, counted and logged, without the search text', async () => {
    const warnings: unknown[] = []
    const log = { warn: (...line: unknown[]) => warnings.push(line) }
    const rows = { data: [customer, { name: 'Bob' }, { ...customer, id: 7 }, null] }
    const { answer } = await call(rows, (service) => service.searchCustomers({ text: 'Ada', page: 2 }), {
      log
    })
    expect(answer).toMatchObject({ ok: true, value: { data: [{ id: 'c-1' }, { id: '7' }] } })
    expect(warnings).toEqual([['rows-left-out', { path: 'customers/', page: 2, rows: 2 }]])
  })

  test('make the response invalid if no other row is there', async () => {
    const { answer } = await call({ data: [{ name: 'Bob' }] }, (service) => service.listRewards({ page: 1 }))
    expect(answer).toEqual({ ok: false, failure: { kind: 'bad-response', path: 'data' } })
  })
})

describe('a page without paging fields', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: index }))

  test.each([
    ['full', { data: rows(20) }, undefined, true],
    ['shorter than full', { data: rows(19) }, undefined, false],
    ['full of what was requested', { data: rows(7) }, 7, true],
    ['limited by the service', { data: rows(50) }, 100, true],
    ['full of its own page size', { data: rows(5), pageSize: '5' }, 100, true],
    ['full with a row without an id', { data: [...rows(19), {}] }, undefined, true],
    ['full, but the last one', { data: rows(20), hasMore: 'false' }, undefined, false],
    ['short, but not the last one', { data: rows(2), hasMore: 'true' }, undefined, true],
    ['full, with another text for hasMore', { data: rows(20), hasMore: 'oui' }, undefined, true]
  ])('and is %s', async (_name, body, pageSize, hasMore) => {
    const { answer } = await call(body, (service) =>
      service.listCustomers({ page: 1, ...(pageSize === undefined ? {} : { pageSize }) })
    )
    expect(answer).toMatchObject({ ok: true, value: { hasMore } })
  })

  test('has the requested page number', async () => {
    const { answer } = await call({ data: [reward] }, (service) =>
      service.listRewards({ page: 3, pageSize: 7 })
    )
    expect(answer).toEqual({
      ok: true,
      value: { hasMore: false, currentPage: 3, pageSize: 7, data: [reward] }
    })
  })

  test('has the default size without a requested one', async () => {
    const { answer } = await call({ data: [] }, (service) => service.listCustomers({ page: 1 }))
    expect(answer).toEqual({ ok: true, value: { hasMore: false, currentPage: 1, pageSize: 20, data: [] } })
  })
})

describe('refused before a request', () => {
  const input = (field: string, fault: string) => ({ kind: 'invalid-input', field, fault })
  const cases = [
    ['a code of nothing', (s: LoyaltyClient) => s.qr(''), input('code', 'missing')],
    ['a code of one dot', (s: LoyaltyClient) => s.qr('.'), input('code', 'malformed')],
    ['a code of two dots', (s: LoyaltyClient) => s.qr('..'), input('code', 'malformed')],
    ['a customer without an id', (s: LoyaltyClient) => s.customerBy('id', ''), { kind: 'not-found' }],
    ['a customer of two dots', (s: LoyaltyClient) => s.customerBy('id', '..'), { kind: 'not-found' }],
    ['a reward of one dot', (s: LoyaltyClient) => s.reward('.'), { kind: 'not-found' }],
    ['no points', (s: LoyaltyClient) => s.createQr(0), input('points', 'below-one')],
    ['fewer than no points', (s: LoyaltyClient) => s.createQr(-5), input('points', 'below-one')],
    ['half a point', (s: LoyaltyClient) => s.createQr(0.5), input('points', 'not-a-whole-number')],
    [
      'points without a number',
      (s: LoyaltyClient) => s.createQr(Number.NaN),
      input('points', 'not-a-whole-number')
    ],
    [
      'points without an end',
      (s: LoyaltyClient) => s.createQr(Number.POSITIVE_INFINITY),
      { kind: 'points-too-many', maximum: 9_999_999 }
    ],
    [
      'one point too many',
      (s: LoyaltyClient) => s.createQr(10_000_000),
      { kind: 'points-too-many', maximum: 9_999_999 }
    ]
  ] as const

  test.each(cases)('%s', async (_name, make, failure) => {
    const { answer, count } = await call<unknown>({}, make)
    expect(answer).toEqual({ ok: false, failure })
    expect(count).toBe(0)
  })

  test.each([
    ['', 'missing'],
    ['line\nbreak', 'malformed'],
    ['clé', 'malformed']
  ])('a token of %j', async (token, fault) => {
    const { answer, count } = await call({}, (service) => service.account(), { token })
    expect(answer).toEqual({ ok: false, failure: input('token', fault) })
    expect(count).toBe(0)
  })

  test('a base URL without encryption', async () => {
    const answer = await serviceAt('http://points.example/api').account()
    expect(answer).toEqual({ ok: false, failure: input('base-url', 'not-https') })
  })
})

describe('any response', () => {
  const calls: readonly ((service: LoyaltyClient) => Promise<{ readonly ok: boolean }>)[] = [
    (service) => service.listCustomers({ page: 1 }),
    (service) => service.searchCustomers({ text: 'a', page: 1 }),
    (service) => service.addCustomer({ name: 'a', phone: '+33612345678' }),
    (service) => service.customerBy('id', 'a'),
    (service) => service.listRewards({ page: 1 }),
    (service) => service.reward('a'),
    (service) => service.account(),
    (service) => service.createQr(1),
    (service) => service.qr('a')
  ]
  const anyText = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record(
        {
          id: fc.jsonValue(),
          balance: fc.jsonValue(),
          data: fc.jsonValue(),
          code: fc.jsonValue(),
          statusCode: fc.integer()
        },
        { requiredKeys: [] }
      )
      .map((value) => JSON.stringify(value))
  )

  test('resolves each call to a value or a failure', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 200, max: 599 }),
        fc.constantFrom(...calls),
        async (text, status, call) => {
          const body = [204, 205, 304].includes(status) ? null : text
          const service = serviceAt('https://points.example/api', {
            fetch: () => Promise.resolve(new Response(body, { status }))
          })
          expect(await call(service)).toHaveProperty('ok')
        }
      ),
      { numRuns: 300 }
    )
  })

  test('and any argument cause at most one request, below the base URL', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (value) => {
        const targets: string[] = []
        const service = serviceAt('https://points.example/api', {
          fetch: (input) => {
            targets.push(new URL(input instanceof Request ? input.url : input).pathname)
            return Promise.resolve(Response.json(customer))
          }
        })
        await service.customerBy('id', value)
        for (const target of targets) expect(target).toMatch(/^\/api\/customers\/[^/]+$/)
      }),
      { numRuns: 100 }
    )
  })
})

const page: Page<string> = { data: ['row'], hasMore: true, currentPage: 1, pageSize: 20 }

const createRecordingReader = (
  answer: (asked: { page: number; pageSize?: number }) => Result<Page<string>>
) => {
  const asked: { page: number; pageSize?: number }[] = []
  return {
    asked,
    read: createPageReader<string>((wanted) => {
      asked.push(wanted)
      return Promise.resolve(answer(wanted))
    })
  }
}

const tooLarge: Failure = { kind: 'rejected', status: 400, message: 'pageSize too large' }

describe('large pages', () => {
  it('are requested', async () => {
    const { asked, read } = createRecordingReader(() => ok(page))
    await read(1)
    await read(2)
    expect(asked).toEqual([
      { page: 1, pageSize: 100 },
      { page: 2, pageSize: 100 }
    ])
  })

  it('are not requested again after the service refused them', async () => {
    const { asked, read } = createRecordingReader(({ pageSize }) =>
      pageSize === undefined ? ok(page) : err(tooLarge)
    )
    expect(await read(1)).toEqual(ok(page))
    await read(2)
    expect(asked).toEqual([{ page: 1, pageSize: 100 }, { page: 1 }, { page: 2 }])
  })

  it('keep their size after the first page: smaller ones would start elsewhere', async () => {
    const { asked, read } = createRecordingReader(() => err(tooLarge))
    expect(await read(3)).toEqual(err(tooLarge))
    expect(asked).toHaveLength(1)
  })

  it('keep their size after another failure', async () => {
    const { asked, read } = createRecordingReader(() => err({ kind: 'offline' }))
    await read(1)
    expect(asked).toEqual([{ page: 1, pageSize: 100 }])
  })
})
