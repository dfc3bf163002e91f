/** The table of operations: what is asked of the service with a key, one row per key, and its state machine. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import { OPERATION_KINDS } from '../../contract/operations.ts'
import type { CustomerOperation } from './customer-slips.ts'
import type { RemovalStep } from './row-removal.ts'
import type { JournalListener } from './journal-listener.ts'
import { type NewOperation, type OperationRow, type OperationState, readOperation } from './operation-row.ts'
import { peopleValues, scopeValues, type Scope } from './rows.ts'
import { OPERATION_UNANSWERED, RETURN_OF_PURCHASE } from './schema.ts'
import { InvalidTransitionError } from './slip-table.ts'

/** The states that follow a state. */
const NEXT: Readonly<Record<OperationState, readonly OperationState[]>> = {
  requested: ['done', 'refused', 'unknown'],
  unknown: ['done', 'refused', 'unknown', 'discarded'],
  done: [],
  // What the service did not refuse by name may be requested again with its key: see `request`.
  refused: [],
  discarded: []
}

/** What a change of state sets. Without a failure the row has none afterwards. */
export interface OperationChange {
  readonly answer?: object
  readonly answeredAt?: string
  readonly failure?: Failure
  readonly ending?: { readonly at: string; readonly note: string }
}

/** What the PDF of an operation is called by its kind, and of one that undoes it: both are told on the same one. */
const FILE_NAMES: Readonly<Record<string, string>> = {
  redeem: 'redemption',
  reverse: 'redemption',
  'reverse-credit': 'credit'
}

/** Returns the name of the PDF of an operation, without extension. It may name the customer, and goes with the row. */
export const operationFileName = ({
  kind,
  key,
  undoes
}: Pick<CustomerOperation, 'kind' | 'key' | 'undoes'>): string =>
  `${FILE_NAMES[kind] ?? kind}-${undoes ?? key}`

const remainingSchema = v.object({ remaining: v.nullable(v.number()) })

const SELECT = `
  SELECT *, revision + (SELECT coalesce(sum(undo.revision + 1), 0) FROM operations AS undo
    WHERE undo.undoes = operations.key) AS revisions
  FROM operations`

/** A newer version may have asked for what this one does not know. */
const KNOWN_KIND = `kind IN (${OPERATION_KINDS.map((kind) => `'${kind}'`).join(', ')})`

/** The old operations that wait for nothing, and that nothing waiting undoes. What undoes one goes with it. */
const OLD = `SELECT key FROM operations AS old WHERE undoes IS NULL AND coalesce(answered_at, requested_at) < :before
  AND state NOT IN ('requested', 'unknown') AND NOT EXISTS (
    SELECT 1 FROM operations AS undo WHERE undo.undoes = old.key AND undo.state IN ('requested', 'unknown'))`

/** Ends the requests that a stopped process left pending: their answers are lost. */
export function endOperations(database: DatabaseSync, reason: string): void {
  database
    .prepare(
      `UPDATE operations SET state = 'unknown', failure = ?, revision = revision + 1 WHERE state = 'requested'`
    )
    .run(reason)
}

/** Every method throws as SQLite does when the disk fails; a returned value is on disk. */
export class OperationTable {
  readonly #database: DatabaseSync
  readonly #listeners: readonly JournalListener[]
  readonly #insert: StatementSync
  readonly #change: StatementSync
  readonly #byKey: StatementSync
  readonly #lastUndo: StatementSync
  readonly #liveOfProgram: StatementSync
  readonly #ofCustomer: StatementSync
  readonly #remaining: StatementSync
  readonly #unanswered: StatementSync
  readonly #countUnanswered: StatementSync

