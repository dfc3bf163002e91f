/** Tills that issue codes, and customers who collect them, over HTTP and without a pause. Every answer is recorded. */
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'

/** What the load needs to reach service processes that work on one database. */
export interface LoadedServices {
  /** base URLs of their interfaces */
  readonly urls: readonly [string, string]
  /** origin of the pages, as customers reach them */
  readonly publicUrl: string
  /** token of a till */
  readonly token: string
}

/** So long the service waits for a node that takes writes, before it answers with an error. */
const FAILOVER_TIME_MS = 60_000
/** After which the load is taken for stuck. */
const ANSWERS_TIMEOUT_MS = 180_000
const WORKERS = 8
/** Forms that name one phone: the service refuses more than 20 in an hour. */
const FORMS_OF_PHONE = 8

const issuedSchema = v.object({ code: v.string() })

export class PointsLoad {
  /** points of the codes whose issuing was acknowledged */
  readonly issued = new Map<string, number>()
  /** phone of the customer whose collecting was acknowledged, by code */
  readonly collected = new Map<string, string>()
  /** calls that were answered with an error after `FAILOVER_TIME_MS` */
  refused = 0
  readonly #services: LoadedServices
  /** answers that the service must not give */
  readonly #faults: string[] = []
  #isRunning = true
  #workers: readonly Promise<void>[] = []
  #pairs = 0
  #acknowledgedAt = performance.now()
  #longestGapMs = 0

  constructor(services: LoadedServices) {
    this.#services = services
  }

  start(): void {
    this.#acknowledgedAt = performance.now()
    this.#workers = Array.from({ length: WORKERS }, () => this.#work())
  }

  /** Waits for the answers to all calls. Throws for a wrong answer. */
  async stop(): Promise<void> {
    this.#isRunning = false
    await Promise.all(this.#workers)
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

  /** The longest time in which no write was acknowledged, in seconds, since the last call. */
  takeLongestGap(): number {
    const gap = this.#longestGapMs / 1000
    this.#longestGapMs = 0
    return gap
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

  /** Issues codes, for each of which two customers ask at once, each at another process. */
  async #work(): Promise<void> {
    const [first, second] = this.#services.urls
    while (this.#isRunning && !this.#hasFaults()) {
      const pair = this.#pairs++
      const code = await this.#issue(pair % 2 === 0 ? first : second, 1 + (pair % 250))
      if (code === null) continue
      const phones = [0, 1].map((place) => {
        const customer = Math.floor(pair / FORMS_OF_PHONE) * 2 + place
        return `+30694${String(customer).padStart(7, '0')}`
      })
      const [phone = '', other = ''] = phones
      const isCollected = await Promise.all([
        this.#collect(first, code, phone),
        this.#collect(second, code, other)
      ])
      if (!this.#hasFaults() && isCollected[0] === isCollected[1])
        this.#faults.push(`${isCollected[0] ? 'Both' : 'None'} collected ${code}.`)
    }
  }

  /** Resolves with the code; null if the outcome is unknown. */
  async #issue(url: string, points: number): Promise<string | null> {
    const headers = { authorization: `Bearer ${this.#services.token}`, 'content-type': 'application/json' }
    const response = await this.#call(`${url}/qr`, { headers, body: JSON.stringify({ points }) })
    if (response?.status !== 200) return this.#fault(response, 'issuing')
    const { code } = v.parse(issuedSchema, await response.json())
    this.issued.set(code, points)
    this.#noteAcknowledged()
    return code
  }

  /** Sends the form until its outcome is known. Resolves with whether this customer has the points. */
  async #collect(url: string, code: string, phone: string): Promise<boolean> {
    const { publicUrl } = this.#services
    const body = new URLSearchParams({ phone })
    const address = `2001:db8:${phone.slice(-7, -4)}:${phone.slice(-4)}::1`
    for (;;) {
      const headers = { origin: publicUrl, 'x-forwarded-for': address }
      const response = await this.#call(new URL(`/q/${code}`, url).href, { headers, body })
      await response?.arrayBuffer()
      if (response?.status === 200) {
        this.collected.set(code, phone)
        this.#noteAcknowledged()
        return true
      }
      if (response?.status === 410) return false
      this.#fault(response, 'collecting')
      if (this.#hasFaults()) return false
    }
  }

  /** Resolves with the answer; null, which is repeated, for one that says after a while that no node takes writes. */
  async #call(url: string, request: RequestInit): Promise<Response | null> {
    const sentAt = performance.now()
    try {
      const response = await fetch(url, { ...request, method: 'POST' })
      if (response.status < 500 || performance.now() - sentAt < FAILOVER_TIME_MS) return response
      await response.arrayBuffer()
      this.refused += 1
    } catch (error) {
      this.#faults.push(`No answer: ${error instanceof Error ? String(error.cause) : String(error)}`)
    }
    return null
  }

  #fault(response: Response | null, call: string): null {
    if (response !== null) this.#faults.push(`The answer to ${call} was ${String(response.status)}.`)
    return null
  }
}
