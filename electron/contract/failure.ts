/**
 * Every failure that a call can return, as a closed union. Each kind has a message
 * (renderer/src/i18n/failure-messages.ts), and the compiler reports a missing one. Failures are data, because Electron strips error classes and their properties between processes.
 */
import * as v from 'valibot'
import { offeredPapersSchema, PRINT_FAULTS } from './printing.ts'

/** The field of a form that was invalid. */
export const INPUT_FIELDS = [
  'name',
  'pin',
  'phone',
  'points',
  'amount',
  'base-url',
  'token',
  'code',
  'country',
  'setting'
] as const
export type InputField = (typeof INPUT_FIELDS)[number]

/** The reason why it was invalid. */
export const INPUT_FAULTS = [
  'missing',
  'too-long',
  /** the till can do without, but the service has refused it */
  'required-by-service',
  'not-a-phone',
  'not-a-whole-number',
  'below-one',
  'not-an-address',
  'not-https',
  'malformed',
  /** the till cannot find the code in a scanned URL */
  'not-in-address',
  /** not known, used or expired */
  'pairing-code-unknown',
  /** the pairing code is one of another business than the till is connected to */
  'pairing-code-elsewhere',
  /** the code that a customer's phone shows: of another shop or a day old, used, or older than two minutes */
  'customer-code-unknown',
  'customer-code-used',
  'customer-code-expired',
  /** no phone shows these digits now */
  'digits-unknown',
  /** another cashier has it already */
  'taken'
] as const
export type InputFault = (typeof INPUT_FAULTS)[number]

/** The cause of an unknown outcome of a write. */
const UNKNOWN_OUTCOME_CAUSES = [
  'timeout',
  'connection-lost',
  'service-down',
  'bad-response',
  'till-stopped'
] as const
export type UnknownOutcomeCause = (typeof UNKNOWN_OUTCOME_CAUSES)[number]

/** The refusals of the extension that a till acts on: the field `code` of an error. */
export const OPERATION_REFUSALS = [
  'points-too-few',
  'price-changed',
  'reward-disabled',
  'reward-unknown',
  'customer-unknown',
  'reversal-too-late',
  /** it was undone before, with another key: at another till, or on the service's pages */
  'redemption-reversed',
  'redemption-unknown',
  /** the shop's limit of points that one till credits in a day */
  'credit-limit-reached',
  /** above the points that a till credits in a day without a manager: comes again, approved, with its key */
  'credit-needs-approval',
  'credit-reversed',
  'credit-unknown',
  'purchase-unknown',
  /** several purchases have the reference */
  'purchase-ambiguous',
  /** all points of the purchase were taken back */
  'purchase-returned',
  /** less than was asked remains of the purchase */
  'return-too-much',
  'code-expired',
  'code-cancelled'
] as const
export type OperationRefusal = (typeof OPERATION_REFUSALS)[number]

/** What no second try changes: it is undone already, is unknown, or is too old. */
const FINAL_REFUSALS: ReadonlySet<OperationRefusal> = new Set([
  'reversal-too-late',
  'redemption-reversed',
  'redemption-unknown',
  'credit-reversed',
  'credit-unknown'
])

const plain = <const Kind extends string>(kind: Kind) => v.object({ kind: v.literal(kind) })

