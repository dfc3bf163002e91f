/**
 * Everything that can go wrong, as one closed union: the screen answers each kind with a sentence and a next
 * step, and the compiler finds the kind that it forgot. Failures are data: Electron strips error classes and
 * their properties on the way to the page.
 */
import type { PrintFault } from './printing.ts'

/** Most points that one code may carry (interface document, part 8). */
export const MAX_POINTS = 9_999_999

/** Which field of a form was not acceptable. */
export type InputField =
  'name' | 'pin' | 'phone' | 'points' | 'amount' | 'base-url' | 'token' | 'code' | 'country' | 'setting'

/** Why it was not. */
export type InputFault =
  | 'missing'
  | 'too-long'
  | 'not-a-phone'
  | 'not-a-whole-number'
  | 'below-one'
  | 'not-an-address'
  | 'not-https'
  | 'malformed'
  /** somebody else has it already */
  | 'taken'

/** Why nobody knows whether a request that writes was carried out. */
export type UnknownOutcomeCause =
  'timeout' | 'connection-lost' | 'service-down' | 'bad-response' | 'till-stopped'

export type Failure =
  /** The service cannot be reached: no network, no such host, connection refused. Nothing was sent. */
  | { readonly kind: 'offline' }
  /** No answer to a read within the time limit. */
  | { readonly kind: 'timeout' }
  /** The service's certificate is not trusted. Nothing was sent. */
  | { readonly kind: 'tls' }
  /** 401: the service does not accept the token. */
  | { readonly kind: 'unauthorised' }
  /** 403: the token is known, and this is not allowed to it. */
  | { readonly kind: 'forbidden' }
  /** 404: no such customer, reward or code. */
  | { readonly kind: 'not-found' }
  /** 406 on a new customer: the phone is registered already (interface document, 4.3). */
  | { readonly kind: 'already-exists' }
  /** More points than one code may carry, told by the till or by the service's 406 (4.8). */
  | { readonly kind: 'points-too-many'; readonly maximum: number }
  /** Any other refusal, with the service's own words (empty when it gave none). */
  | { readonly kind: 'rejected'; readonly status: number; readonly message: string }
  /** 429: too many requests. Seconds to wait when the service named them. */
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number | null }
  /** 5xx to a read. */
  | { readonly kind: 'service-down'; readonly status: number }
  /** An answer the till cannot use; `path` names the field, or is empty when the whole body is not JSON. */
  | { readonly kind: 'bad-response'; readonly path: string }
  /** A write whose answer was lost: it may or may not have been carried out. */
  | { readonly kind: 'unknown-outcome'; readonly cause: UnknownOutcomeCause }
  /** The till has no service to ask: neither training nor a business was chosen. */
  | { readonly kind: 'not-connected' }
  /** Something typed that cannot be sent. */
  | { readonly kind: 'invalid-input'; readonly field: InputField; readonly fault: InputFault }
  /** The till could not write to its own disk; `what` was not kept. */
  | { readonly kind: 'not-saved'; readonly what: 'settings' | 'journal' | 'slip' | 'export' }
  /** The slip did not come out; `mayStillPrint`: part or all of it was handed over, and may appear later. */
  | { readonly kind: 'not-printed'; readonly fault: PrintFault; readonly mayStillPrint: boolean }
  /** The operating system offers no encryption to keep the token with. */
  | { readonly kind: 'no-encryption' }
  /** A newer question of the same kind took this one's place: nobody waits for it any more, and nothing is shown. */
  | { readonly kind: 'aborted' }
  /** `cashier`: the till is locked until somebody unlocks it. `manager`: this needs the manager's PIN. Nothing was done. */
  | { readonly kind: 'locked'; readonly needs: 'cashier' | 'manager' }
  /** Not the PIN. Seconds until the next try; 0: at once. */
  | { readonly kind: 'wrong-pin'; readonly waitSeconds: number }
  /** The PIN was not looked at: too many wrong ones before. Seconds until the next try. */
  | { readonly kind: 'too-many-tries'; readonly waitSeconds: number }
  /** The token is good, and belongs to another business than this till's. */
  | { readonly kind: 'other-business' }
  /** A fault of the till itself; the log has the details. */
  | { readonly kind: 'internal' }

export type FailureKind = Failure['kind']

/** What a call comes back with: never an exception, never a bare string. */
export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly failure: Failure }

/** Wraps a value as a good answer. */
export const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value })

/** Wraps a failure as an answer of any type. */
export const err = (failure: Failure): { readonly ok: false; readonly failure: Failure } => ({
  ok: false,
  failure
})

/* from mapped.ts: Changing the value inside an answer. */

/** The same failure, or `change` of the value. */
export const mapResult = <Value, Other>(
  answer: Result<Value>,
  change: (value: Value) => Other
): Result<Other> => (answer.ok ? ok(change(answer.value)) : answer)
