/** The life of a slip as one table; the diagram in ../README.md shows the same. */
import type { SlipState } from '../../../contract/till.ts'

/** What can happen to a slip. */
export type SlipEvent =
  /** the service answered with a code */
  | 'issued'
  /** the service, or the way to it, refused: surely no code was made */
  | 'refused'
  /** no answer that tells whether a code was made */
  | 'answer-lost'
  /** the paper is on its way */
  | 'print-started'
  | 'printed'
  | 'print-failed'
  /** its code is on the customer display, and nobody asked for paper */
  | 'shown'
  /** a person says that the customer has it */
  | 'given'
  /** a person put it away */
  | 'discarded'

const TRANSITIONS: Readonly<Record<SlipState, Partial<Readonly<Record<SlipEvent, SlipState>>>>> = {
  requested: { issued: 'issued', refused: 'refused', 'answer-lost': 'unknown' },
  issued: { 'print-started': 'printing', shown: 'shown', given: 'given', discarded: 'discarded' },
  printing: { printed: 'printed', 'print-failed': 'print-failed' },
  'print-failed': { 'print-started': 'printing', given: 'given', discarded: 'discarded' },
  unknown: { discarded: 'discarded' },
  shown: { 'print-started': 'printing' },
  printed: {},
  refused: {},
  given: {},
  discarded: {}
}

/** The state that `event` leads to from `state`, or null when the slip's life has no such step. */
export const nextState = (state: SlipState, event: SlipEvent): SlipState | null =>
  TRANSITIONS[state][event] ?? null

/** True when a slip in this state holds a code and may still go to paper for the first time. */
export const canPrint = (state: SlipState): boolean => nextState(state, 'print-started') !== null

/** True when a slip in this state has, or had, its first paper: what is printed now is a COPY. */
export const canCopy = (state: SlipState): boolean => state === 'printed' || state === 'given'
