import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Failure } from '../../../../electron/contract/failure.ts'
import type { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { selfSigned } from '../../../support/certificates/index.ts'
import {
  deadBaseUrl,
  startRecordingServer,
  type RecordingServer,
  type Reply
} from '../../../support/recording-server.ts'
import { customer, qrCode, serviceAt, without } from './samples.ts'

let server: RecordingServer
let elsewhere: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
  elsewhere = await startRecordingServer()
})
afterAll(() => Promise.all([server.close(), elsewhere.close()]))

const read = (service: LoyaltyClient) => service.customerBy('id', 'c-1')
const busy = (retryAfterSeconds: number | null) => ({
  ok: false,
  failure: { kind: 'busy', retryAfterSeconds }
})

describe('a read that fails', () => {
  test('succeeds with a later attempt', async () => {
    server.answer({ status: 503 }, 'reset', { body: customer })
    expect(await read(serviceAt(server.baseUrl))).toEqual({ ok: true, value: customer })
    expect(server.requests).toHaveLength(3)
  })

  test('waits longer before each attempt', async () => {
    const asked: number[] = []
    server.answer({ status: 500 })
    await read(serviceAt(server.baseUrl, { retryDelay: (attempt) => asked.push(attempt) }))
    expect(asked).toEqual([1, 2])
  })
})