/** A failure, for a page or a journal that reads it back. */
export const failureSchema = v.variant('kind', [
  /** The service cannot be reached: no network, no such host, connection refused. Nothing was sent. */
  plain('offline'),
  /** No response to a read within the time limit. */
  plain('timeout'),
  /** The service's certificate is not trusted. Nothing was sent. */
  plain('tls'),
  /** 401: the service does not accept the token. */
  plain('unauthorised'),
  /** 403: the token is valid, but not permitted to do this. */
  plain('forbidden'),
  /** 404: no such customer, reward or code. */
  plain('not-found'),
  /** More points than one code can carry (`POST /qr`). Nothing was sent. */
  v.object({ kind: v.literal('points-too-many'), maximum: v.number() }),
  /** Any other refusal, 406 included, with the message of the service, or an empty one. */
  v.object({ kind: v.literal('rejected'), status: v.number(), message: v.string() }),
  /** 429: too many requests. Seconds to wait, if the service sent them. */
  v.object({ kind: v.literal('busy'), retryAfterSeconds: v.nullable(v.number()) }),
  /** 503 to a write: the disk of the service is full, and it says that nothing was changed. */
  plain('service-full'),
  /** 5xx to a read. */
  v.object({ kind: v.literal('service-down'), status: v.number() }),
  /** An invalid response; `path` is the field, or empty if the body is not JSON. */
  v.object({ kind: v.literal('bad-response'), path: v.string() }),
  /** The response to a write was lost: it may or may not have been executed. */
  v.object({ kind: v.literal('unknown-outcome'), cause: v.picklist(UNKNOWN_OUTCOME_CAUSES) }),
  /** The till has no service: neither training mode nor a business is connected. */
  plain('not-connected'),
  /** Invalid user input. */
  v.object({
    kind: v.literal('invalid-input'),
    field: v.picklist(INPUT_FIELDS),
    fault: v.picklist(INPUT_FAULTS)
  }),
  /** The disk could not be written; `what` was not saved. */
  v.object({ kind: v.literal('not-saved'), what: v.picklist(['settings', 'journal', 'slip', 'export']) }),
  /**
   * The slip was not printed; `mayStillPrint`: a part of the job was sent, and may be printed later. `offered`: what the queue
   * takes instead of a refused size. `said`: the reason in the print service's own words, where no fault names it.
   */
  v.object({
    kind: v.literal('not-printed'),
    fault: v.picklist(PRINT_FAULTS),
    mayStillPrint: v.boolean(),
    offered: v.exactOptional(offeredPapersSchema),
    said: v.exactOptional(v.string())
  }),
  /** The operating system offers no encryption for the token. */
  plain('no-encryption'),
  /** A newer call replaced this one. The page shows nothing. */
  plain('aborted'),
  /** `cashier`: the till is locked. `manager`: this requires the manager PIN. Nothing was done. */
  v.object({ kind: v.literal('locked'), needs: v.picklist(['cashier', 'manager']) }),
  /** Wrong PIN. Seconds until the next attempt; 0: at once. */
  v.object({ kind: v.literal('wrong-pin'), waitSeconds: v.number() }),
  /** Too many wrong PINs: this one was not verified. Seconds until the next attempt. */
  v.object({ kind: v.literal('too-many-tries'), waitSeconds: v.number() }),
  /** The token is valid, but belongs to another business than the connected one. */
  plain('other-business'),
  /** The service does not do this for tills. Nothing was changed. */
  plain('not-offered'),
  /** The service refused an operation by name, and changed nothing. `remaining`: points of the purchase that did not go back yet. */
  v.object({
    kind: v.literal('operation-refused'),
    reason: v.picklist(OPERATION_REFUSALS),
    remaining: v.exactOptional(v.number())
  }),
  /** The policy of this till locks the setting. Nothing was changed. */
  plain('managed'),
  /** A bug of the till; see the log. */
  plain('internal')
])
export type Failure = Readonly<v.InferOutput<typeof failureSchema>>
export type FailureKind = Failure['kind']

/** The result of a call: a value or a failure. */
export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure }

/** Returns a successful result. */
export const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value })

/** Returns a failed result of any type. */
export const err = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure
})

/** Returns the same failure, or a result with `change` applied to the value. */
export const mapResult = <Value, Other>(
  answer: Result<Value>,
  change: (value: Value) => Other
): Result<Other> => (answer.ok ? ok(change(answer.value)) : answer)

/** Returns whether an undo was refused for good: to ask again is of no use. */
export const isUndoOver = (failure: Failure | null): boolean =>
  failure?.kind === 'operation-refused' && FINAL_REFUSALS.has(failure.reason)

/** Returns whether a credit comes again when a manager has approved it. */
export const needsApproval = (failure: Failure): boolean =>
  failure.kind === 'operation-refused' && failure.reason === 'credit-needs-approval'
