/** Responses with each field missing or of a wrong type, for every operation of the client. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.ts'
import { startService, type ServiceUnderTest } from './service.ts'

/** What the client requires of a field of a response. */
export type Need =
  /** a non-empty text, or a number */
  | 'text'
  /** nothing, but a value that is sent must be a number */
  | 'number or nothing'
  /** a list of valid items */
  | 'list'
  /** nothing: any value is accepted */
  | 'nothing'

const customer = {
  id: 'text',
  name: 'nothing',
  email: 'nothing',
  phone: 'nothing',
  avatar: 'nothing',
  balance: 'nothing',
  lifetimePoints: 'nothing'
} as const
const page = {
  hasMore: 'nothing',
  currentPage: 'nothing',
  pageSize: 'nothing',
  data: 'list'
} as const
const reward = { id: 'text', name: 'nothing', cost: 'nothing', index: 'nothing' } as const
const code = {
  createdAt: 'nothing',
  updatedAt: 'nothing',
  code: 'text',
  rewardPoints: 'nothing',
  status: 'nothing',
  usedDate: 'nothing',
  qrURL: 'nothing',
  qrImageURL: 'nothing'
} as const

/** A row without an id is left out of a page with other rows. */
const inRow = (entry: Readonly<Record<string, Need>>): Record<string, Need> =>
  Object.fromEntries(Object.keys(entry).map((name) => [`data.0.${name}`, 'nothing']))

/** The fields of each operation's response, by their paths. */
export const FIELDS: Readonly<Record<string, Readonly<Record<string, Need>>>> = {
  listCustomers: { ...page, noCustomers: 'nothing', ...inRow(customer) },
  // The search finds one customer: without an id, the page has no row that can be read.
  searchCustomers: { ...page, noCustomers: 'nothing', ...inRow(customer), 'data.0.id': 'text' },
  customerById: customer,
  customerByPhone: customer,
  customerByEmail: customer,
  listRewards: { ...page, noRewards: 'nothing', ...inRow(reward) },
  reward: { ...reward, createdAt: 'nothing', updatedAt: 'nothing', isEnable: 'nothing' },
  account: {
    id: 'text',
    name: 'nothing',
    logo: 'nothing',
    timeZone: 'nothing',
    currentPlan: 'nothing',
    currentPlanInterval: 'nothing',
    currentCustomers: 'nothing',
    getStartedLink: 'nothing',
    address: 'nothing',
    'address.street': 'nothing',
    'address.city': 'nothing',
    'address.state': 'nothing',
    'address.country': 'nothing',
    'address.zipCode': 'nothing'
  },
  qr: code,
  addCustomer: customer,
  createQr: { ...code, rewardPoints: 'number or nothing', qrURL: 'text' }
}

/** Replacement values as JSON, with the requirements that each of them meets. */
const WRONG: readonly (readonly [string, readonly Need[]])[] = [
  ['null', ['list', 'number or nothing', 'nothing']],
  ['true', ['nothing']],
  ['7', ['text', 'number or nothing', 'nothing']],
  ['1e400', ['text', 'nothing']],
  ['""', ['nothing']],
  ['"text"', ['text', 'nothing']],
  ['[]', ['list', 'nothing']],
  ['[[]]', ['nothing']],
  ['{}', ['nothing']],
  ['{"__proto__":{"polluted":1}}', ['nothing']]
]

/** Returns a response with the field at `path` replaced by `json`, or removed if it is undefined. */
export function withFieldReplaced(body: Buffer, path: string, json: string | undefined): string {
  const mark = 'placeholder of the replaced field'
  const steps = path.split('.')
  const put = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
    if (step === undefined) return mark
    if (Array.isArray(value))
      return value.map((item: unknown, at) => (String(at) === step ? put(item, rest) : item))
    const entries = Object.entries(value as Readonly<Record<string, unknown>>)
    const kept = json === undefined && rest.length === 0 ? entries.filter(([name]) => name !== step) : entries
    const had = kept.some(([name]) => name === step)
    const all = had || json === undefined ? kept : [...kept, [step, null] as const]
    return Object.fromEntries(all.map(([name, inner]) => [name, name === step ? put(inner, rest) : inner]))
  }
  return JSON.stringify(put(JSON.parse(body.toString('utf8')), steps)).replace(
    JSON.stringify(mark),
    json ?? ''
  )
}

let service: ServiceUnderTest
let network: FaultyNetwork

beforeAll(async () => {
  service = await startService()
  network = await openFaultyNetwork(service.url)
})
afterAll(async () => {
  await network.close()
  await service.close()
})

const client = () =>
  new LoyaltyClient({
    baseUrl: network.url,
    token: 'demo',
    languages: { screen: 'en' },
    fetch
  })

/**
 * Runs an operation whose response has `json` at `path`. Resolves with its outcome and the number of executed
 * writes.
 */
async function runWithField(operation: OperationName, path: string, json: string | undefined) {
  const { kind, run } = OPERATIONS[operation]
  network.fail({ change: ({ status, body }) => ({ status, body: withFieldReplaced(body, path, json) }) })
  const given = service.next()
  const answer = await run(client(), given)
  const made =
    kind === 'register' ? service.made({ phone: given.newPhone }) : service.made({ points: given.points })
  return { outcome: answer.ok ? 'value' : answer.failure, made }
}

const failureAt = (operation: OperationName, path: string): Failure =>
  OPERATIONS[operation].kind === 'read'
    ? { kind: 'bad-response', path: path === 'data.0.id' ? 'data' : path }
    : { kind: 'unknown-outcome', cause: 'bad-response' }

describe.each(OPERATION_NAMES)('%s', (operation) => {
  const made = OPERATIONS[operation].kind === 'read' ? 0 : 1
  const fields = Object.entries<Need>(FIELDS[operation] ?? {})

  it.each(fields)('with %s missing', async (path, need) => {
    const outcome = need.endsWith('nothing') ? 'value' : failureAt(operation, path)
    expect(await runWithField(operation, path, undefined)).toEqual({ outcome, made })
  })

  it.each(fields.flatMap(([path, need]) => WRONG.map(([json, meets]) => [path, json, need, meets] as const)))(
    'with %s holding %s',
    async (path, json, need, meets) => {
      const outcome = meets.includes(need) ? 'value' : failureAt(operation, path)
      expect(await runWithField(operation, path, json)).toEqual({ outcome, made })
      expect(Object.prototype).not.toHaveProperty('polluted')
    }
  )
})
