/** Malformed responses of a service, read by the client. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { failureSchema } from '../../electron/main/slips/journal/rows.ts'
import type { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import {
  OPERATION_NAMES,
  OPERATIONS,
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

const responseTo = (operation: OperationName): fc.Arbitrary<Sent> =>
  fc.record({
    status,
    headers,
    body: mutationsOf(VALID[operation], hostileJson)
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

describe.each(SEEDS)('with %s', (_name, seed) => {
  it.each(OPERATION_NAMES)('%s returns a value or a failure of the closed union', async (operation) => {
    await fc.assert(
      fc.asyncProperty(responseTo(operation), async (sent) => {
        const { service, asked } = clientReceiving(sent)
        const answer = await OPERATIONS[operation].run(service, given)
        // The journal reads a failure as it was written.
        if (!answer.ok) expect(v.parse(failureSchema, JSON.stringify(answer.failure))).toEqual(answer.failure)
        // The page receives a structured clone.
        expect(structuredClone(answer)).toEqual(answer)
        expect(asked()).toBeLessThanOrEqual(OPERATIONS[operation].kind === 'read' ? 3 : 1)
      }),
      { seed, numRuns: runs(10_000, 400) }
    )
    expectPrototypesUnchanged()
  })
})
