/** Operations of one kind, with the last one that undoes each: asked once per intent, shown as one thing, and undone. */
import { randomUUID } from 'node:crypto'
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Extension } from '../../contract/loyalty.ts'
import {
  offers,
  type OperationKind,
  type undoableStates,
  type UndoableOperation,
  type UndoReason
} from '../../contract/operations.ts'
import { referenceIntentId } from '../journal/intent-ids.ts'
import { type Journal, journalFailed, readJournal } from '../journal/journal.ts'
import type { NewOperation, OperationRow } from '../journal/operation-row.ts'
import { hasOtherContent } from '../journal/rows.ts'
import type { Logger } from '../log/log.ts'
import { serviceMoment } from '../loyalty/service-time.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { Staff } from '../staff/staff.ts'
import { reverseAnswerOf } from './operation-kinds.ts'
import { canSendAgain, type Operations } from './operations.ts'

/** Operations of a customer that the page gets. */
const MAX_OF_CUSTOMER = 20

/** Returns the failure of a call whose answer was lost, or is not on disk, whatever came of asking again. */
const unanswered = (failure: Failure | null): Failure =>
  failure?.kind === 'unknown-outcome' ? failure : { kind: 'unknown-outcome', cause: 'connection-lost' }

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
    intentId: row.key,
    state: stateOf(row, undo, done),
    revision: row.revision,
    customer: row.customer,
    balanceBefore,
    balance: (undone ?? answer)?.balance ?? null,
    cashier: row.cashier,
    caller: row.caller,
    reference: row.reference,
    requestedAt: row.requestedAt,
    doneAt: row.answeredAt,
    reversibleUntil: serviceMoment(answer?.reversibleUntil ?? null)?.toISOString() ?? null,
    undo: undo && { requestedAt: undo.requestedAt, reason: undo.reason ?? '', cashier: undo.cashier },
    undoneAt: undo?.answeredAt ?? null,
    failure: undo === null ? row.failure : undo.failure,
    ending: row.ending,
    training: row.training
  }
}

/** Returns what came of a request. A row without an answer is unknown. */
function outcomeOf(row: OperationRow): Result<OperationRow> {
  if (row.state === 'done') return ok(row)
  const { state, failure } = row
  return err(
    state === 'refused' || state === 'discarded' ? (failure ?? unanswered(null)) : unanswered(failure)
  )
}

/** An operation as the page gets it, with the columns that the page does not need. */
export interface ShownRow<Shown> {
  readonly shown: Shown
  readonly contentHash: string | null
}

/** What makes one kind of undoable operations. */
export interface UndoableKind<Shown> {
  readonly kind: OperationKind
  readonly undoKind: OperationKind
  /** without it, nothing new is asked */
  readonly extension: Extension
  /** tells the references of programs for this kind from those for others */
  readonly referencePrefix: string
  /** Returns it as the page gets it. @param undo the last operation that undoes it; null: none */
  show(row: OperationRow, undo: OperationRow | null): Shown
  /** Receives every changed one of the served business, after the change is on disk. */
  readonly onChanged: (shown: Shown) => void
  /** Receives one that was just done for the customer at the counter. */
  readonly onDone: (shown: Shown) => void
}

export interface UndoableOperationsDependencies {
  readonly journal: Journal
  readonly operations: Operations
  readonly business: Pick<CurrentBusiness, 'current' | 'connectedId' | 'isServed'>
  readonly staff: Pick<Staff, 'state'>
  readonly now: () => Date
  readonly log: Logger
}

/** A program that asks for an operation, with its bill. */
export type AskingProgram = NonNullable<NewOperation['program']> & { readonly reference: string }

/** For whom it is asked, and by which program or for which bill. */
interface AskedFor extends Pick<NewOperation, 'customer' | 'reference'> {
  readonly intentId: string
  readonly program: AskingProgram | null
}

/** Each method resolves with `not-saved` when the disk fails. */
export class UndoableOperations<Shown extends { readonly state: string }> {
  readonly #kind: UndoableKind<Shown>
  readonly #dependencies: UndoableOperationsDependencies

