import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { Session } from '../../../../electron/main/session/session.ts'
import { MAX_PROBE_INTERVAL_MS, type Clock } from '../../../../electron/main/session/reachability.ts'
import { ownAddress } from '../../../support/loopback.ts'
import { connectorOf, MemorySettings } from '../../../support/session.ts'

const START = Date.parse('2026-11-21T14:02:00.000Z')
const SINCE = '2026-11-21T14:02:00.000Z'

/** A clock that the test advances. */
class ManualClock implements Clock {
  time = START
  readonly #waiting = new Set<{ readonly at: number; readonly run: () => void }>()

  now(): Date {
    return new Date(this.time)
  }

  after(ms: number, run: () => void): () => void {
    const wait = { at: this.time + ms, run }
    this.#waiting.add(wait)
    return () => this.#waiting.delete(wait)
  }

  /** Remaining time of each timer, ms. */
  get pauses(): number[] {
    return [...this.#waiting].map(({ at }) => at - this.time)
  }

  /** Advances the clock and runs the due timers. */
  advance(ms: number): void {
    this.time += ms
    for (const wait of this.#waiting) {
      if (wait.at > this.time) continue
      this.#waiting.delete(wait)
      wait.run()
    }
  }
}

/** A service that stops and restarts at one address. */
class StoppableService {
  readonly asked: string[] = []
  /** whether it closes the connection of a request instead of responding */
  breaks: (method: string) => boolean = () => false
  /** whether it accepts requests without responding */
  hangs = false
  /** requests for the customer `slow` wait for it; then their connections are closed */
  slowness: Promise<unknown> = Promise.resolve()
  readonly #host = ownAddress()
  #server: Server | null = null
  #port = 0

