/** Operations that can be undone, each with the last one that undoes it, shown as one thing. */
import { randomUUID } from 'node:crypto'
import { err, mapResult, ok, type Result } from '../../contract/failure.ts'
import type {
  OperationKind,
  undoableStates,
  UndoableOperation,
  UndoReason
} from '../../contract/operations.ts'
import type { OperationRow } from '../journal/operation-row.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import { scopeOf } from '../session/current-business.ts'
import {
  keyedOf,
  KeyedOperations,
  type KeyedKind,
  type KeyedOperationsDependencies,
  outcomeOf
} from './keyed-operations.ts'
import { reverseAnswerOf } from './operation-kinds.ts'

/** @param undo the last one */
function stateOf<Done extends string>(
  row: OperationRow,
  undo: OperationRow | null,
  done: Done
): ReturnType<typeof undoableStates<Done>>[number] {
  if (row.state !== 'done') return row.state
  switch (undo?.state) {
    case 'requested':
      return 'undo-requested'
    case 'unknown':
      return 'undo-unknown'
    case 'done':
      return 'undone'
    default:
      return done
  }
}

/** What the service answered to an operation that can be undone. */
interface UndoableAnswer {
  readonly balance: number | null
  readonly reversibleUntil: string | null
}

/**
 * Returns an operation as the page gets it, without what its kind adds.
 * @param undo the last operation that undoes it; null: none
 * @param done the name of its state when the service did it
 */
export function undoableOf<Done extends string>(
  row: OperationRow,
  undo: OperationRow | null,
  done: Done,
  answer: UndoableAnswer | null,
  balanceBefore: number | null
): UndoableOperation<Done> {
  const undone = undo && reverseAnswerOf(undo)
  return {
    ...keyedOf(row, stateOf(row, undo, done), (undone ?? answer)?.balance ?? null),
    balanceBefore,
    reversibleUntil: serviceMoment(answer?.reversibleUntil ?? null)?.toISOString() ?? null,
    undo: undo && { requestedAt: undo.requestedAt, reason: undo.reason ?? '', cashier: undo.cashier },
    undoneAt: undo?.answeredAt ?? null,
    failure: undo === null ? row.failure : undo.failure
  }
}

/** What makes one kind of operations that can be undone. */
interface UndoableKind<Shown> extends KeyedKind<Shown> {
  readonly undoKind: OperationKind
}

/** Each method resolves with `not-saved` when the disk fails. */
export class UndoableOperations<Shown extends { readonly state: string }> extends KeyedOperations<Shown> {
  readonly #undoKind: OperationKind
  readonly #dependencies: KeyedOperationsDependencies

  constructor({ undoKind, ...kind }: UndoableKind<Shown>, dependencies: KeyedOperationsDependencies) {
    super(kind, dependencies)
    this.#undoKind = undoKind
    this.#dependencies = dependencies
  }

  /** Undoes one: the points are as before. */
  undo({ intentId, reason }: UndoReason): Promise<Result<Shown>> {
    const { journal, operations, staff, now } = this.#dependencies
    return this.run('undo', intentId, async () => {
      const business = this.#dependencies.business.current()
      const row = business && this.ofBusiness(intentId, business)
      if (business === null || row?.state !== 'done') return err({ kind: 'not-found' })
      const last = journal.operations.lastUndo(intentId)
      if (last?.state === 'done') return ok(row)
      if (last?.state === 'requested') return err({ kind: 'not-found' })
      // A key answers for ever with its first answer: a new try needs a new one.
      const undo =
        last?.state === 'unknown'
          ? last
          : journal.operations.request({
              key: randomUUID(),
              kind: this.#undoKind,
              undoes: intentId,
              ...scopeOf(business),
              customer: row.customer,
              cashier: staff.state.cashier,
              reference: null,
              program: null,
              reason,
              request: {},
              requestedAt: now().toISOString()
            })
      return mapResult(outcomeOf(await operations.ask(undo, business)), () => row)
    })
  }
}
