/**
 * SIGKILL of a service that tills and customers use over HTTP: what was acknowledged is there after the next start, once,
 * collecting again gives the first answer, and every balance is the sum of its entries.
 */
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { FULL } from '../support/size.ts'
import { ServiceProgram } from '../unit/service/cli/program.ts'

const KILLS = Number(process.env['TILLPOINTS_KILLS'] ?? (FULL ? 100 : 5))
/** For a test that hangs. */
const TEST_TIMEOUT_MS = 3_600_000
/** The time after the first answer in which a process is killed, at a random moment. */
const KILLED_WITHIN_MS = 400
/** Tills that issue, each with a customer. */
const WORKERS = 8
/** Codes that one phone collects: the service refuses more than 20 forms for a phone in an hour. */
const CODES_OF_PHONE = 4
const PUBLIC_URL = 'https://points.example.com'

/** A code whose issuing was acknowledged. */
interface Slip {
  readonly code: string
  readonly points: number
  /** of the customer who collects it */
  readonly phone: string
  /** where the first collection led, but for the secret of what its page shows */
  answer: string | null
}

const program = new ServiceProgram()

const startService = async () => {
  const flags = ['--port', '0', '--public-url', PUBLIC_URL, '--behind-proxy', '127.0.0.1']
  const child = program.start(['serve', ...flags, '--data', program.data])
  const [line] = v.parse(v.tuple([v.string()]), await once(createInterface(child.stdout), 'line'))
  return { child, url: line.replace('listening on ', '') }
}

/** What tills and customers send, without a pause. A method rejects with a `TypeError` when the service is killed. */
class Load {
  readonly slips: Slip[] = []
  /** answers to a customer who had one for the code */
  repeated = 0
  url = ''
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  /** Sends until the service is killed. Rejects for a wrong answer. */
  async run(): Promise<void> {
    const ends = await Promise.allSettled(Array.from({ length: WORKERS }, () => this.#work()))
    for (const end of ends) {
      if (end.status === 'rejected' && !(end.reason instanceof TypeError)) throw end.reason
    }
  }

  /** Collects a code; the same customer may have done so before. */
  async collect(slip: Slip): Promise<void> {
    const { code, phone } = slip
    const body = new URLSearchParams({ phone })
    const address = `2001:db8:${phone.slice(-8, -4)}:${phone.slice(-4)}::1`
    const headers = { origin: PUBLIC_URL, 'x-forwarded-for': address }
    const answer = await this.#post(`/q/${code}`, { headers, body })
    if (slip.answer !== null) this.repeated += 1
    slip.answer ??= answer
    if (answer !== slip.answer) throw new Error(`${code} was collected with another answer`)
  }

  async #work(): Promise<never> {
    for (;;) {
      const slip = await this.#issue()
      await this.collect(slip)
      await this.collect(slip)
    }
  }

  async #issue(): Promise<Slip> {
    const points = 1 + Math.floor(Math.random() * 250)
    const headers = { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' }
    const answer = await this.#post('/api/qr', { headers, body: JSON.stringify({ points }) })
    const { code } = v.parse(v.object({ code: v.string() }), JSON.parse(answer))
    const customer = Math.floor(this.slips.length / CODES_OF_PHONE)
    const slip = { code, points, phone: `+3069${String(customer).padStart(8, '0')}`, answer: null }
    this.slips.push(slip)
    return slip
  }

  async #post(path: string, request: RequestInit): Promise<string> {
    const response = await fetch(new URL(path, this.url), { ...request, method: 'POST', redirect: 'manual' })
    const text = await response.text()
    if (response.status === 200) return text
    // A refused form leads to its page without a cookie.
    const leads = response.status === 303 && response.headers.has('set-cookie')
    if (leads) return response.headers.get('location')?.replace(/=[^=]+$/, '') ?? ''
    throw new Error(`${path} was answered with ${String(response.status)}`)
  }
}

const openLoad = async (): Promise<Load> => {
  await program.run('init')
  await program.run('business', 'add', '--name', 'Corner Café', '--country', 'GR')
  const { code } = await program.json(v.object({ code: v.string() }), 'till', 'pair', '--name', 'Till 1')
  const { child, url } = await startService()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ code })
  const paired = await fetch(new URL('/pair', url), { method: 'POST', headers, body })
  const { token } = v.parse(v.object({ token: v.string() }), await paired.json())
  child.kill('SIGKILL')
  return new Load(token)
}

/** Compares the data with what was acknowledged. */
const compare = (slips: readonly Slip[]): void => {
  const database = new DatabaseSync(join(program.data, 'service.sqlite'))
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  const collected = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted()
  const entries = collected(
    database
      .prepare('SELECT e.code, e.points, c.phone FROM entries e JOIN customers c USING (customer)')
      .all()
  )
  const acknowledged = collected(slips.map(({ code, points, phone }) => ({ code, points, phone })))
  const [known, written] = [new Set(acknowledged), new Set(entries)]
  expect(acknowledged.filter((slip) => !written.has(slip))).toEqual([])
  expect(entries.filter((entry) => !known.has(entry))).toEqual([])
  expect(entries).toHaveLength(written.size)
  const sums = new Map<unknown, number>()
  for (const { phone, points } of slips) sums.set(phone, (sums.get(phone) ?? 0) + points)
  const balances = database.prepare('SELECT phone, balance FROM customers').all()
  expect(balances.filter(({ phone, balance }) => balance !== sums.get(phone))).toEqual([])
  database.close()
}

it(
  `keeps every acknowledged code and collection, once, over ${KILLS} kills`,
  { timeout: TEST_TIMEOUT_MS },
  async () => {
    const load = await openLoad()
    let before = 0
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const { child, url } = await startService()
      load.url = url
      // What was acknowledged before the kill, and what was under way.
      const begun = load.slips.slice(before)
      before = load.slips.length
      await Promise.all(begun.map((slip) => load.collect(slip)))
      const ended = once(child, 'close')
      if (kill < KILLS) {
        const loaded = load.run()
        await Promise.race([expect.poll(() => load.slips.length).toBeGreaterThan(before), loaded])
        await wait(Math.random() * KILLED_WITHIN_MS)
        child.kill('SIGKILL')
        await loaded
      } else child.kill('SIGTERM')
      await ended
    }
    expect(await program.run('verify')).toMatchObject({ code: 0 })
    compare(load.slips)
    const { slips, repeated } = load
    process.stdout.write(
      `${KILLS} kills: ${slips.length} codes and ${slips.length} collections acknowledged, ${repeated} again\n`
    )
  }
)
