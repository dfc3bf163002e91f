/** What programs do beside issuing and redeeming: register customers, cancel slips, and use a reference again. */
import { describe, expect, it, vi } from 'vitest'
import { err } from '../../../../electron/contract/failure.ts'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { valueOf } from '../slips/slip-service-fixture.ts'
import { openInterface, setTime, type InterfaceFixture } from './interface-fixture.ts'

const [known] = KNOWN_CUSTOMERS
const bill = (change: object = {}) => ({ reference: 'R-1', points: 25, deliver: 'return', ...change })

/** Changes what the service says of codes, and leaves all else to it. */
function answerCodes(till: InterfaceFixture, change: object): void {
  till.till.respond = async (request) => {
    const answer = await till.serve(request)
    if (request.method !== 'GET' || !new URL(request.url).pathname.startsWith('/api/qr/')) return answer
    return Response.json({ ...((await answer.json()) as object), ...change })
  }
}

const failCodes = (till: InterfaceFixture, status: number): void => {
  till.till.respond = (request) =>
    new URL(request.url).pathname.startsWith('/api/qr/')
      ? Promise.resolve(new Response(null, { status }))
      : till.serve(request)
}

describe('POST /v1/customers', () => {
  it('registers a customer once for each phone', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const register = (name: string) => pos.post('/v1/customers', { name, phone: '+30 690 123 4567' })
    const first = await register('Ada')
    expect([first.status, first.body]).toMatchObject([
      201,
      { mode: 'live', customer: { name: 'Ada', balance: 0 } }
    ])
    const again = await register('Another')
    expect([again.status, again.body['customer']]).toEqual([200, first.body['customer']])
    const slip = await pos.post('/v1/slips', bill({ customer: { phone: '+306901234567' } }))
    expect([slip.status, slip.body['customer']]).toMatchObject([201, { name: 'Ada' }])
  })

  it('registers by the phone alone where the service takes it, else asks for the name', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    expect((await pos.post('/v1/customers', { phone: '+30 690 123 4567' })).status).toBe(201)
    till.till.respond = () =>
      Promise.resolve(Response.json({ message: 'The name is missing' }, { status: 400 }))
    const refused = await pos.post('/v1/customers', { phone: '+30 690 123 4568' })
    expect([refused.status, refused.body['field'], refused.body.message]).toEqual([
      422,
      'name',
      'The value of name is missing: the points service takes no customer without it. No customer was registered. Correct it, and send the request again.'
    ])
  })

  it('says that the same request is safe when the answer was lost', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.till.respond = async (request) => {
      if (request.method === 'POST') await till.serve(request)
      return new Response(null, { status: 500 })
    }
    const body = { name: 'Ada', phone: '+30 690 123 4567' }
    const lost = await pos.post('/v1/customers', body)
    expect([lost.status, lost.body.error]).toEqual([503, 'answer-lost'])
    expect(lost.body.message).not.toContain('No customer was registered')
    till.till.respond = null
    expect((await pos.post('/v1/customers', body)).body).toMatchObject({ customer: { name: 'Ada' } })
  })

  it('needs what a cashier needs', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.till.locked = true
    const body = { name: 'Ada', phone: '+30 690 123 4567' }
    const locked = await pos.post('/v1/customers', body)
    expect([locked.status, locked.body.error]).toEqual([423, 'locked'])
    expect(till.requests).not.toContain('POST /api/customers')
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: true })
    expect((await pos.post('/v1/customers', body)).status).toBe(201)
  })
})

describe('POST /v1/slips/{reference}/cancel', () => {
  const cancel = '/v1/slips/R-1/cancel'

  it('discards a slip that was returned, once, and its reference gives no code any more', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    await pos.post('/v1/slips', bill())
    const cancelled = await pos.post(cancel, { reason: 'Returned' })
    expect([cancelled.status, cancelled.body]).toMatchObject([
      200,
      { state: 'discarded', code: null, url: null }
    ])
    expect(await pos.post(cancel, {})).toMatchObject({ status: 200, body: cancelled.body })
    expect(await pos.post('/v1/slips', bill())).toMatchObject({ status: 410, body: { error: 'discarded' } })
    const { queries } = await till.slips()
    const found = queries.list({ offset: 0, search: {} })
    expect(found.ok && found.value.slips[0]?.ending?.note).toBe('Returned')
  })

  it('keeps a slip whose points a customer has, or of which the service says nothing', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    await pos.post('/v1/slips', bill())
    answerCodes(till, { status: 'used', usedDate: new Date().toISOString() })
    expect(await pos.post(cancel, {})).toMatchObject({ status: 409, body: { error: 'collected' } })
    failCodes(till, 500)
    expect(await pos.post(cancel, {})).toMatchObject({ status: 503, body: { error: 'service-unreachable' } })
    expect((await pos.get('/v1/slips/R-1')).body.state).toBe('given')
  })

  it('refuses a slip that the customer may hold, and a reference that it does not know', async () => {
    const till = await openInterface({ slips: { showOnDisplay: () => true } })
    const pos = await till.pair()
    expect((await pos.post(cancel, {})).status).toBe(404)
    await pos.post('/v1/slips', bill({ deliver: 'display' }))
    expect(await pos.post(cancel, {})).toMatchObject({
      status: 409,
      body: { error: 'not-cancellable', slip: { state: 'shown' } }
    })
  })

  it('needs the manager: an unlocked till, and the manager PIN if there is one', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: true })
    await pos.post('/v1/slips', bill())
    for (const change of [{ locked: true }, { manager: 'locked' as const }]) {
      Object.assign(till.till, { locked: false, manager: 'open' }, change)
      expect(await pos.post(cancel, {})).toMatchObject({ status: 423, body: { error: 'manager-needed' } })
    }
    Object.assign(till.till, { manager: 'unlocked' })
    expect((await pos.post(cancel, {})).status).toBe(200)
  })
})