  constructor(kind: UndoableKind<Shown>, dependencies: UndoableOperationsDependencies) {
    this.#kind = kind
    this.#dependencies = dependencies
    const { journal, business, log } = dependencies
    journal.addListener({
      operationChanged: ({ key, undoes, businessId, training }) => {
        if (!business.isServed({ id: businessId, training })) return
        try {
          const row = journal.operations.byKey(undoes ?? key)
          if (row?.kind === kind.kind) kind.onChanged(this.#shown(row))
        } catch (error) {
          journalFailed(journal, log, error)
        }
      }
    })
  }

  /** Asks for it, once per intent id. @param request as its kind has it */
  request({ intentId, customer, reference, program }: AskedFor, request: object): Promise<Result<Shown>> {
    const { journal, operations, business: source, staff, now } = this.#dependencies
    const { kind, extension, onDone } = this.#kind
    return this.#run('request', intentId, async () => {
      const business = source.current()
      if (business === null) return err({ kind: 'not-connected' })
      const row = journal.operations.byKey(intentId)
      if (row !== null && this.#find(intentId, business) === null) return err({ kind: 'not-found' })
      const isOther = row !== null && program !== null && hasOtherContent(row, program.contentHash)
      if (row !== null && (isOther || !canSendAgain(row))) {
        return outcomeOf(row.state === 'unknown' ? await operations.ask(row, business) : row)
      }
      if (!offers(business, extension)) return err({ kind: 'not-offered' })
      const requested = journal.operations.request({
        key: intentId,
        kind,
        undoes: null,
        ...scopeOf(business),
        customer,
        cashier: staff.state.cashier,
        reference,
        program,
        reason: null,
        request,
        requestedAt: now().toISOString()
      })
      const asked = await operations.ask(requested, business)
      // An answer that comes later, or for another business, is not about the customer at the counter.
      if (asked.state === 'done' && source.isServed(business)) onDone(this.#shown(asked))
      return outcomeOf(asked)
    })
  }

  /** Undoes one: the points are as before. */
  undo({ intentId, reason }: UndoReason): Promise<Result<Shown>> {
    const { journal, operations, staff, now } = this.#dependencies
    return this.#run('undo', intentId, async () => {
      const business = this.#dependencies.business.current()
      const row = business && this.#find(intentId, business)
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
              kind: this.#kind.undoKind,
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

  /** Returns one by its intent, also of another business than the current one; null without one. */
  find(intentId: string): Result<ShownRow<Shown> | null> {
    return this.#read(null, () => this.#rowOf(this.#dependencies.journal.operations.byKey(intentId)))
  }

  /**
   * Returns the intent of a program's reference, with the operation if there is one; `not-connected` without a business. In
   * training mode a reference that is new there may be the repeat of a live one, whose points are taken: it has that row.
   * @param contentHash of the request; a live row with another one is not meant. Null: any
   */
  ofProgram(
    callerId: string,
    reference: string,
    contentHash: string | null
  ): Result<{ readonly intentId: string; readonly row: ShownRow<Shown> | null }> {
    const business = this.#dependencies.business.current()
    if (business === null) return err({ kind: 'not-connected' })
    // What was not sent is sent with the same key, so there is one attempt.
    const intentId = referenceIntentId(
      scopeOf(business),
      callerId,
      `${this.#kind.referencePrefix} ${reference}`,
      1
    )
    const found = mapResult(this.find(intentId), (row) => ({ intentId, row }))
    if (!found.ok || found.value.row !== null || !business.training) return found
    return this.#read(found.value, () => {
      const businessId = this.#dependencies.business.connectedId()
      const live =
        businessId === null
          ? null
          : this.#dependencies.journal.operations.liveOfProgram(
              this.#kind.kind,
              businessId,
              callerId,
              reference
            )
      const isMeant = live !== null && (contentHash === null || live.contentHash === contentHash)
      return isMeant ? { intentId: live.key, row: this.#rowOf(live) } : found.value
    })
  }

  /** Returns those of a customer, newest first. */
  ofCustomer(customerId: string): Result<readonly Shown[]> {
    const { operations } = this.#dependencies.journal
    return this.#read([], (business) =>
      operations
        .ofCustomer(scopeOf(business), customerId, this.#kind.kind, MAX_OF_CUSTOMER)
        .map((row) => this.#shown(row))
    )
  }

  async #run(...[action, intentId, work]: Parameters<Operations['run']>): Promise<Result<Shown>> {
    const done = await this.#dependencies.operations.run(action, intentId, work)
    if (!done.ok) return done
    const { journal, log } = this.#dependencies
    return readJournal(journal, log, () => this.#shown(done.value))
  }

  #find(intentId: string, business: SlipBusiness): OperationRow | null {
    const row = this.#dependencies.operations.find(intentId, business)
    return row?.kind === this.#kind.kind ? row : null
  }

  #shown(row: OperationRow): Shown {
    const { operations } = this.#dependencies.journal
    // The row may be of before the undo.
    return this.#kind.show(operations.byKey(row.key) ?? row, operations.lastUndo(row.key))
  }

  #rowOf(row: OperationRow | null): ShownRow<Shown> | null {
    return row?.kind === this.#kind.kind ? { shown: this.#shown(row), contentHash: row.contentHash } : null
  }

  #read<Value>(empty: Value, query: (business: SlipBusiness) => Value): Result<Value> {
    const { journal, log } = this.#dependencies
    const business = this.#dependencies.business.current()
    return readJournal(journal, log, () => (business === null ? empty : query(business)))
  }
}
