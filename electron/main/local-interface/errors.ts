/** The errors of the local interface: one name for each, with its status and a sentence that says what to do. */
import * as v from 'valibot'
import type { Failure, RedemptionRefusal } from '../../contract/failure.ts'
import { described, keysOf, modeSchema, slipResponseSchema, type ProgramSlip } from './schemas.ts'

interface ErrorDefinition {
  readonly status:
    400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 431 | 500 | 502 | 503
  readonly message: string
}

/** In the order of their statuses. The messages are for logs and programmers, in English. */
export const ERRORS = {
  'bad-request': { status: 400, message: 'The request is not valid HTTP.' },
  'not-json': { status: 400, message: 'The body is not JSON in UTF-8.' },
  unauthorized: { status: 401, message: 'The token is missing, wrong or removed. Pair the program again.' },
  'host-not-allowed': {
    status: 403,
    message: 'The Host header must be 127.0.0.1 or localhost with the port.'
  },
  'origin-not-allowed': { status: 403, message: 'Web pages may not call this interface.' },
  'pairing-refused': {
    status: 403,
    message: 'The pairing code is wrong or no longer valid. Make a new one in the settings of the till.'
  },
  'redeeming-not-allowed': {
    status: 403,
    message: 'Only a manager may redeem at this till. Nothing was taken.'
  },
  'path-unknown': { status: 404, message: 'There is no such path. See /v1/openapi.json.' },
  'reference-unknown': { status: 404, message: 'No slip was requested with this reference.' },
  'method-not-allowed': { status: 405, message: 'The path has other methods. See the Allow header.' },
  'request-timeout': { status: 408, message: 'The request did not arrive in time.' },
  'reference-differs': {
    status: 409,
    message: 'The reference was used with other content. Nothing was done. Each bill needs its own reference.'
  },
  'customer-ambiguous': {
    status: 409,
    message: 'Several customers match. Nothing was issued. Send the id of one.'
  },
  'redemptions-not-offered': {
    status: 409,
    message: 'The Loyalty Points Service does not redeem rewards. Nothing was taken.'
  },
  'points-too-few': { status: 409, message: 'The customer has not enough points. Nothing was taken.' },
  'price-changed': { status: 409, message: 'The reward has another price. Nothing was taken.' },
  'reward-unavailable': {
    status: 409,
    message: 'There is no such reward, or it is disabled. Nothing was taken.'
  },
  'not-printable': { status: 409, message: 'The slip has no code to print, or was discarded.' },
  'too-many-programs': { status: 409, message: 'Remove a paired program in the settings of the till first.' },
  discarded: {
    status: 410,
    message: 'A person at the till discarded the slip. To issue again, send a new reference.'
  },
  'body-too-large': { status: 413, message: 'A body has at most 16 kB.' },
  'media-type-unsupported': { status: 415, message: 'The Content-Type must be application/json.' },
  invalid: { status: 422, message: 'A value is not valid.' },
  'currency-differs': {
    status: 422,
    message: 'The currency is not that of the points rule. Nothing was issued.'
  },
  'no-points-rule': {
    status: 422,
    message: 'The till has no points rule for amounts. Send points, or set the rule in its settings.'
  },
  'below-minimum': {
    status: 422,
    message: 'The amount is below the minimum of the points rule. Nothing was issued.'
  },
  'no-points': { status: 422, message: 'The amount gives no points. Nothing was issued.' },
  'customer-unknown': { status: 422, message: 'There is no such customer. Nothing was issued.' },
  locked: {
    status: 423,
    message:
      'The till is locked. Nothing was issued. Unlock it, or allow this program to issue while it is locked.'
  },
  'too-many-requests': { status: 429, message: 'At most 10 requests in a second. Wait, and send it again.' },
  'too-many-at-once': { status: 429, message: 'At most 2 requests at once. Wait, and send it again.' },
  'headers-too-large': { status: 431, message: 'The headers have at most 8 kB.' },
  internal: { status: 500, message: 'The till failed. Send the same request again; its log has the reason.' },
  refused: {
    status: 502,
    message: 'The Loyalty Points Service refused. No points were issued. To try again, send a new reference.'
  },
  'service-refused': { status: 502, message: 'The Loyalty Points Service refused. Nothing was issued.' },
  'not-connected': {
    status: 503,
    message:
      'The till is not connected to a business that accepts it. Nothing was issued. Look at its screen.'
  },
  'session-changed': {
    status: 503,
    message:
      'The till changed to another business, or to or from training mode. Nothing was issued. Send the same request again.'
  },
  'service-unreachable': {
    status: 503,
    message:
      'The Loyalty Points Service cannot be reached. Nothing was issued. Send the same request again later.'
  },
  'journal-not-written': {
    status: 503,
    message: 'The till cannot write or read its journal. Send the same request again: it issues at most once.'
  },
  'not-printed': { status: 503, message: 'The slip was not printed. Look at the printer, and reprint.' }
} as const satisfies Readonly<Record<string, ErrorDefinition>>

