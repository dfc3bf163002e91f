/** Handlers of `bridge.redemptions`. */
import type { RedemptionsApi } from '../../contract/bridge.ts'
import { err, ok, type Result } from '../../contract/failure.ts'
import type { Redemption } from '../../contract/redemptions.ts'
import type { PrintedReport } from '../../contract/slips.ts'

const notOffered = (): Promise<Result<never>> => Promise.resolve(err({ kind: 'not-offered' }))
const none = (): Promise<Result<readonly Redemption[]>> => Promise.resolve(ok([]))

export class RedemptionsHandlers implements RedemptionsApi {
  redeem(): Promise<Result<Redemption>> {
    return notOffered()
  }

  undo(): Promise<Result<Redemption>> {
    return notOffered()
  }

  discard(): Promise<Result<Redemption>> {
    return notOffered()
  }

  print(): Promise<Result<PrintedReport>> {
    return notOffered()
  }

  ofCustomer(): Promise<Result<readonly Redemption[]>> {
    return none()
  }

  attention(): Promise<Result<number>> {
    return Promise.resolve(ok(0))
  }

  attentionList(): Promise<Result<readonly Redemption[]>> {
    return none()
  }

  askAgain(): Promise<Result<readonly Redemption[]>> {
    return none()
  }
}
