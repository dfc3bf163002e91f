import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, everyTransport, post, type Caller } from '../fixtures.ts'

describe.each(everyTransport)('every path of the service, $transport', ({ open }) => {
  let caller: Caller
  beforeAll(async () => {
    caller = await open()
  })
  afterAll(() => caller.close())

  it.each(['/nothing', '/customers/a/b', '/rewards/', '/account/', '/qr/', '/Customers', '/customers//', ''])(
    'responds with 404 for %s',
    async (path) => {
      const reply = await caller.call(path)
      expect(reply.status).toBe(404)
      expect(errorOf(reply)).toEqual({
        message: 'Unknown path',
        error: 'Not Found',
        statusCode: 404
      })
    }
  )

  it.each([
    ['PUT', '/customers', 'GET, HEAD, POST'],
    ['DELETE', '/customers/some-id', 'GET, HEAD'],
    ['POST', '/customers/', 'GET, HEAD'],
    ['PATCH', '/rewards', 'GET, HEAD'],
    ['GET', '/qr', 'POST'],
    ['OPTIONS', '/account', 'GET, HEAD'],
    ['PURGE', '/qr/CODE', 'GET, HEAD']
  ])('responds with 405 for %s %s and lists the allowed methods', async (method, path, allowed) => {
    const reply = await caller.call(path, { method })
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe(allowed)
    expect(errorOf(reply).error).toBe('Method Not Allowed')
  })

  it('responds to HEAD like GET, without a body', async () => {
    expect(await caller.call('/account', { method: 'HEAD' })).toMatchObject({ status: 200, text: '' })
  })

  it.each([
    ['cut short', '{"points":'],
    ['empty', ''],
    ['HTML', '<p>points</p>'],
    ['not UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)]
  ])('responds with 400 to a body that is %s', async (_what, body) => {
    const reply = await caller.call('/qr', { ...post({}), body })
    expect(reply.status).toBe(400)
    expect(errorOf(reply)).toMatchObject({ message: 'The body must be JSON', error: 'Bad Request' })
  })

  it('accepts JSON with or without a content type, and responds with 415 to another type', async () => {
    const body = new TextEncoder().encode('{"points":5}')
    expect((await caller.call('/qr', { method: 'POST', body })).status).toBe(200)
    for (const [type, status] of [
      ['application/json; charset=utf-8', 200],
      ['application/problem+json', 200],
      ['text/plain', 415],
      ['application/x-www-form-urlencoded', 415],
      ['application/jsonp', 415]
    ] as const) {
      const reply = await caller.call('/qr', { method: 'POST', body, headers: { 'content-type': type } })
      expect(reply.status, type).toBe(status)
      if (status === 415) expect(errorOf(reply).error).toBe('Unsupported Media Type')
    }
  })

  it('accepts a body of 64 KiB and responds with 413 to a larger one', async () => {
    const padded = (bytes: number): RequestInit => {
      const start = '{"points":5,"padding":"'
      return { ...post({}), body: `${start}${'x'.repeat(bytes - start.length - 2)}"}` }
    }
    expect((await caller.call('/qr', padded(65_536))).status).toBe(200)
    for (const bytes of [65_537, 3_000_000]) {
      const reply = await caller.call('/qr', padded(bytes))
      expect(reply.status).toBe(413)
      expect(errorOf(reply).message).toContain('65536')
    }
  })

  it('accepts a streamed body and responds with 413 at the limit', async () => {
    const stream = (chunks: number) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"points":'))
          for (let sent = 0; sent < chunks; sent += 1) controller.enqueue(new Uint8Array(16_000).fill(0x20))
          controller.enqueue(new TextEncoder().encode('5}'))
          controller.close()
        }
      })
    const init = (chunks: number) => ({ ...post({}), body: stream(chunks), duplex: 'half' as const })
    expect((await caller.call('/qr', init(2))).status).toBe(200)
    const tooLong = await caller.call('/qr', init(5))
    expect(tooLong.status).toBe(413)
    expect(errorOf(tooLong).error).toBe('Payload Too Large')
  })

  it('ignores the body of a request without a route', async () => {
    const reply = await caller.call('/account', { ...post({}), method: 'DELETE', body: '{"cut":' })
    expect(reply.status).toBe(405)
  })

  it.each([
    ['el', 'el'],
    ['de-AT', 'de'],
    ['FR', 'fr'],
    ['es_MX', 'es'],
    ['ar', 'ar'],
    ['en-GB', 'en'],
    ['tlh', 'en'],
    ['', 'en'],
    ['__proto__', 'en']
  ])('responds to x-lang %s in %s', async (asked, language) => {
    const missing = await caller.call('/customers/none', { headers: { 'x-lang': asked } })
    expect(missing.headers.get('content-language')).toBe(language)
    expect(errorOf(missing).message === 'No such customer').toBe(language === 'en')
    const found = await caller.call('/account', { headers: { 'x-lang': asked } })
    expect(found.headers.get('content-language')).toBe(language)
  })

  it('responds in English without x-lang', async () => {
    expect((await caller.call('/account')).headers.get('content-language')).toBe('en')
  })

  it('sends Cache-Control: no-store', async () => {
    expect((await caller.call('/customers')).headers.get('cache-control')).toBe('no-store')
    expect((await caller.call('/nothing')).headers.get('cache-control')).toBe('no-store')
  })
})