const DAY_MS = 24 * 60 * 60_000

describe('a reference that comes again', () => {
  it.each([
    ['expired', { status: 'expired' }],
    ['cancelled', { status: 'cancelled' }],
    ['abgelaufen', { status: 'abgelaufen' }],
    ['used', { status: 'used' }]
  ])('gets no code that is %s: it may be of another buyer', async (_name, change) => {
    const till = await openInterface()
    const pos = await till.pair()
    const first = await pos.post('/v1/slips', bill())
    answerCodes(till, change)
    const again = await pos.post('/v1/slips', bill())
    expect([again.status, again.body]).toMatchObject([
      410,
      { error: 'code-ended', slip: { reference: 'R-1', code: null, url: null } }
    ])
    expect(again.text).not.toContain(first.body.code ?? '?')
    expect(again.body.message).toMatch(
      /another buyer\. Nothing was issued\. For another bill, send a new reference/
    )
    expect((await pos.post('/v1/slips/R-1/reprint', {})).body.error).toBe('code-ended')
    expect(till.codesRequested()).toBe(1)
  })

  it('gets its code within a day without the service, and later only with it', async () => {
    const requestedAt = Date.parse('2026-11-23T12:00:00.000Z')
    setTime(requestedAt)
    const till = await openInterface()
    const pos = await till.pair()
    const first = await pos.post('/v1/slips', bill())
    failCodes(till, 500)
    setTime(requestedAt + DAY_MS - 1)
    expect(await pos.post('/v1/slips', bill())).toMatchObject({
      status: 200,
      body: { code: first.body.code }
    })
    setTime(requestedAt + DAY_MS)
    expect(await pos.post('/v1/slips', bill())).toMatchObject({
      status: 503,
      body: { error: 'service-unreachable' }
    })
    failCodes(till, 404)
    expect((await pos.post('/v1/slips', bill())).body.error).toBe('code-ended')
    till.till.respond = null
    expect(await pos.post('/v1/slips', bill())).toMatchObject({
      status: 200,
      body: { code: first.body.code }
    })
  })

  it('is another bill once its customer was forgotten', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    await pos.post('/v1/slips', bill({ customer: { phone: known.phone } }))
    const [customer] = till.found
    await till.forget({ id: customer?.id ?? '', name: known.name })
    const again = await pos.post('/v1/slips', bill({ points: 7 }))
    expect([again.status, again.body.error]).toEqual([410, 'code-ended'])
  })
})

describe('the report of the till', () => {
  it('tells the slips on the receipts of programs from those that a cashier marked as given', async () => {
    const printer = Promise.withResolvers<undefined>()
    const till = await openInterface({
      slips: {
        settings: () => ({
          printer: { destination: { kind: 'queue', name: 'Nowhere' }, paperSize: '80mm' },
          copies: 1,
          oneJob: false
        }),
        async printOnPrinter() {
          await printer.promise
          return err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false })
        }
      }
    })
    const pos = await till.pair()
    await pos.post('/v1/slips', bill())
    await pos.post('/v1/slips', bill({ reference: 'R-2', deliver: 'print' }))
    await pos.post('/v1/slips', bill({ reference: 'R-3', deliver: 'print' }))
    const { reports, printouts, programs } = await till.slips()
    // As after a crash before it was printed.
    const waiting = valueOf(await programs.find(pos.id, 'R-3'))
    valueOf(await printouts.markGiven({ intentId: waiting?.slip.intentId ?? '' }))
    printer.resolve(undefined)
    await vi.waitFor(async () => expect((await pos.get('/v1/slips/R-2')).body.state).toBe('print-failed'), {
      timeout: 50_000,
      interval: 200
    })
    const failed = valueOf(await programs.find(pos.id, 'R-2'))
    await printouts.markGiven({ intentId: failed?.slip.intentId ?? '' })
    const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
    const report = valueOf(await reports.report({ from: dayIn(-2), to: dayIn(2) }))
    expect(report.statuses).toMatchObject({ 'on-receipt': 1, given: 2 })
    expect((await pos.get('/v1/slips/R-1')).body.state).toBe('given')
  })
})
