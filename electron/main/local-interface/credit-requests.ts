/** Credits for programs: a customer gets the points of a bill once for each reference. */
import type { Credit } from '../../contract/credits.ts'
import { failureReason } from '../reports/csv-export.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import {
  askedFor,
  type AskedFor,
  OperationRequests,
  type OperationRequestsDependencies
} from './operation-requests.ts'
import type { CreditBody } from './request-bodies.ts'
import type { ProgramCredit } from './schemas.ts'

const programCredit = (credit: Credit, reference: string): ProgramCredit => ({
  mode: credit.training ? 'training' : 'live',
  reference,
  state: credit.state,
  customer: credit.customer,
  points: credit.points,
  balanceBefore: credit.balanceBefore,
  balance: credit.balance,
  requestedAt: credit.requestedAt,
  creditedAt: credit.doneAt,
  failure: failureReason(credit.failure)
})

/** Every method throws an `ApiError`. */
export class CreditRequests extends OperationRequests<CreditBody, AskedFor, Credit, ProgramCredit> {
  constructor(dependencies: OperationRequestsDependencies) {
    const { permissions, lookUps } = dependencies
    super(
      {
        operationsOf: ({ credits }) => credits,
        // As programs issue slips.
        requirePermission: (caller) => {
          permissions.requireCashier(caller)
        },
        contentOf: ({ customer, points }) => [Object.entries(customer), points],
        subjectOf: ({ customer }, earlier) => askedFor(lookUps, customer, earlier),
        send: ({ credits }, { intentId, program }, { points, reference }, asked) =>
          credits.credit({ intentId, ...asked, points, reference }, program),
        answered: programCredit,
        discarded: (credit) => new ApiError('credit-discarded', { credit }),
        errorOf: (failure) =>
          failure.kind === 'not-offered' ? new ApiError('credits-not-offered') : errorOfFailure(failure)
      },
      dependencies
    )
  }
}
