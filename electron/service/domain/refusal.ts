/** Why the service does not do what was asked. The caller can act on each; nothing was changed. */
export const REFUSAL_REASONS = [
  'business-unknown',
  'customer-unknown',
  'customer-exists',
  'customers-identical',
  'phone-malformed',
  'phone-taken',
  'email-malformed',
  'reward-unknown',
  'reward-disabled',
  'name-malformed',
  'country-missing',
  'logo-unsuitable',
  'place-unsuitable',
  'ledger-wrong',
  'code-unknown',
  'code-used',
  'code-expired',
  'code-cancelled',
  'collected-too-soon',
  'points-malformed',
  'points-too-few',
  'points-expired',
  'reason-missing',
  'entry-unknown',
  'entry-reversed',
  'entry-is-reversal',
  'price-changed',
  'reversal-too-late',
  'credit-limit-reached',
  'credit-needs-approval',
  'offline-codes-off',
  'offline-code-refused',
  'purchase-unknown',
  'purchase-ambiguous',
  'purchase-returned',
  'return-too-much',
  'key-reused',
  'request-over',
  'till-unknown',
  'activity-unknown',
  'link-unknown',
  'device-unknown',
  'staff-exists',
  'staff-unknown',
  'staff-removed',
  'owner-missing',
  'password-malformed',
  'password-wrong',
  'passwords-differ',
  'file-missing',
  'file-not-utf8',
  'file-too-long',
  'import-unknown',
  'backup-running'
] as const

export type RefusalReason = (typeof REFUSAL_REASONS)[number]

/**
 * Thrown instead of a change that is not allowed. The message is a sentence in English, for the command line; pages and API
 * have texts of their own for the reason.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly reason: RefusalReason
  /** numbers that a caller can act on */
  readonly details: Readonly<Record<string, number>>

  constructor(reason: RefusalReason, sentence: string, details: Refusal['details'] = {}) {
    super(sentence)
    this.reason = reason
    this.details = details
  }
}

/** A form is sent again that made a secret, such as a pairing code, which is not valid any more. */
export class RequestOver extends Refusal {
  constructor() {
    super('request-over', 'What this form made is no longer valid.')
  }
}

/** A customer collects again before the shortest time that the shop has set. */
export class CollectedTooSoon extends Refusal {
  /** when the customer can collect again; ISO 8601, UTC */
  readonly next: string
  /** the code that the customer collected last */
  readonly lastCode: string

  constructor(next: string, lastCode: string) {
    super('collected-too-soon', `The customer has collected lately, and can again at ${next}.`)
    this.next = next
    this.lastCode = lastCode
  }
}
