import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registerCustomer } from '../../../../electron/main/loyalty/index.ts'
import {
  deadBaseUrl,
  startRecordingServer,
  type RecordingServer,
  type Reply
} from '../../../support/recording-server.ts'
import { customer, serviceAt, without } from './samples.ts'

let server: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
})
afterAll(() => server.close())

const form = { name: 'Ada Lovelace', phone: '06 12 34 56 78', country: 'FR' }
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

describe('a form that cannot be sent', () => {
  test.each([
    [{ name: '' }, 'name', 'missing'],
    [{ name: ' \n\u200b ' }, 'name', 'missing'],
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

  test('opens the customer who has it', async () => {
    const { answer, requests } = await register([exists, { body: { ...customer, name: 'Bob' } }])
    expect(answer).toEqual({ ok: true, value: { customer: { ...customer, name: 'Bob' }, existed: true } })
    expect(requests).toEqual([POST, LOOKUP])
  })

  test('is said to be when that customer is not shown', async () => {
    const { answer } = await register([exists, { status: 404 }])
    expect(answer).toEqual({ ok: false, failure: { kind: 'already-exists' } })
  })
})

describe('a lost answer', () => {
  const lost: readonly Reply[] = ['reset', 'reset-in-body', 'silence', { status: 502 }, { body: '<html>' }]

  test.each(lost)('%j: the customer is there, as sent', async (reply) => {
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
  ] as const)('%j: nobody has the phone', async (reply, failure) => {
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

  test('nobody listens: nothing was sent, and nothing is looked up', async () => {
    expect(await registerCustomer(serviceAt(await deadBaseUrl()), form)).toEqual({
      ok: false,
      failure: { kind: 'offline' }
    })
  })
})
