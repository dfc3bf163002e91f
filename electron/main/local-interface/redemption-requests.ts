/** Redemptions for programs: a reward is redeemed once for each reference, read and undone by it. */
import { createHash } from 'node:crypto'
import type { Failure, Result } from '../../contract/failure.ts'
import type { Caller } from '../../contract/local-interface.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { Lazy } from '../lazy.ts'
import type { Session } from '../session/session.ts'
import type { Settings } from '../settings/index.ts'
import { failureReason } from '../reports/csv-export.ts'
import { hasOtherContent } from '../journal/rows.ts'
import { canSendAgain } from '../operations/operations.ts'
import type { Redemptions } from '../operations/redemptions.ts'
import type { ShownRow } from '../operations/undoable-operations.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { ApiError } from './errors.ts'
import { errorOfFailure } from './failures.ts'
import type { LookUps } from './look-ups.ts'
import type { Permissions } from './permissions.ts'
import type { RedemptionBody } from './request-bodies.ts'
import type { ProgramRedemption } from './schemas.ts'

export interface RedemptionRequestsDependencies {
  readonly slips: Pick<Lazy<Result<Pick<SlipService, 'redemptions'>>>, 'get'>
  readonly session: Pick<Session, 'generation' | 'requireBusiness'>
  readonly settings: Pick<Settings, 'values'>
  readonly permissions: Permissions
  readonly lookUps: Pick<LookUps, 'customer' | 'rewardName'>
}

/** 201: redeemed by this request. 202: the answer of the service was lost. */
interface RedemptionAnswer {
  readonly status: 200 | 201 | 202
  readonly redemption: ProgramRedemption
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
  redeemedAt: redemption.doneAt,
  failure: failureReason(redemption.failure)
})

/**
 * Returns the answer for a redemption: whether the points are taken is in its row, whatever came of asking again.
 * @param failure of this request
 */
function answerOf(
  redemption: Redemption,
  reference: string,
  isFirst: boolean,
  failure: Failure | null
): RedemptionAnswer {
  const body = programRedemption(redemption, reference)
  switch (redemption.state) {
    case 'requested':
    case 'unknown':
      return { status: 202, redemption: body }
    case 'refused':
      throw errorOfFailure(failure ?? redemption.failure ?? { kind: 'internal' })
    case 'discarded':
      throw new ApiError('redemption-discarded', { redemption: body })
    default:
      return { status: isFirst ? 201 : 200, redemption: body }
  }
}

/** Returns the answer to an undo: what came of it is in the row. @param failure of this request */
function undoAnswerOf(redemption: Redemption, reference: string, failure: Failure | null): RedemptionAnswer {
  const body = programRedemption(redemption, reference)
  switch (redemption.state) {
    case 'undone':
      return { status: 200, redemption: body }
    case 'undo-requested':
    case 'undo-unknown':
      return { status: 202, redemption: body }
    default:
      if (failure === null || failure.kind === 'not-found') {
        throw new ApiError('not-undoable', { redemption: body })
      }
      throw errorOfFailure(failure)
  }
}

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
  async redeem(caller: Caller, body: RedemptionBody): Promise<RedemptionAnswer> {
    const { session, permissions } = this.#dependencies
    const { generation } = session
    const { reference, points: cost } = body
    const hash = contentHash(body)
    const business = await session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const redemptions = await this.#opened()
    const found = redemptions.ofProgram(caller.id, reference, hash)
    if (!found.ok) throw errorOfFailure(found.failure)
    const { intentId, row } = found.value
    if (row !== null && hasOtherContent(row, hash)) throw new ApiError('reference-differs')
    const isNew = row === null || canSendAgain(row.shown)
    if (isNew) {
      this.#requirePermission(caller)
      await permissions.requireService()
    }
    const { customer, reward, balanceBefore } = isNew ? await this.#subjectOf(body) : row.shown
    if (session.generation !== generation) throw new ApiError('session-changed')
    if (isNew) this.#requirePermission(caller)
    // Its customer was forgotten: it cannot be sent again.
    const redeemed =
      customer &&
      (await redemptions.redeem(
        { intentId, customer, reward, cost, balanceBefore },
        { caller: { id: caller.id, name: caller.name }, reference, contentHash: hash }
      ))
    const failure = redeemed?.ok === false ? redeemed.failure : null
    const now = redemptions.find(intentId)
    if (!now.ok) throw new ApiError('journal-not-written')
    if (now.value === null) throw failure ? errorOfFailure(failure) : new ApiError('journal-not-written')
    // Another request with the reference came first meanwhile.
    if (hasOtherContent(now.value, hash)) throw new ApiError('reference-differs')
    return answerOf(now.value.shown, reference, isNew, failure)
  }

  /** Returns the redemption of a reference. */
  async read(caller: Caller, reference: string): Promise<ProgramRedemption> {
    return programRedemption((await this.#existing(caller, reference)).shown, reference)
  }

  /** Gives the points of a redemption back, as a manager does; one that is undone stays so. */
  async undo(caller: Caller, reference: string, reason: string | undefined): Promise<RedemptionAnswer> {
    const { session, permissions } = this.#dependencies
    const { generation } = session
    const { shown: redemption } = await this.#existing(caller, reference)
    const { intentId } = redemption
    if (redemption.state === 'undone') return undoAnswerOf(redemption, reference, null)
    permissions.requireManager(caller)
    await permissions.requireService()
    const redemptions = await this.#opened()
    if (session.generation !== generation) throw new ApiError('session-changed')
    permissions.requireManager(caller)
    const undone = await redemptions.undo({ intentId, reason: reason ?? caller.name })
    const now = redemptions.find(intentId)
    if (!now.ok || now.value === null) throw new ApiError('journal-not-written')
    return undoAnswerOf(now.value.shown, reference, undone.ok ? null : undone.failure)
  }

  async #existing(caller: Caller, reference: string): Promise<ShownRow<Redemption>> {
    const business = await this.#dependencies.session.requireBusiness()
    if (!business.ok) throw errorOfFailure(business.failure)
    const found = (await this.#opened()).ofProgram(caller.id, reference, null)
    if (!found.ok) throw errorOfFailure(found.failure)
    if (found.value.row === null) throw new ApiError('reference-unknown', { field: 'reference' })
    return found.value.row
  }

  /** Programs redeem when cashiers may. */
  #requirePermission(caller: Caller): void {
    const { permissions, settings } = this.#dependencies
    permissions.requireCashier(caller)
    if (!settings.values.redemptions.byCashiers) throw new ApiError('redeeming-not-allowed')
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