describe('Retry-After', () => {
  const seconds = (after: number): string => new Date(Date.now() + after * 1000).toUTCString()

  // Dates have whole seconds: two ahead is at least one away.
  test.each([
    ['as seconds', 429, () => '1'],
    ['as a date', 503, () => seconds(2)]
  ])('%s is waited for, instead of the usual delay', async (_name, status, header) => {
    const usual: number[] = []
    server.answer({ status, headers: { 'retry-after': header() } }, { body: customer })
    const before = Date.now()
    expect((await read(serviceAt(server.baseUrl, { retryDelay: (attempt) => usual.push(attempt) }))).ok).toBe(
      true
    )
    // A timer may be a little early, never a tenth of a second.
    expect(Date.now() - before).toBeGreaterThan(900)
    expect(usual).toEqual([])
  })

  test.each(['soon', '-5', '1.5', '5 s', '99999999999', 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'with an invalid value such as %j is ignored',
    async (header) => {
      const usual: number[] = []
      server.answer({ status: 429, headers: { 'retry-after': header } })
      const service = serviceAt(server.baseUrl, { retryDelay: (attempt) => usual.push(attempt) })
      expect(await read(service)).toEqual(busy(null))
      expect(usual).toEqual([1, 2])
    }
  )

  test('longer than the maximum wait fails at once', async () => {
    server.answer({ status: 429, headers: { 'retry-after': '11' } })
    expect(await read(serviceAt(server.baseUrl))).toEqual(busy(11))
    expect(server.requests).toHaveLength(1)
    server.answer({ status: 503, headers: { 'retry-after': seconds(3600) } })
    expect(await read(serviceAt(server.baseUrl))).toMatchObject({
      failure: { kind: 'service-down', status: 503 }
    })
    expect(server.requests).toHaveLength(1)
  })

  test('in a vendor’s own header is ignored', async () => {
    server.answer(
      { status: 429, headers: { 'x-ratelimit-reset': '9', 'ratelimit-reset': '9' } },
      { body: customer }
    )
    const usual: number[] = []
    expect((await read(serviceAt(server.baseUrl, { retryDelay: (attempt) => usual.push(attempt) }))).ok).toBe(
      true
    )
    expect(usual).toEqual([1])
  })

  test('does not repeat a write', async () => {
    server.answer({ status: 429, headers: { 'retry-after': '0' } })
    expect(await serviceAt(server.baseUrl).createQr(1)).toEqual(busy(0))
    expect(server.requests).toHaveLength(1)
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'of %i is not followed, and the token is sent to no other server',
    async (status) => {
      elsewhere.answer({ body: customer })
      for (const location of [`${elsewhere.baseUrl}/customers/c-1`, '/api/other']) {
        const redirect = { status, headers: { location } }
        server.answer(redirect)
        expect(await read(serviceAt(server.baseUrl))).toEqual({
          ok: false,
          failure: { kind: 'bad-response', path: '(redirect)' }
        })
        expect(server.requests).toHaveLength(1)
        server.answer(redirect)
        expect(await serviceAt(server.baseUrl).createQr(1)).toEqual({
          ok: false,
          failure: { kind: 'unknown-outcome', cause: 'bad-response' }
        })
        expect(server.requests).toHaveLength(1)
      }
      expect(elsewhere.requests).toEqual([])
    }
  )

  test('that fetch followed anyway is refused', async () => {
    elsewhere.answer({ body: customer })
    server.answer({ status: 302, headers: { location: `${elsewhere.baseUrl}/customers/c-1` } })
    const disobedient: typeof fetch = (input, init) =>
      fetch(input instanceof Request ? input.url : input, { ...init, redirect: 'follow' })
    expect(await read(serviceAt(server.baseUrl, { fetch: disobedient }))).toMatchObject({
      failure: { path: '(redirect)' }
    })
  })
})

describe('a call that is aborted', () => {
  test('before it starts sends no request', async () => {
    server.answer({ body: qrCode })
    const answer = await serviceAt(server.baseUrl).createQr(1, AbortSignal.abort())
    expect(answer.ok).toBe(false)
    expect(server.requests).toEqual([])
  })

  test('during the request resolves at once, and is not repeated', async () => {
    server.answer('silence')
    const arrived = new AbortController()
    const signalled: typeof fetch = (input, init) => {
      queueMicrotask(() => {
        arrived.abort(new Error('The page is gone'))
      })
      return fetch(input, init)
    }
    const answer = await serviceAt(server.baseUrl, { fetch: signalled, timeoutMs: 60_000 }).account(
      arrived.signal
    )
    expect(answer.ok).toBe(false)
  })

  test('has an unknown outcome if it is a write', async () => {
    const arrived = new AbortController()
    server.answer('silence')
    const late: typeof fetch = (input, init) => {
      const answer = fetch(input, init)
      setImmediate(() => {
        arrived.abort()
      })
      return answer
    }
    const service = serviceAt(server.baseUrl, { fetch: late, timeoutMs: 60_000 })
    expect(await service.createQr(1, arrived.signal)).toEqual({
      ok: false,
      failure: { kind: 'unknown-outcome', cause: 'till-stopped' }
    })
  })

  test('by a signal with a time limit is not a timeout of the client', async () => {
    server.answer('silence')
    const service = serviceAt(server.baseUrl, { timeoutMs: 60_000 })
    expect(await service.account(AbortSignal.timeout(100))).toEqual({
      ok: false,
      failure: { kind: 'offline' }
    })
  })

  test('between two attempts is not repeated', async () => {
    // The aborted requests of the other tests may arrive late.
    const own = await startRecordingServer()
    onTestFinished(() => own.close())
    const gone = new AbortController()
    own.answer({ status: 503 })
    const service = serviceAt(own.baseUrl, {
      retryDelay: () => {
        gone.abort()
        return 60_000
      }
    })
    expect((await service.account(gone.signal)).ok).toBe(false)
    expect(own.requests).toHaveLength(1)
  })
})

describe('with the plain errors of net.fetch', () => {
  const failing = (message: string): { fetch: typeof fetch; count: () => number } => {
    let count = 0
    return {
      fetch: () => {
        count += 1
        return Promise.reject(new Error(message))
      },
      count: () => count
    }
  }

  test.each([
    [
      'net::ERR_INTERNET_DISCONNECTED',
      { kind: 'offline' },
      { kind: 'unknown-outcome', cause: 'connection-lost' },
      3
    ],
    [
      'net::ERR_SSL_PROTOCOL_ERROR',
      { kind: 'tls' },
      { kind: 'unknown-outcome', cause: 'connection-lost' },
      1
    ],
    ['net::ERR_CONNECTION_REFUSED', { kind: 'offline' }, { kind: 'offline' }, 3],
    [
      'net::ERR_CONNECTION_RESET',
      { kind: 'offline' },
      { kind: 'unknown-outcome', cause: 'connection-lost' },
      3
    ],
    [
      'net::ERR_EMPTY_RESPONSE',
      { kind: 'offline' },
      { kind: 'unknown-outcome', cause: 'connection-lost' },
      3
    ],
    ['net::ERR_CERT_AUTHORITY_INVALID', { kind: 'tls' }, { kind: 'tls' }, 1],
    [
      "Attempted to redirect, but redirect policy was 'error'",
      { kind: 'bad-response', path: '(redirect)' },
      { kind: 'unknown-outcome', cause: 'bad-response' },
      1
    ]
  ])('%s', async (message, toRead, toWrite, attempts) => {
    const reading = failing(message)
    const read = await serviceAt('https://points.example/api', { fetch: reading.fetch }).account()
    expect(read).toEqual({ ok: false, failure: toRead })
    expect(reading.count()).toBe(attempts)
    const writing = failing(message)
    const written = await serviceAt('https://points.example/api', { fetch: writing.fetch }).createQr(1)
    expect(written).toEqual({ ok: false, failure: toWrite })
    expect(writing.count()).toBe(1)
  })

  test('a fetch that throws instead of rejecting', async () => {
    const fetch = () => {
      throw new Error('net::ERR_FAILED')
    }
    expect(await serviceAt('https://points.example/api', { fetch }).account()).toEqual({
      ok: false,
      failure: { kind: 'offline' }
    })
  })
})

describe('in this process', () => {
  let original: typeof fetch | undefined
  afterEach(() => {
    if (original) globalThis.fetch = original
  })

  test('no other fetch than the given one is used', async () => {
    original = globalThis.fetch
    globalThis.fetch = () => Promise.reject(new Error('The wrong fetch'))
    const service = serviceAt('https://points.example/api', {
      fetch: (input) =>
        Promise.resolve(Response.json(input instanceof Request ? { ...customer, id: input.method } : {}))
    })
    expect(await read(service)).toEqual({ ok: true, value: { ...customer, id: 'GET' } })
  })
})

const register = (service: LoyaltyClient) => service.addCustomer({ name: 'Ada', phone: '+33612345678' })
const issue = (service: LoyaltyClient) => service.createQr(250)
type Make = (service: LoyaltyClient) => Promise<{ ok: true } | { ok: false; failure: Failure }>

const outcome = async (reply: Reply, make: Make, options: Parameters<typeof serviceAt>[1] = {}) => {
  server.answer(reply)
  const answer = await make(serviceAt(server.baseUrl, options))
  return { failure: answer.ok ? null : answer.failure, requests: server.requests.length }
}

const errorBody = (statusCode: number, message = 'No, thank you') => ({ message, error: 'Error', statusCode })
const refused = (status: number): Reply => ({ status, body: errorBody(status) })
const rejected = (status: number) => ({ kind: 'rejected', status, message: 'No, thank you' })
const unknown = (cause: string) => ({ kind: 'unknown-outcome', cause })

describe('a status', () => {
  // Columns: what a read, a registration and an issue come to; and how often the read is asked for.
  test.each([
    [400, rejected(400), rejected(400), rejected(400), 1],
    [401, { kind: 'unauthorised' }, { kind: 'unauthorised' }, { kind: 'unauthorised' }, 1],
    [402, rejected(402), rejected(402), rejected(402), 1],
    [403, { kind: 'forbidden' }, { kind: 'forbidden' }, { kind: 'forbidden' }, 1],
    [404, { kind: 'not-found' }, { kind: 'not-found' }, { kind: 'not-found' }, 1],
    [406, rejected(406), rejected(406), rejected(406), 1],
    [408, { kind: 'timeout' }, rejected(408), rejected(408), 3],
    [409, rejected(409), rejected(409), rejected(409), 1],
    [413, rejected(413), rejected(413), rejected(413), 1],
    [422, rejected(422), rejected(422), rejected(422), 1],
    [
      429,
      { kind: 'busy', retryAfterSeconds: null },
      { kind: 'busy', retryAfterSeconds: null },
      { kind: 'busy', retryAfterSeconds: null },
      3
    ],
    [500, { kind: 'service-down', status: 500 }, unknown('service-down'), unknown('service-down'), 3],
    [501, { kind: 'service-down', status: 501 }, unknown('service-down'), unknown('service-down'), 1],
    [502, { kind: 'service-down', status: 502 }, unknown('service-down'), unknown('service-down'), 3],
    [503, { kind: 'service-down', status: 503 }, unknown('service-down'), unknown('service-down'), 3],
    [504, { kind: 'service-down', status: 504 }, unknown('service-down'), unknown('service-down'), 3]
  ])('of %i', async (status, toRead, toRegister, toIssue, attempts) => {
    expect(await outcome(refused(status), read)).toEqual({ failure: toRead, requests: attempts })
    expect(await outcome(refused(status), register)).toEqual({ failure: toRegister, requests: 1 })
    expect(await outcome(refused(status), issue)).toEqual({ failure: toIssue, requests: 1 })
  })

  test('of 503 says that nothing was stored if a header does', async () => {
    const full: Reply = { status: 503, headers: { 'not-stored': 'storage-full' }, body: errorBody(503) }
    const down = { kind: 'service-down', status: 503 }
    expect(await outcome(full, read)).toEqual({ failure: down, requests: 3 })
    expect(await outcome(full, register)).toEqual({ failure: { kind: 'service-full' }, requests: 1 })
    expect(await outcome(full, issue)).toEqual({ failure: { kind: 'service-full' }, requests: 1 })
  })

  test.each([304, 300])('of %i without a location is a redirect', async (status) => {
    expect(await outcome({ status }, read)).toEqual({
      failure: { kind: 'bad-response', path: '(redirect)' },
      requests: 1
    })
  })

  test('is used even if the body is incomplete', async () => {
    const half: Reply = { status: 401, headers: { 'content-length': '1000' }, body: '{"mess' }
    server.answer(half)
    const answer = await serviceAt(server.baseUrl, { fetch: cutShort }).account()
    expect(answer).toEqual({ ok: false, failure: { kind: 'unauthorised' } })
  })
})

/** A fetch whose answer is a 401 with a body that fails after its first bytes. */
const cutShort: typeof fetch = () =>
  Promise.resolve(
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"mess'))
        },
        pull: (controller) => {
          controller.error(new Error('net::ERR_CONTENT_LENGTH_MISMATCH'))
        }
      }),
      { status: 401 }
    )
  )

