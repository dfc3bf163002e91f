/** Redemptions for programs: a reward is redeemed once for each reference, read and undone by it. */
import type { Caller } from '../../contract/local-interface.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import { failureReason } from '../reports/csv-export.ts'
import type { Settings } from '../settings/index.ts'
import { ApiError } from './api-error.ts'
import { errorOfFailure } from './failures.ts'
import {
  askedFor,
  type AskedFor,
  type ProgramAnswer,
  OperationRequests,
  type OperationRequestsDependencies
} from './operation-requests.ts'
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
  AskedFor & Pick<Redemption, 'reward'>,
  Redemption,
  ProgramRedemption
> {
  readonly #dependencies: RedemptionRequestsDependencies

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
        contentOf: ({ customer, reward, points }) => [Object.entries(customer), reward, points],
        subjectOf: async ({ customer, reward: id }, earlier) => {
          const asked = await askedFor(lookUps, customer, earlier)
          return asked && { ...asked, reward: earlier?.reward ?? { id, name: await lookUps.rewardName(id) } }
        },
        send: ({ redemptions }, { intentId, program }, { points: cost }, asked) =>
          redemptions.redeem({ intentId, ...asked, cost }, program),
        answered: programRedemption,
        discarded: (redemption) => new ApiError('redemption-discarded', { redemption }),
        errorOf: errorOfFailure
      },
      dependencies
    )
    this.#dependencies = dependencies
  }

  /** Gives the points of a redemption back, as a manager does; one that is undone stays so. */
  async undo(
    caller: Caller,
    reference: string,
    reason: string | undefined
  ): Promise<ProgramAnswer<ProgramRedemption>> {
    const { session, permissions } = this.#dependencies
    const { generation } = session
    const { shown } = await this.existing(caller, reference)
    const { intentId } = shown
    if (shown.state === 'undone') return { status: 200, body: programRedemption(shown, reference) }
    permissions.requireManager(caller)
    await permissions.requireService()
    const { redemptions } = await this.services()
    if (session.generation !== generation) throw new ApiError('session-changed')
    permissions.requireManager(caller)
    const undone = await redemptions.undo({ intentId, reason: reason ?? caller.name })
    const now = redemptions.find(intentId)
    if (!now.ok || now.value === null) throw new ApiError('journal-not-written')
    const body = programRedemption(now.value.shown, reference)
    // What came of it is in the row.
    switch (now.value.shown.state) {
      case 'undone':
        return { status: 200, body }
      case 'undo-requested':
      case 'undo-unknown':
        return { status: 202, body }
      default:
        if (undone.ok || undone.failure.kind === 'not-found') {
          throw new ApiError('not-undoable', { redemption: body })
        }
        throw errorOfFailure(undone.failure)
    }
  }
}
