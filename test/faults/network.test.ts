/** Runs every operation of the client under every fault of the network. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../../electron/contract/failure.ts'
import { trusted } from '../support/certificates/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { startRecordingServer, type RecordingServer } from '../support/recording-server.ts'
import { expireStalled } from './expire-stalled.ts'
import type { OpenOptions } from './protocol.ts'
import { FAULTS, hostFor, redirects, type FaultCase, type Outcome } from './fault-cases.ts'
import { startWorkerPool, type TillWorker, type WorkerPool } from './worker-pool.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.ts'
import { startService, type ServiceUnderTest } from './service.ts'

let service: ServiceUnderTest
let elsewhere: RecordingServer
let pool: WorkerPool

beforeAll(async () => {
  service = await startService()
  pool = await startWorkerPool(8)
})
afterAll(async () => {
  await pool.close()
  await service.close()
})

const outcomeOf = (answer: Result<unknown>): Outcome => (answer.ok ? 'value' : answer.failure)

const begin = async (network: FaultyNetwork, { fault, times }: FaultCase): Promise<void> => {
  if (fault === 'unplugged') await network.unplug()
  else if (fault !== 'no-names') network.fail(fault, '', times)
}

const end = async (network: FaultyNetwork, { fault, certificate }: FaultCase): Promise<void> => {
  if (fault === 'unplugged') await network.plugIn()
  if (certificate) network.show(trusted)
  network.fail('pass')
}

const openOptionsFor = (network: FaultyNetwork, one: FaultCase): OpenOptions => ({
  // A host name if name resolution fails.
  baseUrl: one.fault === 'no-names' ? network.url.replace(LOOPBACK, 'localhost') : network.url,
  ...(one.clockJump !== undefined && { clockJump: one.clockJump }),
  withoutNames: one.fault === 'no-names'
})

const madeBy = (operation: OperationName, given: ReturnType<ServiceUnderTest['next']>): number =>
  OPERATIONS[operation].kind === 'register'
    ? service.made({ phone: given.newPhone })
    : service.made({ points: given.points })

/** Runs one operation under one fault. Resolves with its outcome, its leftovers, and the outcome after the fault. */
async function runCase(operation: OperationName, one: FaultCase, till: TillWorker) {
  const network = await openFaultyNetwork(service.url, one.certificate, hostFor(one))
  try {
    const opening = openOptionsFor(network, one)
    if (one.used) {
      await till.ask('open', { baseUrl: network.url })
      await till.ask('run', { operation: 'account', given: service.next() })
    }
    const before = network.seen.length
    await begin(network, one)
    await till.ask('open', opening)
    const given = service.next()
    const pending = till.ask('run', { operation, given })
    if (one.timesOut) await expireStalled(network, till, pending)
    const outcome = outcomeOf(await pending)
    const wire = network.seen.length - before
    const leftovers = await till.ask('leftovers', null)

    await end(network, one)
    if (one.fault === 'no-names') await till.ask('open', { ...opening, withoutNames: false })
    const afterwards = outcomeOf(await till.ask('run', { operation, given: service.next() }))
    return { outcome, wire, made: madeBy(operation, given), leftovers, afterwards }
  } finally {
    await network.close()
  }
}

const check = async (operation: OperationName, one: FaultCase): Promise<void> => {
  const { kind } = OPERATIONS[operation]
  const { expected } = one
  const found = await pool.use((till) => runCase(operation, one, till))
  // The network sees a write once if it sees a read at all.
  const wire = kind === 'read' ? expected.attempts : Math.min(1, expected.attempts)
  expect(found).toEqual({
    outcome: expected[kind],
    wire,
    made: kind !== 'read' && expected.carriedOut ? 1 : 0,
    leftovers: [],
    afterwards: 'value'
  })
}

describe.concurrent.each(FAULTS.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  it.each(OPERATION_NAMES)('%s', (operation) => check(operation, one))
})

describe('redirects', () => {
  beforeAll(async () => {
    elsewhere = await startRecordingServer()
  })
  afterAll(() => elsewhere.close())

  it.concurrent.each(OPERATION_NAMES)(
    '%s follows none, and the token is sent to no other server',
    async (operation) => {
      for (const one of redirects(`${elsewhere.baseUrl}/customers`)) await check(operation, one)
      expect(elsewhere.requests).toEqual([])
    }
  )
})
