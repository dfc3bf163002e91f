/**
 * Runs every operation of the extension under every fault of the network, and redeems a reward under each of them: the
 * till says what came of it, and shows nothing as redeemed without an answer.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure, Result } from '../../electron/contract/failure.ts'
import type { RedemptionState } from '../../electron/contract/redemptions.ts'
import { FULL } from '../support/size.ts'
import { trusted } from '../support/certificates/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { LOOPBACK } from '../support/loopback.ts'
import { expireStalled } from './expire-stalled.ts'
import { ExtensionService } from './extension-service.ts'
import { FAULTS, hostFor, redirects, type Expected, type FaultCase, type Outcome } from './fault-cases.ts'
import {
  EXTENSION_OPERATION_NAMES,
  EXTENSION_OPERATIONS,
  type ExtensionOperationName,
  type OperationArguments
} from './operations.ts'
import { startWorkerPool, type TillWorker, type WorkerPool } from './worker-pool.ts'

let service: ExtensionService
let pool: WorkerPool

beforeAll(async () => {
  service = await ExtensionService.open()
  pool = await startWorkerPool(8)
})
afterAll(async () => {
  await pool.close()
  await service.close()
})

/** Reads need no arguments of these. */
const ACCOUNT: OperationArguments = {
  ...{ customerId: '', phone: '', email: '', rewardId: '', code: '', newPhone: '', points: 1 }
}

/** The outcome of a request to the extension: it has failures of its own where there is nothing, or no answer. */
function outcomeIn(operation: ExtensionOperationName, expected: Expected): Outcome {
  const { kind } = EXTENSION_OPERATIONS[operation]
  if (kind === 'read') return expected.singleRead ?? expected.read
  const { issue } = expected
  if (issue === 'value') return 'value'
  if (kind === 'keyed' && issue.kind === 'not-found') return { kind: 'not-offered' }
  // What was scanned or typed can be tried again: the phone shows something new.
  if (kind === 'once' && issue.kind === 'unknown-outcome') return { kind: 'timeout' }
  return issue
}

const outcomeOf = (answer: Result<unknown>): Outcome => (answer.ok ? 'value' : answer.failure)

/** A till behind a network with one fault. */
class FaultyTill {
  readonly till: TillWorker
  readonly network: FaultyNetwork
  readonly #one: FaultCase
  readonly #folder: string

  private constructor(till: TillWorker, network: FaultyNetwork, one: FaultCase) {
    this.till = till
    this.network = network
    this.#one = one
    this.#folder = mkdtempSync(join(tmpdir(), 'tillpoints-faults-'))
  }

  static async open(till: TillWorker, one: FaultCase): Promise<FaultyTill> {
    const network = await openFaultyNetwork(service.url, one.certificate, hostFor(one))
    return new FaultyTill(till, network, one)
  }

  /** Runs a call under the fault, and ends the fault. Resolves with its answer and how many requests it sent. */
  async during<Value>(
    call: () => Promise<Result<Value>>
  ): Promise<{ answer: Result<Value>; wire: number; leftovers: readonly string[] }> {
    const { fault, times, used, timesOut, certificate } = this.#one
    const { till, network } = this
    if (used) {
      await this.#open(false)
      await till.ask('run', { operation: 'account', given: ACCOUNT })
    }
    const before = network.seen.length
    if (fault === 'unplugged') await network.unplug()
    else if (fault !== 'no-names') network.fail(fault, '', times)
    await this.#open(fault === 'no-names')
    const pending = call()
    if (timesOut) await expireStalled(network, till, pending)
    const answer = await pending
    const wire = network.seen.length - before
    const leftovers = await till.ask('leftovers', null)
    if (fault === 'unplugged') await network.plugIn()
    if (certificate) network.show(trusted)
    network.fail('pass')
    await this.#open(false)
    return { answer, wire, leftovers }
  }