  constructor(database: DatabaseSync, listeners: readonly JournalListener[]) {
    this.#database = database
    this.#listeners = listeners
    this.#insert = database.prepare(`
      INSERT INTO operations (key, kind, undoes, business_id, training, state, customer_id, customer_name, cashier_id,
        cashier_name, cashier_number, caller_id, caller_name, reference, content_hash, reason, requested_at, request)
      VALUES (:key, :kind, :undoes, :businessId, :training, 'requested', :customerId, :customerName, :cashierId,
        :cashierName, :cashierNumber, :callerId, :callerName, :reference, :contentHash, :reason, :requestedAt, :request)
      ON CONFLICT (key) DO UPDATE SET state = excluded.state, revision = revision + 1, failure = NULL,
        customer_id = excluded.customer_id, customer_name = excluded.customer_name,
        cashier_id = excluded.cashier_id, cashier_name = excluded.cashier_name,
        cashier_number = excluded.cashier_number,
        caller_id = excluded.caller_id, caller_name = excluded.caller_name,
        reference = excluded.reference, content_hash = excluded.content_hash, reason = excluded.reason,
        requested_at = excluded.requested_at, request = excluded.request
      WHERE state = 'refused'
    `)
    this.#change = database.prepare(`
      UPDATE operations SET state = :next, revision = revision + 1, failure = :failure, answer = coalesce(:answer, answer),
        answered_at = coalesce(:answeredAt, answered_at), ended_at = coalesce(:endedAt, ended_at), note = coalesce(:note, note)
      WHERE key = :key AND state = :state
    `)
    this.#byKey = database.prepare(`${SELECT} WHERE key = ?`)
    this.#lastUndo = database.prepare(`${SELECT} WHERE undoes = ? ORDER BY number DESC LIMIT 1`)
    this.#liveOfProgram = database.prepare(
      `${SELECT} WHERE training = 0 AND kind = ? AND business_id = ? AND caller_id = ? AND reference = ? AND state <> 'refused'
       ORDER BY number DESC LIMIT 1`
    )
    this.#ofCustomer = database.prepare(
      `${SELECT} WHERE training = ? AND business_id = ? AND customer_id = ? AND kind = ? ORDER BY number DESC LIMIT ?`
    )
    this.#remaining = database.prepare(
      `SELECT min(answer ->> 'remaining') AS remaining FROM operations WHERE ${RETURN_OF_PURCHASE} = ? AND state = 'done'`
    )
    const unanswered = `WHERE training = ? AND business_id = ? AND ${OPERATION_UNANSWERED} AND ${KNOWN_KIND}`
    this.#unanswered = database.prepare(`${SELECT} ${unanswered} ORDER BY number DESC LIMIT ?`)
    this.#countUnanswered = database.prepare(`SELECT count(*) AS count FROM operations ${unanswered}`)
  }

  byKey(key: string): OperationRow | null {
    return this.#first(this.#byKey.get(key))
  }

  /** Returns the newest operation that undoes one, or null. */
  lastUndo(key: string): OperationRow | null {
    return this.#first(this.#lastUndo.get(key))
  }

  /** Returns the newest operation of a program's reference at a business, unless nothing was done. */
  liveOfProgram(kind: string, businessId: string, callerId: string, reference: string): OperationRow | null {
    return this.#first(this.#liveOfProgram.get(kind, businessId, callerId, reference))
  }

  /** Returns the newest operations of a kind for a customer, newest first. */
  ofCustomer(scope: Scope, customerId: string, kind: string, limit: number): readonly OperationRow[] {
    return this.#ofCustomer.all(...scopeValues(scope), customerId, kind, limit).map(readOperation)
  }

  /** Returns the points of a purchase that were left at its last return. @param name its code, or the id of its credit. Null: none went back */
  remainingOf(name: string): number | null {
    return v.parse(remainingSchema, this.#remaining.get(name)).remaining
  }

  /** Returns the newest operations whose answer was lost, newest first. */
  unanswered(scope: Scope, limit: number): readonly OperationRow[] {
    return this.#unanswered.all(...scopeValues(scope), limit).map(readOperation)
  }

  countUnanswered(scope: Scope): number {
    return Number(this.#countUnanswered.get(...scopeValues(scope))?.['count'])
  }

  /** Adds an operation in state `requested`, or replaces a refused one. Throws when the key has another one. */
  request({ customer, cashier, program, training, request, ...columns }: NewOperation): OperationRow {
    const { changes } = this.#insert.run({
      ...columns,
      ...peopleValues({ customer, cashier, program }),
      training: Number(training),
      request: JSON.stringify(request)
    })
    if (changes !== 1) throw new InvalidTransitionError(`The operation ${columns.key} was requested before`)
    return this.#changed(columns.key, null)
  }

  /** Changes the state of an operation. Throws `InvalidTransitionError` when its state has no such change. */
  change(
    key: string,
    next: OperationState,
    { answer, answeredAt, failure, ending }: OperationChange = {}
  ): OperationRow {
    const before = this.byKey(key)
    if (before === null || !NEXT[before.state].includes(next)) {
      throw new InvalidTransitionError(`No change from ${String(before?.state)} to ${next}`)
    }
    const { changes } = this.#change.run({
      key,
      state: before.state,
      next,
      failure: failure === undefined ? null : JSON.stringify(failure),
      answer: answer === undefined ? null : JSON.stringify(answer),
      answeredAt: answeredAt ?? null,
      endedAt: ending?.at ?? null,
      note: ending?.note ?? null
    })
    if (changes !== 1) throw new InvalidTransitionError(`Another process changed the operation ${key}`)
    return this.#changed(key, before.state)
  }

  /** Removes customers, bills and reasons of operations from before a moment (ISO 8601, UTC). */
  *removeNames(before: string): Generator<RemovalStep> {
    yield this.#removal(
      before,
      `UPDATE operations SET customer_id = NULL, customer_name = NULL, reference = NULL, content_hash = NULL,
         request = json_remove(request, '$.reference'),
         reason = CASE WHEN reason IS NULL THEN NULL ELSE '' END, note = CASE WHEN note IS NULL THEN NULL ELSE '' END,
         revision = revision + 1`,
      `AND (customer_id IS NOT NULL OR reference IS NOT NULL OR reason <> '' OR note <> ''
         OR request ->> 'reference' IS NOT NULL)`
    )
  }

  /** Removes operations from before a moment (ISO 8601, UTC). Those whose answer was lost stay. */
  *remove(before: string): Generator<RemovalStep> {
    yield this.#removal(before, 'DELETE FROM operations')
  }

  #removal(before: string, statement: string, condition = ''): RemovalStep {
    const named = this.#database.prepare(
      `SELECT key, kind FROM operations WHERE key IN (${OLD}) AND customer_id IS NOT NULL`
    )
    const remove = `WITH removed AS MATERIALIZED (${OLD}) ${statement}
      WHERE (key IN removed OR undoes IN removed) ${condition}`
    return {
      codes: named
        .all({ before })
        .map(({ key, kind }) => operationFileName({ key: String(key), kind: String(kind), undoes: null })),
      remove: () => Number(this.#database.prepare(remove).run({ before }).changes)
    }
  }

  #first(columns: unknown): OperationRow | null {
    return columns === undefined ? null : readOperation(columns)
  }

  #changed(key: string, before: OperationState | null): OperationRow {
    const row = this.byKey(key)
    if (row === null) throw new InvalidTransitionError(`No operation has the key ${key}`)
    for (const listener of this.#listeners) listener.operationChanged?.(row, before)
    return row
  }
}
