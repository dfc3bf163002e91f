/** Issues a slip under every fault of the network, and compares the journal with the data of the service. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../support/certificates/index.ts'
import { openFaultyNetwork } from '../support/faulty-network.ts'
import {
  ALWAYS,
  AT_REST,
  findViolations,
  printoutOf,
  RECOVERED,
  rowOf,
  type JournalFacts
} from '../support/journal-invariants.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { business } from '../support/sample-business.ts'
import { FAULTS, hostFor, redirects, type FaultCase } from './fault-cases.ts'
import { startWorkerPool, type TillWorker, type WorkerPool } from './worker-pool.ts'
import { startService, type ServiceUnderTest } from './service.ts'
import { expireStalled } from './expire-stalled.ts'

let service: ServiceUnderTest
let pool: WorkerPool

beforeAll(async () => {
  service = await startService()
  pool = await startWorkerPool(4)
})
afterAll(async () => {
  await pool.close()
  await service.close()
})

/** Issues a slip under the fault; after it repeats the same intent, issues another slip, and restarts the till. */
async function issue(one: FaultCase, till: TillWorker) {
  const folder = mkdtempSync(join(tmpdir(), 'tillpoints-faults-'))
  const network = await openFaultyNetwork(service.url, one.certificate, hostFor(one))
  const url = one.fault === 'no-names' ? network.url.replace(LOOPBACK, 'localhost') : network.url
  const slips = { folder }
  const { clockJump } = one
  const opening = {
    baseUrl: url,
    slips,
    ...(clockJump !== undefined && { clockJump })
  }
  try {
    if (one.used) {
      await till.ask('open', { baseUrl: network.url })
      await till.ask('run', { operation: 'account', given: service.next() })
    }
    if (one.fault === 'unplugged') await network.unplug()
    else if (one.fault !== 'no-names') network.fail(one.fault, '', one.times)
    await till.ask('open', { ...opening, withoutNames: one.fault === 'no-names' })
    const { points } = service.next()
    const intent = { intentId: randomUUID(), points }
    const pending = till.ask('issue', intent)
    if (one.timesOut) await expireStalled(network, till, pending)
    const first = await pending
    const [row] = await till.ask('slips', null)

    if (one.fault === 'unplugged') await network.plugIn()
    if (one.certificate) network.show(trusted)
    network.fail('pass')
    await till.ask('open', opening)
    const again = await till.ask('issue', intent)
    const next = { intentId: randomUUID(), points: service.next().points }
    await till.ask('issue', next)
    await till.ask('close', null)
    await till.ask('open', opening)
    const rows = await till.ask('slips', null)
    const [newest, oldest] = rows
    const posts = (wanted: number): number =>
      network.seen.filter(
        ({ method, body }) => method === 'POST' && body === JSON.stringify({ points: wanted })
      ).length
    const slipsFolder = join(folder, 'slips')
    const allPoints = rows.map((slip) => slip.points)
    const facts: JournalFacts = {
      slips: rows.map((slip) => rowOf(slip, business.id)),
      made: new Map(
        allPoints.flatMap((wanted) =>
          service
            .codesOf(wanted)
            .map((code) => [code, { points: wanted, businessId: business.id, training: business.training }])
        )
      ),
      posts: new Map(allPoints.map((wanted) => [wanted, posts(wanted)])),
      intents: new Map(allPoints.map((wanted) => [wanted, 1])),
      stored: new Map(first.ok ? [[intent.intentId, first.value.slip.code ?? '']] : []),
      papers: existsSync(slipsFolder) ? readdirSync(slipsFolder).map(printoutOf) : [],
      forgotten: new Set()
    }
    return {
      violations: findViolations(facts, ALWAYS, AT_REST, RECOVERED),
      state: row?.state,
      failure: row?.failure ?? null,
      // The results and the journal must agree: at once, for the repeated intent, and after a restart.
      returned: first.ok ? null : first.failure,
      again: again.ok ? null : again.failure,
      restarted: oldest?.state,
      code: row?.code ?? null,
      made: service.codesOf(points),
      posts: posts(points),
      afterwards: newest?.intentId === next.intentId ? newest.state : 'not the newest',
      madeAfterwards: service.codesOf(next.points).length
    }
  } finally {
    await till.ask('close', null)
    await network.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.concurrent('a slip issued under', () => {
  const all = [...FAULTS, ...redirects('http://127.0.0.1:9/api')]
  it.each(all.map((one) => [one.name, one] as const))('%s', async (_name, one) => {
    const { expected } = one
    const failure = expected.issue === 'value' ? null : expected.issue
    const found = await pool.use((till) => issue(one, till))
    expect(found).toEqual({
      violations: {},
      state: expected.slip,
      failure,
      returned: failure,
      again: failure,
      restarted: expected.slip,
      code: expected.issue === 'value' ? found.made[0] : null,
      made: expected.carriedOut ? [expect.any(String)] : [],
      // Without attempts of a read, the network sees no request at all.
      posts: Math.min(1, expected.attempts),
      afterwards: 'printed',
      madeAfterwards: 1
    })
  })
})
