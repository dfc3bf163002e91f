/** Credits points to known customers and undoes it. */
import type { Credit, CreditRequest } from '../../contract/credits.ts'
import type { Result } from '../../contract/failure.ts'
import type { CustomerDisplay } from '../customer-display/customer-display.ts'
import type { Journal } from '../journal/journal.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { answeredIdOf, creditAnswerOf, creditRequestOf, type CreditOperation } from './operation-kinds.ts'
import type { AskingProgram, KeyedOperationsDependencies } from './keyed-operations.ts'
import { undoableOf, UndoableOperations } from './undoable-operations.ts'

/** Returns a credit as the page gets it. @param undo the last operation that undoes it; null: none */
export function creditOf(journal: Journal, row: OperationRow, undo: OperationRow | null): Credit {
  const id = answeredIdOf(row)
  const remaining = id === undefined ? null : journal.operations.remainingOf(id)
  const asked = creditRequestOf(row)
  const answer = creditAnswerOf(row)
  const before = answer?.balanceBefore ?? asked.balanceBefore
  return { ...undoableOf(row, undo, 'credited', answer, before), points: asked.points, remaining }
}

export interface CreditsDependencies extends KeyedOperationsDependencies {
  readonly display: Pick<CustomerDisplay, 'showCredited'>
  readonly listener: {
    /** Receives every changed credit of the served business, after the change is on disk. */
    creditChanged(credit: Credit): void
  }
}

/** The credits of this till. */
export class Credits extends UndoableOperations<Credit> {
  constructor(dependencies: CreditsDependencies) {
    const { display, listener, journal } = dependencies
    const kind = {
      kind: 'credit',
      undoKind: 'reverse-credit',
      extension: 'credits/1',
      referencePrefix: 'credit',
      show: (row: OperationRow, undo: OperationRow | null) => creditOf(journal, row, undo),
      onChanged: (credit: Credit) => {
        listener.creditChanged(credit)
      },
      onDone: (credit: Credit) => {
        display.showCredited(credit)
      }
    } as const
    super(kind, dependencies)
  }

  /** Credits points, once per intent id; see `bridge.credits.credit`. @param program that asks for it */
  credit(
    { intentId, customer, reference, ...request }: CreditRequest,
    program: AskingProgram | null = null
  ): Promise<Result<Credit>> {
    return this.request({ intentId, customer, reference, program }, request satisfies CreditOperation)
  }
}
