/**
 * Operations: what this till asks of the service with a key. Each is on disk before it is sent, and asked again with its key
 * until its answer comes, so that nothing is done twice.
 */
import * as v from 'valibot'
import type { Failure } from './failure.ts'
import type { Extension } from './extensions.ts'
import type { Account } from './loyalty.ts'

/** Returns whether the service offers an extension. Known offline too: from the last profile that was read. */
export const offers = (business: Pick<Account, 'extensions'> | null, extension: Extension): boolean =>
  business?.extensions.includes(extension) ?? false

export const OPERATION_KINDS = [
  /** a customer spends points on a reward */
  'redeem',
  /** a redemption is taken back */
  'reverse',
  /** a known customer gets points without a code */
  'credit',
  /** a credit is taken back */
  'reverse-credit',
  /** points of a purchase go back with the goods */
  'return'
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

/** Returns the states of an operation that can be undone. @param done what it is called when the service did it */
export const undoableStates = <const Done extends string>(done: Done) =>
  [
    /** on disk, and being sent; no answer yet */
    'requested',
    done,
    /** nothing was changed; see `failure` */
    'refused',
    /** the answer was lost: it may be done. The till asks again with the same key */
    'unknown',
    /** done; the undo is being sent */
    'undo-requested',
    /** done, and the answer to the undo was lost. The till asks again with the same key */
    'undo-unknown',
    /** the points are as before */
    'undone',
    /** unknown, and a manager ended it: the till does not ask any more */
    'discarded'
  ] as const

/** An operation of the journal, as the page sees it. */
export interface KeyedOperation<State extends string> {
  /** made by the page; also the key of the request */
  readonly intentId: string
  readonly state: State
  /** incremented with each change */
  readonly revision: number
  /** null: none, removed by the retention, or forgotten */
  readonly customer: { readonly id: string; readonly name: string } | null
  /** points as the service answered last, afterwards or after the undo; null before the answer, or if it has none */
  readonly balance: number | null
  /** who asked for it, with the name at that time; null: none */
  readonly cashier: { readonly id: string; readonly name: string } | null
  /** the program that requested it over the local interface; null: a person did */
  readonly caller: { readonly id: string; readonly name: string } | null
  /** of the bill; null: none, or removed by the retention */
  readonly reference: string | null
  /** ISO 8601, UTC */
  readonly requestedAt: string
  /** by the service's clock; null until it answered */
  readonly doneAt: string | null
  /** why it was refused or is unknown, or, when it is done, why the last undo was refused */
  readonly failure: Failure | null
  /** when and why a manager discarded it */
  readonly ending: { readonly at: string; readonly note: string } | null
  readonly training: boolean
}

/** An operation of a customer that can be undone. */
export interface UndoableOperation<Done extends string> extends KeyedOperation<
  ReturnType<typeof undoableStates<Done>>[number]
> {
  /** points as the cashier saw them before; null: not known */
  readonly balanceBefore: number | null
  /** until when the service undoes it; null: not known */
  readonly reversibleUntil: string | null
  /** the last undo that was requested; `cashier`: who was serving. null: none */
  readonly undo: {
    readonly requestedAt: string
    readonly reason: string
    readonly cashier: { readonly id: string; readonly name: string } | null
  } | null
  /** by the service's clock; null unless it is undone */
  readonly undoneAt: string | null
}

/**
 * Returns whether a manager can try to undo it now; the service decides. A till whose clock is ahead of the service's counts
 * the time since its own request.
 * @param now of the till's clock
 */
export const canUndo = (
  {
    state,
    requestedAt,
    doneAt,
    reversibleUntil
  }: Pick<UndoableOperation<'redeemed' | 'credited'>, 'state' | 'requestedAt' | 'doneAt' | 'reversibleUntil'>,
  now: Date
): boolean => {
  const isDone = state === 'redeemed' || state === 'credited'
  if (!isDone || reversibleUntil === null) return isDone
  const until = Date.parse(reversibleUntil)
  const allowedMs = until - Date.parse(doneAt ?? reversibleUntil)
  return now.getTime() <= Math.max(until, Date.parse(requestedAt) + allowedMs)
}

/** An operation and why it is undone. */
export const undoReasonSchema = v.strictObject({
  intentId: v.pipe(v.string(), v.uuid()),
  reason: operationReasonSchema
})
export type UndoReason = Readonly<v.InferOutput<typeof undoReasonSchema>>

const text = (maxLength: number) => v.pipe(v.string(), v.maxLength(maxLength))
const id = v.pipe(text(500), v.nonEmpty())

/** What the page sends of each operation: the customer as shown. */
export const operationEntries = {
  /** a second call with it does nothing more */
  intentId: v.pipe(v.string(), v.uuid()),
  customer: v.strictObject({ id, name: text(500) }),
  /** points before, as they are shown; null: not known */
  balanceBefore: v.nullable(v.pipe(v.number(), v.finite()))
}

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
