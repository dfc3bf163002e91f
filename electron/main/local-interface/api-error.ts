/** Answers a request with an error. */
import type { Failure } from '../../contract/failure.ts'
import { ERRORS, type ErrorName } from './errors.ts'
import type { ProgramSlip } from './schemas.ts'

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
    case 'aborted':
    case 'internal':
      return new ApiError('internal')
  }
}
