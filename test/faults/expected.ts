/** What each fault must come to, written down by hand: nothing here is worked out by the code under test. */
import type { Failure, UnknownOutcomeCause } from '../../electron/contract/failure.ts'
import type { SlipState } from '../../electron/contract/slips.ts'

/** A value, or one failure of the closed union. */
export type Outcome = 'value' | Failure

export interface Expected {
  readonly read: Outcome
  readonly register: Outcome
  readonly issue: Outcome
  /** requests of one read that reach the network */
  readonly attempts: number
  /** a write is carried out by the service, whatever the till hears of it */
  readonly carriedOut: boolean
  /** what the journal says of a slip that was asked for meanwhile */
  readonly slip: SlipState
}

const unknown = (cause: UnknownOutcomeCause): Failure => ({ kind: 'unknown-outcome', cause })
const both = (write: Outcome) => ({ register: write, issue: write })

/** All is well, perhaps at the second attempt of a read. */
export const fine = (attempts = 1): Expected => ({
  read: 'value',
  ...both('value'),
  attempts,
  carriedOut: true,
  slip: 'printed'
})

/** No connection came about. `attempts` are not seen by anybody. */
export const notSent = (failure: Failure): Expected => ({
  read: failure,
  ...both(failure),
  attempts: 0,
  carriedOut: false,
  slip: 'refused'
})

/** The connection broke, and nobody knows when. */
export const lost = (carriedOut: boolean, attempts = 3): Expected => ({
  read: { kind: 'offline' },
  ...both(unknown('connection-lost')),
  attempts,
  carriedOut,
  slip: 'unknown'
})

/** No whole answer within the limit. */
export const timedOut = (carriedOut: boolean): Expected => ({
  read: { kind: 'timeout' },
  ...both(unknown('timeout')),
  attempts: 1,
  carriedOut,
  slip: 'unknown'
})

/** An answer that cannot be used; `path` is what a read says of it. */
export const unusable = (path: string, carriedOut: boolean): Expected => ({
  read: { kind: 'bad-response', path },
  ...both(unknown('bad-response')),
  attempts: 1,
  carriedOut,
  slip: 'unknown'
})

/** A status of the service's own faults. */
export const down = (status: number, carriedOut: boolean, attempts = 3): Expected => ({
  read: { kind: 'service-down', status },
  ...both(unknown('service-down')),
  attempts,
  carriedOut,
  slip: 'unknown'
})

/** The same refusal to everything. */
export const refused = (failure: Failure, attempts: number): Expected => ({
  read: failure,
  ...both(failure),
  attempts,
  carriedOut: false,
  slip: 'refused'
})

/** A first answer that a read gets over and a write does not. */
export const once = ({ register, issue, carriedOut, slip }: Expected): Expected => ({
  read: 'value',
  register,
  issue,
  attempts: 2,
  carriedOut,
  slip
})
