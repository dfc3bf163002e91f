/**
 * Responses that the service's interface allows: the fields that the till requires are present, every other field is valid,
 * absent, null or of a neighbouring type, and there are fields that it does not have.
 */
import * as fc from 'fast-check'

const ABSENT = Symbol('absent')

const OTHER_TYPES: readonly unknown[] = [true, 0, -1, 12.5, 1e99, '', '7', 'text', [], [1], {}, { a: 1 }]

const optional = (...valid: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(fc.constantFrom<unknown>(ABSENT, null, ...valid), fc.constantFrom<unknown>(...OTHER_TYPES))

const objectOf = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> =>
  fc
    .tuple(fc.record(fields), fc.dictionary(fc.constantFrom('extra', 'links', 'meta'), fc.jsonValue()))
    .map(([known, unknown]) =>
      Object.fromEntries(Object.entries({ ...unknown, ...known }).filter(([, value]) => value !== ABSENT))
    )

const MOMENT = '2026-11-20T10:00:00.000Z'

/** @param id of the customer; also sent as a number if it is one */
export const allowedCustomer = (id: string): fc.Arbitrary<object> =>
  objectOf({
    id: fc.constantFrom<unknown>(id, /^\d+$/.test(id) ? Number(id) : id),
    name: optional('Eleni', 'A'),
    email: optional('eleni@example.com'),
    phone: optional('+306941234567', '6941234567'),
    avatar: optional('x'),
    balance: optional(120, '120', '12.5'),
    lifetimePoints: optional(300, '300')
  })

const allowedReward = (id: string): fc.Arbitrary<object> =>
  objectOf({
    id: fc.constantFrom<unknown>(id, Number(id)),
    name: optional('Coffee'),
    cost: optional(50, '50'),
    index: optional(1, '2'),
    isEnable: optional(false, 'true')
  })

/** A page with its number of rows, each with another id. */
interface AllowedPage {
  readonly rows: number
  readonly body: object
}

const pageOf = (row: (id: string) => fc.Arbitrary<object>): fc.Arbitrary<AllowedPage> =>
  fc
    .integer({ min: 0, max: 4 })
    .chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        rows === 0
          ? fc.constantFrom<unknown>([], null)
          : fc.tuple(...Array.from({ length: rows }, (_, index) => row(String(index + 1)))),
        objectOf({
          hasMore: optional(true, false, 'true', 'false'),
          currentPage: optional(1, '1'),
          pageSize: optional(20, '20'),
          noCustomers: optional(rows),
          noRewards: optional(rows)
        })
      )
    )
    .map(([rows, data, page]) => ({ rows, body: { ...page, data } }))

export const allowedCustomerPage = pageOf(allowedCustomer)
export const allowedRewardPage = pageOf(allowedReward)

const codeFields = {
  rewardPoints: optional(40, '40'),
  status: optional('unused', 'Χρησιμοποιήθηκε', 'active'),
  usedDate: optional(MOMENT),
  createdAt: optional(MOMENT, '2026-11-20 10:00:00'),
  updatedAt: optional(MOMENT),
  qrURL: optional('https://points.example/q/1'),
  qrImageURL: optional('https://points.example/q/1.png')
}

/** The response to a check of a code. */
export const allowedCode = (code: string): fc.Arbitrary<object> =>
  objectOf({ ...codeFields, code: fc.constant(code) })

/** The response to a new code with 40 points that was not used. Points that cannot be read are not allowed. */
export const allowedNewCode = (code: string): fc.Arbitrary<object> =>
  objectOf({
    ...codeFields,
    code: fc.constant(code),
    qrURL: fc.constant(`https://points.example/q/${code}`),
    rewardPoints: fc.constantFrom<unknown>(40, '40', null, ABSENT),
    status: optional('unused', 'active'),
    usedDate: fc.constantFrom<unknown>(null, ABSENT, '')
  })

export const allowedAccount = (id: string): fc.Arbitrary<object> =>
  objectOf({
    id: fc.constant(id),
    name: optional('Corner Shop'),
    logo: optional('x'),
    timeZone: optional('Europe/Athens', 'Athens'),
    currentPlan: optional('Pro'),
    currentPlanInterval: optional('month'),
    currentCustomers: optional(500, '500'),
    getStartedLink: optional('https://points.example/join'),
    address: fc.oneof(
      optional(),
      objectOf({ street: optional('Ermou 12'), city: optional('Athens'), country: optional('Greece') })
    )
  })
