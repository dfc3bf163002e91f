/** Slips over the local interface: one code for each reference, and the status of every outcome. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { PNG } from 'pngjs'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import { ownRule } from '../../../../electron/contract/points-calculation.ts'
import { groupedCode } from '../../../../electron/contract/code-groups.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import { KNOWN_CUSTOMERS } from '../../../../electron/service/index.ts'
import { scan } from '../../../support/read-slip.ts'
import { qrCode, temporaryFolder } from '../slips/slip-service-fixture.ts'
import type { Answer } from '../../../support/interface-client.ts'
import { openInterface, type InterfaceFixture } from './interface-fixture.ts'

const [known] = KNOWN_CUSTOMERS
const RULE = ownRule({ pointsPerUnit: '2', rounding: 'down', minimum: '5', currency: 'EUR' })
const bill = (reference: string, change: object = {}) => ({
  reference,
  points: 25,
  deliver: 'return',
  ...change
})
const amount = (reference: string, value: string, currency = 'EUR') => ({
  reference,
  amount: value,
  currency,
  deliver: 'return'
})

/** Returns the texts of the QR codes in a PNG. */
function scanPng(png: Buffer): Promise<string[]> {
  const { width, height, data } = PNG.sync.read(png)
  return scan({ width, height, pixels: data.filter((_byte, index) => index % 4 === 0) })
}

it('the document is valid OpenAPI 3.1', async () => {
  const { document } = await openInterface()
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
})

