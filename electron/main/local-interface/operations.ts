/** The table of operations of the local interface, from which its routes and its OpenAPI document are made. */
import type { ComponentName } from './components.ts'
import type { ErrorName } from './errors.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly description: string
  readonly required: boolean
}

export interface OperationDefinition {
  readonly method: 'get' | 'post'
  /** with parameters in braces */
  readonly path: string
  readonly summary: string
  /** whether it is open to programs without a token */
  readonly isPublic?: boolean
  readonly parameters?: readonly Parameter[]
  /** alternatives of the body */
  readonly request?: readonly ComponentName[]
  /** descriptions of the successful responses by status */
  readonly success: Readonly<Record<number, string>>
  readonly response: ComponentName | 'events' | 'document'
  readonly errors: readonly ErrorName[]
  /** what its errors say when nothing was changed; absent for an operation that only reads */
  readonly nothing?: string
}

const OF_BODIES: readonly ErrorName[] = ['not-json', 'body-too-large', 'media-type-unsupported', 'invalid']
const OF_SERVICE: readonly ErrorName[] = [
  'service-unreachable',
  'service-refused',
  'not-connected',
  'session-changed'
]

const referenceOf = (path: string): Parameter => ({
  name: 'reference',
  in: 'path',
  description: `of POST ${path}, percent-encoded`,
  required: true
})
const query = (name: string, description: string, required = false): Parameter => ({
  name,
  in: 'query',
  description,
  required
})

const UNKNOWN = 'unknown: the response was lost. Send the same request again: the till asks with the same key'

/** What each operation with a key answers. */
const onceFor = (done: string) => ({
  200: 'what came of an earlier request with the same reference and content',
  201: done,
  202: UNKNOWN
})

const readingOf = <Path extends string, Response extends ComponentName>(
  path: Path,
  what: string,
  response: Response
) =>
  ({
    method: 'get',
    path: `${path}/{reference}`,
    summary: `Reads what came of a ${what}`,
    parameters: [referenceOf(path)],
    success: { 200: `the ${what} as it is now` },
    response,
    errors: ['reference-unknown', 'not-connected', 'journal-not-written']
  }) as const

