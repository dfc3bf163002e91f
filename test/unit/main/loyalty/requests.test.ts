import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LoyaltyService } from '../../../../electron/main/loyalty/index.ts'
import { startRecordingServer, type RecordingServer } from '../../../support/recording-server.ts'
import { customer, qrCode, serviceAt } from './samples.ts'

let server: RecordingServer
let elsewhere: RecordingServer

beforeAll(async () => {
  server = await startRecordingServer()
  elsewhere = await startRecordingServer()
})
afterAll(() => Promise.all([server.close(), elsewhere.close()]))

const read = (service: LoyaltyService) => service.customerBy('id', 'c-1')
const busy = (retryAfterSeconds: number | null) => ({
  ok: false,
  failure: { kind: 'busy', retryAfterSeconds }
})

describe('a read that fails', () => {
  test('is answered by a later attempt', async () => {
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
    'that nobody can believe, such as %j, is passed over, and waited for by nobody',
    async (header) => {
      const usual: number[] = []
      server.answer({ status: 429, headers: { 'retry-after': header } })
      const service = serviceAt(server.baseUrl, { retryDelay: (attempt) => usual.push(attempt) })
      expect(await read(service)).toEqual(busy(null))
      expect(usual).toEqual([1, 2])
    }
  )

  test('beyond what a cashier can wait is said at once', async () => {
    server.answer({ status: 429, headers: { 'retry-after': '11' } })
    expect(await read(serviceAt(server.baseUrl))).toEqual(busy(11))
    expect(server.requests).toHaveLength(1)
    server.answer({ status: 503, headers: { 'retry-after': seconds(3600) } })
    expect(await read(serviceAt(server.baseUrl))).toMatchObject({
      failure: { kind: 'service-down', status: 503 }
    })
    expect(server.requests).toHaveLength(1)
  })

  test("of a vendor's own header is not waited for", async () => {
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

  test('does not make a write come back', async () => {
    server.answer({ status: 429, headers: { 'retry-after': '0' } })
    expect(await serviceAt(server.baseUrl).createQr(1)).toEqual(busy(0))
    expect(server.requests).toHaveLength(1)
  })
})

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])(
    'of %i is not followed, and the token goes nowhere',
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

  test('that a fetch has followed all the same is refused', async () => {
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
  test('before it began sends nothing', async () => {
    server.answer({ body: qrCode })
    const answer = await serviceAt(server.baseUrl).createQr(1, AbortSignal.abort())
    expect(answer.ok).toBe(false)
    expect(server.requests).toEqual([])
  })

  test('while it is under way resolves at once, and is not tried again', async () => {
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

  test('leaves a write unknown, since it may have arrived', async () => {
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

  test('by its own time limit is no timeout of the till', async () => {
    server.answer('silence')
    const service = serviceAt(server.baseUrl, { timeoutMs: 60_000 })
    expect(await service.account(AbortSignal.timeout(100))).toEqual({
      ok: false,
      failure: { kind: 'offline' }
    })
  })

  test('between two attempts is not tried again', async () => {
    const gone = new AbortController()
    server.answer({ status: 503 })
    const service = serviceAt(server.baseUrl, {
      retryDelay: () => {
        gone.abort()
        return 60_000
      }
    })
    expect((await service.account(gone.signal)).ok).toBe(false)
    expect(server.requests).toHaveLength(1)
  })
})

describe('over net.fetch, whose failures are plain errors', () => {
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
    ['net::ERR_INTERNET_DISCONNECTED', { kind: 'offline' }, { kind: 'offline' }, 3],
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