describe('POST /v1/slips', () => {
  it('issues points, and returns code, URL and what the program prints', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const { status, body } = await pos.post('/v1/slips', bill('R-1'))
    expect(status).toBe(201)
    expect(body).toMatchObject({ mode: 'live', reference: 'R-1', state: 'given', points: 25, failure: null })
    expect(body.receipt?.text).toContain(groupedCode(body.code ?? ''))
    expect(body.receipt?.text).toContain(body.url)
    expect(await scanPng(Buffer.from(body.receipt?.qrPng ?? '', 'base64'))).toEqual([body.url])
    expect(body.receipt?.qrSvg).toMatch(/^<svg /)
    expect(till.codesRequested()).toBe(1)
  })

  it('returns the slip of the same reference and content, at any time and after a restart', async () => {
    const folder = temporaryFolder()
    const till = await openInterface({ folder })
    const pos = await till.pair()
    const first = await pos.post('/v1/slips', bill('R-1'))
    const second = await pos.post('/v1/slips', bill('R-1'))
    expect([second.status, second.body]).toEqual([200, first.body])
    await till.localInterface.close()
    await (await till.slips()).close()

    const restarted = await openInterface({ folder, callers: till.till.callers })
    const again = await restarted.call({
      method: 'POST',
      path: '/v1/slips',
      body: bill('R-1'),
      token: pos.token
    })
    expect([again.status, again.body]).toEqual([200, first.body])
    expect([till.codesRequested(), restarted.codesRequested()]).toEqual([1, 0])
  })

  it('requests one code for a reference that is sent at the same time', async () => {
    const till = await openInterface({ limits: { atOnce: 8 } })
    const pos = await till.pair()
    // All of them look up the customer before the first one issues.
    const arrived = Promise.withResolvers<Response>()
    const lookUps = (): number => till.requests.filter((one) => one.includes('/customers/')).length
    const { respond } = till.till
    till.till.respond = () => {
      if (lookUps() === 8) {
        till.till.respond = respond
        arrived.resolve(Response.json({ id: 'c', name: 'C' }))
      }
      return arrived.promise.then((response) => response.clone())
    }
    const sent = bill('R-1', { customer: { id: 'c' } })
    const answers = await Promise.all(Array.from({ length: 8 }, () => pos.post('/v1/slips', sent)))
    expect(new Set(answers.map(({ body }) => body.code)).size).toBe(1)
    // One of them issued it.
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(7).fill(200), 201])
    expect(till.codesRequested()).toBe(1)
  })

  it('gives each program its own references', async () => {
    const till = await openInterface()
    const [one, other] = [await till.pair('One'), await till.pair('Other')]
    const first = await one.post('/v1/slips', bill('R-1'))
    const second = await other.post('/v1/slips', bill('R-1'))
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.code).not.toBe(second.body.code)
    expect((await one.get('/v1/slips/R-1')).body.code).toBe(first.body.code)
  })

  it.each([
    ['points', { points: 26 }],
    ['delivery', { deliver: 'print' }],
    ['customer', { customer: { phone: known.phone } }]
  ])('answers 409 for the same reference with another %s, and issues nothing', async (_name, change) => {
    const till = await openInterface()
    const pos = await till.pair()
    await pos.post('/v1/slips', bill('R-1'))
    const { status, body } = await pos.post('/v1/slips', bill('R-1', change))
    expect([status, body.error]).toEqual([409, 'reference-differs'])
    expect(till.codesRequested()).toBe(1)
  })

  it('calculates the points of an amount by the rule of the till', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    expect((await pos.post('/v1/slips', amount('R-1', '12.50'))).body.error).toBe('no-points-rule')
    till.till.earningRule = RULE
    expect((await pos.post('/v1/slips', amount('R-1', '12.50'))).body).toMatchObject({ points: 25 })
    till.till.earningRule = { ...RULE, pointsPerUnit: '3' }
    // The bill has its points, whatever the rule is now.
    expect((await pos.post('/v1/slips', amount('R-1', '12.50'))).body).toMatchObject({ points: 25 })
  })

  it('calculates goods of a group by its factor, and keeps what a reference stands for', async () => {
    const till = await openInterface()
    till.till.earningRule = {
      ...RULE,
      groups: [
        { name: 'Tobacco', factor: '0' },
        { name: 'Wine', factor: '1.5' }
      ],
      factors: [{ name: 'Tuesday', factor: '2' }]
    }
    const pos = await till.pair()
    const groups = [
      { name: 'Tobacco', amount: '5.50' },
      { name: 'Wine', amount: '2' }
    ]
    const mixed = { ...amount('R-1', '12.50'), groups }
    // (12.50 - 5.50 - 2 + 2 × 1.5) × 2 × 2
    expect((await pos.post('/v1/slips', mixed)).body).toMatchObject({ points: 32 })
    expect((await pos.post('/v1/slips', mixed)).status).toBe(200)
    expect((await pos.post('/v1/slips', amount('R-1', '12.50'))).body.error).toBe('reference-differs')
    expect((await pos.get('/v1/status')).body).toMatchObject({ groups: ['Tobacco', 'Wine'] })
  })

  it('calculates with the level of the customer that it names, also of the last answer, and without one for none', async () => {
    const till = await openInterface()
    till.till.earningRule = { ...RULE, version: 4, levels: [{ name: 'Gold', factor: '1.5' }] }
    const gold = { level: { name: 'Gold', factor: '1.5' }, next: null, ending: null }
    till.till.respond = (request) =>
      request.url.endsWith('/standing') ? Promise.resolve(Response.json(gold)) : till.serve(request)
    const pos = await till.pair()
    const named = (reference: string) => ({ ...amount(reference, '12.50'), customer: { phone: known.phone } })
    const standings = () => till.requests.filter((one) => one.endsWith('/standing')).length

    expect((await pos.get('/v1/status')).body).toMatchObject({ levels: ['Gold'] })
    expect((await pos.post('/v1/slips', amount('R-1', '12.50'))).body).toMatchObject({ points: 25 })
    expect(standings()).toBe(0)
    expect((await pos.post('/v1/slips', named('R-2'))).body).toMatchObject({ points: 37 })
    expect((await pos.post('/v1/slips', named('R-2'))).status).toBe(200)
    expect(standings()).toBe(1)
    // Points that the program calculated are the program's.
    const points = { ...bill('R-3'), customer: { phone: known.phone } }
    expect((await pos.post('/v1/slips', points)).body).toMatchObject({ points: 25 })
    expect(standings()).toBe(1)
    till.till.respond = (request) =>
      request.url.endsWith('/standing')
        ? Promise.resolve(Response.json({}, { status: 503 }))
        : till.serve(request)
    expect((await pos.post('/v1/slips', named('R-4'))).body).toMatchObject({ points: 37 })
  })

  it.each([
    ['a group that the rules do not have', [{ name: 'Beer', amount: '1' }], 'group-unknown', 'groups'],
    [
      'a group twice',
      [
        { name: 'Wine', amount: '1' },
        { name: 'Wine', amount: '1' }
      ],
      'invalid',
      'groups'
    ],
    ['groups that are more than the bill', [{ name: 'Wine', amount: '12.51' }], 'invalid', 'amount'],
    ['an amount of a group with a comma', [{ name: 'Wine', amount: '1,5' }], 'invalid', 'groups']
  ])('answers 422 for %s, and issues nothing', async (_name, groups, error, field) => {
    const till = await openInterface()
    till.till.earningRule = { ...RULE, groups: [{ name: 'Wine', factor: '1.5' }] }
    const pos = await till.pair()
    const answer = await pos.post('/v1/slips', { ...amount('R-1', '12.50'), groups })
    expect([answer.status, answer.body.error, answer.body['field']]).toEqual([422, error, field])
    expect(till.codesRequested()).toBe(0)
  })

  it.each([
    ['another currency', amount('R-1', '12.50', 'USD'), 'currency-differs'],
    ['an amount below the minimum', amount('R-1', '4.99'), 'below-minimum'],
    ['an amount without points', amount('R-1', '5'), 'no-points'],
    ['an amount with a comma', amount('R-1', '12,50'), 'invalid'],
    ['an amount as a number', { ...amount('R-1', ''), amount: 12.5 }, 'invalid'],
    ['no points', bill('R-1', { points: 0 }), 'invalid'],
    ['a fraction of a point', bill('R-1', { points: 1.5 }), 'invalid'],
    ['too many points', bill('R-1', { points: 10_000_000 }), 'invalid'],
    ['points and an amount', { ...bill('R-1'), ...amount('R-1', '12.50') }, 'invalid'],
    ['an unknown name', bill('R-1', { tip: 1 }), 'invalid'],
    ['an unknown delivery', bill('R-1', { deliver: 'mail' }), 'invalid'],
    ['no reference', bill(''), 'invalid'],
    ['a reference with a line break', bill('R\n1'), 'invalid'],
    ['a long reference', bill('R'.repeat(65)), 'invalid'],
    ['two keys of a customer', bill('R-1', { customer: { id: '1', phone: '2' } }), 'invalid'],
    ['a phone that is none', bill('R-1', { customer: { phone: 'abc' } }), 'invalid'],
    ['the phone of nobody', bill('R-1', { customer: { phone: '+30 690 999 9999' } }), 'customer-unknown'],
    ['the id of nobody', bill('R-1', { customer: { id: 'nobody' } }), 'customer-unknown']
  ])('answers 422 for %s, and issues nothing', async (_name, body, error) => {
    const till = await openInterface()
    till.till.earningRule = { ...RULE, pointsPerUnit: error === 'no-points' ? '0.1' : '2' }
    const pos = await till.pair()
    const answer = await pos.post('/v1/slips', body)
    expect([answer.status, answer.body.error]).toEqual([422, error])
    expect(till.codesRequested()).toBe(0)
  })

  it.each([
    [
      'reference',
      bill('R\n1'),
      /has letters, digits, spaces and \. _ \/ # - only, at most 64 characters\. Nothing was issued\./
    ],
    ['amount', amount('R-1', '12,50'), /decimal number with a full stop/],
    ['currency', amount('R-1', '12.50', 'euro'), /three capital letters/]
  ])('says in words what a %s must be', async (field, body, words) => {
    const till = await openInterface()
    const pos = await till.pair()
    const answer = await pos.post('/v1/slips', body)
    expect([answer.status, answer.body['field']]).toEqual([422, field])
    expect(answer.body.message).toMatch(words)
  })

  it('lists a customer as served who got a code, and no other', async () => {
    const outcomes: Result<NewQrCode>[] = [
      err({ kind: 'unknown-outcome', cause: 'timeout' }),
      err({ kind: 'rejected', status: 406, message: 'no' }),
      ok(qrCode('A', 25))
    ]
    const till = await openInterface({
      slips: { createQr: () => Promise.resolve(outcomes.shift() ?? err({ kind: 'internal' })) }
    })
    const pos = await till.pair()
    const answers: [number, number][] = []
    for (const reference of ['R-1', 'R-2', 'R-3']) {
      const { status } = await pos.post('/v1/slips', bill(reference, { customer: { phone: known.phone } }))
      answers.push([status, till.recent.list([]).length])
    }
    expect(answers).toEqual([
      [202, 0],
      [502, 0],
      [201, 1]
    ])
  })

  it.each([
    ['phone in any format', { phone: known.phone.replace(/(\d{3})/g, '$1 ') }],
    ['e-mail', { email: known.email.toUpperCase() }]
  ])('names the customer with this %s', async (_name, customer) => {
    const till = await openInterface()
    const pos = await till.pair()
    const { status, body } = await pos.post('/v1/slips', bill('R-1', { customer }))
    expect([status, body]).toMatchObject([201, { customer: { name: known.name } }])
    expect(till.found.map(({ name }) => name)).toEqual([known.name])
  })

  it('answers 409 when several customers match, and issues nothing', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const customer = (id: string) => ({ id, name: id, phone: '+306900000001' })
    till.till.respond = (request) => {
      const isSearch = new URL(request.url).searchParams.has('name')
      return Promise.resolve(
        Response.json(isSearch ? { data: [customer('a'), customer('b')] } : customer('a'))
      )
    }
    const { status, body } = await pos.post(
      '/v1/slips',
      bill('R-1', { customer: { phone: '+306900000001' } })
    )
    expect([status, body.error]).toEqual([409, 'customer-ambiguous'])
    expect(till.codesRequested()).toBe(0)
  })

  it('answers 423 on a locked till, except to a program that may issue meanwhile', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const first = await pos.post('/v1/slips', bill('R-1'))
    till.till.locked = true
    const locked = await pos.post('/v1/slips', bill('R-2'))
    expect([locked.status, locked.body.error]).toEqual([423, 'locked'])
    // Nothing is issued by these.
    expect((await pos.post('/v1/slips', bill('R-1'))).body.code).toBe(first.body.code)
    expect((await pos.get('/v1/slips/R-1')).status).toBe(200)
    expect((await pos.get('/v1/slips/R-2')).status).toBe(404)
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: true })
    expect((await pos.post('/v1/slips', bill('R-2'))).status).toBe(201)
    expect(till.codesRequested()).toBe(2)
  })

  it('answers 202 for an unknown outcome, which the program reads by the reference, and requests no other code', async () => {
    const till = await openInterface({
      slips: { createQr: () => Promise.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' })) }
    })
    const pos = await till.pair()
    const lost = await pos.post('/v1/slips', bill('R-1'))
    expect([lost.status, lost.body]).toMatchObject([
      202,
      { state: 'unknown', code: null, failure: 'timeout' }
    ])
    expect((await pos.post('/v1/slips', bill('R-1'))).status).toBe(202)
    expect((await pos.get('/v1/slips/R-1')).body.state).toBe('unknown')
    expect((await pos.get('/v1/status')).body).toMatchObject({ needsAttention: 1 })

    const slips = await till.slips()
    const attention = slips.queries.attentionList({ offset: 0 })
    const [waiting] = attention.ok ? attention.value.slips : []
    expect(waiting?.slip).toMatchObject({ reference: 'R-1', caller: { name: 'Shop POS' } })
    await slips.printouts.discard({ intentId: waiting?.slip.intentId ?? '', reason: 'Checked' })
    const gone = await pos.post('/v1/slips', bill('R-1'))
    expect([gone.status, gone.body.error, gone.body.slip?.state]).toEqual([410, 'discarded', 'discarded'])
  })

  it('answers 502 for a refusal of the service, which is final', async () => {
    let calls = 0
    const till = await openInterface({
      slips: {
        createQr: () => {
          calls += 1
          return Promise.resolve(err({ kind: 'rejected', status: 406, message: 'no' }))
        }
      }
    })
    const pos = await till.pair()
    for (let times = 0; times < 2; times++) {
      const { status, body } = await pos.post('/v1/slips', bill('R-1'))
      expect([status, body.error, body.slip?.state]).toEqual([502, 'refused', 'refused'])
    }
    expect(calls).toBe(1)
  })

  it('answers 503 when nothing was sent, and issues when the reference is sent again', async () => {
    let isOffline = true
    const till = await openInterface({
      slips: {
        createQr: (points) => Promise.resolve(isOffline ? err({ kind: 'offline' }) : ok(qrCode('A', points)))
      }
    })
    const pos = await till.pair()
    const { status, body } = await pos.post('/v1/slips', bill('R-1'))
    expect([status, body.error]).toEqual([503, 'service-unreachable'])
    isOffline = false
    expect((await pos.post('/v1/slips', bill('R-1'))).body).toMatchObject({ state: 'given', code: 'A' })
    expect((await pos.post('/v1/slips', bill('R-1'))).body).toMatchObject({ state: 'given', code: 'A' })
  })

  it('answers 503 when the journal cannot be written, and requests nothing', async () => {
    const till = await openInterface({ slips: { journalFile: '/dev/null/journal.db' } })
    const pos = await till.pair()
    const { status, body } = await pos.post('/v1/slips', bill('R-1'))
    expect([status, body.error]).toEqual([503, 'journal-not-written'])
    expect(till.codesRequested()).toBe(0)
  })

  it('says training in every answer of training mode, and marks the text', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.till.mode = 'training'
    const { body } = await pos.post('/v1/slips', bill('R-1'))
    expect(body.mode).toBe('training')
    const lines = body.receipt?.text.split('\n') ?? []
    expect([lines.at(0), lines.at(-1)]).toEqual(['TRAINING – NO VALUE', 'TRAINING – NO VALUE'])
    expect((await pos.get('/v1/status')).body.mode).toBe('training')
    till.till.mode = 'business'
    // The references of training are not those of the business.
    expect((await pos.get('/v1/slips/R-1')).body).toMatchObject({ mode: 'live', error: 'reference-unknown' })
  })

  it('has, on the receipt of the program, the code in groups and until when it can be collected', async () => {
    const code = { ...qrCode('AB2CD3EF4GH5', 25), expiresAt: '2027-02-19T12:05:00.000Z' }
    const till = await openInterface({ slips: { createQr: () => Promise.resolve(ok(code)) } })
    const { body } = await (await till.pair()).post('/v1/slips', bill('R-1'))
    expect(body.receipt?.text).toMatch(/\nAB2C D3EF 4GH5\nCollect by 19 Feb 2027, \d\d:05$/)
    expect(body.code).toBe('AB2CD3EF4GH5')
  })

  it('says on the receipt when the points end, where the shop’s slips do', async () => {
    const till = await openInterface()
    till.till.expiry = { months: 12, since: 'visit' }
    const { body } = await (await till.pair()).post('/v1/slips', bill('R-1'))
    expect(body.receipt?.text).toContain('\nPoints end 12 months after your last visit')
  })

  it('prints, and shows the state of the printout', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const { status, body } = await pos.post('/v1/slips', bill('R-1', { deliver: 'print' }))
    expect([status, body.receipt]).toEqual([201, undefined])
    await vi.waitFor(async () => expect((await pos.get('/v1/slips/R-1')).body.state).toBe('saved'), {
      timeout: 50_000,
      interval: 200
    })
  })

  it('shows the code on the customer display', async () => {
    const till = await openInterface({ slips: { showOnDisplay: () => true } })
    const pos = await till.pair()
    expect((await pos.post('/v1/slips', bill('R-1', { deliver: 'display' }))).body.state).toBe('shown')
  })
})

