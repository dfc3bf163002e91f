import { afterEach, beforeEach, expect, it } from 'vitest'
import * as v from 'valibot'
import { bodyOf, exactly, openInProcess, OTHER_TOKEN, post, type Caller, type Reply } from '../fixtures.ts'

let service: Caller
beforeEach(async () => {
  service = await openInProcess({ now: () => new Date('2026-11-25T10:00:00.000Z') })
})
afterEach(() => service.close())

const returnSchema = v.strictObject({
  id: v.string(),
  points: v.number(),
  remaining: v.number(),
  target: v.picklist(['code', 'credit']),
  purchase: v.string(),
  given: v.number(),
  codeStatus: v.nullable(v.string()),
  customer: v.nullable(v.string()),
  balance: v.nullable(v.number()),
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
const refusalSchema = v.looseObject({ code: v.string(), statusCode: v.number() })
const refusalOf = ({ status, text }: Reply): readonly [number, string] => [
  status,
  v.parse(refusalSchema, JSON.parse(text)).code
]
const issue = async (): Promise<string> =>
  bodyOf(await service.call('/qr', post({ points: 100 })), exactly.qr).code

it('takes points of a code back, and the code is worth less', async () => {
  const code = await issue()
  const body = { code, amount: { returned: '12.50', total: '45.20' }, reason: 'Wrong size' }
  const first = await send('/returns', body, 'the-key-of-it')
  expect(bodyOf(first, returnSchema)).toMatchObject({
    ...{ points: 27, remaining: 73, target: 'code', codeStatus: 'active', customer: null, balance: null },
    ...{ purchase: code, given: 100 },
    createdAt: '2026-11-25T10:00:00.000Z'
  })
  expect((await send('/returns', body, 'the-key-of-it')).text).toBe(first.text)
  expect(bodyOf(await service.call(`/qr/${code}`), exactly.qr)).toMatchObject({
    rewardPoints: 73,
    status: 'active'
  })
  expect(bodyOf(await send('/returns', { code, points: 73 }), returnSchema).codeStatus).toBe('cancelled')
  expect(bodyOf(await service.call(`/qr/${code}`), exactly.qr)).toMatchObject({ status: 'cancelled' })
})

it('takes points of a credit back, by its id and by the reference of its bill', async () => {
  const [customer] = bodyOf(await service.call('/customers'), exactly.customerPage).data
  const credit = await send('/credits', { customer: customer?.id, points: 50, reference: 'R-7' })
  const { id } = v.parse(v.looseObject({ id: v.string() }), JSON.parse(credit.text))
  const expected = { target: 'credit', codeStatus: null, customer: customer?.id, purchase: id, given: 50 }
  expect(bodyOf(await send('/returns', { credit: id, points: 20 }), returnSchema)).toMatchObject({
    ...{ ...expected, points: 20, remaining: 30, balance: (customer?.balance ?? 0) + 30 }
  })
  expect(refusalOf(await send(`/credits/${id}/reversal`, {}))).toEqual([409, 'purchase-returned'])
  expect(bodyOf(await send('/returns', { reference: 'R-7', rest: true }), returnSchema)).toMatchObject({
    ...{ ...expected, points: 30, remaining: 0, balance: customer?.balance }
  })
})

it('says how many points remain, and has a code for each refusal', async () => {
  const code = await issue()
  const tooMuch = await send('/returns', { code, points: 101 })
  expect(refusalOf(tooMuch)).toEqual([409, 'return-too-much'])
  expect(JSON.parse(tooMuch.text)).toMatchObject({ remaining: 100, statusCode: 409 })
  expect(refusalOf(await send('/returns', { code, points: 1 }, 'stranger', OTHER_TOKEN))).toEqual([
    ...[404, 'purchase-unknown']
  ])
  await send('/returns', { code, points: 100 })
  expect(refusalOf(await send('/returns', { code, points: 1 }))).toEqual([409, 'purchase-returned'])
})

it.each([
  {},
  { code: 'X' },
  { points: 1 },
  { code: 'X', credit: 'Y', points: 1 },
  { code: 'X', points: 1, amount: { returned: '1', total: '2' } },
  { code: 'X', points: 1, rest: true },
  { code: 'X', rest: false },
  { code: 'X', points: 0 },
  { code: 'X\0', points: 1 },
  ...['0', '0.00', '-1', '1,5', '1e3', ' 1', '1.', '.5', 1].map((returned) => ({
    code: 'X',
    amount: { returned, total: '2' }
  })),
  { code: 'X', amount: { returned: '1', total: '0' } }
])('refuses the body %j', async (body) => {
  expect(refusalOf(await send('/returns', body))).toEqual([400, 'body-malformed'])
})
