import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { Customer, Page } from '../../../../electron/contract/loyalty.ts'
import { findCustomers, registerCustomer } from '../../../../electron/main/loyalty/customers.ts'
import {
  deadBaseUrl,
  startRecordingServer,
  type RecordingServer,
  type Reply
} from '../../../support/recording-server.ts'
import { customer, serviceAt, without } from './samples.ts'

const ada: Customer = customer
const bob: Customer = { ...customer, id: 'c-2', name: 'Bob' }
const pageOf = (...data: readonly Customer[]): Result<Page<Customer>> =>
  ok({ hasMore: false, currentPage: 1, pageSize: 20, data })

/** A client with a fetch that responds by target, and its requests. */
const serviceWith = (answers: Readonly<Record<string, Result<Customer> | Result<Page<Customer>>>>) => {
  const asked: string[] = []
  const statuses: Readonly<Partial<Record<Failure['kind'], number>>> = {
    unauthorised: 401,
    forbidden: 403,
    'not-found': 404,
    rejected: 400,
    busy: 429,
    'service-down': 501
  }
  const fetch = (input: string | URL | Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input)
    const name = searchParams.get('name')
    const question =
      name === null ? decodeURIComponent(pathname.replace('/api/customers/', '')) : `search ${name}`
    const page = searchParams.get('pageNumber') ?? '1'
    asked.push(page === '1' ? question : `${question} page ${page}`)
    const answer = answers[question] ?? (name === null ? err({ kind: 'not-found' }) : pageOf())
    if (answer.ok) return Promise.resolve(Response.json(answer.value))
    const { kind } = answer.failure
    if (kind === 'bad-response') return Promise.resolve(new Response('<html>'))
    if (kind === 'offline') return Promise.reject(new Error('net::ERR_INTERNET_DISCONNECTED'))
    if (kind === 'tls') return Promise.reject(new Error('net::ERR_CERT_DATE_INVALID'))
    return Promise.resolve(new Response('{}', { status: statuses[kind] ?? 500 }))
  }
  return { service: serviceAt('https://points.example/api', { fetch }), asked }
}

const find = async (text: string, answers: Parameters<typeof serviceWith>[0] = {}, page = 1) => {
  const { service, asked } = serviceWith(answers)
  const answer = await findCustomers(service, { text, page, country: 'FR' })
  return { answer, asked, names: answer.ok ? answer.value.customers.map(({ name }) => name) : answer.failure }
}

describe('a phone', () => {
  test('is looked up exactly and searched as typed, without duplicates', async () => {
    const { answer, asked } = await find(' 06 12-34.56 78 ', {
      '+33612345678': ok(ada),
      'search 06 12-34.56 78': pageOf(bob, ada)
    })
    expect(asked.sort()).toEqual(['+33612345678', 'search 06 12-34.56 78'])
    expect(answer).toEqual({
      ok: true,
      value: {
        kind: 'customers',
        customers: [ada, bob],
        page: 1,
        hasMore: false,
        phone: { e164: '+33612345678', display: '+33 6 12 34 56 78' }
      }
    })
  })

  test('without a match is searched again in international format', async () => {
    const { asked, names } = await find('0612345678', { 'search +33612345678': pageOf(bob) })
    expect(asked).toEqual(['+33612345678', 'search 0612345678', 'search +33612345678'])
    expect(names).toEqual(['Bob'])
  })

  test('in international format is searched once', async () => {
    const { asked, names } = await find('+33612345678')
    expect(asked).toEqual(['+33612345678', 'search +33612345678'])
    expect(names).toEqual([])
  })

  test('is looked up exactly for the first page only', async () => {
    const { asked } = await find('0612345678', { 'search 0612345678': pageOf(bob) }, 2)
    expect(asked).toEqual(['search 0612345678 page 2'])
  })
})

describe('the beginning of a phone', () => {
  test('is searched as typed, then without the trunk prefix', async () => {
    const { answer, asked, names } = await find('06 12', { 'search 612': pageOf(ada) })
    expect(asked).toEqual(['search 06 12', 'search 612'])
    expect(names).toEqual(['Ada Lovelace'])
    expect(answer).toMatchObject({ value: { phone: null } })
  })

  test('of few digits is searched as typed only', async () => {
    expect((await find('06')).asked).toEqual(['search 06', '06'])
    expect((await find('612')).asked).toEqual(['search 612', '612'])
  })
})