/** Every operation by its id. */
export const OPERATIONS = {
  pair: {
    method: 'post',
    path: '/v1/pairing',
    summary: 'Trades the one-time code that the till shows for a token',
    isPublic: true,
    request: ['PairingRequest'],
    success: { 201: 'paired' },
    response: 'Paired',
    errors: [...OF_BODIES, 'pairing-refused', 'too-many-programs'],
    nothing: 'No program was paired.'
  },
  challenge: {
    method: 'get',
    path: '/v1/challenge',
    summary:
      'Proves that this is the till that the program is paired with, before the program sends its token',
    isPublic: true,
    parameters: [
      query('program', 'id of the program, of POST /v1/pairing', true),
      query('nonce', 'random, new for each challenge; 1 to 128 visible ASCII characters', true)
    ],
    success: { 200: 'the proof' },
    response: 'Challenge',
    errors: ['invalid', 'unauthorized']
  },
  issueSlip: {
    method: 'post',
    path: '/v1/slips',
    summary: 'Issues points, once for each reference',
    request: ['PointsRequest', 'AmountRequest'],
    success: {
      200: 'the slip of an earlier request with the same reference and content',
      201: 'issued',
      202: 'unknown: whether the service made a code is not known. Read the slip later; do not send another reference'
    },
    response: 'Slip',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'reference-differs',
      'customer-ambiguous',
      'customer-unknown',
      'currency-differs',
      'group-unknown',
      'no-points-rule',
      'below-minimum',
      'no-points',
      'code-ended',
      'discarded',
      'locked',
      'refused',
      'journal-not-written'
    ],
    nothing: 'Nothing was issued.'
  },
  readSlip: {
    method: 'get',
    path: '/v1/slips/{reference}',
    summary: 'Reads what came of a reference',
    parameters: [referenceOf('/v1/slips')],
    success: { 200: 'the slip as it is now' },
    response: 'Slip',
    errors: ['reference-unknown', 'not-connected', 'journal-not-written']
  },
  reprintSlip: {
    method: 'post',
    path: '/v1/slips/{reference}/reprint',
    summary: 'Prints the slip again, marked COPY, and waits for the printer',
    parameters: [referenceOf('/v1/slips')],
    request: ['EmptyRequest'],
    success: { 200: 'printed' },
    response: 'Slip',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'reference-unknown',
      'not-printable',
      'code-ended',
      'locked',
      'not-printed',
      'journal-not-written'
    ],
    nothing: 'Nothing was printed.'
  },
  cancelSlip: {
    method: 'post',
    path: '/v1/slips/{reference}/cancel',
    summary:
      'Discards a slip that the customer does not have; again without effect. As at the till, a manager must allow it. The code itself stays valid at the service',
    parameters: [referenceOf('/v1/slips')],
    request: ['ReasonRequest'],
    success: { 200: 'discarded, by this request or before' },
    response: 'Slip',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'reference-unknown',
      'not-cancellable',
      'collected',
      'manager-needed',
      'journal-not-written'
    ],
    nothing: 'Nothing was cancelled.'
  },
  redeem: {
    method: 'post',
    path: '/v1/redemptions',
    summary: 'Redeems a reward for a customer, once for each reference',
    request: ['RedemptionRequest'],
    success: onceFor('redeemed'),
    response: 'Redemption',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'redeeming-not-allowed',
      'redemptions-not-offered',
      'reference-differs',
      'customer-ambiguous',
      'customer-unknown',
      'points-too-few',
      'price-changed',
      'reward-unavailable',
      'redemption-discarded',
      'locked',
      'journal-not-written'
    ],
    nothing: 'Nothing was taken.'
  },
  credit: {
    method: 'post',
    path: '/v1/credits',
    summary: 'Gives points to a customer without a slip, once for each reference',
    request: ['CreditRequest'],
    success: onceFor('credited'),
    response: 'Credit',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'credits-not-offered',
      'credit-limit-reached',
      'credit-needs-approval',
      'reference-differs',
      'customer-ambiguous',
      'customer-unknown',
      'credit-discarded',
      'locked',
      'journal-not-written'
    ],
    nothing: 'Nothing was credited.'
  },
  readCredit: readingOf('/v1/credits', 'credit', 'Credit'),
  takeBack: {
    method: 'post',
    path: '/v1/returns',
    summary:
      'Takes points of a purchase back, once for each reference: all that remain, some, or those of goods by their amount. As at the till, a manager must allow it',
    request: ['ReturnRequest', 'AmountReturnRequest'],
    success: onceFor('returned'),
    response: 'Return',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'returns-not-offered',
      'reference-differs',
      'purchase-unknown',
      'purchase-ambiguous',
      'purchase-returned',
      'purchase-ended',
      'return-too-much',
      'return-discarded',
      'manager-needed',
      'journal-not-written'
    ],
    nothing: 'Nothing was taken back.'
  },
  readReturn: readingOf('/v1/returns', 'return', 'Return'),
  readRedemption: readingOf('/v1/redemptions', 'redemption', 'Redemption'),
  undoRedemption: {
    method: 'post',
    path: '/v1/redemptions/{reference}/undo',
    summary:
      'Gives the points of a redemption back; again without effect. As at the till, a manager must allow it',
    parameters: [referenceOf('/v1/redemptions')],
    request: ['ReasonRequest'],
    success: {
      200: 'undone, by this request or before',
      202: UNKNOWN
    },
    response: 'Redemption',
    errors: [
      ...OF_BODIES,
      ...OF_SERVICE,
      'redemptions-not-offered',
      'reference-unknown',
      'not-undoable',
      'undo-too-late',
      'manager-needed',
      'journal-not-written'
    ],
    nothing: 'Nothing was given back.'
  },
  registerCustomer: {
    method: 'post',
    path: '/v1/customers',
    summary: 'Registers a customer, once for each phone',
    request: ['RegistrationRequest'],
    success: { 200: 'the customer who has this phone already', 201: 'registered' },
    response: 'Customer',
    errors: [...OF_BODIES, ...OF_SERVICE, 'locked', 'answer-lost'],
    nothing: 'No customer was registered.'
  },
  findCustomers: {
    method: 'get',
    path: '/v1/customers',
    summary: 'Finds the customers with exactly this phone, e-mail or id; give one of them',
    parameters: [query('phone', 'in any common format'), query('email', ''), query('id', '')],
    success: { 200: 'no customer, one, or several' },
    response: 'Customers',
    errors: ['invalid', ...OF_SERVICE]
  },
  listRewards: {
    method: 'get',
    path: '/v1/rewards',
    summary: 'Lists the rewards that are enabled, and what a customer can afford',
    parameters: [query('customer', 'id of a customer')],
    success: { 200: 'the rewards' },
    response: 'Rewards',
    errors: ['customer-unknown', ...OF_SERVICE]
  },
  readStatus: {
    method: 'get',
    path: '/v1/status',
    summary: 'Reads the state of the till',
    success: { 200: 'the state' },
    response: 'Status',
    errors: []
  },
  streamEvents: {
    method: 'get',
    path: '/v1/events',
    summary:
      'Sends a server-sent event `slip`, with a slip as data, for each change of a slip of the program',
    success: {
      200: 'the stream, with a comment every 15 seconds. It ends when the program is removed or reads too slowly'
    },
    response: 'events',
    errors: []
  },
  readDocument: {
    method: 'get',
    path: '/v1/openapi.json',
    summary: 'This document',
    isPublic: true,
    success: { 200: 'OpenAPI 3.1' },
    response: 'document',
    errors: []
  }
} as const satisfies Readonly<Record<string, OperationDefinition>>
export type OperationId = keyof typeof OPERATIONS
