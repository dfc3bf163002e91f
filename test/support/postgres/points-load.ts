/**
 * Tills that issue codes, and customers who collect them, through the proxies of several machines and without a pause. Every
 * answer is recorded.
 */
import { Agent, request as requestHttps, type RequestOptions } from 'node:https'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'

/** How the load reaches a service. */
export interface LoadedService {
  /** IP addresses of the proxies; the next is taken when one does not connect, as browsers do */
  readonly hosts: readonly string[]
  readonly port: number
  /** the name in the proxies' certificate and in the codes */
  readonly name: string
  /** certificate of the authority that signed the proxies', PEM */
  readonly authority: Buffer
}

interface Post {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** which of the proxies is asked first */
  readonly first: number
  /** IP address of a phone; a till keeps its connections */
  readonly from?: string
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly givesCookie: boolean
}

/** So long a request waits for a database that takes writes, before it is answered with an error. */
const FAILOVER_TIME_MS = 60_000
/** After which the load is taken for stuck. */
const ANSWERS_TIMEOUT_MS = 180_000
const WORKERS = 8
/** Forms that name one phone: the service refuses more than 20 in an hour. */
const FORMS_OF_PHONE = 8
/** Until a customer sends a form again, or looks for a proxy that connects. */
const AGAIN_MS = 500

const pairedSchema = v.object({ token: v.string() })
const issuedSchema = v.object({ code: v.string() })

const send = async (options: RequestOptions, body: string): Promise<Answer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  requestHttps({ ...options, method: 'POST' }, (response) => {
    const givesCookie = response.headers['set-cookie'] !== undefined
    textOf(response).then((text) => resolve({ status: response.statusCode ?? 0, text, givesCookie }), reject)
  })
    .on('error', reject)
    .end(body)
  return promise
}

/** The address of a customer's phone: each has its own, which the service counts attempts of. */
const addressOf = (customer: number): string =>
  `127.64.${String(Math.floor(customer / 250))}.${String(1 + (customer % 250))}`

export class PointsLoad {
  /** points of the codes whose issuing was acknowledged */
  readonly issued = new Map<string, number>()
  /** phone of the customer whose collecting was acknowledged, by code */
  readonly collected = new Map<string, string>()
  /** calls that were answered with an error after `FAILOVER_TIME_MS` */
  refused = 0
  /** codes of which the till got no answer: the service may have made them */
  unknown = 0
  /** calls that a proxy did not send to a service */
  turnedAway = 0
  readonly #service: LoadedService
  readonly #tills: Agent
  readonly #phones: Agent
  /** answers that the service must not give */
  readonly #faults: string[] = []
  #token = ''
  #isRunning = true
  readonly #workers: Promise<void>[] = []
  #pairs = 0
  #acknowledgedAt = performance.now()
  #longestGapMs = 0
  #lost = 0

  constructor(service: LoadedService) {
    this.#service = service
    this.#tills = new Agent({ ca: service.authority, keepAlive: true })
    this.#phones = new Agent({ ca: service.authority })
  }

  /** Gives the tills their token, for a pairing code. */
  async pair(code: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#post({ path: '/pair', headers, body: JSON.stringify({ code }), first: 0 })
    if (answer?.status !== 200) throw new Error(`The answer to pairing was ${String(answer?.status)}.`)
    this.#token = v.parse(pairedSchema, JSON.parse(answer.text)).token
  }

  start(): void {
    this.#acknowledgedAt = performance.now()
    for (let worker = 0; worker < WORKERS; worker += 1) this.addWorker()
  }

  /** Adds a till with its customers. Those before may all wait for answers. */
  addWorker(): void {
    this.#workers.push(this.#work())
  }

  /** Waits for the answers to all calls. Throws for a wrong answer. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await Promise.all(this.#workers)
    this.#tills.destroy()
    this.#throwFaults()
  }

  /** Resolves when so many more writes are acknowledged. Throws for a wrong answer. */
  async acknowledged(count: number): Promise<void> {
    const until = this.#acknowledged + count
    const deadline = performance.now() + ANSWERS_TIMEOUT_MS
    while (this.#acknowledged < until) {
      this.#throwFaults()
      if (performance.now() > deadline)
        throw new Error(
          `The service acknowledged fewer than ${String(count)} writes in ${String(ANSWERS_TIMEOUT_MS / 1000)} s.`
        )
      await wait(50)
    }
  }

