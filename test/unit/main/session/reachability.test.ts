import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../../../electron/main/loyalty/loyalty-client.ts'
import { Session, type SessionState } from '../../../../electron/main/session/session.ts'
import { MAX_PROBE_INTERVAL_MS, type Clock } from '../../../../electron/main/session/reachability.ts'
import { ownAddress } from '../../../support/loopback.ts'

const START = Date.parse('2026-11-21T14:02:00.000Z')
const SINCE = '2026-11-21T14:02:00.000Z'

/** A clock that goes when it is wound. */
class HandWound implements Clock {
  time = START
  readonly #waiting = new Set<{ readonly at: number; readonly run: () => void }>()

  readonly now = (): Date => new Date(this.time)

  readonly after = (ms: number, run: () => void): (() => void) => {
    const wait = { at: this.time + ms, run }
    this.#waiting.add(wait)
    return () => this.#waiting.delete(wait)
  }

  /** ms until each thing that is waited for. */
  get pauses(): number[] {
    return [...this.#waiting].map(({ at }) => at - this.time)
  }

  /** Goes on by so much, and runs what is due. */
  wind(ms: number): void {
    this.time += ms
    for (const wait of this.#waiting) {
      if (wait.at > this.time) continue
      this.#waiting.delete(wait)
      wait.run()
    }
  }
}

/** A service that dies and returns at one address. */
class Mortal {
  readonly asked: string[] = []
  /** what it does with a request: answers, or breaks the connection after it came */
  breaks: (method: string) => boolean = () => false
  /** takes every request and answers none */
  hangs = false
  /** until then questions for the customer `slow` wait; then their connections break */
  slowness: Promise<unknown> = Promise.resolve()
  readonly #host = ownAddress()
  #server: Server | null = null
  #port = 0

  get baseUrl(): string {
    return `http://${this.#host}:${this.#port}/api/`
  }

