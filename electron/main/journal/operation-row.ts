/** Operations of the journal, and the schema that reads them back. */
import * as v from 'valibot'
import type { Failure } from '../../contract/failure.ts'
import { OPERATION_KINDS, type OperationKind } from '../../contract/operations.ts'
import {
  peopleColumns,
  type Person,
  readPeople,
  type Requester,
  type Scope,
  storedFailureSchema
} from './rows.ts'

const OPERATION_STATES = [
  /** on disk, and being sent; no answer yet */
  'requested',
  /** the service did it */
  'done',
  /** nothing was done; see `failure` */
  'refused',
  /** the answer was lost: it may be done. The till asks again with the same key */
  'unknown',
  /** unknown, and a manager ended it: the till does not ask any more */
  'discarded'
] as const
export type OperationState = (typeof OPERATION_STATES)[number]

/** A new operation, before the service is called. */
export interface NewOperation extends Scope, Requester {
  /** of its request */
  readonly key: string
  readonly kind: OperationKind
  /** the key of the operation that this one undoes; null: none */
  readonly undoes: string | null
  /** of the bill; null: none */
  readonly reference: string | null
  /** why a person asks for it; null: no reason was asked for */
  readonly reason: string | null
  /** what is asked, as its kind has it; holds no name of a person */
  readonly request: object
  /** ISO 8601, UTC */
  readonly requestedAt: string
}

/** An operation of the journal. */
export interface OperationRow extends Omit<NewOperation, 'program' | 'request'> {
  readonly state: OperationState
  /** incremented with each change of the row, and of those that undo it */
  readonly revision: number
  /** the program that requested it; null: a person did. The retention removes the bill */
  readonly caller: Person | null
  readonly contentHash: string | null
  /** as its kind wrote them; the answer is null until there is one */
  readonly request: unknown
  readonly answer: unknown
  /** by the service's clock, ISO 8601, UTC */
  readonly answeredAt: string | null
  readonly failure: Failure | null
  /** when and why a manager discarded it */
  readonly ending: { readonly at: string; readonly note: string } | null
}

const text = v.nullable(v.string())
const json = v.pipe(v.string(), v.parseJson())
const columnsSchema = v.object({
  key: v.string(),
  kind: v.picklist(OPERATION_KINDS),
  undoes: text,
  business_id: v.string(),
  training: v.number(),
  state: v.picklist(OPERATION_STATES),
  revisions: v.number(),
  ...peopleColumns,
  reference: text,
  cashier_number: v.nullable(v.number()),
  content_hash: text,
  reason: text,
  requested_at: v.string(),
  request: json,
  answer: v.nullable(json),
  answered_at: text,
  ended_at: text,
  note: text,
  failure: v.nullable(storedFailureSchema)
})

/** Reads the columns of an operation. Throws a `ValiError` for a row that the journal never writes. */
export function readOperation(columns: unknown): OperationRow {
  const row = v.parse(columnsSchema, columns)
  const { cashier, ...people } = readPeople(row)
  return {
    key: row.key,
    kind: row.kind,
    undoes: row.undoes,
    businessId: row.business_id,
    training: row.training === 1,
    state: row.state,
    revision: row.revisions,
    ...people,
    cashier: cashier && { ...cashier, number: row.cashier_number },
    reference: row.reference,
    contentHash: row.content_hash,
    reason: row.reason,
    requestedAt: row.requested_at,
    request: row.request,
    answer: row.answer,
    answeredAt: row.answered_at,
    failure: row.failure,
    ending: row.ended_at === null ? null : { at: row.ended_at, note: row.note ?? '' }
  }
}
