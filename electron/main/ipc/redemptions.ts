/** Handlers of `bridge.redemptions`. */
import type { RedemptionsApi } from '../../contract/bridge.ts'
import { err, type Result } from '../../contract/failure.ts'
import type { RedeemRequest, Redemption, RedemptionReason } from '../../contract/redemptions.ts'
import type { PrintedReport } from '../../contract/slip-report.ts'
import type { RewardCatalogue } from '../rewards/reward-catalogue.ts'
import type { Session } from '../session/session.ts'
import type { SlipService } from '../slips/slip-service.ts'
import { type OpenSlips, whenReady } from './slips.ts'

export interface RedemptionsHandlersDependencies {
  readonly slips: OpenSlips
  readonly session: Session
  readonly catalogue: Pick<RewardCatalogue, 'refresh'>
}

/** Returns whether the catalogue of the till is out of date: its reward is not what the service has. */
const isOutdated = (answer: Result<unknown>): boolean =>
  !answer.ok &&
  answer.failure.kind === 'redemption-refused' &&
  ['price-changed', 'reward-disabled', 'reward-unknown'].includes(answer.failure.reason)

export class RedemptionsHandlers implements RedemptionsApi {
  readonly #dependencies: RedemptionsHandlersDependencies

  constructor(dependencies: RedemptionsHandlersDependencies) {
    this.#dependencies = dependencies
  }

  async redeem(request: RedeemRequest): Promise<Result<Redemption>> {
    const { session, slips, catalogue } = this.#dependencies
    const redeemed = await whenReady(session, slips, ({ redemptions }) => redemptions.redeem(request))
    if (isOutdated(redeemed)) void catalogue.refresh()
    return redeemed
  }

  undo(input: RedemptionReason): Promise<Result<Redemption>> {
    const { session, slips } = this.#dependencies
    return whenReady(session, slips, ({ redemptions }) => redemptions.undo(input))
  }

  discard(input: RedemptionReason): Promise<Result<Redemption>> {
    return this.#with(({ redemptions }) => redemptions.discard(input))
  }

  print(input: { intentId: string }): Promise<Result<PrintedReport>> {
    return this.#with(({ printouts }) => printouts.printRedemption(input))
  }

  ofCustomer({ id }: { id: string }): Promise<Result<readonly Redemption[]>> {
    return this.#with(({ redemptions }) => redemptions.ofCustomer(id))
  }

  attention(): Promise<Result<number>> {
    return this.#with(({ redemptions }) => redemptions.attention())
  }

  attentionList(): Promise<Result<readonly Redemption[]>> {
    return this.#with(({ redemptions }) => redemptions.attentionList())
  }

  askAgain(): Promise<Result<readonly Redemption[]>> {
    return this.#with(({ redemptions }) => redemptions.askAgain())
  }

  async #with<Value>(
    call: (slips: SlipService) => Result<Value> | Promise<Result<Value>>
  ): Promise<Result<Value>> {
    const slips = await this.#dependencies.slips.get()
    return slips.ok ? call(slips.value) : err(slips.failure)
  }
}
