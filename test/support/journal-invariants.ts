/**
 * What must hold of a journal, whatever happened to its tills: it is compared with what was seen outside of them. The crash,
 * model, soak and fault tests collect these facts, each in its own way, and check the same invariants.
 */
import type { Slip } from '../../electron/contract/slips.ts'
import type { Scope } from '../../electron/main/journal/rows.ts'

/** A row of the journal. */
export interface JournalRow extends Scope {
  readonly intentId: string
  readonly state: Slip['state']
  readonly points: number
  readonly code: string | null
  /** null: none */
  readonly failure: unknown
  readonly isCopyPrinting: boolean
}

/** A code of the service. */
export interface MadeCode extends Scope {
  readonly points: number
}

/** A printout; `copy` 0 is the first one, without the mark COPY. */
export interface Printout {
  readonly code: string
  readonly copy: number
}

/** Requests are told apart by their points. */
export interface JournalFacts {
  readonly slips: readonly JournalRow[]
  readonly made: ReadonlyMap<string, MadeCode>
  /** number of requests to make a code that were sent, by points */
  readonly posts: ReadonlyMap<number, number>
  /** number of requests that may be sent: one for each intent, by points */
  readonly intents: ReadonlyMap<number, number>
  /** codes that a till reported as stored, by intent id */
  readonly stored: ReadonlyMap<string, string>
  readonly papers: readonly Printout[]
  /** codes that a restored backup does not have */
  readonly forgotten: ReadonlySet<string>
}

/** Returns its violations, as sentences. */
export type Invariant<Facts> = (facts: Facts) => string[]
type Invariants<Facts> = Readonly<Record<string, Invariant<Facts>>>

/** Returns a slip with what its row has beside it. */
export const rowOf = (slip: Slip, businessId: string): Slip & JournalRow => ({
  ...slip,
  businessId,
  isCopyPrinting: slip.lastCopy?.state === 'printing'
})

/** Returns the printout that a file in the folder of slips is. */
export function printoutOf(fileName: string): Printout {
  const [, code = '', copy = '0'] = /^(.*?)(?:-COPY-(\d+))?(?:\.pdf)?$/.exec(fileName) ?? []
  return { code, copy: Number(copy) }
}

const duplicatesOf = (values: readonly string[]): string[] => [
  ...new Set(values.filter((value, index) => values.indexOf(value) !== index))
]

/** Hold at every moment. */
export const ALWAYS = {
  storedCodesAreKept: ({ slips, stored }) => {
    const codes = new Map(slips.map(({ intentId, code }) => [intentId, code]))
    return [...stored]
      .filter(([intentId, code]) => codes.get(intentId) !== code)
      .map(([intentId, code]) => `${code} of ${intentId} was stored, and is lost`)
  },

  /** A code of the service is in the journal, or the outcome of a slip with these points is not known. */
  madeCodesAreAccountedFor: ({ slips, made, forgotten }) => {
    const codes = new Set(slips.map(({ code }) => code))
    const unknown = new Map<number, number>()
    for (const { code, points, state } of slips) {
      // A refusal means that there is no code.
      if (code === null && state !== 'refused') unknown.set(points, (unknown.get(points) ?? 0) + 1)
    }
    return [...made].flatMap(([code, { points }]) => {
      if (codes.has(code) || forgotten.has(code)) return []
      const left = unknown.get(points) ?? 0
      unknown.set(points, left - 1)
      return left > 0 ? [] : [`${code} with ${String(points)} points is in no row`]
    })
  },

  requestsAreNotRepeated: ({ posts, intents }) =>
    [...posts]
      .filter(([points, count]) => count > (intents.get(points) ?? 0))
      .map(([points, count]) => `${String(count)} requests for ${String(points)} points`),

  /** A code in the journal is of its row's business, with its points, and in no other row. */
  codesBelongToTheirRows: ({ slips, made }) => {
    const coded = slips.filter(({ code }) => code !== null)
    const wrong = coded.filter((row) => {
      const one = made.get(row.code ?? '')
      return one?.points !== row.points || one.businessId !== row.businessId || one.training !== row.training
    })
    return [
      ...wrong.map(({ code, points }) => `${String(code)} was not made with ${String(points)} points`),
      ...duplicatesOf(coded.map(({ code }) => String(code))).map((code) => `${code} is in two rows`)
    ]
  },

  statesHaveTheirColumns: ({ slips }) =>
    slips
      .filter(({ state, code, failure }) => {
        const hasNoCode = state === 'requested' || state === 'unknown' || state === 'refused'
        const hasFailure = state === 'unknown' || state === 'refused' || state === 'print-failed'
        return (state !== 'discarded' && (code === null) !== hasNoCode) || (hasFailure && failure === null)
      })
      .map(({ intentId, state, code }) => `${intentId} is ${state} with code ${String(code)}`),

  /** No code is on two first printouts, and no two copies have the same number. */
  printoutsDiffer: ({ papers }) =>
    duplicatesOf(papers.map(({ code, copy }) => `${code}, copy ${String(copy)}`)).map(
      (paper) => `Printed twice: ${paper}`
    ),

  printedCodesAreInTheJournal: ({ slips, papers, forgotten }) => {
    const codes = new Set(slips.map(({ code }) => code))
    return papers
      .filter(({ code }) => !codes.has(code) && !forgotten.has(code))
      .map(({ code }) => `${code} was printed, and is in no row`)
  }
} as const satisfies Invariants<JournalFacts>

/** Hold while no till works and the disk takes writes. */
export const AT_REST = {
  statesTellWhatWasPrinted: ({ slips, papers }) => {
    const printed = new Set(papers.flatMap(({ code, copy }) => (copy === 0 ? [code] : [])))
    return slips.flatMap(({ state, code }) => {
      if (code === null) return []
      if (state === 'printed' && !printed.has(code)) return [`${code} is printed, and has no paper`]
      const isUnprinted = state === 'issued' || state === 'shown'
      return isUnprinted && printed.has(code) ? [`${code} is ${state}, and has its paper`] : []
    })
  }
} as const satisfies Invariants<JournalFacts>

/** Hold at rest while a till has the journal open: its start ended what a killed one had begun. */
export const RECOVERED = {
  nothingIsPending: ({ slips }) =>
    slips
      .filter(({ state, isCopyPrinting }) => state === 'requested' || state === 'printing' || isCopyPrinting)
      .map(({ intentId, state }) => `${intentId} is ${state} for ever, or a copy of it is printing`)
} as const satisfies Invariants<JournalFacts>

/** Returns the first violations of each invariant; empty when all hold. */
export const findViolations = <Facts>(
  facts: Facts,
  ...invariants: readonly Invariants<Facts>[]
): Record<string, string[]> =>
  Object.fromEntries(
    invariants.flatMap(Object.entries<Invariant<Facts>>).flatMap(([name, invariant]) => {
      const found = invariant(facts)
      return found.length === 0 ? [] : [[name, found.slice(0, 5)]]
    })
  )
