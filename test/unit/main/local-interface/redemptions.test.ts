import { describe, expect, it } from 'vitest'
import { openInterface } from './interface-fixture.ts'
import { valueOf } from '../slips/slip-service-fixture.ts'

/** A till with a program, a customer, and a reward that the customer can afford. */
async function openTill() {
  const till = await openInterface()
  const pos = await till.pair()
  const { data: customers } = valueOf(
    await till.session.ask((client) => client.listCustomers({ page: 1, pageSize: 100 }))
  )
  const { data: rewards } = valueOf(
    await till.session.ask((client) => client.listRewards({ page: 1, pageSize: 100 }))
  )
  const customer = customers.toSorted((one, other) => (other.balance ?? 0) - (one.balance ?? 0))[0]
  const cost = Math.min(...rewards.map((reward) => reward.cost ?? Infinity))
  const reward = rewards.find((one) => one.cost === cost)
  if (customer === undefined || reward === undefined) throw new Error('The service has no sample data')
  const body = { reference: 'R-1', customer: { id: customer.id }, reward: reward.id, points: cost }
  const balance = async (): Promise<number | null> =>
    valueOf(await till.session.ask((client) => client.customerBy('id', customer.id))).balance
  return { till, pos, body, customer, balance }
}

describe('POST /v1/redemptions', () => {
  it('redeems once for a reference: the same request has the same answer, another content none', async () => {
    const { pos, body, customer, balance } = await openTill()

    const first = await pos.post('/v1/redemptions', body)
    expect(first).toMatchObject({
      status: 201,
      body: {
        mode: 'live',
        state: 'redeemed',
        reference: 'R-1',
        balance: (customer.balance ?? 0) - body.points
      }
    })
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({ status: 200, body: first.body })
    expect(await pos.post('/v1/redemptions', { ...body, points: body.points + 1 })).toMatchObject({
      status: 409,
      body: { error: 'reference-differs' }
    })
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it('answers a lost response with 202, and the same request asks again', async () => {
    const { till, pos, body, customer, balance } = await openTill()
    till.till.respond = () => Promise.resolve(new Response('<html>', { status: 500 }))
    const { respond } = till.till
    till.till.respond = null
    till.till.before = (path) => {
      till.till.respond = path.startsWith('/ext/') ? respond : null
      return Promise.resolve()
    }
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({ status: 202, body: { state: 'unknown' } })
    till.till.before = null
    till.till.respond = null
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({
      status: 200,
      body: { state: 'redeemed' }
    })
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it.each([
    [{ points: 1 }, 409, 'price-changed'],
    [{ reward: 'none' }, 409, 'reward-unavailable'],
    [{ customer: { id: 'none' } }, 422, 'customer-unknown'],
    [{ customer: undefined }, 422, 'invalid']
  ])('%j: %s %s', async (change, status, error) => {
    const { pos, body } = await openTill()
    expect(await pos.post('/v1/redemptions', { ...body, ...change })).toMatchObject({
      status,
      body: { error }
    })
  })

  it('is refused while the till is locked, when cashiers may not redeem, and without the extension', async () => {
    const { till, pos, body, customer, balance } = await openTill()
    till.till.locked = true
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({ status: 423 })
    till.till.locked = false
    till.till.cashiersRedeem = false
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({
      status: 403,
      body: { error: 'redeeming-not-allowed' }
    })
    till.till.cashiersRedeem = true
    till.till.account = till.till.account && { ...till.till.account, extensions: [] }
    expect(await pos.post('/v1/redemptions', body)).toMatchObject({
      status: 409,
      body: { error: 'redemptions-not-offered' }
    })
    expect(await balance()).toBe(customer.balance)
  })
})