  async live(): Promise<void> {
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

  async die(): Promise<void> {
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

let mortal: Mortal
let clock: HandWound
let session: Session<LoyaltyClient>
let stored: SessionState
let changes: (string | null)[]

beforeEach(async () => {
  mortal = new Mortal()
  await mortal.live()
  clock = new HandWound()
  changes = []
  stored = { mode: 'business', baseUrl: mortal.baseUrl, business: null }
  session = new Session<LoyaltyClient>({
    readState: () => stored,
    updateState: (change) => {
      stored = { ...stored, ...change }
    },
    connect: (credentials, watch) =>
      new LoyaltyClient({
        ...credentials,
        watch,
        fetch,
        language: () => 'en',
        retryDelay: () => 0
      }),
    openTraining: () => Promise.reject(new Error('nobody trains here')),
    onChange: () => changes.push(session.offlineSince),
    clock
  })
  session.use({ baseUrl: mortal.baseUrl, token: 'token' })
})

afterEach(async () => {
  session.close()
  await mortal.die()
})

const lookUp = () => session.ask((service) => service.customerBy('id', 'c1'))
const issue = () => session.ask((service) => service.createQr(250))
/** Waits until the try that is under way has ended. */
const tried = () => session.retryConnection()

describe('a service that dies', () => {
  it('is known to be out of reach since the first question that it left without an answer', async () => {
    await mortal.die()
    expect(await lookUp()).toEqual(err({ kind: 'offline' }))
    clock.wind(1500)
    expect(session.offlineSince).toEqual(SINCE)
    expect(changes).toEqual([SINCE])
  })

  it('is asked for nothing that somebody wants before it answered to a try', async () => {
    await mortal.die()
    await lookUp()
    await mortal.live()
    mortal.breaks = () => true
    expect(await issue()).toEqual(err({ kind: 'offline' }))
    expect(new Set(mortal.asked)).toEqual(new Set(['GET account']))
    expect(session.offlineSince).toBe(SINCE)
  })

  it('that takes a question and never answers keeps nobody waiting', async () => {
    await mortal.die()
    await lookUp()
    await mortal.live()
    mortal.hangs = true
    const issued = issue()
    await vi.waitUntil(() => mortal.asked.length > 0)
    clock.wind(1_500)
    expect(await issued).toEqual(err({ kind: 'offline' }))
    expect(mortal.asked).toEqual(['GET account'])
  })

  it('is tried after 2, 4, 8, 16 and then every 30 seconds at most', async () => {
    await mortal.die()
    await lookUp()
    const pauses: number[] = []
    for (let turn = 0; turn < 6; turn++) {
      const [pause = Number.NaN, ...others] = clock.pauses
      expect(others).toEqual([])
      pauses.push(pause)
      clock.wind(pause)
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

  it('is no longer tried when the till quits', async () => {
    await mortal.die()
    await lookUp()
    session.close()
    expect(clock.pauses).toEqual([])
  })
})

describe('a service that returns', () => {
  it('is found by the till itself, which reads its profile on the way', async () => {
    await mortal.die()
    await lookUp()
    await mortal.live()
    clock.wind(2_000)
    await tried()
    expect(session.offlineSince).toBeNull()
    expect(session.business?.name).toBe('Shop')
    expect(clock.pauses).toEqual([])
    expect(mortal.asked).toEqual(['GET account'])
    expect(changes.at(-1)).toBeNull()
    expect(await issue()).toMatchObject({ ok: true })
  })

  it('is found at once by whoever presses Try again', async () => {
    await mortal.die()
    await lookUp()
    await mortal.live()
    await session.retryConnection()
    expect(session.offlineSince).toBeNull()
  })

  it('serves whoever wants something next: nobody is refused who could be served', async () => {
    await mortal.die()
    await lookUp()
    await mortal.live()
    expect(await issue()).toMatchObject({ ok: true })
    expect(mortal.asked).toEqual(['GET account', 'POST qr'])
    expect(clock.pauses).toEqual([])
  })
})

describe('a write whose answer is lost', () => {
  it('makes nobody offline when the service answers the next question', async () => {
    mortal.breaks = (method) => method === 'POST'
    expect(await issue()).toMatchObject({ ok: false, failure: { kind: 'unknown-outcome' } })
    await tried()
    expect(session.offlineSince).toBeNull()
    expect(mortal.asked).toEqual(['POST qr', 'GET account'])
  })

  it('counts as the first silence when the service does not answer that either', async () => {
    mortal.breaks = () => true
    await issue()
    clock.time += 7_000
    await tried()
    expect(session.offlineSince).toBe(SINCE)
  })
})

describe('what proves nothing', () => {
  it('a question that was asked before the last answer came', async () => {
    const slowness = Promise.withResolvers<unknown>()
    mortal.slowness = slowness.promise
    const slow = session.ask((service) => service.customerBy('id', 'slow'))
    await lookUp()
    slowness.resolve(null)
    expect(await slow).toEqual(err({ kind: 'offline' }))
    expect(session.offlineSince).toBeNull()
  })

  it('a refusal: whoever refuses is there', async () => {
    await session.ask((service) => service.createQr(0))
    expect(session.offlineSince).toBeNull()
  })

  it('a question that was given up', async () => {
    await mortal.die()
    const giveUp = new AbortController()
    const asked = session.ask((service) => service.customerBy('id', 'c1', giveUp.signal), giveUp.signal)
    giveUp.abort()
    await asked
    expect(session.offlineSince).toBeNull()
  })

  it('training, which answers always', async () => {
    await mortal.die()
    await lookUp()
    stored = { ...stored, mode: 'training' }
    await session.retryConnection()
    expect(session.offlineSince).toBeNull()
  })
})

describe('whoever is asked anew', () => {
  it('starts with a clean slate', async () => {
    await mortal.die()
    await lookUp()
    session.use({ baseUrl: mortal.baseUrl, token: 'another' })
    expect(session.offlineSince).toBeNull()
    expect(clock.pauses).toEqual([])
    await mortal.live()
    expect(await session.ask(() => Promise.resolve(ok(1)))).toEqual(ok(1))
  })
})
