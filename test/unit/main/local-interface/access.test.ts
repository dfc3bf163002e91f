/** Who may call the local interface, how often, and what becomes of hostile requests. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  BODY_FRAMINGS,
  exchange,
  readEvents,
  send,
  sendVastBody,
  statusOf,
  VAST_BODY_BYTES
} from '../../../support/interface-client.ts'
import { openInterface, type InterfaceFixture } from './interface-fixture.ts'

const bill = (reference: string) => ({ reference, points: 25, deliver: 'return' })

/** Reads the events of a program until the end of the test. */
function listen(port: number, token: string) {
  const stream = readEvents(port, token)
  onTestFinished(() => void stream.close())
  return stream
}

/** A limit for tests that hang. */
const WAIT = { timeout: 50_000, interval: 100 }

describe('pairing', () => {
  it('trades a code for a token, once', async () => {
    const till = await openInterface()
    const { code } = till.localInterface.startPairing()
    expect(code).toMatch(/^\d{8}$/)
    expect(till.localInterface.state.pairingUntil).not.toBeNull()
    const spelt = `${code.slice(0, 4)} ${code.slice(4)}`
    const pair = (typed: string) =>
      till.call({ method: 'POST', path: '/v1/pairing', body: { code: typed, name: 'Shop POS' } })
    const paired = await pair(spelt)
    expect(paired.status).toBe(201)
    expect(Buffer.from(paired.body.token ?? '', 'base64url')).toHaveLength(32)
    expect(till.localInterface.state).toMatchObject({
      pairingUntil: null,
      callers: [{ name: 'Shop POS', lastUsedAt: null, mayIssueWhileLocked: false }]
    })
    expect((await pair(spelt)).status).toBe(403)
  })

  it('stores no token', async () => {
    const till = await openInterface()
    const { token } = await till.pair()
    expect(JSON.stringify(till.till.callers)).not.toContain(token)
    expect(JSON.stringify(till.localInterface.state)).not.toContain(till.till.callers[0]?.tokenHash)
  })

  it('ends after five wrong tries, also for the right code', async () => {
    const till = await openInterface()
    const { code } = till.localInterface.startPairing()
    const wrong = code === '00000000' ? '00000001' : '00000000'
    const pair = (typed: string) =>
      till.call({ method: 'POST', path: '/v1/pairing', body: { code: typed, name: 'X' } })
    for (let tries = 0; tries < 5; tries++) expect((await pair(wrong)).status).toBe(403)
    expect(till.localInterface.state.pairingUntil).toBeNull()
    expect((await pair(code)).body.error).toBe('pairing-refused')
    expect(till.localInterface.state.callers).toEqual([])
  })

  it('ends after five minutes', async () => {
    let now = new Date('2026-11-23T12:00:00.000Z')
    const till = await openInterface({ now: () => now })
    const { code, expiresAt } = till.localInterface.startPairing()
    expect(expiresAt).toBe('2026-11-23T12:05:00.000Z')
    now = new Date(expiresAt)
    const late = await till.call({ method: 'POST', path: '/v1/pairing', body: { code, name: 'X' } })
    expect(late.status).toBe(403)
  })

  it('has room for twenty programs', async () => {
    const till = await openInterface()
    for (let count = 0; count < 20; count++) await till.pair(`Program ${count}`)
    const { code } = till.localInterface.startPairing()
    const more = await till.call({ method: 'POST', path: '/v1/pairing', body: { code, name: 'X' } })
    expect([more.status, more.body.error]).toEqual([409, 'too-many-programs'])
  })

  it.each([
    [{ code: '1', name: '' }],
    [{ code: '1', name: 'a\nb' }],
    [{ code: '1' }],
    [{ code: 1, name: 'X' }]
  ])('refuses %j', async (body) => {
    const till = await openInterface()
    till.localInterface.startPairing()
    expect((await till.call({ method: 'POST', path: '/v1/pairing', body })).status).toBe(422)
  })
})