describe('the message of the service', () => {
  const words = async (body: Reply) => {
    const { failure } = await outcome(body, read)
    return failure?.kind === 'rejected' ? failure.message : failure
  }

  test('is put on one line', async () => {
    expect(await words({ status: 400, body: errorBody(400, '  The phone\n\tis   odd. ') })).toBe(
      'The phone is odd.'
    )
  })
  test('is read with any content type', async () => {
    const body = JSON.stringify(errorBody(400, 'Odd'))
    expect(await words({ status: 400, body, headers: { 'content-type': 'text/html' } })).toBe('Odd')
  })
  test('is read from a list', async () => {
    expect(await words({ status: 400, body: { message: ['One.', 'Two.'], statusCode: 400 } })).toBe(
      'One.; Two.'
    )
  })
  test('is read from `error` without a `message`', async () => {
    expect(await words({ status: 400, body: { error: 'Bad Request' } })).toBe('Bad Request')
  })
  test('is truncated without splitting a character', async () => {
    expect(await words({ status: 400, body: errorBody(400, '😀'.repeat(400)) })).toBe('😀'.repeat(300))
  })
  test.each([
    ['a web page', '<!doctype html><html><body>Bad gateway</body></html>'],
    ['markup in the message', JSON.stringify(errorBody(400, 'See <a href="https://evil.example">here</a>'))],
    ['nothing', ''],
    ['broken JSON', '{"message": "He'],
    ['no object', '[1, 2]'],
    ['words that are none', '{"message": 5, "error": {}}']
  ])('are empty for %s', async (_name, body) => {
    expect(await words({ status: 400, body })).toBe('')
  })
})

