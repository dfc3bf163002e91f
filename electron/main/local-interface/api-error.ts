/** What a request is answered with that fails. */
import * as v from 'valibot'
import { ERRORS, type ErrorName, sentencesOf } from './errors.ts'
import {
  creditResponseSchema,
  described,
  keysOf,
  modeSchema,
  type ProgramCredit,
  type ProgramRedemption,
  type ProgramReturn,
  type ProgramSlip,
  redemptionResponseSchema,
  returnResponseSchema,
  slipResponseSchema
} from './schemas.ts'

/** The body of an error. */
export const errorResponseSchema = v.object({
  mode: modeSchema,
  error: described(
    v.picklist(keysOf<ErrorName>(ERRORS)),
    keysOf<ErrorName>(ERRORS)
      .map((name) => `${name} (${String(ERRORS[name].status)}): ${sentencesOf(name)}`)
      .join(' ')
  ),
  message: described(v.string(), 'for logs and programmers, in English'),
  field: described(v.exactOptional(v.string()), 'the invalid value'),
  slip: described(v.exactOptional(slipResponseSchema), 'with errors about a slip that exists'),
  credit: described(v.exactOptional(creditResponseSchema), 'with errors about a credit that exists'),
  return: described(v.exactOptional(returnResponseSchema), 'with errors about a return that exists'),
  redemption: described(
    v.exactOptional(redemptionResponseSchema),
    'with errors about a redemption that exists'
  )
})
export type ErrorBodyOfInterface = v.InferOutput<typeof errorResponseSchema>

export interface ErrorDetails {
  /** replaces the general sentence */
  readonly message?: string
  /** name of the invalid value */
  readonly field?: string
  readonly slip?: ProgramSlip
  readonly redemption?: ProgramRedemption
  readonly credit?: ProgramCredit
  readonly return?: ProgramReturn
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
