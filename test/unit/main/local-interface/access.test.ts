/** Who may call the local interface, how often, and what becomes of hostile requests. */
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
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
import { openInterface, setTime, type InterfaceFixture } from './interface-fixture.ts'

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
    setTime('2026-11-23T12:00:00.000Z')
    const till = await openInterface()
    const { code, expiresAt } = till.localInterface.startPairing()
    expect(expiresAt).toBe('2026-11-23T12:05:00.000Z')
    setTime(expiresAt)
    const late = await till.call({ method: 'POST', path: '/v1/pairing', body: { code, name: 'X' } })
    expect(late.status).toBe(403)
  })

  it('has room for twenty programs', async () => {
    const till = await openInterface()
    for (let count = 0; count < 20; count++) await till.pair(`Program ${count}`)
    const { code } = till.localInterface.startPairing()
    const more = await till.call({ method: 'POST', path: '/v1/pairing', body: { code, name: 'X' } })
    expect([more.status, more.body.error]).toEqual([409, 'too-many-programs'])
    // One of them that lost its token.
    const { code: another } = till.localInterface.startPairing()
    const body = { code: another, name: 'Program 7' }
    expect((await till.call({ method: 'POST', path: '/v1/pairing', body })).status).toBe(201)
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
    setTime('2026-11-23T12:00:10.000Z')
    const till = await openInterface()
    const pos = await till.pair()
    await pos.get('/v1/status')
    expect(till.localInterface.state.callers[0]?.lastUsedAt).toBe('2026-11-23T12:00:00.000Z')
    const before = till.changes()
    setTime('2026-11-23T12:00:50.000Z')
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

it('HEAD has the headers of GET, and opens no stream', async () => {
  const till = await openInterface()
  const pos = await till.pair()
  for (let count = 0; count < 3; count++) {
    const { status, headers, text } = await send(till.port, {
      method: 'HEAD',
      path: '/v1/events',
      token: pos.token
    })
    expect([status, headers['content-type'], text]).toEqual([200, 'text/event-stream', ''])
  }
  const stream = listen(till.port, pos.token)
  await vi.waitFor(() => expect(stream.comments()).toBe(1), WAIT)
  await pos.post('/v1/slips', bill('R-1'))
  await vi.waitFor(() => expect(stream.events.at(-1)?.state).toBe('given'), WAIT)
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

describe('a page of a browser', () => {
  // Fetch Metadata (W3C): a GET without CORS, such as that of a script element, has no Origin.
  it.each(['cross-site', 'same-site', 'same-origin'])('of a %s page reads nothing', async (site) => {
    const till = await openInterface()
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors' }
    const refused = await till.call({ path: '/v1/openapi.json', headers })
    expect([refused.status, refused.body.error]).toEqual([403, 'origin-not-allowed'])
  })

  it('that a person opens by its address reads the document', async () => {
    const till = await openInterface()
    const answer = await till.call({ path: '/v1/openapi.json', headers: { 'sec-fetch-site': 'none' } })
    expect(answer.status).toBe(200)
  })

  it('cannot tell by any response whether a till listens', async () => {
    const till = await openInterface()
    for (const path of ['/v1/openapi.json', '/v1/status', '/']) {
      const { headers } = await send(till.port, { path })
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
    }
    const unreadable = await exchange(till.port, (socket) => socket.write('GET\r\n\r\n'))
    expect(unreadable).toMatch(/cross-origin-resource-policy: same-origin/i)
  })
})

describe('GET /v1/challenge', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
  const proofOf = (token: string, port: number, nonce: string): string =>
    createHmac('sha256', sha256(token)).update(`${port} ${nonce}`).digest('hex')

  it('proves to a program that it is the till that the program is paired with', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const nonce = randomUUID()
    const answer = await till.call({ path: `/v1/challenge?program=${pos.id}&nonce=${nonce}` })
    expect([answer.status, answer.body]).toEqual([
      200,
      { mode: 'live', proof: proofOf(pos.token, till.port, nonce) }
    ])
  })

  it('has another proof for each nonce and program', async () => {
    const till = await openInterface()
    const programs = [await till.pair('One'), await till.pair('Other')]
    const proofs: unknown[] = []
    for (const { id } of programs)
      for (const nonce of ['a', 'b'])
        proofs.push((await till.call({ path: `/v1/challenge?program=${id}&nonce=${nonce}` })).body['proof'])
    expect(new Set(proofs).size).toBe(4)
  })

  it('answers 401 to a program that is not paired, and 422 without a nonce or with a long one', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.localInterface.removeCaller((await till.pair('Gone')).id)
    const statusFor = async (query: string): Promise<number> =>
      (await till.call({ path: `/v1/challenge${query}` })).status
    expect(await statusFor('?program=nobody&nonce=a')).toBe(401)
    expect(await statusFor(`?nonce=a`)).toBe(401)
    expect(await statusFor(`?program=${pos.id}`)).toBe(422)
    expect(await statusFor(`?program=${pos.id}&nonce=${'a'.repeat(129)}`)).toBe(422)
  })
})

describe('a port that another program has', () => {
  it('is logged once, however often the till tries', async () => {
    const lines: string[] = []
    const write = (event: string): void => {
      lines.push(event)
    }
    const log = { error: write, warn: write, info: write, debug: write }
    const till = await openInterface({ log })
    till.till.enabled = false
    await till.localInterface.update()
    const { port } = till
    const take = async (): Promise<Server> => {
      const other = createServer().listen(port, '127.0.0.1')
      await once(other, 'listening')
      onTestFinished(() => void other.close())
      return other
    }
    const first = await take()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    lines.length = 0
    till.till.enabled = true
    till.till.port = port
    /** Waits for the next attempt to listen. */
    const attempt = async (): Promise<void> => {
      const before = till.changes()
      vi.advanceTimersToNextTimer()
      await vi.waitUntil(() => till.changes() > before, WAIT)
    }
    await till.localInterface.update()
    for (let count = 0; count < 5; count++) await attempt()
    expect(till.localInterface.state.fault).toBe('port-in-use')
    expect(lines).toEqual(['local-interface-not-started'])
    first.close()
    await once(first, 'close')
    await attempt()
    expect(till.localInterface.state.listeningPort).toBe(port)
    expect(lines).toEqual(['local-interface-not-started', 'local-interface-started'])
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

  it.each([
    ['send nothing', ''],
    ['never end their headers', 'GET /v1/status HTTP/1.1\r\nHost: 127.0.0.1'],
    [
      'never send their body',
      'POST /v1/pairing HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{'
    ],
    ['never close', 'GET /v1/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n']
  ])('answers every request of a program beside 200 connections that %s', async (_name, text) => {
    const till = await openInterface({ limits: { perSecond: 1000 } })
    const pos = await till.pair()
    const idle = Array.from({ length: 200 }, () =>
      connect({ port: till.port, host: '127.0.0.1', allowHalfOpen: true })
    )
    onTestFinished(() => idle.forEach((socket) => socket.destroy()))
    let opened = 0
    await Promise.all(
      idle.map(async (socket) => {
        socket.on('error', () => undefined)
        await once(socket, 'connect')
        opened += 1
        socket.write(text.replace('PORT', String(till.port)))
      })
    )
    let answered = 0
    for (let count = 0; count < 90; count++) if ((await pos.get('/v1/status')).status === 200) answered += 1
    expect([opened, answered]).toEqual([200, 90])
  })

  it('runs the first request of a connection only, and answers it', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const request = (reference: string): string => {
      const body = JSON.stringify(bill(reference))
      const head = `Host: 127.0.0.1:${till.port}\r\nAuthorization: Bearer ${pos.token}`
      return `POST /v1/slips HTTP/1.1\r\n${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    }
    const received = await exchange(till.port, (socket) =>
      socket.write(['R-1', 'R-2', 'R-3'].map(request).join(''))
    )
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201'])
    expect(received).toContain('"reference":"R-1"')
    expect(till.codesRequested()).toBe(1)
    expect((await pos.get('/v1/slips/R-2')).status).toBe(404)
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
