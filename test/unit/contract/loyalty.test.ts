import * as fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it, test, onTestFinished } from 'vitest'
import {
  accountSchema,
  addressLines,
  collectionPageSchema,
  customerPageSchema,
  customerSchema,
  errorBodySchema,
  newQrCodeSchema,
  qrCodeSchema,
  rewardDetailSchema,
  rewardPageSchema,
  rewardSchema
} from '../../../electron/contract/loyalty.ts'

/** The path of the first field that a schema misses, or null when it accepts. */
const missing = async (
  schema: v.GenericSchema | v.GenericSchemaAsync,
  input: unknown
): Promise<string | null> => {
  const parsed = await v.safeParseAsync(schema, input)
  return parsed.success ? null : (v.getDotPath(parsed.issues[0]) ?? '')
}

const schemas = {
  accountSchema,
  customerPageSchema,
  customerSchema,
  errorBodySchema,
  newQrCodeSchema,
  qrCodeSchema,
  rewardDetailSchema,
  rewardPageSchema,
  rewardSchema
}

describe('a customer', () => {
  const poor = { id: 'c-1' }

  test('needs an identifier, and no more', () => {
    expect(v.parse(customerSchema, poor)).toEqual({
      id: 'c-1',
      name: '',
      email: null,
      phone: '',
      avatar: null,
      balance: null,
      lifetimePoints: null
    })
  })

  test.each([
    [{ balance: 1 }],
    [{ id: '' }],
    [{ id: null }],
    [{ id: {} }],
    [{ id: Number.POSITIVE_INFINITY }]
  ])('%j lacks its id', async (input) => {
    expect(await missing(customerSchema, input)).toBe('id')
  })

  test('reads odd fields as absent, and drops what it does not know', () => {
    const odd = { ...poor, email: '', avatar: 5, name: null, phone: {}, lifetimePoints: '9 p', loyal: true }
    expect(v.parse(customerSchema, odd)).toEqual(v.parse(customerSchema, poor))
  })

  test('may have a number for a text', () => {
    const numbers = { id: 7, name: 12, phone: 33612345678 }
    expect(v.parse(customerSchema, numbers)).toMatchObject({ id: '7', name: '12', phone: '33612345678' })
  })

  test.each([
    ['120', 120],
    [' 120.50 ', 120.5],
    ['-3', -3],
    [-3, -3],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['1,250', null],
    ['1e3', null],
    ['', null],
    ['12 points', null],
    [true, null],
    [[5], null],
    [1e100, null],
    [`1${'0'.repeat(99)}`, null],
    [Number.POSITIVE_INFINITY, null]
  ])('with the balance %j has %j points', (balance, points) => {
    expect(v.parse(customerSchema, { ...poor, balance }).balance).toBe(points)
  })
})