describe('an e-mail', () => {
  test('is looked up exactly and searched', async () => {
    const { answer, asked, names } = await find('ada@example.org', { 'ada@example.org': ok(ada) })
    expect(asked.sort()).toEqual(['ada@example.org', 'search ada@example.org'])
    expect(names).toEqual(['Ada Lovelace'])
    expect(answer).toMatchObject({ value: { phone: null } })
  })
})

describe('an id', () => {
  const id = '66f0c3d2a1b4e5f6a7b8c9d0'

  test('is looked up as one if no customer has such a name', async () => {
    const { asked, names } = await find(id, { [id]: ok(ada) })
    expect(asked).toEqual([`search ${id}`, id])
    expect(names).toEqual(['Ada Lovelace'])
  })

  test('is not looked up if a customer has such a name, or for a further page', async () => {
    expect((await find('Anna', { 'search Anna': pageOf(bob) })).asked).toEqual(['search Anna'])
    expect((await find(id, {}, 2)).asked).toEqual([`search ${id} page 2`])
  })

  test('of digits only is looked up although it may be the beginning of a phone', async () => {
    const { asked, names } = await find('0400638133393', { '0400638133393': ok(ada) })
    expect(asked.toSorted()).toEqual(['0400638133393', 'search 0400638133393', 'search 400638133393'])
    expect(names).toEqual(['Ada Lovelace'])
  })

  test.each(['Ada Lovelace', 'Ελένη', 'a/b', 'x'.repeat(201)])('cannot be %s', async (text) => {
    expect((await find(text)).asked).toEqual([`search ${text}`])
  })

  test('that no customer has is no failure, but without a response "no customer" is not claimed', async () => {
    expect((await find(id)).names).toEqual([])
    expect((await find(id, { [id]: err({ kind: 'rejected', status: 400, message: '' }) })).names).toEqual([])
    expect((await find(id, { [id]: err({ kind: 'offline' }) })).names).toEqual({ kind: 'offline' })
  })
})

describe('any other text', () => {
  test('is searched, with its pages', async () => {
    const server = await startRecordingServer()
    try {
      server.answer({ body: { hasMore: true, currentPage: 3, pageSize: 20, data: [ada] } })
      const answer = await findCustomers(serviceAt(server.baseUrl), {
        text: 'Lovelace',
        page: 3,
        country: 'FR'
      })
      expect(answer).toMatchObject({ value: { customers: [ada], page: 3, hasMore: true, phone: null } })
      expect(server.requests.map(({ target }) => target)).toEqual([
        '/api/customers/?name=Lovelace&pageNumber=3'
      ])
    } finally {
      await server.close()
    }
  })

  test('that is blank sends no request and returns no customers', async () => {
    const { asked, names } = await find('  ')
    expect(asked).toEqual([])
    expect(names).toEqual([])
  })

  test('with a 404 of the service returns no customers', async () => {
    expect((await find('Nobody', { 'search Nobody': err({ kind: 'not-found' }) })).names).toEqual([])
  })
})

describe('when one of two requests fails', () => {
  const phone = '+33612345678'
  const fails = (kind: 'unauthorised' | 'forbidden' | 'not-found' | 'offline' | 'tls'): Result<never> =>
    err({ kind })
  const rejected = err({ kind: 'rejected', status: 400, message: '' })
  const broken = err({ kind: 'bad-response', path: '' })
  const down = err({ kind: 'service-down', status: 501 })

  test.each([
    ['the look-up finds no customer', fails('not-found'), pageOf(bob), ['Bob']],
    ['the look-up is rejected', rejected, pageOf(bob), ['Bob']],
    ['the response of the look-up is invalid', broken, pageOf(), []],
    ['the look-up fails with 501, and the search succeeds', down, pageOf(bob), ['Bob']],
    ['the search is rejected', ok(ada), rejected, ['Ada Lovelace']],
    ['the search fails with 501', ok(ada), down, ['Ada Lovelace']],
    ['the search is offline', ok(ada), fails('offline'), ['Ada Lovelace']]
  ])('%s: returns the result of the other', async (_name, exact, search, names) => {
    expect((await find(phone, { [phone]: exact, [`search ${phone}`]: search })).names).toEqual(names)
  })

  test.each([
    [
      'the look-up fails with 501, and the search finds no customer',
      down,
      pageOf(),
      { kind: 'service-down', status: 501 }
    ],
    [
      'the look-up is offline, and the search finds no customer',
      fails('offline'),
      pageOf(),
      { kind: 'offline' }
    ],
    [
      'the token is not accepted for the look-up',
      fails('unauthorised'),
      pageOf(bob),
      { kind: 'unauthorised' }
    ],
    ['the token is not accepted for the search', ok(ada), fails('unauthorised'), { kind: 'unauthorised' }],
    ['both, the look-up with the more severe failure', fails('forbidden'), down, { kind: 'forbidden' }],
    ['both, the search with the more severe failure', rejected, fails('tls'), { kind: 'tls' }],
    [
      'the search is offline, and the look-up finds no customer',
      fails('not-found'),
      fails('offline'),
      { kind: 'offline' }
    ]
  ])('%s: returns the failure', async (_name, exact, search, failure) => {
    expect((await find(phone, { [phone]: exact, [`search ${phone}`]: search })).names).toEqual(failure)
  })

  test('a failed second search is not reported as no match', async () => {
    const { names } = await find('0612345678', { 'search +33612345678': fails('offline') })
    expect(names).toEqual({ kind: 'offline' })
    expect((await find('0612345678', { 'search +33612345678': rejected })).names).toEqual([])
  })
})

