/** Redeems rewards and undoes it. */
import type { Result } from '../../contract/failure.ts'
import type { RedeemRequest, Redemption } from '../../contract/redemptions.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { redeemAnswerOf, redeemRequestOf, type RedeemOperation } from './operation-kinds.ts'
import type { AskingProgram, KeyedOperationsDependencies } from './keyed-operations.ts'
import { undoableOf, UndoableOperations } from './undoable-operations.ts'

/** Returns a redemption as the page gets it. @param undo the last operation that undoes it; null: none */
export function redemptionOf(row: OperationRow, undo: OperationRow | null): Redemption {
  const { reward, cost, balanceBefore } = redeemRequestOf(row)
  return { ...undoableOf(row, undo, 'redeemed', redeemAnswerOf(row), balanceBefore), reward, cost }
}

export interface RedemptionsDependencies extends KeyedOperationsDependencies {
  readonly display: Pick<CustomerDisplay, 'showRedeemed'>
  readonly listener: {
    /** Receives every changed redemption of the served business, after the change is on disk. */
    redemptionChanged(redemption: Redemption): void
  }
}

/** The redemptions of this till. */
export class Redemptions extends UndoableOperations<Redemption> {
  constructor(dependencies: RedemptionsDependencies) {
    const { display, listener } = dependencies
    const kind = {
      kind: 'redeem',
      undoKind: 'reverse',
      extension: 'redemptions/1',
      referencePrefix: 'redemption',
      show: redemptionOf,
      onChanged: (redemption: Redemption) => {
        listener.redemptionChanged(redemption)
      },
      onDone: (redemption: Redemption) => {
        display.showRedeemed(redemption)
      }
    } as const
    super(kind, dependencies)
  }

  /** Redeems a reward, once per intent id; see `bridge.redemptions.redeem`. @param program that asks for it */
  redeem(
    { intentId, customer, ...request }: RedeemRequest,
    program: AskingProgram | null = null
  ): Promise<Result<Redemption>> {
    const reference = program?.reference ?? null
    return this.request({ intentId, customer, reference, program }, request satisfies RedeemOperation)
  }
}