  get baseUrl(): string {
    return `http://${this.#host}:${this.#port}/api/`
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.asked.push(`${request.method ?? ''} ${(request.url ?? '').replace('/api/', '')}`)
      if (request.url?.includes('slow')) {
        void this.slowness.then(() => request.socket.destroy())
        return
      }
      if (this.hangs) return
      if (this.breaks(request.method ?? '')) {
        request.socket.destroy()
        return
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ id: 'usr_1', name: 'Shop', code: 'AR7K', qrURL: 'https://points.example/q/AR7K' })
      )
    })
    await new Promise<void>((resolve) => server.listen(this.#port, this.#host, resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    await new Promise<void>((resolve) => {
      if (!server) {
        resolve()
        return
      }
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

let service: StoppableService
let clock: ManualClock
let session: Session
let settings: MemorySettings
let changes: (string | null)[]

beforeEach(async () => {
  service = new StoppableService()
  await service.start()
  clock = new ManualClock()
  changes = []
  settings = new MemorySettings({ mode: 'business', baseUrl: service.baseUrl })
  session = new Session({
    settings,
    connector: connectorOf(
      (credentials, observer) =>
        new LoyaltyClient({
          ...credentials,
          observer,
          fetch,
          languages: { screen: 'en' },
          retryDelay: () => 0
        })
    ),
    onChange: () => changes.push(session.offlineSince),
    clock
  })
  session.use({ baseUrl: service.baseUrl, token: 'token' })
})

afterEach(async () => {
  session.close()
  await service.stop()
})

const lookUp = () => session.ask((client) => client.customerBy('id', 'c1'))
const issue = () => session.ask((client) => client.createQr(250))
/** Waits for the running probe. */
const waitForProbe = () => session.retryConnection()

describe('an unreachable service', () => {
  it('counts as unreachable since the first request without a response', async () => {
    await service.stop()
    expect(await lookUp()).toEqual(err({ kind: 'offline' }))
    clock.advance(1500)
    expect(session.offlineSince).toEqual(SINCE)
    expect(changes).toEqual([SINCE])
  })

  it('gets no request before it responded to a probe', async () => {
    await service.stop()
    await lookUp()
    await service.start()
    service.breaks = () => true
    expect(await issue()).toEqual(err({ kind: 'offline' }))
    expect(new Set(service.asked)).toEqual(new Set(['GET account']))
    expect(session.offlineSince).toBe(SINCE)
  })

  it('that accepts a probe without responding delays a request by 1.5 seconds only', async () => {
    await service.stop()
    await lookUp()
    await service.start()
    service.hangs = true
    const issued = issue()
    await vi.waitUntil(() => service.asked.length > 0)
    clock.advance(1_500)
    expect(await issued).toEqual(err({ kind: 'offline' }))
    expect(service.asked).toEqual(['GET account'])
  })

  it('is probed after 2, 4, 8, 16 and then every 30 seconds at most', async () => {
    await service.stop()
    await lookUp()
    const pauses: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      const [pause = Number.NaN, ...others] = clock.pauses
      expect(others).toEqual([])
      pauses.push(pause)
      clock.advance(pause)
      await vi.waitUntil(() => clock.pauses.length > 0)
    }
    for (const [turn, most] of [
      2_000,
      4_000,
      8_000,
      16_000,
      MAX_PROBE_INTERVAL_MS,
      MAX_PROBE_INTERVAL_MS
    ].entries()) {
      expect(pauses[turn]).toBeLessThanOrEqual(most)
      expect(pauses[turn]).toBeGreaterThanOrEqual(most * 0.75)
    }
  })

  it('is not probed after the session was closed', async () => {
    await service.stop()
    await lookUp()
    session.close()
    expect(clock.pauses).toEqual([])
  })
})

describe('a service that is reachable again', () => {
  it('is found by the next probe, which loads the profile', async () => {
    await service.stop()
    await lookUp()
    await service.start()
    clock.advance(2_000)
    await waitForProbe()
    expect(session.offlineSince).toBeNull()
    expect(session.business?.name).toBe('Shop')
    expect(clock.pauses).toEqual([])
    expect(service.asked).toEqual(['GET account'])
    expect(changes.at(-1)).toBeNull()
    expect(await issue()).toMatchObject({ ok: true })
  })

  it('is found at once by Try again', async () => {
    await service.stop()
    await lookUp()
    await service.start()
    await session.retryConnection()
    expect(session.offlineSince).toBeNull()
  })

  it('executes the next request after a probe', async () => {
    await service.stop()
    await lookUp()
    await service.start()
    expect(await issue()).toMatchObject({ ok: true })
    expect(service.asked).toEqual(['GET account', 'POST qr'])
    expect(clock.pauses).toEqual([])
  })
})

describe('a write without a response', () => {
  it('leaves the session online if the probe gets a response', async () => {
    service.breaks = (method) => method === 'POST'
    expect(await issue()).toMatchObject({ ok: false, failure: { kind: 'unknown-outcome' } })
    await waitForProbe()
    expect(session.offlineSince).toBeNull()
    expect(service.asked).toEqual(['POST qr', 'GET account'])
  })

  it('makes the session offline since the write if the probe gets no response', async () => {
    service.breaks = () => true
    await issue()
    clock.time += 7_000
    await waitForProbe()
    expect(session.offlineSince).toBe(SINCE)
  })
})

describe('the session stays online after', () => {
  it('a failed request that was sent before the last response', async () => {
    const slowness = Promise.withResolvers<unknown>()
    service.slowness = slowness.promise
    const slow = session.ask((client) => client.customerBy('id', 'slow'))
    await lookUp()
    slowness.resolve(null)
    expect(await slow).toEqual(err({ kind: 'offline' }))
    expect(session.offlineSince).toBeNull()
  })

  it('a refusal', async () => {
    await session.ask((client) => client.createQr(0))
    expect(session.offlineSince).toBeNull()
  })

  it('an aborted request', async () => {
    await service.stop()
    const giveUp = new AbortController()
    const asked = session.ask((client) => client.customerBy('id', 'c1', giveUp.signal), giveUp.signal)
    giveUp.abort()
    await asked
    expect(session.offlineSince).toBeNull()
  })

  it('a probe in training mode', async () => {
    await service.stop()
    await lookUp()
    settings.update({ mode: 'training' })
    await session.retryConnection()
    expect(session.offlineSince).toBeNull()
  })
})

describe('a session with new credentials', () => {
  it('is online', async () => {
    await service.stop()
    await lookUp()
    session.use({ baseUrl: service.baseUrl, token: 'another' })
    expect(session.offlineSince).toBeNull()
    expect(clock.pauses).toEqual([])
    await service.start()
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(ok(1))
  })
})