describe('a 200', () => {
  test.each([
    ['an empty body', ''],
    ['a web page', '<!doctype html><html></html>'],
    ['half a JSON', JSON.stringify(customer).slice(0, 40)],
    ['two JSONs', '{}{}'],
    ['text in UTF-16', Buffer.from(JSON.stringify(customer), 'utf16le')],
    ['a list', '[]'],
    ['a number', '5'],
    ['null', 'null']
  ])('with %s is a bad response, to a write an unknown outcome', async (_name, body) => {
    expect((await outcome({ body }, read)).failure).toMatchObject({ kind: 'bad-response' })
    expect(await outcome({ body }, issue)).toEqual({ failure: unknown('bad-response'), requests: 1 })
  })

  test('names no field when the whole body is not JSON', async () => {
    expect((await outcome({ body: '<html>' }, read)).failure).toEqual({ kind: 'bad-response', path: '' })
  })

  test('names the field that is missing', async () => {
    expect((await outcome({ body: without(customer, 'id') }, read)).failure).toEqual({
      kind: 'bad-response',
      path: 'id'
    })
    const { failure } = await outcome({ body: {} }, (service) => service.listCustomers({ page: 1 }))
    expect(failure).toEqual({ kind: 'bad-response', path: 'data' })
  })

  test('with a code without a URL has an unknown outcome', async () => {
    expect((await outcome({ body: { code: 'AB' } }, issue)).failure).toEqual(unknown('bad-response'))
  })

  test.each([
    ['a byte order mark', Buffer.from(`\uFEFF${JSON.stringify(customer)}`), 'application/json'],
    ["a web page's content type", JSON.stringify(customer), 'text/html'],
    ['no content type worth the name', JSON.stringify(customer), 'x']
  ])('with %s is read all the same', async (_name, body, type) => {
    expect((await outcome({ body, headers: { 'content-type': type } }, read)).failure).toBeNull()
  })

  test.each([
    [401, read, { kind: 'unauthorised' }],
    [404, read, { kind: 'not-found' }],
    [406, register, rejected(406)],
    [406, issue, rejected(406)],
    [418, read, rejected(418)],
    [500, read, { kind: 'service-down', status: 500 }],
    [500, issue, unknown('service-down')]
  ] as const)('with an error body of %i is that status', async (status, make, failure) => {
    expect(await outcome({ body: errorBody(status) }, make)).toEqual({ failure, requests: 1 })
  })

  test.each([
    ['12345678901234567890', '12345678901234567890'],
    [`1${'0'.repeat(99)}`, `1${'0'.repeat(99)}`],
    ['1e400', '1e400'],
    ['7', '7'],
    ['7.0', '7'],
    ['0.1', '0.1']
  ])('with the id %s as a number has the id "%s"', async (number, id) => {
    server.answer({ body: `{"id":${number},"balance":1}` })
    expect(await read(serviceAt(server.baseUrl))).toMatchObject({ ok: true, value: { id, balance: 1 } })
  })

  test('of some hundred kilobytes is not searched on main, and keeps its large numbers', async () => {
    const replace = vi.spyOn(String.prototype, 'replace')
    server.answer({ body: `{"id":12345678901234567890,"name":"${'\\"'.repeat(400_000)}"}` })
    const answer = await read(serviceAt(server.baseUrl))
    expect(answer).toMatchObject({ ok: true, value: { id: '12345678901234567890' } })
    expect(replace.mock.contexts.filter((text) => String(text).length > 100_000)).toEqual([])
  })

  test('with an endless body is aborted', async () => {
    const large = { kind: 'bad-response', path: '(too large)' }
    expect(await outcome('endless-body', read)).toEqual({ failure: large, requests: 1 })
    expect(await outcome('endless-body', issue)).toEqual({ failure: unknown('bad-response'), requests: 1 })
  })
})

