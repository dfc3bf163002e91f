/** Redemptions for programs: a reward is redeemed once for each reference. */
import { createHash } from 'node:crypto'
import type { Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import type { Settings } from '../settings/index.ts'
import { failureReason } from '../slips/csv-export.ts'
import { wasNotSent, type Redemptions } from '../slips/redemptions.ts'
import type { SlipService } from '../slips/slip-service.ts'
import type { Staff } from '../staff/staff.ts'
import type { Callers } from './callers.ts'
import { ApiError, errorOfFailure } from './errors.ts'
import type { LookUps } from './look-ups.ts'
import type { ProgramRedemption, RedemptionBody } from './schemas.ts'

export interface RedemptionRequestsDependencies {
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'redemptions'>>>, 'get'>
  readonly session: Pick<Session, 'accepted' | 'generation' | 'isReachable' | 'requireBusiness'>
  readonly staff: Pick<Staff, 'state'>
  readonly settings: Pick<Settings, 'values'>
  readonly callers: Pick<Callers, 'find'>
  readonly lookUps: Pick<LookUps, 'customer' | 'rewardName'>
}

/** Returns the hash of a request's content. */
const contentHash = ({ customer, reward, points }: RedemptionBody): string =>
  createHash('sha256')
    .update(JSON.stringify([Object.entries(customer), reward, points]))
    .digest('hex')

const programRedemption = (redemption: Redemption, reference: string): ProgramRedemption => ({
  mode: redemption.training ? 'training' : 'live',
  reference,
  state: redemption.state,
  customer: redemption.customer,
  reward: redemption.reward,
  points: redemption.cost,
  balance: redemption.balance,
  requestedAt: redemption.requestedAt,
  redeemedAt: redemption.redeemedAt,
  failure: failureReason(redemption.failure)
})

/** Every method throws an `ApiError`. */
export class RedemptionRequests {
  readonly #dependencies: RedemptionRequestsDependencies

  constructor(dependencies: RedemptionRequestsDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Redeems a reward, or returns what came of an earlier request with the same reference and content. One whose answer was
   * lost is asked for again.
   */
  async redeem(
    caller: Caller,
    body: RedemptionBody
  ): Promise<{ readonly status: 200 | 201 | 202; readonly redemption: ProgramRedemption }> {
    const { session } = this.#dependencies
    const { generation } = session
    const { reference, points: cost } = body
    const hash = contentHash(body)
    const business = await session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const redemptions = await this.#opened()
    const found = redemptions.ofProgram(caller.id, reference)
    if (!found.ok) throw errorOfFailure(found.failure)
    const { intentId, row } = found.value
    if (row !== null && row.contentHash !== null && row.contentHash !== hash) {
      throw new ApiError('reference-differs')
    }
    const isNew = row === null || wasNotSent(row.redemption)
    if (isNew) await this.#requireService(caller)
    const { customer, reward, balanceBefore } = isNew ? await this.#subjectOf(body) : row.redemption
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (isNew) this.#requirePermission(caller)
    // Its customer was forgotten: it cannot be sent again.
    if (customer !== null) {
      const program = { caller: { id: caller.id, name: caller.name }, reference, contentHash: hash }
      const redeemed = await redemptions.redeem({ intentId, customer, reward, cost, balanceBefore }, program)
      if (!redeemed.ok && redeemed.failure.kind !== 'unknown-outcome') throw errorOfFailure(redeemed.failure)
    }
    const now = redemptions.find(intentId)
    const redemption = now.ok ? now.value?.redemption : undefined
    if (redemption === undefined) throw new ApiError('journal-not-written')
    // Another request with the reference came first meanwhile.
    if (now.ok && now.value?.contentHash !== hash) throw new ApiError('reference-differs')
    if (redemption.state === 'discarded') throw new ApiError('discarded')
    const isAnswered = redemption.redeemedAt !== null
    return {
      status: isAnswered ? (isNew ? 201 : 200) : 202,
      redemption: programRedemption(redemption, reference)
    }
  }

  /** Throws unless something may be redeemed now: nothing is written then, and the reference stays unused. */
  async #requireService(caller: Caller): Promise<void> {
    const { session } = this.#dependencies
    this.#requirePermission(caller)
    if (!session.accepted) throw new ApiError('not-connected')
    if (!(await session.isReachable())) throw new ApiError('service-unreachable')
  }

  /** Programs redeem when cashiers may. */
  #requirePermission({ id }: Caller): void {
    const { staff, callers, settings } = this.#dependencies
    const caller = callers.find(id)
    if (caller === null) throw new ApiError('unauthorized')
    if (!settings.values.redemptions.byCashiers) throw new ApiError('redeeming-not-allowed')
    if (staff.state.locked && !caller.mayIssueWhileLocked) throw new ApiError('locked')
  }

  async #subjectOf({ customer: key, reward }: RedemptionBody) {
    const { lookUps } = this.#dependencies
    const { id, name, balance } = await lookUps.customer(key)
    return {
      customer: { id, name },
      reward: { id: reward, name: await lookUps.rewardName(reward) },
      balanceBefore: balance
    }
  }

  async #opened(): Promise<Redemptions> {
    const slips = await this.#dependencies.slips.get()
    if (!slips.ok) throw errorOfFailure(slips.failure)
    return slips.value.redemptions
  }
}