let server: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
})
afterAll(() => server.close())

const form = { name: 'Ada Lovelace', phone: '06 12 34 56 78', country: 'FR', isNameRequired: false }
const created = without(customer, 'avatar')
const POST = 'POST /api/customers'
const LOOKUP = 'GET /api/customers/%2B33612345678?type=phone'

const register = async (replies: readonly [Reply, ...Reply[]], changed: Partial<typeof form> = {}) => {
  server.answer(...replies)
  const answer = await registerCustomer(serviceAt(server.baseUrl, { timeoutMs: 500 }), {
    ...form,
    ...changed
  })
  const requests = server.requests.map(({ method, target }) => `${method} ${target}`)
  return { answer, requests, body: server.requests[0]?.body }
}

describe('a new customer', () => {
  test('is sent with the phone in international format', async () => {
    const { answer, requests, body } = await register([{ body: created }])
    expect(answer).toEqual({ ok: true, value: { customer: { ...customer, avatar: null }, existed: false } })
    expect(requests).toEqual([POST])
    expect(body).toBe('{"name":"Ada Lovelace","phone":"+33612345678"}')
  })

  test('has a name with single spaces', async () => {
    const { body } = await register([{ body: created }], { name: ' \tAda\n \u00a0Lovelace\u0007 ' })
    expect(body).toBe('{"name":"Ada Lovelace","phone":"+33612345678"}')
  })

  test.each(['あ', 'Ζωή', '𠮷野家', 'a'.repeat(100), '😀'.repeat(100)])('may be called %s', async (name) => {
    expect((await register([{ body: created }], { name })).body).toBe(
      JSON.stringify({ name, phone: '+33612345678' })
    )
  })
})

describe('a customer without a name', () => {
  const refused: Reply = { status: 400, body: { message: 'name should not be empty', statusCode: 400 } }

  test.each(['', ' \n\u200b '])('is sent with an empty one: %j', async (name) => {
    const { answer, body } = await register([{ body: { ...created, name: '' } }], { name })
    expect(answer).toMatchObject({ ok: true, value: { customer: { name: '' }, existed: false } })
    expect(body).toBe('{"name":"","phone":"+33612345678"}')
  })

  test('is asked for it once the service has refused an empty one', async () => {
    const failure = { kind: 'invalid-input', field: 'name', fault: 'required-by-service' }
    expect((await register([refused], { name: '' })).answer).toEqual({ ok: false, failure })
    const later = await register([refused], { name: '', isNameRequired: true })
    expect(later.answer).toEqual({ ok: false, failure })
    expect(later.requests).toEqual([])
  })

  test.each([
    [400, 'phone is not supported'],
    [422, 'Telefonnummer ungültig'],
    [402, 'Your plan allows 100 customers']
  ])('is refused as the service says, %i, if that is about something else: %s', async (status, message) => {
    const reply: Reply = { status, body: { message, statusCode: status } }
    const rejected = { ok: false, failure: { kind: 'rejected', status, message } }
    expect((await register([reply], { name: '' })).answer).toMatchObject(rejected)
  })

  test('is not meant if there was a name', async () => {
    const rejected = { ok: false, failure: { kind: 'rejected', status: 400 } }
    expect((await register([refused])).answer).toMatchObject(rejected)
  })
})