describe('a network fault', () => {
  test.each(['reset', 'reset-in-body'] as const)(
    '%s: a read is sent three times, a write once',
    async (reply) => {
      expect(await outcome(reply, read)).toEqual({ failure: { kind: 'offline' }, requests: 3 })
      expect(await outcome(reply, register)).toEqual({ failure: unknown('connection-lost'), requests: 1 })
      expect(await outcome(reply, issue)).toEqual({ failure: unknown('connection-lost'), requests: 1 })
    }
  )

  test('on a reused connection does not repeat a write', async () => {
    server.answer({ body: customer }, 'reset', { body: qrCode })
    const service = serviceAt(server.baseUrl)
    expect((await read(service)).ok).toBe(true)
    expect(await issue(service)).toEqual({ ok: false, failure: unknown('connection-lost') })
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  test.each(['silence', 'silence-in-body'] as const)('%s: times out after one attempt', async (reply) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const timedOut = async (make: Make) => {
      const ended = outcome(reply, make, { timeoutMs: 500 })
      await expect.poll(() => server.requests.length).toBe(1)
      await vi.advanceTimersByTimeAsync(500)
      return ended
    }
    expect(await timedOut(read)).toEqual({ failure: { kind: 'timeout' }, requests: 1 })
    expect(await timedOut(issue)).toEqual({ failure: unknown('timeout'), requests: 1 })
  })

  test('without a server is offline', async () => {
    const service = serviceAt(await deadBaseUrl())
    for (const make of [read, register, issue]) {
      expect(await make(service)).toEqual({ ok: false, failure: { kind: 'offline' } })
    }
  })

  test('with an untrusted certificate is tls', async () => {
    const secure = await startRecordingServer(selfSigned)
    try {
      const service = serviceAt(secure.baseUrl)
      expect(await read(service)).toEqual({ ok: false, failure: { kind: 'tls' } })
      expect(await issue(service)).toEqual({ ok: false, failure: { kind: 'tls' } })
      expect(secure.requests).toEqual([])
    } finally {
      await secure.close()
    }
  })

  test('a server that does not speak TLS', async () => {
    const service = serviceAt(server.baseUrl.replace('http:', 'https:'))
    expect(await read(service)).toEqual({ ok: false, failure: { kind: 'tls' } })
  })
})
