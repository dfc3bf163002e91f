/** Operations of one kind: asked once per intent, also by programs, and shown as the page gets them. */
import { err, type Failure, mapResult, ok, type Result } from '../../contract/failure.ts'
import type { Extension } from '../../contract/extensions.ts'
import { offers, type KeyedOperation, type OperationKind } from '../../contract/operations.ts'
import { referenceIntentId } from '../journal/intent-ids.ts'
import { type Journal, journalFailed, readJournal } from '../journal/journal.ts'
import type { NewOperation, OperationRow } from '../journal/operation-row.ts'
import { hasOtherContent } from '../journal/rows.ts'
import type { Logger } from '../log/log.ts'
import { type CurrentBusiness, scopeOf, type SlipBusiness } from '../session/current-business.ts'
import type { Staff } from '../staff/staff.ts'
import { canSendAgain, type Operations } from './operations.ts'

/** Operations of a customer that the page gets. */
const MAX_OF_CUSTOMER = 20

/** Returns the failure of a call whose answer was lost, or is not on disk, whatever came of asking again. */
const unanswered = (failure: Failure | null): Failure =>
  failure?.kind === 'unknown-outcome' ? failure : { kind: 'unknown-outcome', cause: 'connection-lost' }

/**
 * Returns an operation as the page gets it, without what its kind adds.
 * @param state as its kind calls it
 */
export const keyedOf = <State extends string>(
  row: OperationRow,
  state: State,
  balance: number | null
): KeyedOperation<State> => ({
  intentId: row.key,
  state,
  revision: row.revision,
  customer: row.customer,
  balance,
  cashier: row.cashier,
  caller: row.caller,
  reference: row.reference,
  requestedAt: row.requestedAt,
  doneAt: row.answeredAt,
  failure: row.failure,
  ending: row.ending,
  training: row.training
})

/** Returns what came of a request. A row without an answer is unknown. */
export function outcomeOf(row: OperationRow): Result<OperationRow> {
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

/** What makes one kind of operations. */
export interface KeyedKind<Shown> {
  readonly kind: OperationKind
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

export interface KeyedOperationsDependencies {
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
  /** why a person asks for it; null: no reason was asked for */
  readonly reason?: string | null
}

/** Each method resolves with `not-saved` when the disk fails. */
export class KeyedOperations<Shown extends { readonly state: string }> {
  readonly #kind: KeyedKind<Shown>
  readonly #dependencies: KeyedOperationsDependencies

  constructor(kind: KeyedKind<Shown>, dependencies: KeyedOperationsDependencies) {
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
  request(
    { intentId, customer, reference, program, reason = null }: AskedFor,
    request: object
  ): Promise<Result<Shown>> {
    const { journal, operations, business: source, staff, now } = this.#dependencies
    const { kind, extension, onDone } = this.#kind
    return this.run('request', intentId, async () => {
      const business = source.current()
      if (business === null) return err({ kind: 'not-connected' })
      const row = journal.operations.byKey(intentId)
      if (row !== null && this.ofBusiness(intentId, business) === null) return err({ kind: 'not-found' })
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
        reason,
        request,
        requestedAt: now().toISOString()
      })
      const asked = await operations.ask(requested, business)
      // An answer that comes later, or for another business, is not about the customer at the counter.
      if (asked.state === 'done' && source.isServed(business)) onDone(this.#shown(asked))
      return outcomeOf(asked)
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

  /** Runs an action, and returns the operation as it is then. */
  protected async run(...[action, intentId, work]: Parameters<Operations['run']>): Promise<Result<Shown>> {
    const done = await this.#dependencies.operations.run(action, intentId, work)
    if (!done.ok) return done
    const { journal, log } = this.#dependencies
    return readJournal(journal, log, () => this.#shown(done.value))
  }

  /** Returns one of this kind; null when the business has none. */
  protected ofBusiness(intentId: string, business: SlipBusiness): OperationRow | null {
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
