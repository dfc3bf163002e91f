/** The errors of the local interface: one name for each, with its status and a sentence that says what to do. */

interface ErrorDefinition {
  readonly status:
    400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 431 | 500 | 502 | 503
  /** what is wrong */
  readonly message: string
  /** whether nothing was changed, which the operation says in its own words (`OperationDefinition.nothing`) */
  readonly isWithoutEffect?: boolean
  /** what to do */
  readonly next: string
}

const SAME_LATER = 'Send the same request again later.'

/** In the order of their statuses. The messages are for logs and programmers, in English. */
export const ERRORS = {
  'bad-request': {
    status: 400,
    message: 'The request is not valid HTTP.',
    next: 'Send HTTP/1.1 with a Host header, and one request for each connection.'
  },
  'not-json': {
    status: 400,
    message: 'The body is not JSON in UTF-8.',
    isWithoutEffect: true,
    next: 'Send a JSON object, such as {}.'
  },
  unauthorized: {
    status: 401,
    message: 'The token is missing, wrong or removed.',
    isWithoutEffect: true,
    next: 'Pair the program again, and send its token as Authorization: Bearer.'
  },
  'host-not-allowed': {
    status: 403,
    message: 'The Host header must be 127.0.0.1 or localhost with the port.',
    next: 'Call the till by this address.'
  },
  'origin-not-allowed': {
    status: 403,
    message: 'Web pages may not call this interface.',
    next: 'Send the request from a program, without Origin and Sec-Fetch-Site.'
  },
  'pairing-refused': {
    status: 403,
    message: 'The pairing code is wrong or no longer valid.',
    isWithoutEffect: true,
    next: 'Make a new one in the settings of the till, Programs, and send it within five minutes.'
  },
  'redeeming-not-allowed': {
    status: 403,
    message: 'Only a manager may redeem at this till.',
    isWithoutEffect: true,
    next: 'Let a manager redeem it at the till, or allow cashiers to redeem in its settings.'
  },
  'path-unknown': { status: 404, message: 'There is no such path.', next: 'See /v1/openapi.json.' },
  'reference-unknown': {
    status: 404,
    message: 'This reference is not known.',
    isWithoutEffect: true,
    next: 'Correct the reference in the path, or send the request of the bill first.'
  },
  'method-not-allowed': {
    status: 405,
    message: 'The path has other methods.',
    next: 'Use one of the Allow header.'
  },
  'request-timeout': { status: 408, message: 'The request did not arrive in time.', next: SAME_LATER },
  'reference-differs': {
    status: 409,
    message: 'The reference was used with other content.',
    isWithoutEffect: true,
    next: 'Each bill needs its own reference: send a new one.'
  },
  'customer-ambiguous': {
    status: 409,
    message: 'Several customers match.',
    isWithoutEffect: true,
    next: 'Send the id of one, from GET /v1/customers.'
  },
  'redemptions-not-offered': {
    status: 409,
    message: 'The Loyalty Points Service does not redeem rewards.',
    isWithoutEffect: true,
    next: 'Redeem as the shop did before.'
  },
  'credits-not-offered': {
    status: 409,
    message: 'The Loyalty Points Service credits no points without a slip.',
    isWithoutEffect: true,
    next: 'Issue a slip with POST /v1/slips.'
  },
  'returns-not-offered': {
    status: 409,
    message: 'The Loyalty Points Service takes no points of a purchase back.',
    isWithoutEffect: true,
    next: 'Take the points back as the shop did before.'
  },
  'purchase-unknown': {
    status: 409,
    message: 'There is no purchase with this reference.',
    isWithoutEffect: true,
    next: 'Correct the purchase in a new request with a new reference, or let a person take the points back by the code of the slip.'
  },
  'purchase-ambiguous': {
    status: 409,
    message: 'Several purchases have this reference.',
    isWithoutEffect: true,
    next: 'A person at the till takes the points back from the right one.'
  },
  'purchase-returned': {
    status: 409,
    message: 'All points of this purchase went back before.',
    isWithoutEffect: true,
    next: 'Nothing is left to do.'
  },
  'return-too-much': {
    status: 409,
    message: 'Fewer points of this purchase remain.',
    isWithoutEffect: true,
    next: 'Send a new request with a new reference and at most the points that remain.'
  },
  'purchase-ended': {
    status: 409,
    message: 'The code of this purchase has expired or was cancelled: no points are left to take.',
    isWithoutEffect: true,
    next: 'Nothing is left to do.'
  },
  'credit-limit-reached': {
    status: 409,
    message: 'This till has credited as many points today as the shop allows.',
    isWithoutEffect: true,
    next: 'Tell the person at the till. Another day the same request needs a new reference.'
  },
  'credit-needs-approval': {
    status: 409,
    message: 'Above the points that this till credits in a day, a manager approves.',
    isWithoutEffect: true,
    next: 'Let a manager give the points at the till, or send the same request another day.'
  },
  'points-too-few': {
    status: 409,
    message: 'The customer has not enough points.',
    isWithoutEffect: true,
    next: 'Show the points of the customer, from GET /v1/customers.'
  },
  'price-changed': {
    status: 409,
    message: 'The reward has another price.',
    isWithoutEffect: true,
    next: 'Read GET /v1/rewards, tell the customer, and send the new price with a new reference.'
  },
  'reward-unavailable': {
    status: 409,
    message: 'There is no such reward, or it is disabled.',
    isWithoutEffect: true,
    next: 'Read GET /v1/rewards, and send one of its ids with a new reference.'
  },
  'not-printable': {
    status: 409,
    message: 'The slip has no code to print, or was discarded.',
    isWithoutEffect: true,
    next: 'Read the slip for its state. To issue again, send a new reference.'
  },
  'not-cancellable': {
    status: 409,
    message: 'The customer may have the code of this slip, or there is none.',
    isWithoutEffect: true,
    next: 'End the code on the pages of the points service.'
  },
  collected: {
    status: 409,
    message: 'A customer has the points of this slip.',
    isWithoutEffect: true,
    next: 'Take them back on the pages of the points service.'
  },
  'not-undoable': {
    status: 409,
    message: 'The redemption has no points to give back: its state says why.',
    isWithoutEffect: true,
    next: 'Read it later if its outcome is unknown.'
  },
  'undo-too-late': {
    status: 409,
    message: 'The points service undoes this redemption no longer.',
    isWithoutEffect: true,
    next: 'Give the points back on its pages.'
  },
  'too-many-programs': {
    status: 409,
    message: 'As many programs are paired as the till takes.',
    isWithoutEffect: true,
    next: 'Remove one in the settings of the till first, and make a new code.'
  },
  discarded: {
    status: 410,
    message: 'The slip was discarded: its code is not to be used.',
    isWithoutEffect: true,
    next: 'To issue again, send a new reference.'
  },
  'code-ended': {
    status: 410,
    message:
      'The reference was used for a bill whose code was collected, has expired or was ended: it may be that of another buyer.',
    isWithoutEffect: true,
    next: 'For another bill, send a new reference. For the same one, read its slip.'
  },
  'credit-discarded': {
    status: 410,
    message:
      'The answer of the Loyalty Points Service was lost, and the credit was ended at the till without it: the customer may have the points.',
    next: 'Do not credit again by the program. A person compares the points of the customer first.'
  },
  'return-discarded': {
    status: 410,
    message:
      'The answer of the Loyalty Points Service was lost, and the return was ended at the till without it: the points may be taken.',
    next: 'Do not send the return again by the program. A person compares the points of the customer first.'
  },
  'redemption-discarded': {
    status: 410,
    message:
      'The answer of the Loyalty Points Service was lost, and the redemption was ended at the till without it: the points may be taken.',
    next: 'Do not redeem again by the program. A person compares the points of the customer first.'
  },
  'body-too-large': {
    status: 413,
    message: 'A body has at most 16 kB.',
    isWithoutEffect: true,
    next: 'Send the fields of the operation only.'
  },
  'media-type-unsupported': {
    status: 415,
    message: 'The Content-Type must be application/json.',
    isWithoutEffect: true,
    next: 'Set the header, and send the request again.'
  },
  invalid: {
    status: 422,
    message: 'A value is not valid.',
    isWithoutEffect: true,
    next: 'Correct it, and send the request again.'
  },
  'currency-differs': {
    status: 422,
    message: 'The currency is not that of the points rule.',
    isWithoutEffect: true,
    next: 'Send an amount in the currency of GET /v1/status, or points.'
  },
  'group-unknown': {
    status: 422,
    message: 'The points rules have no group of goods with this name.',
    isWithoutEffect: true,
    next: 'Send groups of GET /v1/status, or points.'
  },
  'no-points-rule': {
    status: 422,
    message: 'The till has no points rule for amounts.',
    isWithoutEffect: true,
    next: 'Send points instead of amount and currency, or set the rule in the settings of the till.'
  },
  'below-minimum': {
    status: 422,
    message: 'The amount is below the minimum of the points rule.',
    isWithoutEffect: true,
    next: 'Tell the customer that this bill gives no points.'
  },
  'no-points': {
    status: 422,
    message: 'The amount gives no points.',
    isWithoutEffect: true,
    next: 'Tell the customer that this bill gives no points.'
  },
  'customer-unknown': {
    status: 422,
    message: 'There is no such customer.',
    isWithoutEffect: true,
    next: 'Correct the customer, or register one with POST /v1/customers.'
  },
  locked: {
    status: 423,
    message: 'The till is locked.',
    isWithoutEffect: true,
    next: 'Unlock it, or allow this program to issue while it is locked, and send the same request again.'
  },
  'manager-needed': {
    status: 423,
    message: 'Only a manager may do this, and the till is locked or its manager PIN was not entered.',
    isWithoutEffect: true,
    next: 'Enter the manager PIN at the till, and send the same request again.'
  },
  'too-many-requests': {
    status: 429,
    message: 'At most 10 requests in a second.',
    isWithoutEffect: true,
    next: 'Wait, and send it again.'
  },
  'too-many-at-once': {
    status: 429,
    message: 'At most 2 requests at once.',
    isWithoutEffect: true,
    next: 'Wait, and send it again.'
  },
  'headers-too-large': {
    status: 431,
    message: 'The headers have at most 8 kB.',
    next: 'Send fewer or shorter ones.'
  },
  internal: {
    status: 500,
    message: 'The till failed; its log has the reason.',
    next: 'Send the same request again.'
  },
  refused: {
    status: 502,
    message: 'The Loyalty Points Service refused. No points were issued.',
    next: 'To try again, send a new reference.'
  },
  'service-refused': {
    status: 502,
    message: 'The Loyalty Points Service refused.',
    isWithoutEffect: true,
    next: 'Look at the screen and the log of the till for the reason.'
  },
  'not-connected': {
    status: 503,
    message: 'The till is not connected to a business that accepts it.',
    isWithoutEffect: true,
    next: 'Look at its screen, and then send the same request again.'
  },
  'session-changed': {
    status: 503,
    message: 'The till changed to another business, or to or from training mode.',
    isWithoutEffect: true,
    next: 'Send the same request again.'
  },
  'service-unreachable': {
    status: 503,
    message: 'The Loyalty Points Service cannot be reached.',
    isWithoutEffect: true,
    next: SAME_LATER
  },
  'answer-lost': {
    status: 503,
    message: 'The answer of the Loyalty Points Service was lost: it may have done what was asked.',
    next: 'Send the same request again: it is done at most once.'
  },
  'journal-not-written': {
    status: 503,
    message: 'The till cannot write or read its journal.',
    next: 'Send the same request again: it is done at most once.'
  },
  'not-printed': {
    status: 503,
    message: 'The slip was not printed.',
    next: 'Look at the printer, and reprint.'
  }
} as const satisfies Readonly<Record<string, ErrorDefinition>>

export type ErrorName = keyof typeof ERRORS

/**
 * Returns what is wrong, that nothing was changed, and what to do.
 * @param nothing what an operation says when nothing was changed; empty for one that only reads
 * @param message replaces the general sentence of what is wrong
 */
export function sentencesOf(name: ErrorName, nothing = '', message: string = ERRORS[name].message): string {
  const { isWithoutEffect = false, next }: ErrorDefinition = ERRORS[name]
  return [message, isWithoutEffect ? nothing : '', next].filter((sentence) => sentence !== '').join(' ')
}
