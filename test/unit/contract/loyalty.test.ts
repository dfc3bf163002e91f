import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  accountSchema,
  customerPageSchema,
  customerSchema,
  errorBodySchema,
  qrCodeSchema,
  rewardDetailSchema,
  rewardPageSchema,
  rewardSchema
} from '../../../electron/contract/loyalty.ts'

/** The path of the first field that a schema misses, or null when it accepts. */
const missing = (schema: v.GenericSchema, input: unknown): string | null => {
  const parsed = v.safeParse(schema, input)
  return parsed.success ? null : (v.getDotPath(parsed.issues[0]) ?? '')
}

const schemas = {
  accountSchema,
  customerPageSchema,
  customerSchema,
  errorBodySchema,
  qrCodeSchema,
  rewardDetailSchema,
  rewardPageSchema,
  rewardSchema
}

describe('a customer', () => {
  const poor = { id: 'c-1', balance: 0 }

  test('needs an identifier and a balance, and no more', () => {
    expect(v.parse(customerSchema, poor)).toEqual({
      id: 'c-1',
      name: '',
      email: null,
      phone: '',
      avatar: null,
      balance: 0,
      lifetimePoints: null
    })
  })

  test.each([
    [{ balance: 1 }, 'id'],
    [{ ...poor, id: '' }, 'id'],
    [{ ...poor, id: 7 }, 'id'],
    [{ ...poor, id: null }, 'id'],
    [{ id: 'c-1' }, 'balance'],
    [{ ...poor, balance: '12' }, 'balance'],
    [{ ...poor, balance: null }, 'balance'],
    [{ ...poor, balance: Number.POSITIVE_INFINITY }, 'balance']
  ])('%j lacks %s', (input, path) => {
    expect(missing(customerSchema, input)).toBe(path)
  })

  test('reads odd fields as absent, and drops what it does not know', () => {
    const odd = { ...poor, email: '', avatar: 5, name: null, phone: {}, lifetimePoints: '9', loyal: true }
    expect(v.parse(customerSchema, odd)).toEqual(v.parse(customerSchema, poor))
  })
})

describe('a page', () => {
  test.each([
    [{}, 'data'],
    [{ data: null }, 'data'],
    [{ data: {} }, 'data'],
    [{ data: [{ id: 'a', balance: 1 }, { id: 'b' }] }, 'data.1.balance']
  ])('of customers %j lacks %s', (input, path) => {
    expect(missing(customerPageSchema, input)).toBe(path)
  })

  test('of rewards names the reward that lacks its cost', () => {
    expect(missing(rewardPageSchema, { data: [{ id: 'r' }] })).toBe('data.0.cost')
  })

  test.each([
    [{}, null, null],
    [{ currentPage: 3, pageSize: 10 }, 3, 10],
    [{ currentPage: '3', pageSize: '10' }, 3, 10],
    [{ currentPage: 0, pageSize: -1 }, null, null],
    [{ currentPage: 1.5, pageSize: 'many' }, null, null]
  ])('%j says page %s of size %s', (input, currentPage, pageSize) => {
    expect(v.parse(customerPageSchema, { ...input, data: [] })).toEqual({
      hasMore: false,
      currentPage,
      pageSize,
      data: []
    })
  })
})

describe('a date', () => {
  const updated = (updatedAt: unknown) =>
    v.parse(rewardDetailSchema, { id: 'r', cost: 1, updatedAt }).updatedAt

  test.each([
    '2026-11-21',
    '2026-11-21T10:00:00Z',
    '2026-11-21T10:00:00.123456+02:00',
    '2026-11-21 10:00:00'
  ])('%s is kept', (date) => {
    expect(updated(date)).toBe(date)
  })

  test.each([
    '',
    'yesterday',
    '2026',
    '2026-13-45',
    '0000-00-00 00:00:00',
    'not used 1',
    '21/11/2026',
    0,
    null,
    {}
  ])('%j is none', (date) => {
    expect(updated(date)).toBeNull()
  })
})

describe('a reward', () => {
  test('says whether it is enabled only in its detail, and only if the service does', () => {
    expect(v.parse(rewardDetailSchema, { id: 'r', cost: 5, isEnable: false }).isEnable).toBe(false)
    expect(v.parse(rewardDetailSchema, { id: 'r', cost: 5 }).isEnable).toBeNull()
    expect(v.parse(rewardDetailSchema, { id: 'r', cost: 5, isEnable: 'no' }).isEnable).toBeNull()
  })
})

describe('a QR code', () => {
  test('needs its code and its URL, and takes any status', () => {
    expect(missing(qrCodeSchema, { qrURL: 'u' })).toBe('code')
    expect(missing(qrCodeSchema, { code: 'c' })).toBe('qrURL')
    expect(
      v.parse(qrCodeSchema, { code: 'c', qrURL: 'u', status: 'Χρησιμοποιήθηκε', usedDate: '' })
    ).toMatchObject({
      status: 'Χρησιμοποιήθηκε',
      usedDate: null,
      rewardPoints: null
    })
  })
})

describe('an account', () => {
  test('needs an identifier, and has an address whatever the service says', () => {
    expect(missing(accountSchema, { name: 'Shop' })).toBe('id')
    const empty = { street: '', city: '', state: '', country: '', zipCode: '' }
    expect(v.parse(accountSchema, { id: 'b' }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: null }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: 'Paris' }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: { city: 'Paris', state: null } }).address).toEqual({
      ...empty,
      city: 'Paris'
    })
  })
})

describe('an error body', () => {
  test('is told by its status', () => {
    expect(v.parse(errorBodySchema, { statusCode: 406 })).toEqual({ message: '', error: '', statusCode: 406 })
    for (const statusCode of [200, 399, 600, '406', 406.5, null]) {
      expect(v.is(errorBodySchema, { message: 'No', error: 'No', statusCode })).toBe(false)
    }
  })

  test('may list its messages', () => {
    expect(v.parse(errorBodySchema, { message: ['One', 'Two'], statusCode: 400 }).message).toBe('One; Two')
  })
})

describe.each(Object.entries(schemas))('%s', (_name, schema) => {
  test('takes or refuses any JSON without throwing, and reads what it gave as the same', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        const once = v.safeParse(schema, input)
        if (once.success) expect(v.parse(schema, once.output)).toEqual(once.output)
        else expect(once.issues.length).toBeGreaterThan(0)
      })
    )
  })
})
