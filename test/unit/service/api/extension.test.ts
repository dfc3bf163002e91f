import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as v from 'valibot'
import { errorBodySchema } from '../../../../electron/contract/loyalty.ts'
import { createOpenApiRoute } from '../../../../electron/service/api/extension-openapi.ts'
import { MAX_PAGE_SIZE } from '../../../../electron/service/api/requests.ts'
import { bodyOf, openInProcess, OTHER_TOKEN, post, exactly, type Caller, type Reply } from '../fixtures.ts'

const MINUTE_MS = 60_000

let service: Caller
let now: Date
beforeEach(async () => {
  now = new Date('2026-11-25T10:00:00.000Z')
  service = await openInProcess({ now: () => now })
})
afterEach(() => service.close())

const redemptionSchema = v.strictObject({
  id: v.string(),
  customer: v.string(),
  reward: v.string(),
  cost: v.number(),
  balance: v.number(),
  createdAt: v.string(),
  reversibleUntil: v.string()
})
const reversalSchema = v.strictObject({
  id: v.string(),
  redemption: v.string(),
  balance: v.number(),
  createdAt: v.string()
})

let keys = 0
const newKey = (): string => `till-1-redemption-${String(++keys)}`

const send = (path: string, body: unknown, key: string, token?: string): Promise<Reply> =>
  service.call(`/../ext${path}`, {
    ...post(body),
    headers: {
      'content-type': 'application/json',
      'idempotency-key': key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` })
    }
  })

const refusalOf = (reply: Reply): readonly [number, string] => [
  reply.status,
  v.parse(v.looseObject({ code: v.string() }), JSON.parse(reply.text)).code
]

/** A customer with points, a reward that they can afford, and one that costs more. */
const counter = async () => {
  const customers = bodyOf(
    await service.call(`/customers?pageSize=${String(MAX_PAGE_SIZE)}`),
    exactly.customerPage
  ).data
  const listed = bodyOf(
    await service.call(`/rewards?pageSize=${String(MAX_PAGE_SIZE)}`),
    exactly.rewardPage
  ).data
  const rewards = await Promise.all(
    listed.map(async ({ id }) => bodyOf(await service.call(`/rewards/${id}`), exactly.rewardDetail))
  )
  const enabled = rewards.filter(({ isEnable }) => isEnable).toSorted((one, other) => one.cost - other.cost)
  const [cheap, dear] = [enabled[0], enabled.at(-1)]
  const customer = customers.find(
    ({ balance }) => balance >= (cheap?.cost ?? 0) && balance < (dear?.cost ?? 0)
  )
  const disabled = rewards.find(({ isEnable }) => !isEnable)
  if (cheap === undefined || dear === undefined || customer === undefined || disabled === undefined) {
    throw new Error('the sample data has no such customer')
  }
  return { customer, cheap, dear, disabled }
}

const balanceOf = async (id: string): Promise<number> =>
  bodyOf(await service.call(`/customers/${id}`), exactly.customer).balance

it('is listed by the account, and by nothing else of the nine operations', async () => {
  expect(bodyOf(await service.call('/account'), exactly.account).extensions).toEqual([
    'redemptions/1',
    'collections/1',
    'codes/1',
    'credits/1',
    'returns/1'
  ])
})

describe('redeeming', () => {
  it('takes the cost once for each key, and gives the first answer again', async () => {
    const { customer, cheap } = await counter()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    const key = newKey()
    const first = await send('/redemptions', body, key)
    expect(bodyOf(first, redemptionSchema)).toMatchObject({
      ...body,
      balance: customer.balance - cheap.cost,
      createdAt: '2026-11-25T10:00:00.000Z',
      reversibleUntil: '2026-11-25T11:00:00.000Z'
    })
    await service.call('/qr', post({ points: 5 }))
    now = new Date(now.getTime() + 300 * 24 * 60 * MINUTE_MS)
    const again = await Promise.all([1, 2, 3].map(() => send('/redemptions', body, key)))
    expect(again.map(({ text }) => text)).toEqual([first.text, first.text, first.text])
    expect(await balanceOf(customer.id)).toBe(customer.balance - cheap.cost)
  })

  it('is done once by a key that comes many times at the same moment', async () => {
    const { customer, cheap } = await counter()
    const key = newKey()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    const replies = await Promise.all(Array.from({ length: 8 }, () => send('/redemptions', body, key)))
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect(replies[0]?.status).toBe(200)
    expect(await balanceOf(customer.id)).toBe(customer.balance - cheap.cost)
  })

  it('gives the last points of a customer to one of two tills', async () => {
    const { customer, cheap } = await counter()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    const most = Math.floor(customer.balance / cheap.cost)
    const replies = await Promise.all(
      Array.from({ length: most + 2 }, () => send('/redemptions', body, newKey()))
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(most)
    expect(replies.filter(({ status }) => status !== 200).map(refusalOf)).toEqual([
      [409, 'points-too-few'],
      [409, 'points-too-few']
    ])
    expect(await balanceOf(customer.id)).toBe(customer.balance - most * cheap.cost)
  })

  it('has a code for each refusal, and repeats it', async () => {
    const { customer, cheap, dear, disabled } = await counter()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    const cases = [
      [{ ...body, customer: 'cus_0000000000000000' }, [404, 'customer-unknown']],
      [{ ...body, reward: 'rew_0000000000000000' }, [404, 'reward-unknown']],
      [{ ...body, reward: disabled.id, cost: disabled.cost }, [409, 'reward-disabled']],
      [{ ...body, cost: cheap.cost + 1 }, [409, 'price-changed']],
      [{ ...body, reward: dear.id, cost: dear.cost }, [409, 'points-too-few']]
    ] as const
    for (const [sent, refusal] of cases) {
      const key = newKey()
      const first = await send('/redemptions', sent, key)
      expect(refusalOf(first)).toEqual(refusal)
      expect(v.parse(errorBodySchema, JSON.parse(first.text)).statusCode).toBe(first.status)
      expect((await send('/redemptions', sent, key)).text).toBe(first.text)
    }
    expect(await balanceOf(customer.id)).toBe(customer.balance)
  })

  it('refuses a key for another request, a malformed key, and a malformed body', async () => {
    const { customer, cheap, dear } = await counter()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    const key = newKey()
    await send('/redemptions', body, key)
    const other = await send('/redemptions', { ...body, reward: dear.id, cost: dear.cost }, key)
    expect(refusalOf(other)).toEqual([422, 'idempotency-key-reused'])
    expect(refusalOf(await send('/redemptions', body, 'short'))).toEqual([400, 'idempotency-key-malformed'])
    for (const malformed of [{}, { ...body, cost: 1.5 }, { ...body, customer: 7 }, [], null]) {
      expect(refusalOf(await send('/redemptions', malformed, newKey()))[0]).toBe(400)
    }
    const stranger = await send('/redemptions', body, newKey(), OTHER_TOKEN)
    expect(refusalOf(stranger)).toEqual([404, 'customer-unknown'])
    expect((await send('/redemptions', body, newKey(), 'nobody')).status).toBe(401)
    expect(await balanceOf(customer.id)).toBe(customer.balance - cheap.cost)
  })
})

describe('undoing', () => {
  const redeem = async () => {
    const { customer, cheap } = await counter()
    const body = { customer: customer.id, reward: cheap.id, cost: cheap.cost }
    return { customer, redemption: bodyOf(await send('/redemptions', body, newKey()), redemptionSchema) }
  }

  it('gives the points back once, within the time of the shop', async () => {
    const { customer, redemption } = await redeem()
    now = new Date(now.getTime() + 60 * MINUTE_MS)
    const path = `/redemptions/${redemption.id}/reversal`
    const key = newKey()
    const first = await send(path, { reason: 'The wrong cake' }, key)
    expect(bodyOf(first, reversalSchema)).toMatchObject({
      redemption: redemption.id,
      balance: customer.balance
    })
    now = new Date(now.getTime() + 60 * MINUTE_MS)
    expect((await send(path, { reason: 'The wrong cake' }, key)).text).toBe(first.text)
    now = new Date(now.getTime() - 60 * MINUTE_MS)
    expect(refusalOf(await send(path, {}, newKey()))).toEqual([409, 'redemption-reversed'])
    expect(await balanceOf(customer.id)).toBe(customer.balance)
  })

  it('is refused too late, for another business, and for what is no redemption', async () => {
    const { customer, redemption } = await redeem()
    const path = `/redemptions/${redemption.id}/reversal`
    expect(refusalOf(await send(path, {}, newKey(), OTHER_TOKEN))).toEqual([404, 'redemption-unknown'])
    expect(refusalOf(await send('/redemptions/ent_x/reversal', {}, newKey()))).toEqual([
      404,
      'redemption-unknown'
    ])
    now = new Date(now.getTime() + 60 * MINUTE_MS + 1)
    expect(refusalOf(await send(path, {}, newKey()))).toEqual([409, 'reversal-too-late'])
    expect(await balanceOf(customer.id)).toBe(redemption.balance)
  })
})

it.each([
  ['/redemptions', { customer: 'cus_\0', reward: 'rew_x', cost: 1 }],
  ['/redemptions', { customer: 'cus_x', reward: '\0', cost: 1 }],
  ['/redemptions/ent_x/reversal', { reason: 'a\0b' }]
])('refuses a NUL character at %s: %j', async (path, body) => {
  expect(refusalOf(await send(path, body, newKey()))).toEqual([400, 'body-malformed'])
})

describe('collected codes', () => {
  const pageSchema = v.strictObject({
    hasMore: v.boolean(),
    next: v.string(),
    data: v.array(
      v.strictObject({
        code: v.string(),
        state: v.picklist(['collected', 'reversed']),
        points: v.number(),
        at: v.string()
      })
    )
  })
  const since = async (cursor: string) =>
    bodyOf(await service.call(`/../ext/collections?since=${encodeURIComponent(cursor)}`), pageSchema)

  it('go on from a cursor that lies behind what may still appear', async () => {
    expect(await since('2000-01-01T00:00:00.000Z')).toEqual({
      hasMore: false,
      next: '2026-11-25T09:58:00.000Z~0',
      data: []
    })
  })

  it.each(['', 'yesterday', '2026-11-25', '2026-11-25T09:58:00.000Z~x'])(
    'refuse the cursor %j',
    async (cursor) => {
      const reply = await service.call(`/../ext/collections?since=${encodeURIComponent(cursor)}`)
      expect(refusalOf(reply)).toEqual([400, 'cursor-malformed'])
    }
  )
})

it('is described by a document for each operation, without a token', async () => {
  const routes = createOpenApiRoute(true)
  const document: unknown = await (await routes.request('/openapi.json')).json()
  expect(document).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/ext/redemptions': {
        post: {
          requestBody: {
            content: { 'application/json': { schema: { required: ['customer', 'reward', 'cost'] } } }
          }
        }
      },
      '/ext/redemptions/{id}/reversal': {
        post: { parameters: [{ name: 'Idempotency-Key' }, { name: 'id' }] }
      },
      '/ext/collections': { get: {} }
    }
  })
})