describe('a change while a program waits', () => {
  /** Makes the look-up of a customer wait for `release`, and resolves when it has begun. */
  async function waiting(till: InterfaceFixture, request: () => Promise<Answer>) {
    const begun = Promise.withResolvers<undefined>()
    const release = Promise.withResolvers<undefined>()
    till.till.before = (path) => {
      if (!path.includes('/customers')) return Promise.resolve()
      begun.resolve(undefined)
      return release.promise
    }
    const answer = request()
    await begun.promise
    return {
      release: () => {
        release.resolve(undefined)
        return answer
      }
    }
  }

  const changes: readonly (readonly [
    string,
    number,
    string,
    (till: InterfaceFixture, id: string) => unknown
  ])[] = [
    ['the program is removed', 401, 'unauthorized', (till, id) => till.localInterface.removeCaller(id)],
    [
      'the till is locked',
      423,
      'locked',
      (till) => {
        till.till.locked = true
      }
    ],
    ['training mode starts', 503, 'session-changed', (till) => till.session.startTraining()],
    [
      'training mode starts and ends',
      503,
      'session-changed',
      async (till) => {
        await till.session.startTraining()
        await till.session.leaveTraining()
      }
    ],
    [
      'another business is connected',
      503,
      'session-changed',
      (till) => till.session.use({ baseUrl: 'http://127.0.0.1:4010/api', token: 'demo' })
    ]
  ]

  it.each(changes)('issues nothing: %s', async (_name, status, error, change) => {
    const till = await openInterface()
    const pos = await till.pair()
    const { release } = await waiting(till, () =>
      pos.post('/v1/slips', bill('R-1', { customer: { phone: known.phone } }))
    )
    await change(till, pos.id)
    const answer = await release()
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(till.codesRequested()).toBe(0)
  })

  it('issues nothing when the program may no longer issue on a locked till', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: true })
    till.till.locked = true
    const { release } = await waiting(till, () =>
      pos.post('/v1/slips', bill('R-1', { customer: { phone: known.phone } }))
    )
    till.localInterface.setCaller({ id: pos.id, mayIssueWhileLocked: false })
    expect((await release()).status).toBe(423)
    expect(till.codesRequested()).toBe(0)
  })

  it('prints no copy for a program that is removed, or on a till that is locked', async () => {
    for (const change of ['remove', 'lock']) {
      const till = await openInterface()
      const pos = await till.pair()
      await pos.post('/v1/slips', bill('R-1'))
      const slips = await till.slips()
      const find = vi.spyOn(slips.programs, 'find')
      find.mockImplementationOnce(async (...values) => {
        find.mockRestore()
        const found = await slips.programs.find(...values)
        if (change === 'lock') till.till.locked = true
        else till.localInterface.removeCaller(pos.id)
        return found
      })
      const answer = await pos.post('/v1/slips/R-1/reprint', {})
      expect(answer.status).toBe(change === 'lock' ? 423 : 401)
      const slip = await slips.programs.find(pos.id, 'R-1')
      expect(slip.ok && slip.value?.slip.copies).toBe(0)
    }
  })

  it('names no customers of one mode as those of another', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const { release } = await waiting(till, () =>
      pos.get(`/v1/customers?phone=${encodeURIComponent(known.phone)}`)
    )
    await till.session.startTraining()
    const answer = await release()
    expect([answer.status, answer.body.error]).toEqual([503, 'session-changed'])
    expect(till.found).toEqual([])
  })
})

