/**
 * Operations: what this till asks of the service with a key. Each is on disk before it is sent, and asked again with its key
 * until its answer comes, so that nothing is done twice.
 */
import * as v from 'valibot'
import type { Failure } from './failure.ts'

export const OPERATION_KINDS = [
  /** a customer spends points on a reward */
  'redeem',
  /** a redemption is taken back */
  'reverse'
] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]

/** The longest reason that a person gives, in UTF-16 code units. */
const MAX_REASON_LENGTH = 200

/** Why an operation is undone, or ended without an answer. */
export const operationReasonSchema = v.pipe(
  v.string(),
  v.maxLength(MAX_REASON_LENGTH),
  v.trim(),
  v.nonEmpty()
)

/** An operation whose answer was lost, as *Needs attention* lists it. */
export interface UnansweredOperation {
  readonly key: string
  readonly kind: OperationKind
  /** null: removed by the retention, or forgotten */
  readonly customer: { readonly id: string; readonly name: string } | null
  readonly points: number
  /** the name of what it is about, such as a reward */
  readonly subject: string
  /** ISO 8601, UTC */
  readonly requestedAt: string
  /** `unknown-outcome`, or what met the till when it asked again */
  readonly failure: Failure | null
  /** whether a manager may end it without an answer; what undoes another one is asked until it is answered */
  readonly canDiscard: boolean
  readonly training: boolean
}