describe('a program', () => {
  it('is refused without a token, with a wrong one, and when it was removed', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    expect((await till.call({ path: '/v1/status' })).status).toBe(401)
    for (const token of ['x', `${pos.token}x`, pos.token.slice(1)])
      expect((await till.call({ path: '/v1/status', token })).body.error).toBe('unauthorized')
    const basic = { authorization: `Basic ${Buffer.from(`x:${pos.token}`).toString('base64')}` }
    expect((await till.call({ path: '/v1/status', headers: basic })).status).toBe(401)
    expect((await pos.get('/v1/status')).status).toBe(200)
    expect(till.localInterface.removeCaller(pos.id)).toEqual({ ok: true, value: null })
    const { status, headers } = await pos.post('/v1/slips', bill('R-1'))
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer'])
    expect(till.codesRequested()).toBe(0)
  })

  it('has its last use recorded to the minute', async () => {
    let now = new Date('2026-11-23T12:00:10.000Z')
    const till = await openInterface({ now: () => now })
    const pos = await till.pair()
    await pos.get('/v1/status')
    expect(till.localInterface.state.callers[0]?.lastUsedAt).toBe('2026-11-23T12:00:00.000Z')
    const before = till.changes()
    now = new Date('2026-11-23T12:00:50.000Z')
    await pos.get('/v1/status')
    // The settings file is not written again.
    expect(till.changes()).toBe(before)
  })

  it('may send ten requests in a second', async () => {
    const till = await openInterface({ limits: { atOnce: 30 } })
    const [pos, other] = [await till.pair(), await till.pair('Other')]
    const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000)
    onTestFinished(() => clock.mockRestore())
    const answers = await Promise.all(Array.from({ length: 30 }, () => pos.get('/v1/status')))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(20)
    expect(refused[0]).toMatchObject({
      status: 429,
      body: { error: 'too-many-requests' },
      headers: { 'retry-after': '1' }
    })
    expect((await other.get('/v1/status')).status).toBe(200)
    clock.mockReturnValue(5_999)
    expect((await pos.get('/v1/status')).status).toBe(429)
    clock.mockReturnValue(6_000)
    expect((await pos.get('/v1/status')).status).toBe(200)
  })

  it('may send two requests at once', async () => {
    const response = Promise.withResolvers<Response>()
    const till = await openInterface()
    const pos = await till.pair()
    till.till.respond = () => response.promise.then((answer) => answer.clone())
    const pending = [1, 2].map((id) => pos.get(`/v1/customers?id=${id}`))
    await vi.waitFor(
      () => expect(till.requests.filter((one) => one.includes('/customers/'))).toHaveLength(2),
      WAIT
    )
    const third = await pos.get('/v1/status')
    expect([third.status, third.body.error, third.headers['retry-after']]).toEqual([
      429,
      'too-many-at-once',
      '1'
    ])
    response.resolve(Response.json({ id: 'c', name: 'C' }))
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200])
    expect((await pos.get('/v1/status')).status).toBe(200)
  })
})

describe('the event stream', () => {
  it('sends each state of the slips of the program, and of no other', async () => {
    const till = await openInterface()
    const [pos, other] = [await till.pair(), await till.pair('Other')]
    const stream = listen(till.port, pos.token)
    const strange = listen(till.port, other.token)
    await vi.waitFor(() => expect([stream.comments(), strange.comments()]).toEqual([1, 1]), WAIT)
    await pos.post('/v1/slips', { ...bill('R-1'), deliver: 'print' })
    await vi.waitFor(
      () =>
        expect(stream.events.map(({ state }) => state)).toEqual(['requested', 'issued', 'printing', 'saved']),
      WAIT
    )
    expect(stream.events[0]).toMatchObject({ mode: 'live', reference: 'R-1', points: 25 })
    expect(strange.events).toEqual([])
  })

  it('ends when the program is removed, and is open twice at most', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const streams = [listen(till.port, pos.token), listen(till.port, pos.token)]
    await vi.waitFor(() => expect(streams.map(({ comments }) => comments())).toEqual([1, 1]), WAIT)
    expect((await pos.get('/v1/events')).status).toBe(429)
    till.localInterface.removeCaller(pos.id)
    await vi.waitFor(() => expect(streams.map(({ isClosed }) => isClosed())).toEqual([true, true]), WAIT)
  })
})

