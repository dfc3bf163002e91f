import type { Failure } from '../../../electron/contract/failure.ts'
import type { PrintFault } from '../../../electron/contract/printing.ts'
import type { Sentence } from './sentence.ts'

const FAULTS = {
  'not-configured': {
    sentence: 'No printer is chosen.',
    next: 'Choose one in Settings, then press Print now.'
  },
  'unknown-queue': {
    sentence: 'This machine no longer knows the printer.',
    next: 'Choose it again in Settings, then press Print now.'
  },
  'print-system-down': {
    sentence: 'This machine’s print service does not run.',
    next: 'Ask a manager to start it, then press Print now.'
  },
  'queue-paused': {
    sentence: 'The printer is paused on this machine.',
    next: 'Resume it in the system’s printer settings, then press Print now.'
  },
  'queue-rejecting': {
    sentence: 'The printer takes no slips now.',
    next: 'Ask a manager to let it accept jobs, then press Print now.'
  },
  'printer-offline': {
    sentence: 'The printer does not answer.',
    next: 'Check that it is on and connected, then press Print now.'
  },
  'out-of-paper': {
    sentence: 'The printer is out of paper.',
    next: 'The slip is kept: press Print now when it’s loaded.'
  },
  'cover-open': {
    sentence: 'The printer’s cover is open.',
    next: 'Close it, then press Print now.'
  },
  'printer-fault': {
    sentence: 'The printer has a fault of its own.',
    next: 'Switch it off and on; if it stays, tell a manager.'
  },
  'refused-size': {
    sentence: 'The printer does not take this size of paper.',
    next: 'Choose the paper that is in it in Settings, then press Print now.'
  },
  'cancelled-at-printer': {
    sentence: 'The slip was cancelled at the printer or in its queue.',
    next: 'Press Print now to print it.'
  },
  'cancelled-here': { sentence: 'Printing was stopped at this till.', next: 'Press Print now to print it.' },
  aborted: {
    sentence: 'This machine’s print service gave the slip up.',
    next: 'Press Print now; if it stays, tell a manager.'
  },
  'bad-document': {
    sentence: 'The printer could not read the slip.',
    next: 'Press Print now; if it stays, tell a manager.'
  },
  'permission-denied': {
    sentence: 'This till may not use the printer.',
    next: 'Ask a manager to allow it, then press Print now.'
  },
  timeout: {
    sentence: 'The printer took too long.',
    next: 'Press Print now when it is ready.'
  },
  unknown: {
    sentence: 'The slip did not come out, and the printer did not say why.',
    next: 'Press Print now; the log has the details.'
  }
} as const satisfies Readonly<Record<PrintFault, Required<Sentence>>>

/**
 * Why a slip did not come out, in a cashier's words. A slip that was handed over and given up may still print: then
 * the sentence says so and the step begins with a look, so that nobody hands out two.
 */
export function printFaultSentence(fault: PrintFault, mayStillPrint: boolean): Required<Sentence> {
  const { sentence, next } = FAULTS[fault]
  if (!mayStillPrint) return { sentence, next }
  return {
    sentence: `${sentence} This slip may still print.`,
    next: `Watch the printer first. ${next}`
  }
}

/**
 * The same for paper that is no slip's first one (a copy, a test page), where another button is pressed: `press` is
 * the word on it. Undefined for a failure that is not the printer's.
 */
export function otherPaperSentence(failure: Failure, press: string): Required<Sentence> | undefined {
  if (failure.kind !== 'not-printed') return undefined
  const { sentence, next } = FAULTS[failure.fault]
  const step = next.replace('The slip is kept: press', 'Press').replace('Print now', press)
  return failure.mayStillPrint
    ? { sentence: `${sentence} This paper may still come out.`, next: `Watch the printer first. ${step}` }
    : { sentence, next: step }
}
