/** Invariants of the collected state, whenever a process was killed: those of every journal, and those of the folder of slips. */
import { ALWAYS, AT_REST, findViolations, RECOVERED, type Invariant } from '../support/journal-invariants.ts'
import type { CollectedState } from './collected-state.ts'

const isComplete = (pdf: Buffer): boolean =>
  pdf.subarray(0, 5).toString() === '%PDF-' && pdf.toString('latin1').trimEnd().endsWith('%%EOF')

export const OF_FILES = {
  filesAreComplete: ({ files }) =>
    [...files].filter(([, pdf]) => !isComplete(pdf)).map(([name]) => `${name} is incomplete`),

  copiesAreCounted: ({ slips, papers }) => {
    const counted = new Map(slips.map(({ code, copies }) => [code, copies]))
    return papers
      .filter(({ code, copy }) => copy > (counted.get(code) ?? 0))
      .map(({ code, copy }) => `Copy ${String(copy)} of ${code} was not counted`)
  },

  printedCopiesHaveFiles: ({ slips, files }) =>
    slips
      .filter(({ lastCopy }) => lastCopy?.state === 'printed')
      .map(({ code, copies }) => `${String(code)}-COPY-${String(copies)}`)
      .filter((name) => !files.has(name))
      .map((name) => `${name} is missing`)
} as const satisfies Readonly<Record<string, Invariant<CollectedState>>>

/** Returns the first violations of each invariant; empty when all hold. */
export const violationsOf = (state: CollectedState): Record<string, string[]> =>
  findViolations(state, ALWAYS, AT_REST, RECOVERED, OF_FILES)