describe('hostile requests', () => {
  const cases: readonly (readonly [
    string,
    number,
    (till: InterfaceFixture, token: string) => Promise<string | number>
  ])[] = [
    [
      'a foreign Host',
      403,
      async ({ port }, token) => (await post(port, token, { host: 'evil.example' })).status
    ],
    [
      'the Host of a name that resolves to this machine',
      403,
      async ({ port }, token) => (await post(port, token, { host: `rebind.example:${port}` })).status
    ],
    [
      'a Host with another port',
      403,
      async ({ port }, token) => (await post(port, token, { host: '127.0.0.1:1' })).status
    ],
    [
      'an Origin, also that of this machine',
      403,
      async ({ port }, token) => (await post(port, token, { origin: `http://127.0.0.1:${port}` })).status
    ],
    ['the Origin null', 403, async ({ port }, token) => (await post(port, token, { origin: 'null' })).status],
    [
      'text',
      415,
      async ({ port }, token) => (await post(port, token, { 'content-type': 'text/plain' })).status
    ],
    [
      'a form',
      415,
      async ({ port }, token) =>
        (await post(port, token, { 'content-type': 'application/x-www-form-urlencoded' })).status
    ],
    ['no JSON', 400, async ({ port }, token) => (await post(port, token, {}, '{"reference":')).status],
    [
      'a body of more than 16 kB',
      413,
      async ({ port }, token) =>
        (await post(port, token, {}, JSON.stringify({ x: 'x'.repeat(17_000) }))).status
    ],
    ['another path', 404, async ({ port }, token) => (await send(port, { path: '/v2/slips', token })).status],
    [
      'another method',
      405,
      async ({ port }, token) => (await send(port, { path: '/v1/slips', token })).status
    ],
    [
      'no Host',
      400,
      ({ port }) => exchange(port, (socket) => socket.write('GET /v1/status HTTP/1.1\r\n\r\n'))
    ],
    [
      'no HTTP',
      400,
      ({ port }) => exchange(port, (socket) => socket.write('\x16\x03\x01\x02\x00\x01\r\n\r\n'))
    ],
    [
      'long headers',
      431,
      ({ port }) =>
        exchange(port, (socket) =>
          socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
        )
    ],
    [
      'two lengths of one body',
      400,
      ({ port }) =>
        exchange(port, (socket) =>
          socket.write(
            `POST /v1/slips HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`
          )
        )
    ]
  ]

  const post = (
    port: number,
    token: string,
    headers: Readonly<Record<string, string>>,
    body: unknown = bill('R-1')
  ) => send(port, { method: 'POST', path: '/v1/slips', token, headers, body })

  it.each(cases)('answers %s with %d, and issues nothing', async (_name, status, attack) => {
    const till = await openInterface()
    const { token } = await till.pair()
    const answer = await attack(till, token)
    expect(typeof answer === 'number' ? answer : statusOf(answer)).toBe(status)
    expect(till.codesRequested()).toBe(0)
    expect((await till.call({ path: '/v1/status', token })).status).toBe(200)
  })

  it.each([
    ['headers', ''],
    ['body', 'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{']
  ])('answers %s that never end with 408', async (_name, rest) => {
    // Long enough for the requests before it, also on a slow machine.
    const till = await openInterface({ serverLimits: { requestTimeoutMs: 2_000 } })
    const { token } = await till.pair()
    const response = await exchange(till.port, (socket) =>
      socket.write(
        `POST /v1/slips HTTP/1.1\r\nHost: 127.0.0.1:${till.port}\r\nAuthorization: Bearer ${token}\r\n${rest}`
      )
    )
    expect(statusOf(response)).toBe(408)
    expect(response).toContain('"error":"request-timeout"')
    expect(till.codesRequested()).toBe(0)
  })

  it('reads at most a little of a body of 1 GB, with a length or without', async () => {
    const till = await openInterface()
    const { token } = await till.pair()
    for (const framing of BODY_FRAMINGS) {
      const { response, sentBytes } = await sendVastBody(till.port, token, framing)
      expect(statusOf(response)).toBe(413)
      expect(sentBytes).toBeLessThan(VAST_BODY_BYTES)
    }
    expect(till.codesRequested()).toBe(0)
  })

  it('is logged once in a while, without tokens', async () => {
    const lines: string[] = []
    const write = (event: string, details?: object): void => {
      lines.push(JSON.stringify({ event, ...details }))
    }
    const till = await openInterface({ log: { error: write, warn: write, info: write, debug: write } })
    const pos = await till.pair()
    await pos.post('/v1/slips', bill('R-1'))
    for (let count = 0; count < 20; count++)
      await send(till.port, { path: '/v1/status', token: 'wrong-token' })
    await till.localInterface.close()
    expect(lines.filter((line) => line.includes('refused'))).toEqual([
      '{"event":"local-interface-refused","requests":{"unauthorized":20}}'
    ])
    expect(lines.join('\n')).not.toContain(pos.token)
    expect(lines.join('\n')).not.toContain('wrong-token')
  })
})

describe('the server', () => {
  it('listens on 127.0.0.1 only, and not at all once it is disabled', async () => {
    const till = await openInterface()
    const { token } = await till.pair()
    till.till.enabled = false
    await till.localInterface.update()
    expect(till.localInterface.state.listeningPort).toBeNull()
    await expect(send(till.port, { path: '/v1/status', token })).rejects.toThrow('ECONNREFUSED')
  })

  it('closes the connection after each response', async () => {
    const till = await openInterface()
    const response = await exchange(till.port, (socket) =>
      socket.write(`GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:${till.port}\r\n\r\n`.repeat(2))
    )
    expect(response.match(/HTTP\/1\.1 200/g)).toHaveLength(1)
    expect(response).toMatch(/connection: close/i)
  })
})
