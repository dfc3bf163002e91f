/** Tills that issue codes at a rate through the proxies of a service, while so many of their requests wait at most. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import * as v from 'valibot'
import type { LoadedService } from './postgres/points-load.ts'

/** Requests in a second. */
const RATE = 50
/** Requests that wait at most: on a machine that cannot answer the rate, they would wait longer than a restart does. */
const MAX_WAITING = 100
/** Until the requests that are due are begun. */
const TICK_MS = 10

const issued = v.object({ code: v.string() })
const paired = v.object({ token: v.string() })

/** Tills of one token, half of whose requests come by a kept connection, the others by one of their own. */
export class SteadyIssuing {
  begun = 0
  /** requests that were due while others waited */
  held = 0
  longestMs = 0
  /** what was not answered with a code */
  readonly failures: string[] = []
  readonly codes = new Set<string>()
  readonly #service: LoadedService
  readonly #kept: Agent
  readonly #sending = new Set<Promise<void>>()
  #token = ''
  #timer: NodeJS.Timeout | undefined

  private constructor(service: LoadedService) {
    this.#service = service
    this.#kept = new Agent({ ca: service.authority, keepAlive: true })
  }

  /** Takes the token for a pairing code, and begins. Rejects when the code is refused. */
  static async start(service: LoadedService, pairingCode: string): Promise<SteadyIssuing> {
    const load = new SteadyIssuing(service)
    const answer = await load.#post(0, '/pair', { code: pairingCode })
    load.#token = v.parse(paired, JSON.parse(answer)).token
    const start = performance.now()
    load.#timer = setInterval(() => {
      const due = ((performance.now() - start) * RATE) / 1000
      while (load.begun + load.held < due) load.#begin()
    }, TICK_MS)
    return load
  }

  /** Begins no more. Resolves when all are answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#sending)
    this.#kept.destroy()
  }

  #begin(): void {
    if (this.#sending.size >= MAX_WAITING) {
      this.held += 1
      return
    }
    const sending = this.#issue(this.begun++).finally(() => this.#sending.delete(sending))
    this.#sending.add(sending)
  }

  async #issue(index: number): Promise<void> {
    const start = performance.now()
    try {
      const answer = await this.#post(index, '/api/qr', { points: 5 })
      this.codes.add(v.parse(issued, JSON.parse(answer)).code)
    } catch (error) {
      this.failures.push(String(error))
    }
    this.longestMs = Math.max(this.longestMs, performance.now() - start)
  }

  /** Sends to each proxy in turn. Resolves with the body of an answer 200. */
  async #post(index: number, path: string, body: object): Promise<string> {
    const { hosts, port, name, authority } = this.#service
    const sent = request({
      host: hosts[Math.floor(index / 2) % hosts.length],
      ...{ port, path, method: 'POST', servername: name, ca: authority },
      agent: index % 2 === 0 && this.#kept,
      headers: { host: name, 'content-type': 'application/json', authorization: `Bearer ${this.#token}` }
    }).end(JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const text = await textOf(response)
    if (response.statusCode !== 200) throw new Error(`${String(response.statusCode)} ${text}`)
    return text
  }
}
