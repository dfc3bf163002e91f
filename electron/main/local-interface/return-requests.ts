/** Returns for programs: points of the purchase of a bill go back once for each reference. */
import type { Return, TakeBackRequest } from '../../contract/returns.ts'
import { remainingPoints, THE_REST } from '../../contract/returns.ts'
import { failureReason } from '../reports/csv-export.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import { OperationRequests, type OperationRequestsDependencies } from './operation-requests.ts'
import type { ReturnBody } from './request-bodies.ts'
import type { ProgramReturn } from './schemas.ts'

const programReturn = (returned: Return, reference: string): ProgramReturn => ({
  mode: returned.training ? 'training' : 'live',
  reference,
  state: returned.state,
  points: returned.points,
  remaining: returned.remaining,
  code: returned.codeStatus,
  balance: returned.balance,
  requestedAt: returned.requestedAt,
  returnedAt: returned.doneAt,
  failure: failureReason(returned.failure)
})

/** What of it goes back, as the body says. */
function partOf(body: ReturnBody): TakeBackRequest['part'] {
  if ('amount' in body) return { amount: { returned: body.amount, total: body.total } }
  return body.points === undefined ? THE_REST : { points: body.points }
}

/** Every method throws an `ApiError`. */
export class ReturnRequests extends OperationRequests<
  ReturnBody,
  Omit<TakeBackRequest, 'intentId' | 'reason'>,
  Return,
  ProgramReturn
> {
  constructor(dependencies: OperationRequestsDependencies) {
    const { permissions } = dependencies
    super(
      {
        operationsOf: ({ returns }) => returns,
        requirePermission: (caller) => {
          permissions.requireManager(caller)
        },
        contentOf: (body) => [body.purchase, partOf(body)],
        subjectOf: (body, _earlier, { queries }) => {
          const reference = body.purchase
          const found = queries.newestByReference(reference)
          if (!found.ok) throw errorOfFailure(found.failure)
          const slip = found.value
          const part = partOf(body)
          const code = slip?.code ?? null
          // Without one it is of another till, or a credit.
          return slip === null || code === null
            ? { purchase: { by: 'reference', reference }, part, customer: null, atMost: null }
            : { purchase: { by: 'code', code }, part, customer: slip.customer, atMost: remainingPoints(slip) }
        },
        send: ({ returns }, { intentId, program }, { reason = program.caller.name }, subject) =>
          returns.take({ intentId, ...subject, reason }, program),
        answered: programReturn,
        discarded: (returned) => new ApiError('return-discarded', { return: returned }),
        errorOf: (failure) =>
          failure.kind === 'not-offered' ? new ApiError('returns-not-offered') : errorOfFailure(failure)
      },
      dependencies
    )
  }
}
