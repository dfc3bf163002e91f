/** Every field of every operation's answer, missing and with each wrong type in it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failure } from '../../electron/contract/failure.ts'
import { createLoyaltyService } from '../../electron/main/loyalty/index.ts'
import { openFaultyNetwork, type FaultyNetwork } from '../support/faulty-network.ts'
import { FIELDS, spoiled, WRONG, type Need } from './fields.ts'
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.ts'
import { startService, type ServiceUnderTest } from './service.ts'

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
  createLoyaltyService({
    baseUrl: network.url,
    token: 'demo',
    language: () => 'en',
    qrImageParameter: () => null,
    fetch
  })

/** What an operation comes to when `path` of its answer holds `json`. */
async function spoil(operation: OperationName, path: string, json: string | undefined) {
  const { kind, run } = OPERATIONS[operation]
  network.fail({ change: ({ status, body }) => ({ status, body: spoiled(body, path, json) }) })
  const given = service.next()
  const answer = await run(client(), given)
  const made =
    kind === 'register' ? service.made({ phone: given.newPhone }) : service.made({ points: given.points })
  return { outcome: answer.ok ? 'value' : answer.failure, made }
}

const failureAt = (operation: OperationName, path: string): Failure =>
  OPERATIONS[operation].kind === 'read'
    ? { kind: 'bad-response', path }
    : { kind: 'unknown-outcome', cause: 'bad-response' }

describe.each(OPERATION_NAMES)('%s', (operation) => {
  const made = OPERATIONS[operation].kind === 'read' ? 0 : 1
  const fields = Object.entries<Need>(FIELDS[operation] ?? {})

  it.each(fields)('with %s missing', async (path, need) => {
    const outcome = need === 'nothing' ? 'value' : failureAt(operation, path)
    expect(await spoil(operation, path, undefined)).toEqual({ outcome, made })
  })

  it.each(fields.flatMap(([path, need]) => WRONG.map(([json, meets]) => [path, json, need, meets] as const)))(
    'with %s holding %s',
    async (path, json, need, meets) => {
      const within = path === 'data' && json === '[[]]' ? 'data.0.id' : path
      const outcome = meets.includes(need) ? 'value' : failureAt(operation, within)
      expect(await spoil(operation, path, json)).toEqual({ outcome, made })
      expect(Object.prototype).not.toHaveProperty('polluted')
    }
  )
})
