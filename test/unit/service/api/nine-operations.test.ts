/**
 * The nine operations answer byte for byte what the service answered before it had an extension, which
 * `nine-operations.json` has, but for the field `extensions` of the account, and the `logo` of a shop without one: also once a till has used the extension.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { createServiceApp } from '../../../../electron/service/api/app.ts'
import { createDeviceExtension } from '../../../../electron/service/api/device-extension.ts'
import { LoyaltyPointsService } from '../../../../electron/service/index.ts'
import { listen } from '../../../../electron/service/server.ts'
import { openSqlite } from '../../../../electron/service/store/sqlite.ts'
import {
  askNineOperations,
  fixedRandom,
  NOW,
  PUBLIC_URL,
  TOKEN,
  type RecordedAnswer
} from './nine-operations.ts'

const answersSchema = v.array(
  v.object({
    request: v.string(),
    status: v.number(),
    headers: v.record(v.string(), v.string()),
    body: v.string()
  })
)
const recorded = v.parse(
  answersSchema,
  JSON.parse(readFileSync(join(import.meta.dirname, 'nine-operations.json'), 'utf8'))
)

/** Serves the sample data; `isShop`: with what only a shop's own service offers tills. Resolves with the base URL. */
async function start(isShop: boolean): Promise<string> {
  const shared = {
    tokens: [TOKEN],
    publicUrl: PUBLIC_URL,
    now: () => NOW,
    random: fixedRandom(),
    seed: { customers: 12, rewards: 5 }
  }
  const database = await openSqlite(':memory:')
  const service = await LoyaltyPointsService.over(database, shared)
  const server = await listen({
    port: 0,
    openService: () =>
      Promise.resolve(
        isShop
          ? Object.assign(
              createServiceApp({
                ...shared,
                database,
                isSample: false,
                shopExtension: createDeviceExtension({ ...shared, database }),
                isExpired: () => false,
                onInternalError: (error) => {
                  throw error
                }
              }),
              { close: () => database.close() }
            )
          : service
      )
  })
  onTestFinished(() => server.close())
  return server.url
}

/** Uses each operation of the extension; what is redeemed is undone, so that all points are as before. */
async function useExtension(baseUrl: string): Promise<readonly number[]> {
  const authorization = `Bearer ${TOKEN}`
  const list = async (path: string) => {
    const response = await fetch(`${baseUrl}/${path}`, { headers: { authorization } })
    const row = v.looseObject({ id: v.string(), cost: v.optional(v.number(), 0) })
    const [first] = v.parse(v.object({ data: v.tupleWithRest([row], row) }), await response.json()).data
    return first
  }
  const send = async (path: string, body: object): Promise<{ status: number; id: string }> => {
    const response = await fetch(new URL(`/ext/${path}`, baseUrl), {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': `key-of-${path}` },
      body: JSON.stringify(body)
    })
    const { id } = v.parse(v.looseObject({ id: v.optional(v.string(), '') }), await response.json())
    return { status: response.status, id }
  }
  const [customer, reward] = await Promise.all([list('customers'), list('rewards')])
  const redeemed = await send('redemptions', { customer: customer.id, reward: reward.id, cost: reward.cost })
  const undone = await send(`redemptions/${redeemed.id}/reversal`, { reason: null })
  const collections = await fetch(new URL(`/ext/collections?since=${NOW.toISOString()}`, baseUrl), {
    headers: { authorization }
  })
  const code = await send('customer-codes', { code: 'none' })
  const device = await send('devices', { customer: customer.id, digits: '123456' })
  return [redeemed, undone, collections, code, device].map(({ status }) => status)
}

/** Returns what can be compared: an account without the field, and without the length of the body. */
function comparable({ headers, ...answer }: RecordedAnswer, field = ''): RecordedAnswer {
  if (!answer.request.endsWith(' /account') || answer.status !== 200) return { ...answer, headers }
  const others = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-length'))
  if (answer.body !== '') expect(answer.body).toContain(field)
  return { ...answer, headers: others, body: answer.body.replace(field, '') }
}

it.each([
  ['training mode', false, '["redemptions/1","collections/1","codes/1","credits/1","returns/1"]'],
  [
    'a shop’s own service',
    true,
    '["redemptions/1","collections/1","codes/1","credits/1","returns/1","customer-codes/1","devices/1","offline-codes/1","rules/1"]'
  ]
] as const)('%s', async (_name, isShop, names) => {
  // Sample data has a logo, and this shop has none.
  const logo = 'https://points.example.com/images/logo.png'
  const expected = recorded
    .map((answer) => comparable(answer))
    .map((answer) => (isShop ? { ...answer, body: answer.body.replace(logo, '') } : answer))
  const unused = await askNineOperations(await start(isShop))
  expect(unused.map((answer) => comparable(answer, `,"extensions":${names}`))).toEqual(expected)

  const used = await start(isShop)
  expect(await useExtension(used)).toEqual([200, 200, 200, 404, 404])
  const answers = await askNineOperations(used)
  expect(answers.map((answer) => comparable(answer, `,"extensions":${names}`))).toEqual(expected)
})