describe('a page', () => {
  test.each([
    [{}, 'data'],
    [{ data: {} }, 'data'],
    [{ data: [{ name: 'Ada' }, null, 'Bob'] }, 'data']
  ])('of customers %j lacks %s', async (input, path) => {
    expect(await missing(customerPageSchema, input)).toBe(path)
  })

  test('leaves out and counts the rows without an id, and keeps the others', async () => {
    const data = [{ id: 'a', balance: null }, { name: 'Ada' }, null, { id: 5 }]
    const page = await v.parseAsync(customerPageSchema, { data })
    expect(page.data.map(({ id }) => id)).toEqual(['a', '5'])
    expect(page.leftOut).toBe(2)
  })

  test('has each id once, the first row of it', async () => {
    const { data, leftOut } = await v.parseAsync(rewardPageSchema, {
      data: [
        { id: 7, name: 'one' },
        { id: '7', name: 'other' }
      ]
    })
    expect(data.map(({ id, name }) => [id, name])).toEqual([['7', 'one']])
    expect(leftOut).toBe(0)
  })

  test('of many rows leaves other work its turn', async () => {
    let turns = 0
    const timer = setInterval(() => (turns += 1))
    onTestFinished(() => clearInterval(timer))
    const data = Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'Ada', balance: '12' }))
    expect((await v.parseAsync(customerPageSchema, { data })).data).toHaveLength(100_000)
    expect(turns).toBeGreaterThan(1)
  })

  test('without rows may say null', async () => {
    expect(await v.parseAsync(rewardPageSchema, { data: null })).toMatchObject({ data: [], leftOut: 0 })
  })

  test.each([
    [true, true],
    [' TRUE', true],
    ['1', true],
    [1, true],
    [false, false],
    ['false', false],
    [0, false],
    ['no', null],
    [null, null],
    [undefined, null]
  ])('with hasMore %j has %j', async (hasMore, read) => {
    expect((await v.parseAsync(customerPageSchema, { hasMore, data: [] })).hasMore).toBe(read)
  })

  test.each([
    [{}, null, null],
    [{ currentPage: 3, pageSize: 10 }, 3, 10],
    [{ currentPage: '3', pageSize: '10' }, 3, 10],
    [{ currentPage: 0, pageSize: -1 }, null, null],
    [{ currentPage: 1.5, pageSize: 'many' }, null, null]
  ])('%j says page %s of size %s', async (input, currentPage, pageSize) => {
    expect(await v.parseAsync(customerPageSchema, { ...input, data: [] })).toEqual({
      hasMore: null,
      currentPage,
      pageSize,
      data: [],
      leftOut: 0
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
    expect(v.parse(rewardDetailSchema, { id: 'r', cost: 5, isEnable: 'false' }).isEnable).toBe(false)
  })

  test('needs only its id', async () => {
    expect(await missing(rewardSchema, { name: 'Coffee', cost: 5 })).toBe('id')
    expect(v.parse(rewardSchema, { id: 3, cost: '50' })).toMatchObject({ id: '3', cost: 50 })
    expect(v.parse(rewardSchema, { id: 'r' })).toMatchObject({ name: '', cost: null, index: null })
  })
})

describe('a QR code', () => {
  test('that is new needs its code and its URL, and points that can be read if there are any', async () => {
    const issued = { code: 12345, qrURL: 'u', rewardPoints: '250' }
    expect(v.parse(newQrCodeSchema, issued)).toMatchObject({ code: '12345', qrURL: 'u', rewardPoints: 250 })
    expect(v.parse(newQrCodeSchema, { code: 'c', qrURL: 'u' }).rewardPoints).toBeNull()
    expect(await missing(newQrCodeSchema, { qrURL: 'u' })).toBe('code')
    expect(await missing(newQrCodeSchema, { code: 'c' })).toBe('qrURL')
    expect(await missing(newQrCodeSchema, { code: 'c', qrURL: '' })).toBe('qrURL')
    expect(await missing(newQrCodeSchema, { ...issued, rewardPoints: 'many' })).toBe('rewardPoints')
  })

  test.each([
    {},
    { qrURL: '', usedDate: '', updatedAt: '', qrImageURL: '' },
    { qrURL: null, usedDate: null }
  ])('that is checked needs only its code: %j', (rest) => {
    expect(v.parse(qrCodeSchema, { code: 'c', rewardPoints: 5, status: 'new', ...rest })).toEqual({
      code: 'c',
      rewardPoints: 5,
      status: 'new',
      qrURL: null,
      qrImageURL: null,
      usedDate: null,
      expiresAt: null,
      createdAt: null,
      updatedAt: null
    })
  })

  test('takes any status', async () => {
    expect(await missing(qrCodeSchema, { qrURL: 'u' })).toBe('code')
    expect(v.parse(qrCodeSchema, { code: 'c', status: 1 }).status).toBe('1')
    expect(
      v.parse(qrCodeSchema, { code: 'c', qrURL: 'u', status: 'Χρησιμοποιήθηκε', usedDate: '' })
    ).toMatchObject({
      status: 'Χρησιμοποιήθηκε',
      usedDate: null,
      expiresAt: null,
      rewardPoints: null
    })
  })
})

