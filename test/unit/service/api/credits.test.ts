import { afterEach, beforeEach, expect, it } from 'vitest'
import * as v from 'valibot'
import { bodyOf, exactly, openInProcess, OTHER_TOKEN, post, type Caller, type Reply } from '../fixtures.ts'

let service: Caller
beforeEach(async () => {
  service = await openInProcess({ now: () => new Date('2026-11-25T10:00:00.000Z') })
})
afterEach(() => service.close())

const creditSchema = v.strictObject({
  id: v.string(),
  customer: v.string(),
  points: v.number(),
  reference: v.nullable(v.string()),
  balanceBefore: v.number(),
  balance: v.number(),
  createdAt: v.string(),
  reversibleUntil: v.string()
})
const reversalSchema = v.strictObject({
  id: v.string(),
  credit: v.string(),
  balance: v.number(),
  createdAt: v.string()
})

let keys = 0
const send = (
  path: string,
  body: unknown,
  key = `till-key-${String(++keys)}`,
  token?: string
): Promise<Reply> =>
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

const firstCustomer = async () => {
  const [customer] = bodyOf(await service.call('/customers'), exactly.customerPage).data
  if (customer === undefined) throw new Error('the sample data has no customer')
  return customer
}

it('credits a customer and undoes it, each once for its key', async () => {
  const customer = await firstCustomer()
  const body = { customer: customer.id, points: 250, reference: 'R-1', cashier: { number: 3, name: 'Ana' } }
  const first = await send('/credits', body, 'the-key-of-it')
  const credit = bodyOf(first, creditSchema)
  expect(credit).toMatchObject({
    ...{ customer: customer.id, points: 250, reference: 'R-1', createdAt: '2026-11-25T10:00:00.000Z' },
    ...{ balanceBefore: customer.balance, balance: customer.balance + 250 },
    reversibleUntil: '2026-11-25T11:00:00.000Z'
  })
  expect((await send('/credits', body, 'the-key-of-it')).text).toBe(first.text)
  expect((await firstCustomer()).balance).toBe(credit.balance)
  const path = `/credits/${credit.id}/reversal`
  const undone = await send(path, { reason: 'The wrong customer' }, 'a-key-of-undoing')
  expect(bodyOf(undone, reversalSchema)).toMatchObject({ credit: credit.id, balance: customer.balance })
  expect((await send(path, { reason: 'The wrong customer' }, 'a-key-of-undoing')).text).toBe(undone.text)
  expect(refusalOf(await send(path, {}))).toEqual([409, 'credit-reversed'])
  expect(await firstCustomer()).toEqual(customer)
})

it('needs neither a reference nor a cashier', async () => {
  const { id } = await firstCustomer()
  for (const rest of [{}, { reference: null, cashier: null }]) {
    const reply = await send('/credits', { customer: id, points: 1, ...rest })
    expect(bodyOf(reply, creditSchema).reference).toBeNull()
  }
})

it('has a code for each refusal, and changes nothing', async () => {
  const customer = await firstCustomer()
  const body = { customer: customer.id, points: 1 }
  expect(refusalOf(await send('/credits', { ...body, customer: 'cus_x' }))).toEqual([404, 'customer-unknown'])
  expect(refusalOf(await send('/credits', body, 'stranger', OTHER_TOKEN))).toEqual([404, 'customer-unknown'])
  expect(refusalOf(await send('/credits', body, 'short'))).toEqual([400, 'idempotency-key-malformed'])
  expect(refusalOf(await send('/credits/ent_x/reversal', {}))).toEqual([404, 'credit-unknown'])
  const malformed = [
    ...[0, -1, 1.5, 10_000_000, '5', null].map((points) => ({ ...body, points })),
    ...['', 'x'.repeat(101), 'a\0', 7].map((reference) => ({ ...body, reference })),
    ...[
      { number: 0, name: 'Ana' },
      { number: 10_000, name: 'Ana' },
      { number: 3 },
      { number: 3, name: '' }
    ].map((cashier) => ({ ...body, cashier })),
    { points: 1 }
  ]
  for (const sent of malformed)
    expect(refusalOf(await send('/credits', sent))).toEqual([400, 'body-malformed'])
  expect(await firstCustomer()).toEqual(customer)
})
