/** What must hold after each action, and of the slips after some. */
import { ALWAYS, AT_REST, findViolations, type JournalFacts } from '../support/journal-invariants.ts'
import type { Screen } from './page-probe.ts'
import type { SlipRow } from './world.ts'

/** What one action did. */
export interface Step {
  readonly screen: Screen
  /** errors of the pages and main, and violations of the content security policy */
  readonly errors: readonly string[]
  /** rows of the journal before and after it */
  readonly before: readonly SlipRow[]
  readonly after: readonly SlipRow[]
}

/** Hold after each action. Each returns its violations, as sentences. */
const AFTER_EACH = {
  nothingFails: ({ errors }) => errors,

  /** The focus is on something that is seen. It may be nowhere where no key has a meaning: outside of the shell. */
  focusIsVisible: ({ screen: { focusFault } }) => (focusFault === null ? [] : [focusFault]),

  mainActionsAreFree: ({ screen: { covered } }) => covered,

  /** One action issues at most one slip, except by a batch. */
  oneSlipForAnIntent: ({ before, after }) => {
    const last = before.at(-1)?.number ?? 0
    const added = after.filter(({ number, batchId }) => number > last && batchId === null)
    return added.length > 1 ? [`${String(added.length)} slips by one action`] : []
  }
} as const satisfies Readonly<Record<string, (step: Step) => readonly string[]>>

/** Returns the violations of one action. */
export const violationsAfter = (step: Step): readonly string[] =>
  Object.entries(AFTER_EACH).flatMap(([name, invariant]) =>
    invariant(step).map((sentence) => `${name}: ${sentence}`)
  )

/** Returns how the journal and the service disagree. An unknown outcome explains a code that is in no row. */
export const disagreements = (facts: JournalFacts, isAtRest: boolean): readonly string[] =>
  Object.entries(isAtRest ? findViolations(facts, ALWAYS, AT_REST) : findViolations(facts, ALWAYS)).flatMap(
    ([name, found]) => found.map((sentence) => `${name}: ${sentence}`)
  )