describe('a page of collected codes', () => {
  const at = '2026-11-24T14:05:00.000Z'
  const event = { code: 'AB12', state: 'collected', at, points: 250 }
  const read = async (body: unknown) => v.safeParseAsync(collectionPageSchema, body)

  test('has its items in order, with moments that compare as texts, and without those that cannot be read', async () => {
    const data = [
      event,
      { ...event, state: 'reversed', at: '2026-11-24T15:00:00Z' },
      { ...event, state: 'lost' },
      { ...event, at: 'yesterday' },
      { ...event, at: '+010000-01-01T00:00:00.000Z' },
      { ...event, at: '2026-11-24T14:05:00+02:00' },
      { ...event, code: '' },
      null,
      []
    ]
    const { output } = await read({ hasMore: false, next: `${at}~1`, data })
    expect(output).toMatchObject({
      hasMore: false,
      next: `${at}~1`,
      leftOut: 7,
      events: [
        { code: 'AB12', state: 'collected', at },
        { code: 'AB12', state: 'reversed', at: '2026-11-24T15:00:00.000Z' }
      ]
    })
  })

  it.each([
    ['no object', 'codes'],
    ['an empty object', {}],
    ['no end', { next: 'n', data: [] }],
    ['no cursor', { hasMore: false, data: [] }],
    ['a cursor that is a book', { hasMore: false, next: 'n'.repeat(201), data: [] }],
    ['codes that are no list', { hasMore: false, next: 'n', data: { AB12: true } }],
    ['nothing that can be read', { hasMore: false, next: 'n', data: [{ code: 'AB12' }] }]
  ])('is refused with %s', async (_name, body) => {
    expect((await read(body)).success).toBe(false)
  })
})

describe('an account', () => {
  test('needs an identifier, and has an address whatever the service says', async () => {
    expect(await missing(accountSchema, { name: 'Shop' })).toBe('id')
    const empty = { street: '', city: '', state: '', country: '', zipCode: '' }
    expect(v.parse(accountSchema, { id: 'b' }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: null }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: 'Paris' }).address).toEqual(empty)
    expect(v.parse(accountSchema, { id: 'b', address: { city: 'Paris', state: null } }).address).toEqual({
      ...empty,
      city: 'Paris'
    })
  })

  it.each([
    [undefined, []],
    [null, []],
    ['collections/1', []],
    [{ 'collections/1': true }, []],
    [['collections/2', 1, null, 'collections/1', 'collections/1'], ['collections/1']]
  ])('with the extensions %j offers %j', (sent, known) => {
    expect(v.parse(accountSchema, { id: 'b', extensions: sent }).extensions).toEqual(known)
  })
})

describe('a text without a limit', () => {
  const customer = (change: Readonly<Record<string, string>>) =>
    v.parse(customerSchema, { id: 'c-1', name: 'Maria', ...change })

  test.each(['name', 'phone', 'email'] as const)('is cut where it is a %s', (field) => {
    expect(customer({ [field]: 'x'.repeat(200) })[field]).toBe('x'.repeat(200))
    expect(customer({ [field]: '\n'.repeat(80_000) })[field]).toBe(`${'\n'.repeat(199)}…`)
  })

  test('is not cut within a character', () => {
    expect(customer({ name: `${'x'.repeat(198)}${'😀'.repeat(9)}` }).name).toBe(`${'x'.repeat(198)}…`)
  })

  test('is no link, and stays whole where it is an id or a code', () => {
    expect(customer({ avatar: `https://shop.example/${'x'.repeat(9000)}` }).avatar).toBeNull()
    expect(customer({ id: 'x'.repeat(9000) }).id).toHaveLength(9000)
    expect(v.parse(qrCodeSchema, { code: 'x'.repeat(9000) }).code).toHaveLength(9000)
  })
})

describe('an error body', () => {
  test('is recognised by its status code', () => {
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
  test('takes or refuses any JSON without throwing, and reads what it gave as the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (input) => {
        const once = await v.safeParseAsync(schema, input)
        if (once.success) expect(await v.parseAsync(schema, once.output)).toEqual(once.output)
        else expect(once.issues.length).toBeGreaterThan(0)
      })
    )
  })
})

describe('addressLines', () => {
  const blank = { street: '', city: '', state: '', country: '', zipCode: '' }

  it.each([
    [
      { street: ' Ermou 12 ', zipCode: '10563', city: 'Athens', state: 'Attica' },
      ['Ermou 12', '10563 Athens, Attica, GR']
    ],
    [{ street: ' ', city: 'Athens' }, ['Athens, GR']],
    [{ street: 'Ermou 12' }, ['Ermou 12', 'GR']],
    [{}, []]
  ])('leaves blank parts out with their commas, and a country alone: %j', (parts, lines) => {
    expect(addressLines({ ...blank, country: 'GR', ...parts })).toEqual(lines)
  })
})
