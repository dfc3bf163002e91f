import { describe, expect, it } from 'vitest'
import { valueOf } from '../slips/slip-service-fixture.ts'
import { openInterface } from './interface-fixture.ts'

/** A till with a program, and a customer who was credited 250 points for the bill B-1. */
async function openTill() {
  const till = await openInterface()
  const pos = await till.pair()
  const { data: customers } = valueOf(await till.session.ask((client) => client.listCustomers({ page: 1 })))
  const [customer] = customers
  if (customer === undefined) throw new Error('The service has no sample data')
  await pos.post('/v1/credits', { reference: 'B-1', customer: { id: customer.id }, points: 250 })
  const balance = async (): Promise<number | null> =>
    valueOf(await till.session.ask((client) => client.customerBy('id', customer.id))).balance
  /** Replaces the answers to returns, which the service does if `isDone`; null: it answers again. */
  const answerReturns = (answer: (() => Response) | null, isDone = false): void => {
    till.till.respond =
      answer &&
      (async (request) => {
        if (!new URL(request.url).pathname.startsWith('/ext/returns')) return till.serve(request)
        if (isDone) await till.serve(request)
        return answer()
      })
  }
  const before = customer.balance ?? 0
  /** The journal of this till does not know of it. */
  const takeAtAnotherTill = async (reference: string, points: number): Promise<void> => {
    const body = { reference, points, reason: null, cashier: null }
    valueOf(await till.session.ask((client) => client.takeBack('key-of-another-till', body)))
  }
  const take = (part: object = {}) => pos.post('/v1/returns', { reference: 'X-1', purchase: 'B-1', ...part })
  return { pos, balance, answerReturns, before, take, takeAtAnotherTill }
}

describe('POST /v1/returns', () => {
  it('takes all points back, once for a reference: another content is none', async () => {
    const { pos, take, balance, before } = await openTill()

    const first = await take()
    expect(first).toMatchObject({
      status: 201,
      body: { mode: 'live', state: 'returned', points: 250, remaining: 0, balance: before }
    })
    expect(await take()).toMatchObject({ status: 200, body: first.body })
    expect(await pos.get('/v1/returns/X-1')).toMatchObject({ status: 200, body: first.body })
    expect(await take({ points: 10 })).toMatchObject({ status: 409, body: { error: 'reference-differs' } })
    expect(await balance()).toBe(before)
  })

  it('takes the rest where points of the bill went back before, and nothing twice', async () => {
    const { take, balance, before } = await openTill()
    await take({ points: 60 })
    // Of a part that was rounded down: 250 points of 3.00.
    await take({ reference: 'X-2', amount: '1.00', total: '3.00' })

    expect(await take({ reference: 'X-3' })).toMatchObject({
      ...{ status: 201, body: { points: 107, remaining: 0, balance: before } }
    })
    expect(await take({ reference: 'X-4' })).toMatchObject({
      ...{ status: 409, body: { error: 'purchase-returned' } }
    })
    expect(await balance()).toBe(before)
  })

  it('takes the rest of a slip of this till, also after a return at another till', async () => {
    const { pos, take, takeAtAnotherTill } = await openTill()
    await pos.post('/v1/slips', { reference: 'B-2', points: 80, deliver: 'return' })
    await takeAtAnotherTill('B-2', 30)

    expect(await take({ purchase: 'B-2' })).toMatchObject({
      ...{ status: 201, body: { points: 50, remaining: 0, code: 'cancelled' } }
    })
  })

  it('takes the points of goods back by their amounts', async () => {
    const { take, balance, before } = await openTill()
    expect(await take({ amount: '12.50', total: '50.00' })).toMatchObject({
      body: { points: 62, remaining: 188 }
    })
    expect(await balance()).toBe(before + 188)
  })

  it('lowers the code of a slip of this till', async () => {
    const { pos, take } = await openTill()
    await pos.post('/v1/slips', { reference: 'B-2', points: 80, deliver: 'return' })
    expect(await take({ purchase: 'B-2', points: 30 })).toMatchObject({
      body: { points: 30, remaining: 50, code: 'active', balance: null }
    })
    expect(await take({ reference: 'X-2', purchase: 'B-2' })).toMatchObject({
      body: { points: 50, remaining: 0, code: 'cancelled' }
    })
  })

  it('answers a lost response with 202, and the same request asks again', async () => {
    const { take, answerReturns, balance, before } = await openTill()
    answerReturns(() => new Response('<html>', { status: 500 }), true)
    expect(await take()).toMatchObject({ status: 202, body: { state: 'unknown', points: null } })
    answerReturns(null)
    expect(await take()).toMatchObject({ status: 200, body: { state: 'returned', points: 250 } })
    expect(await balance()).toBe(before)
  })

  it('says what was refused', async () => {
    const { pos, take, answerReturns } = await openTill()
    expect(await take({ points: 251 })).toMatchObject({ status: 409, body: { error: 'return-too-much' } })
    expect(await take({ reference: 'X-2', purchase: 'B-9' })).toMatchObject({
      ...{ status: 409, body: { error: 'purchase-unknown' } }
    })
    answerReturns(() => new Response('<html>', { status: 404 }))
    expect(await take({ reference: 'X-3' })).toMatchObject({ body: { error: 'returns-not-offered' } })
    expect(await pos.get('/v1/returns/X-9')).toMatchObject({ body: { error: 'reference-unknown' } })
  })

  it('takes points, or amount and total, or neither', async () => {
    const { take } = await openTill()
    expect(await take({ points: 0 })).toMatchObject({ status: 422, body: { field: 'points' } })
    expect(await take({ amount: '1' })).toMatchObject({ status: 422, body: { field: 'total' } })
    expect(await take({ amount: '0', total: '1' })).toMatchObject({ status: 422, body: { field: 'amount' } })
    expect(await take({ amount: '1', total: '2', points: 1 })).toMatchObject({
      ...{ status: 422, body: { field: 'points' } }
    })
  })
})
