import type { OperationKind } from '../../../electron/contract/operations.ts'
import { m } from './messages.ts'

/** What the screen says of a kind of operation whose answer was lost. */
interface OperationMessages {
  /** its state, in a few words */
  readonly state: () => string
  /** what is not known */
  readonly lost: () => string
  /** the question before it is ended without an answer, and what to look at first; null: it is not ended */
  readonly end: { readonly title: () => string; readonly hint: () => string } | null
}

export const OPERATION_MESSAGES: Readonly<Record<OperationKind, OperationMessages>> = {
  redeem: {
    state: () => m.redemptionState({ state: 'unknown' }),
    lost: m.redeemUnknown,
    end: { title: m.endUnansweredTitle, hint: m.endUnansweredHint }
  },
  reverse: {
    state: () => m.redemptionState({ state: 'undo-unknown' }),
    lost: m.undoUnknown,
    end: null
  },
  credit: {
    state: () => m.redemptionState({ state: 'unknown' }),
    lost: m.creditLost,
    end: { title: m.endCreditTitle, hint: m.endCreditHint }
  },
  return: {
    state: () => m.redemptionState({ state: 'unknown' }),
    lost: m.undoCreditLost,
    end: { title: m.endCreditTitle, hint: m.endReturnHint }
  },
  'reverse-credit': {
    state: () => m.redemptionState({ state: 'undo-unknown' }),
    lost: m.undoCreditLost,
    end: null
  }
}
