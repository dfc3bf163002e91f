import { describe, expect, it } from 'vitest'
import { NetworkFault } from '../../../../electron/main/loyalty/buffered-fetch.ts'
import { openInterface } from './interface-fixture.ts'
import { failWrites, valueOf } from '../slips/slip-service-fixture.ts'

const html = (status: number) => (): Response => new Response('<html>', { status })
const json = (status: number, body: object) => (): Response => Response.json(body, { status })
const notSent = (): never => {
  throw new NetworkFault('not-sent')
}

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
  /** Replaces the answers of the extension, or lets the service answer again. @param isDone whether it does what is asked */
  const answerExtension = (answer: (() => Response) | null, isDone = false): void => {
    till.till.respond =
      answer &&
      (async (request) => {
        const isExtension = new URL(request.url).pathname.startsWith('/ext/')
        if (!isExtension) return till.serve(request)
        if (isDone) await till.serve(request)
        return answer()
      })
  }
  const redeem = () => pos.post('/v1/redemptions', body)
  const forgetCustomer = (): Promise<void> => till.forget(customer)
  return { till, pos, body, customer, balance, answerExtension, redeem, forgetCustomer }
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
    const { redeem, answerExtension, body, customer, balance } = await openTill()
    answerExtension(html(500))
    expect(await redeem()).toMatchObject({ status: 202, body: { state: 'unknown' } })
    answerExtension(null)
    expect(await redeem()).toMatchObject({ status: 200, body: { state: 'redeemed' } })
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it.each([
    ['HTML with 404', html(404)],
    ['401', json(401, {})],
    ['403', json(403, {})],
    ['429', html(429)],
    ['409 with an unknown word', json(409, { code: 'tired' })],
    ['no connection', notSent]
  ])('says 202 while the outcome is unknown, also when asking again meets %s', async (_name, answer) => {
    const { redeem, answerExtension, body, customer, balance } = await openTill()
    answerExtension(html(500), true)
    expect(await redeem()).toMatchObject({ status: 202, body: { state: 'unknown' } })
    answerExtension(answer)
    expect(await redeem()).toMatchObject({ status: 202, body: { state: 'unknown' } })
    answerExtension(null)
    expect(await redeem()).toMatchObject({ status: 200, body: { state: 'redeemed' } })
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it('says 202 while the journal does not take the answer, and takes nothing more', async () => {
    const { till, redeem, body, customer, balance } = await openTill()
    // The journal is opened by the first request.
    await till.slips()
    const repair = failWrites(till, 'operations')
    expect(await redeem()).toMatchObject({ status: 202, body: { state: 'requested' } })
    repair()
    expect(await redeem()).toMatchObject({ status: 200, body: { state: 'redeemed' } })
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it.each([
    ['429', html(429), 503, 'service-unreachable'],
    ['401', json(401, {}), 503, 'not-connected'],
    ['no connection', notSent, 503, 'service-unreachable'],
    ['HTML with 404', html(404), 409, 'redemptions-not-offered']
  ])('sends the same request again after a first one that met %s', async (_name, answer, status, error) => {
    const { redeem, answerExtension } = await openTill()
    answerExtension(answer)
    expect(await redeem()).toMatchObject({ status, body: { error } })
    answerExtension(null)
    expect(await redeem()).toMatchObject({ status: 201, body: { state: 'redeemed' } })
  })

  it('says what was refused, also to a request that came while the till asked by itself', async () => {
    const { till, redeem, answerExtension } = await openTill()
    answerExtension(html(500))
    await redeem()
    const { operations } = await till.slips()
    const [unanswered] = valueOf(operations.unanswered())
    const answer = Promise.withResolvers<unknown>()
    till.till.before = (path) => (path.startsWith('/ext/') ? answer.promise : Promise.resolve())
    answerExtension(json(409, { code: 'points-too-few' }))
    void operations.askFor(unanswered?.key ?? '')
    const refused = redeem()
    // The other request has read the row by then.
    await new Promise((resolve) => setTimeout(resolve, 50))
    answer.resolve(null)
    expect(await refused).toMatchObject({ status: 409, body: { error: 'points-too-few' } })
    expect(await redeem()).toMatchObject({ status: 409, body: { error: 'points-too-few' } })
  })

  describe('after the customer was forgotten', () => {
    it('has the same answer, and redeems nothing more', async () => {
      const { redeem, forgetCustomer, customer, balance, body } = await openTill()
      await redeem()
      await forgetCustomer()
      expect(await redeem()).toMatchObject({ status: 200, body: { state: 'redeemed', customer: null } })
      expect(await balance()).toBe((customer.balance ?? 0) - body.points)
    })

    it('is 410 for one whose outcome was unknown', async () => {
      const { redeem, answerExtension, forgetCustomer } = await openTill()
      answerExtension(html(500))
      expect(await redeem()).toMatchObject({ status: 202 })
      await forgetCustomer()
      answerExtension(null)
      expect(await redeem()).toMatchObject({ status: 410, body: { error: 'redemption-discarded' } })
    })
  })

  it('says of one that was ended without an answer that its points may be taken, and never to redeem again', async () => {
    const { till, redeem, answerExtension } = await openTill()
    answerExtension(html(500), true)
    expect(await redeem()).toMatchObject({ status: 202 })
    const { operations } = await till.slips()
    const [unanswered] = valueOf(operations.attentionList())
    await operations.discard({ key: unanswered?.key ?? '', reason: 'The line is down' })
    answerExtension(null)
    const { status, body } = await redeem()
    expect([status, body]).toMatchObject([
      410,
      { error: 'redemption-discarded', redemption: { state: 'discarded', reference: 'R-1' } }
    ])
    expect(body.message).toContain('the points may be taken')
    expect(body.message).not.toContain('new reference')
  })

  it('is answered from its row when training mode starts meanwhile, and so is its repeat', async () => {
    const { till, pos, body, redeem, customer, balance } = await openTill()
    const begun = Promise.withResolvers<undefined>()
    const answer = Promise.withResolvers<undefined>()
    till.till.before = (path) => {
      if (!path.startsWith('/ext/')) return Promise.resolve()
      begun.resolve(undefined)
      return answer.promise
    }
    const first = redeem()
    await begun.promise
    await till.session.startTraining()
    answer.resolve(undefined)
    const redeemed = { mode: 'live', state: 'redeemed', reference: 'R-1' }
    expect(await first).toMatchObject({ status: 201, body: redeemed })
    expect(await redeem()).toMatchObject({ status: 200, body: redeemed })
    // Another content with the reference is a redemption of training mode.
    expect(await pos.post('/v1/redemptions', { ...body, points: body.points + 1 })).not.toMatchObject({
      body: { error: 'reference-differs' }
    })
    await till.session.leaveTraining()
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

describe('GET /v1/redemptions/{reference}', () => {
  it('reads what came of a redemption, also on a locked till', async () => {
    const { till, pos, redeem } = await openTill()
    const path = '/v1/redemptions/R-1'
    expect(await pos.get(path)).toMatchObject({ status: 404, body: { error: 'reference-unknown' } })
    const { body } = await redeem()
    till.till.locked = true
    expect(await pos.get(path)).toMatchObject({ status: 200, body })
  })

  it('reads a live redemption in training mode', async () => {
    const { till, pos, redeem } = await openTill()
    const { body } = await redeem()
    await till.session.startTraining()
    expect(await pos.get('/v1/redemptions/R-1')).toMatchObject({ status: 200, body })
  })
})

describe('POST /v1/redemptions/{reference}/undo', () => {
  const path = '/v1/redemptions/R-1/undo'

  it('gives the points back, once', async () => {
    const { pos, redeem, customer, balance } = await openTill()
    expect((await pos.post(path, {})).status).toBe(404)
    await redeem()
    const undone = await pos.post(path, { reason: 'Returned' })
    expect([undone.status, undone.body]).toMatchObject([200, { state: 'undone', balance: customer.balance }])
    expect(await pos.post(path, {})).toMatchObject({ status: 200, body: undone.body })
    // The reference stays that of the redemption.
    expect(await redeem()).toMatchObject({ status: 200, body: { state: 'undone' } })
    expect(await balance()).toBe(customer.balance)
  })

  it('is asked for with the same key when its answer was lost', async () => {
    const { pos, redeem, answerExtension, customer, balance } = await openTill()
    await redeem()
    answerExtension(html(500), true)
    expect(await pos.post(path, {})).toMatchObject({ status: 202, body: { state: 'undo-unknown' } })
    answerExtension(null)
    expect(await pos.post(path, {})).toMatchObject({ status: 200, body: { state: 'undone' } })
    expect(await balance()).toBe(customer.balance)
  })

  it.each([
    [json(409, { code: 'reversal-too-late' }), 409, 'undo-too-late'],
    [json(401, {}), 503, 'not-connected'],
    [notSent, 503, 'service-unreachable']
  ])('says why nothing was given back', async (answer, status, error) => {
    const { pos, redeem, answerExtension, customer, body, balance } = await openTill()
    await redeem()
    answerExtension(answer)
    const refused = await pos.post(path, {})
    expect(refused).toMatchObject({ status, body: { error } })
    expect(refused.body.message).toContain('Nothing was given back.')
    answerExtension(null)
    expect(await balance()).toBe((customer.balance ?? 0) - body.points)
  })

  it('says of a redemption without points to give back what came of it', async () => {
    const { pos, redeem, answerExtension } = await openTill()
    answerExtension(json(409, { code: 'points-too-few' }))
    await redeem()
    answerExtension(null)
    expect(await pos.post(path, {})).toMatchObject({
      status: 409,
      body: { error: 'not-undoable', redemption: { state: 'refused' } }
    })
  })

  it('needs the manager: an unlocked till, and the manager PIN if there is one', async () => {
    const { till, pos, redeem } = await openTill()
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: true })
    await redeem()
    for (const change of [{ locked: true }, { manager: 'locked' as const }]) {
      Object.assign(till.till, { locked: false, manager: 'open' }, change)
      expect(await pos.post(path, {})).toMatchObject({ status: 423, body: { error: 'manager-needed' } })
    }
    Object.assign(till.till, { manager: 'unlocked' })
    expect((await pos.post(path, {})).status).toBe(200)
  })
})