describe('a form that cannot be sent', () => {
  test.each([
    [{ name: 'a'.repeat(101) }, 'name', 'too-long'],
    [{ phone: '' }, 'phone', 'missing'],
    [{ phone: '  ' }, 'phone', 'missing'],
    [{ phone: '0612' }, 'phone', 'not-a-phone'],
    [{ phone: 'Ada' }, 'phone', 'not-a-phone']
  ])('%j', async (changed, field, fault) => {
    const { answer, requests } = await register([{ body: created }], changed)
    expect(answer).toEqual({ ok: false, failure: { kind: 'invalid-input', field, fault } })
    expect(requests).toEqual([])
  })
})

describe('a phone that is registered already', () => {
  const exists: Reply = { status: 406, body: { message: 'Exists', error: 'Not Acceptable', statusCode: 406 } }

  test('returns the existing customer', async () => {
    const { answer, requests } = await register([exists, { body: { ...customer, name: 'Bob' } }])
    expect(answer).toEqual({ ok: true, value: { customer: { ...customer, name: 'Bob' }, existed: true } })
    expect(requests).toEqual([POST, LOOKUP])
  })

  test.each([404, 500])(
    'that no customer has, with status %i of the lookup: the message of the service is the failure',
    async (status) => {
      const message = 'Names may have no digits'
      const { answer, requests } = await register([{ status: 406, body: { message } }, { status }])
      expect(answer).toEqual({ ok: false, failure: { kind: 'rejected', status: 406, message } })
      expect(requests.slice(0, 2)).toEqual([POST, LOOKUP])
    }
  )

  test('is looked up for 409 as well, and for no other refusal', async () => {
    const conflict = await register([{ status: 409, body: { message: 'Conflict' } }, { body: customer }])
    expect(conflict.answer).toMatchObject({ ok: true, value: { existed: true } })
    const refusal = await register([{ status: 422, body: { message: 'Invalid' } }])
    expect(refusal.answer).toEqual({
      ok: false,
      failure: { kind: 'rejected', status: 422, message: 'Invalid' }
    })
    expect(refusal.requests).toEqual([POST])
  })
})

describe('a lost response', () => {
  const lost: readonly Reply[] = ['reset', 'reset-in-body', 'silence', { status: 502 }, { body: '<html>' }]

  test.each(lost)('%j: the customer exists with the data that was sent', async (reply) => {
    const { answer, requests } = await register([reply, { body: { ...customer, name: 'ADA  Lovelace' } }])
    expect(answer).toEqual({
      ok: true,
      value: { customer: { ...customer, name: 'ADA  Lovelace' }, existed: false }
    })
    expect(requests).toEqual([POST, LOOKUP])
  })

  test.each(lost)('%j: another customer has the phone', async (reply) => {
    const { answer } = await register([reply, { body: { ...customer, name: 'Bob' } }])
    expect(answer).toMatchObject({ ok: true, value: { existed: true } })
  })

  test.each([
    ['reset', { kind: 'offline' }],
    ['silence', { kind: 'offline' }],
    [{ status: 502 }, { kind: 'unknown-outcome', cause: 'service-down' }],
    [{ body: '' }, { kind: 'unknown-outcome', cause: 'bad-response' }]
  ] as const)('%j: no customer has the phone', async (reply, failure) => {
    const { answer, requests } = await register([reply, { status: 404 }])
    expect(answer).toEqual({ ok: false, failure })
    expect(requests).toEqual([POST, LOOKUP])
  })

  test('that cannot be looked up stays unknown', async () => {
    const { answer, requests } = await register(['reset'])
    expect(answer).toEqual({ ok: false, failure: { kind: 'unknown-outcome', cause: 'connection-lost' } })
    expect(requests.filter((request) => request === POST)).toHaveLength(1)
  })
})

describe('any other failure', () => {
  test('is the failure of the registration', async () => {
    const { answer, requests } = await register([{ status: 401 }])
    expect(answer).toEqual({ ok: false, failure: { kind: 'unauthorised' } })
    expect(requests).toEqual([POST])
  })

  test('of a service that stored nothing is not looked up', async () => {
    const { answer, requests } = await register([{ status: 503, headers: { 'not-stored': 'storage-full' } }])
    expect(answer).toEqual({ ok: false, failure: { kind: 'service-full' } })
    expect(requests).toEqual([POST])
  })

  test('without a connection is offline, without a look-up', async () => {
    expect(await registerCustomer(serviceAt(await deadBaseUrl()), form)).toEqual({
      ok: false,
      failure: { kind: 'offline' }
    })
  })
})