  async close(): Promise<void> {
    await this.till.ask('close', null)
    await this.network.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #open(withoutNames: boolean): Promise<void> {
    const { url } = this.network
    await this.till.ask('open', {
      baseUrl: this.#one.fault === 'no-names' ? url.replace(LOOPBACK, 'localhost') : url,
      ...(this.#one.clockJump !== undefined && { clockJump: this.#one.clockJump }),
      slips: { folder: this.#folder },
      withoutNames
    })
  }
}

const withTill = <Value>(one: FaultCase, work: (opened: FaultyTill) => Promise<Value>): Promise<Value> =>
  pool.use(async (till) => {
    const opened = await FaultyTill.open(till, one)
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  })

const ALL = [...FAULTS, ...redirects('http://127.0.0.1:9/api')].map(
  (one, index) => [one.name, one, index] as const
)

describe.concurrent.each(ALL)('%s', (_name, one, index) => {
  // In the full size all operations, else every third, others for the next fault.
  it.each(EXTENSION_OPERATION_NAMES.filter((_operation, at) => FULL || (at + index) % 3 === 0))(
    '%s',
    async (operation) => {
      const found = await withTill(one, async (opened) => {
        const prepared = await service.prepare(operation)
        const { given } = prepared
        const { answer, wire, leftovers } = await opened.during(() =>
          opened.till.ask('runExtension', { operation, given })
        )
        const afterwards = await opened.till.ask('runExtension', {
          operation,
          given: (await service.prepare(operation)).given
        })
        // The nine operations go on.
        const account = await opened.till.ask('run', { operation: 'account', given: ACCOUNT })
        return {
          outcome: outcomeOf(answer),
          wire,
          made: await prepared.made(),
          leftovers,
          afterwards: outcomeOf(afterwards),
          account: account.ok
        }
      })
      const isRead = EXTENSION_OPERATIONS[operation].kind === 'read'
      expect(found).toEqual({
        outcome: outcomeIn(operation, one.expected),
        wire: Math.min(1, one.expected.attempts),
        made: !isRead && one.expected.carriedOut ? 1 : 0,
        leftovers: [],
        afterwards: 'value',
        account: true
      })
    }
  )
})

/** The state in the journal of a reward that is redeemed under the fault, and once the fault has ended. */
function statesUnder(failure: Failure | 'value'): readonly [RedemptionState, RedemptionState] {
  if (failure === 'value') return ['redeemed', 'redeemed']
  // Nothing was taken unless the service refused by name: the same press may be repeated.
  return [failure.kind === 'unknown-outcome' ? 'unknown' : 'refused', 'redeemed']
}

describe.concurrent('a reward redeemed under', () => {
  it.each(ALL)('%s', async (_name, one) => {
    const request = {
      intentId: randomUUID(),
      customer: { id: service.customerId, name: 'Μαρία' },
      reward: { id: service.reward.id, name: 'Coffee' },
      cost: service.reward.cost,
      balanceBefore: null
    }
    const found = await withTill(one, async (opened) => {
      const { till, network } = opened
      const stateNow = async (): Promise<RedemptionState | undefined> => {
        const listed = await till.ask('redemptions', service.customerId)
        return listed.ok ? listed.value[0]?.state : undefined
      }
      const { answer } = await opened.during(() => till.ask('redeem', request))
      const made = await service.done(request.intentId)
      const state = await stateNow()
      // The cashier presses again after what was refused; for a lost answer the till asks by itself.
      const waiting = await till.ask('askAgain', null)
      await till.ask('redeem', request)
      const keys = new Set(
        network.seen.flatMap(({ path, headers }) =>
          path.endsWith('/ext/redemptions') ? [headers['idempotency-key']] : []
        )
      )
      return {
        outcome: outcomeOf(answer),
        made,
        state,
        waiting,
        afterwards: await stateNow(),
        madeAfterwards: await service.done(request.intentId),
        keys: [...keys]
      }
    })
    const outcome = outcomeIn('redeem', one.expected)
    const [state, afterwards] = statesUnder(outcome)
    expect(found).toEqual({
      outcome,
      made: one.expected.carriedOut ? 1 : 0,
      state,
      waiting: { ok: true, value: [] },
      afterwards,
      madeAfterwards: afterwards === 'redeemed' ? 1 : 0,
      keys: [request.intentId]
    })
  })
})