describe('POST /v1/slips/{reference}/reprint', () => {
  it('prints a copy', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    await pos.post('/v1/slips', bill('R 1/2'))
    const { status, body } = await pos.post('/v1/slips/R%201%2F2/reprint', {})
    expect([status, body]).toMatchObject([200, { reference: 'R 1/2', copies: 1 }])
    expect(till.codesRequested()).toBe(1)
  })

  it('answers 404, 409 and 423 where there is nothing to print, or the till is locked', async () => {
    const till = await openInterface({
      slips: { createQr: () => Promise.resolve(err({ kind: 'unknown-outcome', cause: 'timeout' })) }
    })
    const pos = await till.pair()
    expect((await pos.post('/v1/slips/R-1/reprint', {})).status).toBe(404)
    await pos.post('/v1/slips', bill('R-1'))
    expect((await pos.post('/v1/slips/R-1/reprint', {})).body.error).toBe('not-printable')
    const other = await openInterface()
    const program = await other.pair()
    await program.post('/v1/slips', bill('R-1'))
    other.till.locked = true
    expect((await program.post('/v1/slips/R-1/reprint', {})).status).toBe(423)
  })

  it('answers 503 with the reason when the printer fails', async () => {
    const till = await openInterface({
      slips: {
        settings: () => ({
          printer: { destination: { kind: 'queue', name: 'Nowhere' }, paperSize: '80mm' },
          copies: 1,
          oneJob: false
        }),
        printOnPrinter: () =>
          Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
      }
    })
    const pos = await till.pair()
    await pos.post('/v1/slips', bill('R-1'))
    const { status, body } = await pos.post('/v1/slips/R-1/reprint', {})
    expect([status, body.error]).toEqual([503, 'not-printed'])
    expect(body.message).toContain('out-of-paper')
  })
})

