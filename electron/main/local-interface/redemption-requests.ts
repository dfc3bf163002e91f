/** Redemptions for programs: a reward is redeemed once for each reference, read and undone by it. */
import type { Caller } from '../../contract/local-interface.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import { failureReason } from '../reports/csv-export.ts'
import type { Settings } from '../settings/index.ts'
import { ApiError } from './errors.ts'
import { errorOfFailure } from './failures.ts'
import { OperationRequests, type OperationRequestsDependencies } from './operation-requests.ts'
import type { RedemptionBody } from './request-bodies.ts'
import type { ProgramRedemption } from './schemas.ts'

const programRedemption = (redemption: Redemption, reference: string): ProgramRedemption => ({
  mode: redemption.training ? 'training' : 'live',
  reference,
  state: redemption.state,
  customer: redemption.customer,
  reward: redemption.reward,
  points: redemption.cost,
  balance: redemption.balance,
  requestedAt: redemption.requestedAt,
  redeemedAt: redemption.doneAt,
  failure: failureReason(redemption.failure)
})

export interface RedemptionRequestsDependencies extends OperationRequestsDependencies {
  readonly settings: Pick<Settings, 'values'>
}

/** Every method throws an `ApiError`. */
export class RedemptionRequests extends OperationRequests<
  RedemptionBody,
  Redemption['reward'],
  Redemption,
  ProgramRedemption
> {
  constructor(dependencies: RedemptionRequestsDependencies) {
    const { permissions, settings, lookUps } = dependencies
    super(
      {
        operationsOf: ({ redemptions }) => redemptions,
        // Programs redeem when cashiers may.
        requirePermission: (caller) => {
          permissions.requireCashier(caller)
          if (!settings.values.redemptions.byCashiers) throw new ApiError('redeeming-not-allowed')
        },
        contentOf: ({ reward, points }) => [reward, points],
        subjectOf: async ({ reward: id }, earlier) =>
          earlier?.reward ?? { id, name: await lookUps.rewardName(id) },
        send: ({ redemptions }, { program, ...asked }, { points: cost }, reward) =>
          redemptions.redeem({ ...asked, reward, cost }, program),
        answered: programRedemption,
        discarded: (redemption) => new ApiError('redemption-discarded', { redemption }),
        errorOf: errorOfFailure
      },
      dependencies
    )
  }

  /** Gives the points of a redemption back, as a manager does; one that is undone stays so. */
  undo(caller: Caller, reference: string, reason: string | undefined) {
    return this.undoExisting(
      caller,
      reference,
      reason,
      (redemption) => new ApiError('not-undoable', { redemption })
    )
  }
}
