import { describe, expect, it } from 'vitest'
import { valueOf } from '../slips/slip-service-fixture.ts'
import { openInterface } from './interface-fixture.ts'

/** A till with a program and a customer. */
async function openTill() {
  const till = await openInterface()
  const pos = await till.pair()
  const { data: customers } = valueOf(await till.session.ask((client) => client.listCustomers({ page: 1 })))
  const [customer] = customers
  if (customer === undefined) throw new Error('The service has no sample data')
  const body = { reference: 'R-1', customer: { id: customer.id }, points: 250 }
  const balance = async (): Promise<number | null> =>
    valueOf(await till.session.ask((client) => client.customerBy('id', customer.id))).balance
  /** Replaces the answers to credits, which the service does if `isDone`; null: it answers again. */
  const answerCredits = (answer: (() => Response) | null, isDone = false): void => {
    till.till.respond =
      answer &&
      (async (request) => {
        if (!new URL(request.url).pathname.startsWith('/ext/credits')) return till.serve(request)
        if (isDone) await till.serve(request)
        return answer()
      })
  }
  const after = (customer.balance ?? 0) + 250
  return { pos, body, customer, balance, answerCredits, after, credit: () => pos.post('/v1/credits', body) }
}

describe('POST /v1/credits', () => {
  it('credits once for a reference: the same request has the same answer, another content none', async () => {
    const { pos, body, credit, customer, balance, after } = await openTill()

    const first = await credit()
    expect(first).toMatchObject({
      status: 201,
      body: { mode: 'live', state: 'credited', ...{ balanceBefore: customer.balance, balance: after } }
    })
    expect(await credit()).toMatchObject({ status: 200, body: first.body })
    expect(await pos.get('/v1/credits/R-1')).toMatchObject({ status: 200, body: first.body })
    expect(await pos.post('/v1/credits', { ...body, points: 251 })).toMatchObject({
      ...{ status: 409, body: { error: 'reference-differs' } }
    })
    expect(await balance()).toBe(after)
  })

  it('answers a lost response with 202, and the same request asks again', async () => {
    const { credit, answerCredits, balance, after } = await openTill()
    answerCredits(() => new Response('<html>', { status: 500 }), true)
    expect(await credit()).toMatchObject({ status: 202, body: { state: 'unknown', balance: null } })
    answerCredits(null)
    expect(await credit()).toMatchObject({ status: 200, body: { state: 'credited', balance: after } })
    expect(await balance()).toBe(after)
  })

  it.each([
    [() => new Response('<html>', { status: 404 }), 'credits-not-offered'],
    [() => Response.json({ code: 'credit-limit-reached' }, { status: 409 }), 'credit-limit-reached'],
    [() => Response.json({ code: 'credit-needs-approval' }, { status: 409 }), 'credit-needs-approval']
  ])('says what was refused', async (answer, error) => {
    const { credit, answerCredits, customer, balance } = await openTill()
    answerCredits(answer)
    expect(await credit()).toMatchObject({ status: 409, body: { error } })
    expect(await balance()).toBe(customer.balance)
  })

  it('credits what a manager had to approve when the limit is another one', async () => {
    const { credit, answerCredits, balance, after } = await openTill()
    answerCredits(() => Response.json({ code: 'credit-needs-approval' }, { status: 409 }))
    await credit()
    answerCredits(null)
    expect(await credit()).toMatchObject({ status: 201, body: { state: 'credited' } })
    expect(await balance()).toBe(after)
  })

  it('knows no credit of another reference, and takes no other body', async () => {
    const { pos, body } = await openTill()
    expect(await pos.get('/v1/credits/R-2')).toMatchObject({ body: { error: 'reference-unknown' } })
    expect(await pos.post('/v1/credits', { ...body, points: 0 })).toMatchObject({
      ...{ status: 422, body: { error: 'invalid', field: 'points' } }
    })
  })
})
