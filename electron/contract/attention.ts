/** Which slips wait for a person, and the one thing that is right to do with each. */
import type { Failure } from './failure.ts'
import type { Slip, SlipState } from './till.ts'

/** What a slip that needs attention asks for. */
export type AttentionAction =
  /** it has a code, and surely no paper: print it now */
  | 'print'
  /** it has a code, and its paper may have come out: look, and mark it as given if it is there */
  | 'mark-given'
  /** nobody knows whether a code was made, and nobody holds one: discard it, with a reason */
  | 'discard'

/** A slip that needs attention, with its one right action. The other two stay possible where the code exists. */
export interface AttentionSlip {
  readonly slip: Slip
  readonly action: AttentionAction
}

/** States that wait for a person: an outcome nobody knows, and codes without paper. */
export const ATTENTION_STATES = ['unknown', 'issued', 'print-failed'] as const satisfies readonly SlipState[]

const mayBeOnPaper = (failure: Failure | null): boolean =>
  (failure?.kind === 'not-printed' && failure.mayStillPrint) || failure?.kind === 'unknown-outcome'

/** The one right action for a slip, or null when it needs none. */
export function attentionAction({ state, failure }: Pick<Slip, 'state' | 'failure'>): AttentionAction | null {
  switch (state) {
    case 'unknown':
      return 'discard'
    case 'issued':
      return 'print'
    case 'print-failed':
      return mayBeOnPaper(failure) ? 'mark-given' : 'print'
    default:
      return null
  }
}
