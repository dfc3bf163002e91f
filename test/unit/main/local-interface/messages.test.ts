/** What the local interface says of a request that it does not take: which field, what is allowed, and what to do. */
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../../electron/main/local-interface/operations.ts'
import { ERRORS } from '../../../../electron/main/local-interface/errors.ts'
import { openInterface } from './interface-fixture.ts'

/** A valid body for each operation with one, and what the messages say of its fields. */
const BODIES: Readonly<
  Record<
    string,
    { readonly path: string; readonly body: object; readonly allowed: Readonly<Record<string, RegExp>> }
  >
> = {
  pair: {
    path: '/v1/pairing',
    body: { code: '12345678', name: 'Shop POS' },
    allowed: { code: /eight digits/, name: /one line of at most 40 characters/ }
  },
  issueSlip: {
    path: '/v1/slips',
    body: { reference: 'R-1', points: 5, deliver: 'return', customer: { id: '1' } },
    allowed: {
      reference: /at most 64 characters/,
      points: /whole number from 1 to 9999999.*amount and currency/,
      deliver: /"print", "display" and "return"/,
      customer: /one of id .*, phone .* and email/
    }
  },
  issueSlipOfAmount: {
    path: '/v1/slips',
    body: { reference: 'R-1', amount: '12.50', currency: 'EUR', deliver: 'return' },
    allowed: { amount: /"12\.50"/, currency: /ISO 4217, such as "EUR"/ }
  },
  reprintSlip: { path: '/v1/slips/R-1/reprint', body: {}, allowed: {} },
  cancelSlip: {
    path: '/v1/slips/R-1/cancel',
    body: { reason: 'Returned' },
    allowed: { reason: /text of 1 to 200 characters/ }
  },
  undoRedemption: {
    path: '/v1/redemptions/R-1/undo',
    body: { reason: 'Returned' },
    allowed: { reason: /text of 1 to 200 characters/ }
  },
  registerCustomer: {
    path: '/v1/customers',
    body: { phone: '+30 694 123 4567', name: 'Ada' },
    allowed: { phone: /phone number in any common format/, name: /text of at most 100 characters/ }
  },
  credit: {
    path: '/v1/credits',
    body: { reference: 'R-1', customer: { id: '1' }, points: 5 },
    allowed: {
      reference: /at most 64 characters/,
      customer: /one of id .*, phone .* and email/,
      points: /whole number from 1 to 9999999/
    }
  },
  takeBack: {
    path: '/v1/returns',
    body: { reference: 'R-1', purchase: 'B-1', points: 5, reason: 'Returned' },
    allowed: {
      reference: /at most 64 characters/,
      purchase: /at most 64 characters/,
      points: /whole number from 1 to 9999999/,
      reason: /text of 1 to 200 characters/
    }
  },
  takeBackOfAmount: {
    path: '/v1/returns',
    body: { reference: 'R-1', purchase: 'B-1', amount: '12.50', total: '45.20' },
    allowed: { amount: /"12\.50"/, total: /"12\.50"/ }
  },
  redeem: {
    path: '/v1/redemptions',
    body: { reference: 'R-1', customer: { id: '1' }, reward: '1', points: 5 },
    allowed: {
      reference: /at most 64 characters/,
      customer: /one of id .*, phone .* and email/,
      reward: /GET \/v1\/rewards/,
      points: /whole number from 1 to 9999999/
    }
  }
}

const WRONG_VALUES = [undefined, null, [], {}, { a: 1 }, true, 1.5, -1, 1e300, '', 'x\ny', 'x'.repeat(1000)]

