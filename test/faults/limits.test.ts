/** The client's default limits: timeouts and delays with fake timers, and the maximum size of a response. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Result } from '../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { openFaultyNetwork } from '../support/faulty-network.ts'
import { account, qrCode } from '../unit/main/loyalty/samples.ts'
import { startService } from './service.ts'
import { startTillWorker } from './worker-pool.ts'

const SECOND = 1000

describe('the timeout of ten seconds for a complete response', () => {
  // The client imports its HTTP library at the first request, in real time.
  beforeAll(() => client(() => Promise.resolve(Response.json(account))).account())
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const respondAfter = (seconds: number, body: object) => (): Promise<Response> =>
    new Promise((resolve) => {
      setTimeout(() => resolve(Response.json(body)), seconds * SECOND)
    })
  const client = (fetch: () => Promise<Response>) =>
    new LoyaltyClient({
      baseUrl: 'https://points.example/api',
      token: 'demo',
      languages: { screen: 'en' },
      fetch
    })
  /** Resolves with the outcome of a request and its duration by the fake clock. */
  const timed = async (asked: Promise<Result<unknown>>) => {
    const started = Date.now()
    const answer = asked.then((value) => ({
      outcome: value.ok ? 'value' : value.failure.kind,
      seconds: (Date.now() - started) / SECOND
    }))
    await vi.advanceTimersByTimeAsync(60 * SECOND)
    return answer
  }

  it.each(Array.from({ length: 31 }, (_, seconds) => seconds))(
    'applies to a latency of %i s',
    async (seconds) => {
      const late = seconds >= 10
      const took = { seconds: Math.min(seconds, 10) }
      expect(await timed(client(respondAfter(seconds, account)).account())).toEqual({
        outcome: late ? 'timeout' : 'value',
        ...took
      })
      expect(await timed(client(respondAfter(seconds, qrCode)).createQr(250))).toEqual({
        outcome: late ? 'unknown-outcome' : 'value',
        ...took
      })
      expect(vi.getTimerCount()).toBe(0)
    }
  )

  it('applies to each of the three attempts of a read, which are less than a second apart', async () => {
    const asked: number[] = []
    const failing = (): Promise<Response> => {
      asked.push(Date.now())
      return Promise.resolve(new Response('', { status: 503 }))
    }
    await timed(client(failing).account())
    const pauses = asked.slice(1).map((moment, index) => moment - (asked[index] ?? 0))
    expect(pauses).toHaveLength(2)
    expect(pauses[0]).toBeGreaterThanOrEqual(225)
    expect(pauses[0]).toBeLessThanOrEqual(375)
    expect(pauses[1]).toBeGreaterThanOrEqual(450)
    expect(pauses[1]).toBeLessThanOrEqual(750)
  })

  it.each([
    [10, 3],
    [11, 1]
  ])('with a Retry-After of %i s a read is sent %i times', async (wait, attempts) => {
    let asked = 0
    const busy = (): Promise<Response> => {
      asked += 1
      return Promise.resolve(new Response('', { status: 503, headers: { 'retry-after': String(wait) } }))
    }
    await timed(client(busy).account())
    expect(asked).toBe(attempts)
  })
})

/** Maximum bytes sent per response: the limit of the client (5 MB) and the system's buffers. */
const MAX_SENT = 40 * 1024 * 1024
/** Maximum growth of memory: the response as bytes and as text, and garbage that is not collected yet. */
const MAX_GROWTH = 80 * 1024 * 1024
const HUGE = 100 * 1024 * 1024

describe('a response of 100 MB', () => {
  it.each([
    ['uncompressed', false],
    ['compressed', true]
  ])('%s is refused early, in bounded memory', async (_name, compressed) => {
    const service = await startService()
    const network = await openFaultyNetwork(service.url)
    const till = await startTillWorker()
    try {
      await till.ask('open', { baseUrl: network.url })
      await till.ask('run', { operation: 'account', given: service.next() })
      const before = await till.ask('peakMemory', null)
      const sentBefore = network.bytesSent
      network.fail({ pour: HUGE, compressed })
      for (const operation of ['account', 'createQr', 'listCustomers'] as const)
        await till.ask('run', { operation, given: service.next() })
      expect((await till.ask('peakMemory', null)) - before).toBeLessThan(MAX_GROWTH)
      expect(network.bytesSent - sentBefore).toBeLessThan(3 * MAX_SENT)
    } finally {
      await till.end()
      await network.close()
      await service.close()
    }
  })
})
