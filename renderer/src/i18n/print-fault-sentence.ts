import type { Failure } from '../../../electron/contract/failure.ts'
import type { PrintFault } from '../../../electron/contract/printing.ts'
import { m } from './m.ts'
import type { Sentence } from './sentence.ts'

/**
 * Why a slip did not come out, in a cashier's words. A slip that was handed over and given up may still print: then
 * the sentence says so and the step begins with a look, so that nobody hands out two.
 */
export function printFaultSentence(fault: PrintFault, mayStillPrint: boolean): Required<Sentence> {
  const sentence = m.printFault({ fault })
  const press = m.printNow()
  const next = fault === 'out-of-paper' ? m.slipKeptOutOfPaper({ press }) : m.printFaultNext({ fault, press })
  if (!mayStillPrint) return { sentence, next }
  return {
    sentence: `${sentence} ${m.slipMayStillPrint()}`,
    next: `${m.checkPrinterFirst()} ${next}`
  }
}

/**
 * The same for paper that is no slip's first one (a copy, a test page), where another button is pressed: `press` is
 * the word on it. Undefined for a failure that is not the printer's.
 */
export function otherPaperSentence(failure: Failure, press: string): Required<Sentence> | undefined {
  if (failure.kind !== 'not-printed') return undefined
  const { fault } = failure
  const sentence = m.printFault({ fault })
  const next = m.printFaultNext({ fault, press })
  return failure.mayStillPrint
    ? { sentence: `${sentence} ${m.reportMayStillPrint()}`, next: `${m.checkPrinterFirst()} ${next}` }
    : { sentence, next }
}
