import { afterEach, beforeEach, expect, it } from 'vitest'
import * as v from 'valibot'
import { bodyOf, exactly, openInProcess, OTHER_TOKEN, post, type Caller, type Reply } from '../fixtures.ts'

let service: Caller
beforeEach(async () => {
  service = await openInProcess({ now: () => new Date('2026-11-25T10:00:00.000Z') })
})
afterEach(() => service.close())

const send = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  service.call(`/../ext${path}`, {
    ...post(body),
    headers: { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-a-till', ...headers }
  })
const refusalOf = ({ status, text }: Reply): readonly [number, string] => [
  status,
  v.parse(v.looseObject({ code: v.string() }), JSON.parse(text)).code
]

it('issues a code as POST /qr does, once for its key', async () => {
  const body = { points: 250, reference: 'R-1', cashier: { number: 3, name: 'Ana' } }
  const first = await send('/codes', body, { prefer: 'collect-until' })
  const code = bodyOf(first, exactly.qr)
  const plain = bodyOf(await service.call('/qr', post({ points: 250 })), exactly.qr)
  const withoutCode = (qr: typeof code) => JSON.stringify(qr).replaceAll(qr.code, '')
  expect(withoutCode(code)).toBe(withoutCode(plain))
  expect(first.headers.get('collect-until')).toMatch(/^20\d\d-/)
  expect((await send('/codes', body)).text).toBe(first.text)
  expect(bodyOf(await service.call(`/qr/${code.code}`), exactly.qr)).toEqual(code)
  expect(refusalOf(await send('/codes', { points: 251 }))).toEqual([422, 'idempotency-key-reused'])
  // Of another business the key is another one.
  const other = await send('/codes', body, { authorization: `Bearer ${OTHER_TOKEN}` })
  expect(bodyOf(other, exactly.qr).code).not.toBe(code.code)
})

it.each([{}, { points: 0 }, { points: 10_000_000 }, { points: 1.5 }, { points: 1, cashier: 'Ana' }])(
  'refuses the body %j',
  async (body) => {
    expect(refusalOf(await send('/codes', body))).toEqual([400, 'body-malformed'])
  }
)

it('forgets a cashier', async () => {
  await send('/codes', { points: 1, cashier: { number: 3, name: 'Ana' } })
  for (const number of [3, 4]) {
    const reply = await send(`/cashiers/${String(number)}/erasure`, { name: 'Ana' })
    expect([reply.status, JSON.parse(reply.text)]).toEqual([200, { number }])
  }
  for (const number of ['0', 'x', '10000', '1.5'])
    expect(refusalOf(await send(`/cashiers/${number}/erasure`, { name: 'Ana' }))).toEqual([
      400,
      'body-malformed'
    ])
  expect(refusalOf(await send('/cashiers/3/erasure', {}))).toEqual([400, 'body-malformed'])
})