export type ErrorName = keyof typeof ERRORS

/** The body of an error. */
export const errorResponseSchema = v.object({
  mode: modeSchema,
  error: described(
    v.picklist(keysOf<ErrorName>(ERRORS)),
    Object.entries(ERRORS)
      .map(([name, { status, message }]) => `${name} (${String(status)}): ${message}`)
      .join(' ')
  ),
  message: described(v.string(), 'for logs and programmers, in English'),
  field: described(v.exactOptional(v.string()), 'the invalid value'),
  slip: described(v.exactOptional(slipResponseSchema), 'with the errors refused and discarded')
})
export type ErrorBodyOfInterface = v.InferOutput<typeof errorResponseSchema>

export interface ErrorDetails {
  /** replaces the general sentence */
  readonly message?: string
  /** name of the invalid value */
  readonly field?: string
  readonly slip?: ProgramSlip
  readonly headers?: Readonly<Record<string, string>>
}

/** Thrown to answer a request with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly error: ErrorName
  readonly details: ErrorDetails

  constructor(error: ErrorName, details: ErrorDetails = {}) {
    super(details.message ?? ERRORS[error].message)
    this.error = error
    this.details = details
  }
}

const REFUSALS = {
  'points-too-few': 'points-too-few',
  'price-changed': 'price-changed',
  'reward-disabled': 'reward-unavailable',
  'reward-unknown': 'reward-unavailable',
  'customer-unknown': 'customer-unknown',
  'reversal-too-late': 'service-refused',
  'redemption-reversed': 'service-refused',
  'redemption-unknown': 'service-refused'
} as const satisfies Readonly<Record<RedemptionRefusal, ErrorName>>

/** Returns the error for a failure of the till's services. */
export function errorOfFailure(failure: Failure): ApiError {
  switch (failure.kind) {
    case 'offline':
    case 'tls':
    case 'timeout':
    case 'service-down':
    case 'busy':
      return new ApiError('service-unreachable')
    case 'unauthorised':
    case 'not-connected':
      return new ApiError('not-connected')
    case 'forbidden':
    case 'rejected':
    case 'bad-response':
      return new ApiError('service-refused')
    case 'not-offered':
      return new ApiError('redemptions-not-offered')
    case 'redemption-refused':
      return new ApiError(REFUSALS[failure.reason])
    case 'points-too-many':
      return new ApiError('invalid', {
        field: 'points',
        message: `At most ${String(failure.maximum)} points.`
      })
    case 'invalid-input':
      return new ApiError('invalid', { field: failure.field })
    case 'not-found':
      return new ApiError('customer-unknown')
    case 'not-saved':
      return new ApiError('journal-not-written')
    case 'not-printed':
      return new ApiError('not-printed', {
        message: `${ERRORS['not-printed'].message} Reason: ${failure.fault}.`
      })
    case 'locked':
      return new ApiError('locked')
    case 'unknown-outcome':
    case 'no-encryption':
    case 'wrong-pin':
    case 'too-many-tries':
    case 'other-business':
    case 'managed':
    case 'aborted':
    case 'internal':
      return new ApiError('internal')
  }
}
