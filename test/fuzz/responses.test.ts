/** Malformed responses of a service, read by the client. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as v from 'valibot'
import type { Result } from '../../electron/contract/failure.ts'
import { storedFailureSchema } from '../../electron/main/journal/rows.ts'
import type { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import {
  EXTENSION_OPERATION_NAMES,
  EXTENSION_OPERATIONS,
  OPERATION_NAMES,
  OPERATIONS,
  type ExtensionArguments,
  type ExtensionOperationName,
  type OperationArguments,
  type OperationName
} from '../faults/operations.ts'
import {
  account,
  customer,
  customerPage,
  qrCode,
  rewardDetail,
  rewardPage,
  serviceAt
} from '../unit/main/loyalty/samples.ts'
import { hostileJson, mangled, mutationsOf } from './hostile.ts'
import { runs, SEEDS } from './runs.ts'
import { expectPrototypesUnchanged, watchForUnhandledErrors } from './no-side-effects.ts'

watchForUnhandledErrors()

const VALID: Readonly<Record<OperationName, object>> = {
  listCustomers: customerPage,
  searchCustomers: customerPage,
  customerById: customer,
  customerByPhone: customer,
  customerByEmail: customer,
  listRewards: rewardPage,
  reward: rewardDetail,
  account,
  qr: qrCode,
  addCustomer: customer,
  createQr: qrCode
}

const given: OperationArguments = {
  customerId: 'c-1',
  phone: '+33612345678',
  email: 'ada@example.com',
  rewardId: 'r-1',
  code: 'AB12CD',
  newPhone: '+33612345678',
  points: 250
}

const MOMENT = '2026-11-25T10:00:00.000Z'
const redemption = {
  id: 'ent_1',
  customer: 'c-1',
  reward: 'r-1',
  cost: 50,
  balance: 70,
  createdAt: MOMENT,
  reversibleUntil: MOMENT
}

const VALID_IN_EXTENSION: Readonly<Record<ExtensionOperationName, object>> = {
  redeem: redemption,
  standing: {
    level: { name: 'Gold', factor: '1.5' },
    next: { name: 'Platinum', missing: 250 },
    ending: { points: 120, lastDay: '2026-11-30' }
  },
  reverseRedemption: { id: 'ent_2', redemption: 'ent_1', balance: 120, createdAt: MOMENT },
  issueCode: qrCode,
  credit: {
    ...{ id: 'ent_3', customer: 'c-1', points: 25, reference: 'R-1', balanceBefore: 70, balance: 95 },
    ...{ createdAt: MOMENT, reversibleUntil: MOMENT }
  },
  reverseCredit: { id: 'ent_4', credit: 'ent_3', balance: 70, createdAt: MOMENT },
  takeBack: {
    ...{ id: 'ret_1', points: 5, remaining: 20, target: 'credit', codeStatus: null },
    ...{ customer: 'c-1', balance: 90, createdAt: MOMENT }
  },
  collections: {
    hasMore: false,
    next: `${MOMENT}~1`,
    data: [{ code: 'AB12CD', state: 'collected', at: MOMENT }]
  },
  customerOfCode: customer,
  linkDevice: { device: 'dev_1', customer: 'c-1' }
}

const givenToExtension: ExtensionArguments = {
  customerId: 'c-1',
  rewardId: 'r-1',
  cost: 50,
  key: '00000000-0000-4000-8000-000000000001',
  redemption: 'ent_1',
  credit: 'ent_3',
  customerCode: 'HTTPS://POINTS.EXAMPLE/C/00000000000000000000000000',
  digits: '123456'
}

const WITHOUT_BODY = [204, 205, 304]
const status = fc.oneof(
  { weight: 8, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.integer({ min: 200, max: 599 }) }
)
const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/html',
      'application/json; charset=utf-16',
      '\u00ff',
      ''
    ),
    'retry-after': fc.oneof(
      fc.constantFrom('0', '-1', '1e9', 'Infinity', 'Thu, 01 Jan 1970 00:00:00 GMT', '0x10'),
      fc.constant('99999999')
    )
  },
  { requiredKeys: [] }
)

interface Sent {
  readonly body: Buffer
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

const responseLike = (valid: object): fc.Arbitrary<Sent> =>
  fc.record({
    status,
    headers,
    body: mutationsOf(valid, hostileJson)
      .map((value) => Buffer.from(JSON.stringify(value)))
      .chain((bytes) =>
        fc.oneof({ weight: 3, arbitrary: fc.constant(bytes) }, { weight: 1, arbitrary: mangled(bytes) })
      )
  })

/** Returns a client whose service sends the same response to each request, and the number of requests. */
const clientReceiving = (sent: Sent): { service: LoyaltyClient; asked: () => number } => {
  let asked = 0
  const service = serviceAt('https://points.example/api', {
    fetch: () => {
      asked += 1
      const body = WITHOUT_BODY.includes(sent.status) ? null : Uint8Array.from(sent.body)
      return Promise.resolve(new Response(body, { status: sent.status, headers: sent.headers }))
    }
  })
  return { service, asked: () => asked }
}

/** Checks what each answer of the client is: the journal reads its failure as it was written, and the page gets a clone. */
const expectUsable = (answer: Result<unknown>): void => {
  if (!answer.ok) expect(v.parse(storedFailureSchema, JSON.stringify(answer.failure))).toEqual(answer.failure)
  expect(structuredClone(answer)).toEqual(answer)
}

describe.each(SEEDS)('with %s', (_name, seed) => {
  it.each(OPERATION_NAMES)('%s returns a value or a failure of the closed union', async (operation) => {
    await fc.assert(
      fc.asyncProperty(responseLike(VALID[operation]), async (sent) => {
        const { service, asked } = clientReceiving(sent)
        expectUsable(await OPERATIONS[operation].run(service, given))
        expect(asked()).toBeLessThanOrEqual(OPERATIONS[operation].kind === 'read' ? 3 : 1)
      }),
      { seed, numRuns: runs(10_000, 200) }
    )
    expectPrototypesUnchanged()
  })

  it.each(EXTENSION_OPERATION_NAMES)('%s, too, in one request', async (operation) => {
    await fc.assert(
      fc.asyncProperty(responseLike(VALID_IN_EXTENSION[operation]), async (sent) => {
        const { service, asked } = clientReceiving(sent)
        expectUsable(await EXTENSION_OPERATIONS[operation].run(service, givenToExtension))
        expect(asked()).toBe(1)
      }),
      { seed, numRuns: runs(10_000, 200) }
    )
    expectPrototypesUnchanged()
  })

  it('nothing is redeemed or undone by an answer that does not name it', async () => {
    // No other value has this name.
    const name = 'a reward that no answer names'
    await fc.assert(
      fc.asyncProperty(responseLike(redemption), async (sent) => {
        const { service } = clientReceiving(sent)
        const other = await service.redeem(name, { customer: 'c-1', reward: name, cost: 50 })
        const reversed = await service.reverseRedemption(name, { redemption: name, reason: 'x' })
        expect([other.ok, reversed.ok]).toEqual([false, false])
      }),
      { seed, numRuns: runs(10_000, 200) }
    )
  })
})
