/** The operations of the local interface, and the OpenAPI 3.1 document of them. The router is made of the same table. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { ERRORS, type ErrorName, errorResponseSchema, sentencesOf } from './errors.ts'
import {
  amountRequest,
  emptyRequest,
  pairingRequest,
  pointsRequest,
  redemptionRequest
} from './request-bodies.ts'
import {
  challengeResponseSchema,
  customersResponseSchema,
  pairedResponseSchema,
  redemptionResponseSchema,
  rewardsResponseSchema,
  slipResponseSchema,
  statusResponseSchema
} from './schemas.ts'

const components = {
  Slip: slipResponseSchema,
  Error: errorResponseSchema,
  Redemption: redemptionResponseSchema,
  Paired: pairedResponseSchema,
  Challenge: challengeResponseSchema,
  Customers: customersResponseSchema,
  Rewards: rewardsResponseSchema,
  Status: statusResponseSchema,
  PointsRequest: pointsRequest.schema,
  AmountRequest: amountRequest.schema,
  RedemptionRequest: redemptionRequest.schema,
  PairingRequest: pairingRequest.schema,
  EmptyRequest: emptyRequest.schema
} satisfies Readonly<Record<string, v.GenericSchema>>
type ComponentName = keyof typeof components

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

/** Errors of every request, before its operation is known. */
const OF_ALL: readonly ErrorName[] = [
  'bad-request',
  'host-not-allowed',
  'origin-not-allowed',
  'request-timeout',
  'headers-too-large',
  'internal'
]
const OF_PROGRAMS: readonly ErrorName[] = ['unauthorized', 'too-many-requests', 'too-many-at-once']
const OF_BODIES: readonly ErrorName[] = ['not-json', 'body-too-large', 'media-type-unsupported', 'invalid']
const OF_SERVICE: readonly ErrorName[] = [
  'service-unreachable',
  'service-refused',
  'not-connected',
  'session-changed'
]

const reference: Parameter = {
  name: 'reference',
  in: 'path',
  description: 'of POST /v1/slips, percent-encoded',
  required: true
}
const query = (name: string, description: string, required = false): Parameter => ({
  name,
  in: 'query',
  description,
  required
})

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
      'no-points-rule',
      'below-minimum',
      'no-points',
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
    parameters: [reference],
    success: { 200: 'the slip as it is now' },
    response: 'Slip',
    errors: ['reference-unknown', 'not-connected', 'journal-not-written']
  },
  reprintSlip: {
    method: 'post',
    path: '/v1/slips/{reference}/reprint',
    summary: 'Prints the slip again, marked COPY, and waits for the printer',
    parameters: [reference],
    request: ['EmptyRequest'],
    success: { 200: 'printed' },
    response: 'Slip',
    errors: [
      ...OF_BODIES,
      'reference-unknown',
      'not-printable',
      'locked',
      'not-connected',
      'not-printed',
      'journal-not-written'
    ],
    nothing: 'Nothing was printed.'
  },
  redeem: {
    method: 'post',
    path: '/v1/redemptions',
    summary: 'Redeems a reward for a customer, once for each reference',
    request: ['RedemptionRequest'],
    success: {
      200: 'what came of an earlier request with the same reference and content',
      201: 'redeemed',
      202: 'unknown: the response was lost. Send the same request again: the till asks with the same key'
    },
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

const schemaRef = (name: ComponentName) => ({ $ref: `#/components/schemas/${name}` })

const contentOf = (response: OperationDefinition['response']) => {
  switch (response) {
    case 'events':
      return { 'text/event-stream': { schema: { type: 'string' } } }
    case 'document':
      return { 'application/json': { schema: { type: 'object' } } }
    default:
      return { 'application/json': { schema: schemaRef(response) } }
  }
}

function responsesOf({ success, response, errors, nothing, isPublic = false }: OperationDefinition) {
  const names = [...errors, ...OF_ALL, ...(isPublic ? [] : OF_PROGRAMS)]
  const byStatus = Map.groupBy(names, (name) => ERRORS[name].status)
  return {
    ...Object.fromEntries(
      Object.entries(success).map(([status, description]) => [
        status,
        { description, content: contentOf(response) }
      ])
    ),
    ...Object.fromEntries(
      Array.from(byStatus, ([status, ofStatus]) => [
        String(status),
        {
          description: ofStatus.map((name) => `${name}: ${sentencesOf(name, nothing)}`).join(' '),
          content: contentOf('Error'),
          ...(status === 429 && {
            headers: { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } }
          })
        }
      ])
    )
  }
}

const bodyOf = (names: readonly ComponentName[]) => ({
  required: true,
  content: { 'application/json': { schema: { anyOf: names.map(schemaRef) } } }
})

function operationObject(operationId: string, definition: OperationDefinition) {
  const { summary, parameters, request, isPublic = false } = definition
  return {
    operationId,
    summary,
    ...(isPublic && { security: [] }),
    ...(parameters && {
      parameters: parameters.map((parameter) => ({ ...parameter, schema: { type: 'string' } }))
    }),
    ...(request && { requestBody: bodyOf(request) }),
    responses: responsesOf(definition)
  }
}

/** Returns the OpenAPI 3.1 document. @param version of the app */
export function openApiDocument(version: string, port: number) {
  const operations: readonly (readonly [string, OperationDefinition])[] = Object.entries(OPERATIONS)
  const byPath = Map.groupBy(operations, ([, { path }]) => path)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillpoints, local interface',
      version,
      description: 'Issues loyalty points for the bills of a program on the same machine.'
    },
    servers: [{ url: `http://127.0.0.1:${String(port)}` }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      Array.from(byPath, ([path, atPath]) => [
        path,
        Object.fromEntries(
          atPath.map(([id, definition]) => [definition.method, operationObject(id, definition)])
        )
      ])
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => {
          const jsonSchema = toJsonSchema(schema, {
            target: 'draft-2020-12',
            ignoreActions: ['trim'],
            // JSON Schema reads every pattern as the flag `u` does.
            overrideAction: ({ valibotAction: action, jsonSchema }) =>
              action.type === 'regex' && 'requirement' in action && action.requirement instanceof RegExp
                ? { ...jsonSchema, pattern: action.requirement.source }
                : null
          })
          // The document has one dialect for all schemas (OpenAPI 3.1, 4.8.24.5).
          delete jsonSchema.$schema
          return [name, jsonSchema]
        })
      )
    }
  }
}