describe('look-ups', () => {
  it('finds a customer by phone, or none', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const found = await pos.get(`/v1/customers?phone=${encodeURIComponent(known.phone)}`)
    expect(found.body).toMatchObject({ mode: 'live', customers: [{ name: known.name }] })
    expect((await pos.get('/v1/customers?phone=%2B306909999999')).body).toMatchObject({ customers: [] })
    expect((await pos.get('/v1/customers')).status).toBe(422)
    expect((await pos.get('/v1/customers?phone=abc')).status).toBe(422)
  })

  it('gives id, name and balance of a customer, and no phone, e-mail or avatar', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    const { body } = await pos.get(`/v1/customers?phone=${encodeURIComponent(known.phone)}`)
    const { customers } = v.parse(v.object({ customers: v.tuple([v.record(v.string(), v.unknown())]) }), body)
    expect(Object.keys(customers[0]).toSorted()).toEqual(['balance', 'id', 'name'])
  })

  const phonePath = `/v1/customers?phone=${encodeURIComponent(known.phone)}`
  /** Answers the look-up of one customer, and leaves the search to the service. */
  const answerLookUp = (till: InterfaceFixture, answer: () => Response): void => {
    till.till.respond = (request) =>
      /\/customers\/.+/.test(new URL(request.url).pathname) ? Promise.resolve(answer()) : till.serve(request)
  }

  it.each([
    ['404', () => new Response(null, { status: 404 })],
    ['406', () => Response.json({ message: 'No such customer' }, { status: 406 })],
    ['no customer', () => Response.json({})],
    ['403', () => new Response(null, { status: 403 })]
  ])('gives what the search found when the look-up of a phone answers %s', async (_name, answer) => {
    const till = await openInterface()
    const pos = await till.pair()
    answerLookUp(till, answer)
    expect(await pos.get(phonePath)).toMatchObject({
      status: 200,
      body: { customers: [{ name: known.name }] }
    })
  })

  it.each(['phone=%2B306909999999', 'email=none@example.com', 'id=none'])(
    'gives none for ?%s at a service that refuses an unknown customer with 406',
    async (query) => {
      const till = await openInterface()
      const pos = await till.pair()
      const none = { status: 200, body: { customers: [] } }
      answerLookUp(till, () => Response.json({ message: 'No such customer' }, { status: 406 }))
      expect(await pos.get(`/v1/customers?${query}`)).toMatchObject(none)
      till.till.respond = (request) =>
        Promise.resolve(new Response(null, { status: request.url.includes('/customers/?') ? 404 : 406 }))
      expect(await pos.get(`/v1/customers?${query}`)).toMatchObject(none)
    }
  )

  it('gives an error when search and look-up are refused, or the look-up of one that the search does not find fails', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    till.till.respond = () => Promise.resolve(new Response(null, { status: 406 }))
    const refused = { status: 502, body: { error: 'service-refused' } }
    expect(await pos.get(phonePath)).toMatchObject(refused)
    answerLookUp(till, () => new Response(null, { status: 403 }))
    expect(await pos.get('/v1/customers?phone=%2B306909999999')).toMatchObject(refused)
  })

  it('lists rewards with what the customer can afford', async () => {
    const till = await openInterface()
    const pos = await till.pair()
    expect((await pos.get('/v1/rewards')).body).toEqual({ mode: 'live', rewards: [], complete: false })
    expect((await pos.get('/v1/rewards?customer=nobody')).body.error).toBe('customer-unknown')
  })

  it('describes the till', async () => {
    const till = await openInterface()
    till.till.earningRule = RULE
    const pos = await till.pair()
    expect((await pos.get('/v1/status')).body).toMatchObject({
      mode: 'live',
      currency: 'EUR',
      printer: { kind: 'folder', name: null },
      locked: false,
      offlineSince: null,
      needsAttention: 0
    })
  })
})