/** The values of `WRONG_VALUES` that are right, or that the service or the settings of the till compare. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  '/v1/slips customer': [undefined],
  '/v1/slips/R-1/cancel reason': [undefined, 'x\ny'],
  '/v1/redemptions/R-1/undo reason': [undefined, 'x\ny'],
  '/v1/returns points': [undefined],
  '/v1/returns reason': [undefined, 'x\ny'],
  '/v1/customers name': [undefined, '', 'x\ny'],
  '/v1/redemptions reward': ['x\ny'],
  '/v1/pairing code': ['x\ny']
}

/** Expects words for a person: none of a library, what was done, and the next step. */
function expectSentences(message: string | undefined): void {
  expect(message).not.toMatch(/expected|received|invalid|undefined|\[object/i)
  expect(message).toMatch(/(?:Nothing was|No program was|No customer was) /)
  expect(message).toMatch(/ Correct it, and send the request again\.$/)
}

it('has a valid body for each operation with one', () => {
  const withBody = Object.entries(OPERATIONS).filter(([, definition]) => 'request' in definition)
  expect(Object.keys(BODIES)).toEqual(expect.arrayContaining(withBody.map(([id]) => id)))
})

describe.each(Object.entries(BODIES))('%s', (_id, { path, body, allowed }) => {
  const open = async () => {
    const till = await openInterface({ limits: { perSecond: 1000 } })
    const { token } = await till.pair()
    return { till, post: (sent: unknown) => till.call({ method: 'POST', path, body: sent, token }) }
  }

  it('says of a body that is no object what it has', async () => {
    const { post } = await open()
    for (const sent of ['[]', 'null', '"text"', '1', 'true']) {
      const answer = await post(sent)
      expect([answer.status, answer.body.error]).toEqual([422, 'invalid'])
      expectSentences(answer.body.message)
      expect(answer.body.message).toContain('JSON object')
      for (const field of Object.keys(body)) expect(answer.body.message).toContain(field)
    }
  })

  it('names a field that it does not know, and those that it has', async () => {
    const { post } = await open()
    const answer = await post({ ...body, pints: 'two' })
    expect([answer.status, answer.body['field']]).toEqual([422, 'pints'])
    expectSentences(answer.body.message)
    for (const field of Object.keys(body)) expect(answer.body.message).toContain(field)
  })

  it.each(Object.entries(allowed))('says what %s must be', async (field, words) => {
    const { till, post } = await open()
    for (const value of WRONG_VALUES) {
      if (RIGHT[`${path} ${field}`]?.includes(value) === true) continue
      // JSON leaves out what is undefined.
      const answer = await post({ ...body, [field]: value })
      expect([answer.status, answer.body.error, answer.body['field']]).toEqual([422, 'invalid', field])
      expectSentences(answer.body.message)
      // Whether a text is a phone is said after a look at it.
      if (path !== '/v1/customers' || value !== 'x\ny') expect(answer.body.message).toMatch(words)
    }
    expect(till.codesRequested()).toBe(0)
  })
})

it('says the next step with every error, and once', () => {
  for (const { message, next } of Object.values(ERRORS)) {
    expect(message).toMatch(/\.$/)
    expect(next).toMatch(/^[A-Z].*\.$/)
    expect(message).not.toMatch(/Nothing was/)
  }
})

describe('an operation that reads', () => {
  it.each([
    ['/v1/customers', 'phone'],
    ['/v1/customers?name=Maria', 'name'],
    ['/v1/customers?phone=', 'phone'],
    ['/v1/customers?phone=abc', 'phone'],
    ['/v1/customers?id=1&email=a@b.example', 'email'],
    ['/v1/rewards?customer=none', 'customer'],
    ['/v1/challenge?program=x', 'nonce'],
    ['/v1/challenge?program=x&nonce=1', 'program'],
    ['/v1/slips/R-1', 'reference'],
    ['/v1/slips/-', 'reference'],
    ['/v1/redemptions/R-1', 'reference']
  ])('GET %s names %s, and says nothing of what was done', async (path, field) => {
    const till = await openInterface()
    const { token } = await till.pair()
    const { body } = await till.call({ path, token })
    expect(body['field']).toBe(field)
    expect(body.message).toContain(field)
    expect(body.message).not.toMatch(/Nothing|expected|received|undefined/i)
  })

  it('says nothing of what was done when the service cannot be asked', async () => {
    const till = await openInterface()
    const { token } = await till.pair()
    till.till.respond = () => Promise.resolve(new Response(null, { status: 403 }))
    const { body } = await till.call({ path: '/v1/customers?id=1', token })
    expect([body.error, body.message]).toEqual([
      'service-refused',
      'The Loyalty Points Service refused. Look at the screen and the log of the till for the reason.'
    ])
  })
})
