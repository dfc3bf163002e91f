/** The errors of the local interface for the failures of the till's services. */
import type { Failure, InputFault, OperationRefusal } from '../../contract/failure.ts'
import type { ErrorName } from './errors.ts'
import { ApiError } from './api-error.ts'

const REFUSALS = {
  'points-too-few': 'points-too-few',
  'price-changed': 'price-changed',
  'reward-disabled': 'reward-unavailable',
  'reward-unknown': 'reward-unavailable',
  'customer-unknown': 'customer-unknown',
  'reversal-too-late': 'undo-too-late',
  'redemption-reversed': 'service-refused',
  'redemption-unknown': 'service-refused',
  'credit-limit-reached': 'credit-limit-reached',
  'credit-needs-approval': 'credit-needs-approval',
  'credit-reversed': 'service-refused',
  'credit-unknown': 'service-refused',
  'purchase-unknown': 'purchase-unknown',
  'purchase-ambiguous': 'purchase-ambiguous',
  'purchase-returned': 'purchase-returned',
  'return-too-much': 'return-too-much',
  'code-expired': 'purchase-ended',
  'code-cancelled': 'purchase-ended'
} as const satisfies Readonly<Record<OperationRefusal, ErrorName>>

/** What is wrong with a value that only the service or the till itself can check, as the end of a sentence. */
const FAULTS: Readonly<Partial<Record<InputFault, string>>> = {
  missing: 'missing',
  'too-long': 'too long: at most 100 characters',
  'required-by-service': 'missing: the points service takes no customer without it',
  'not-a-phone':
    'not a phone number. It must be one, in any common format; without a country code it is of the country of the shop'
}

/** Returns the error for a failure of the till's services. @param within path of the field that has the invalid one, and a full stop */
export function errorOfFailure(failure: Failure, within = ''): ApiError {
  switch (failure.kind) {
    case 'offline':
    case 'tls':
    case 'timeout':
    case 'service-down':
    case 'service-full':
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
    case 'operation-refused':
      return new ApiError(REFUSALS[failure.reason])
    case 'points-too-many':
      return new ApiError('invalid', {
        field: 'points',
        message: `At most ${String(failure.maximum)} points can be issued at once.`
      })
    case 'invalid-input':
      return new ApiError('invalid', {
        field: `${within}${failure.field}`,
        message: `The value of ${within}${failure.field} is ${FAULTS[failure.fault] ?? 'not valid'}.`
      })
    case 'not-found':
      return new ApiError('customer-unknown')
    case 'not-saved':
      return new ApiError('journal-not-written')
    case 'not-printed':
      return new ApiError('not-printed', {
        message: `The slip was not printed: ${failure.said ?? `${failure.fault}.`}`
      })
    case 'locked':
      return new ApiError('locked')
    case 'unknown-outcome':
      return new ApiError('answer-lost')
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