  /** The longest time in which no write was acknowledged, in seconds, and the calls without an answer, since the last call. */
  takeStops(): { readonly seconds: number; readonly lost: number } {
    const stops = { seconds: this.#longestGapMs / 1000, lost: this.#lost }
    this.#longestGapMs = 0
    this.#lost = 0
    return stops
  }

  get #acknowledged(): number {
    return this.issued.size + this.collected.size
  }

  #hasFaults(): boolean {
    return this.#faults.length > 0
  }

  #throwFaults(): void {
    if (this.#hasFaults()) throw new Error(this.#faults.join('\n'))
  }

  #noteAcknowledged(): void {
    const now = performance.now()
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#acknowledgedAt)
    this.#acknowledgedAt = now
  }

  /** Issues codes, for each of which two customers ask at once, each at another proxy. */
  async #work(): Promise<void> {
    while (this.#isRunning && !this.#hasFaults()) {
      const pair = this.#pairs++
      const code = await this.#issue(pair)
      if (code === null) continue
      const customers = [0, 1].map((place) => Math.floor(pair / FORMS_OF_PHONE) * 2 + place)
      const [isFirst, isSecond] = await Promise.all(
        customers.map((customer, place) => this.#collect(pair + place, code, customer))
      )
      if (!this.#hasFaults() && isFirst === isSecond)
        this.#faults.push(`${isFirst === true ? 'Both' : 'None'} collected ${code}.`)
    }
  }

  /** Resolves with the code; null if the outcome is unknown. */
  async #issue(pair: number): Promise<string | null> {
    const points = 1 + (pair % 250)
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const answer = await this.#post({
      path: '/api/qr',
      headers,
      body: JSON.stringify({ points }),
      first: pair
    })
    if (answer === null) {
      this.unknown += 1
      return null
    }
    if (answer.status !== 200) {
      this.#faults.push(`The answer to issuing was ${String(answer.status)}.`)
      return null
    }
    const { code } = v.parse(issuedSchema, JSON.parse(answer.text))
    this.issued.set(code, points)
    this.#noteAcknowledged()
    return code
  }

  /** Sends the form until its outcome is known. Resolves with whether this customer has the points. */
  async #collect(first: number, code: string, customer: number): Promise<boolean> {
    const phone = `+30694${String(customer).padStart(7, '0')}`
    const headers = {
      origin: `https://${this.#service.name}`,
      'content-type': 'application/x-www-form-urlencoded'
    }
    const body = new URLSearchParams({ phone }).toString()
    const form = { path: `/q/${code}`, headers, body, first, from: addressOf(customer) }
    for (;;) {
      const answer = await this.#post(form)
      // Both lead to the page of the code, which shows this phone alone that it has the points.
      if (answer?.status === 303 && answer.givesCookie) {
        this.collected.set(code, phone)
        this.#noteAcknowledged()
        return true
      }
      if (answer?.status === 303) return false
      if (answer !== null) this.#faults.push(`The answer to collecting was ${String(answer.status)}.`)
      if (this.#hasFaults()) return false
      await wait(AGAIN_MS)
    }
  }

  /** Resolves with the answer; null if it was lost, or says after a while that no database takes writes. */
  async #post({ path, headers, body, first, from }: Post): Promise<Answer | null> {
    const { hosts, port, name } = this.#service
    const sentAt = performance.now()
    for (let attempt = first; ; attempt += 1) {
      const host = hosts[attempt % hosts.length]
      const agent = from === undefined ? this.#tills : this.#phones
      const client = {
        host,
        port,
        servername: name,
        agent,
        ...(from !== undefined && { localAddress: from })
      }
      try {
        const answer = await send({ ...client, path, headers: { ...headers, host: name } }, body)
        // What a proxy answers when a service breaks the connection.
        if (answer.status === 502) break
        if (answer.status === 503 && answer.text === '') {
          this.turnedAway += 1
          await wait(AGAIN_MS)
          continue
        }
        if (answer.status < 500 || performance.now() - sentAt < FAILOVER_TIME_MS) return answer
        this.refused += 1
        return null
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')) break
        // Nothing was sent.
        if (attempt - first >= hosts.length - 1) await wait(AGAIN_MS)
      }
    }
    this.#lost += 1
    return null
  }
}
