import { expect, it } from 'vitest'
import {
  ALWAYS,
  AT_REST,
  findViolations,
  RECOVERED,
  type JournalFacts,
  type JournalRow
} from './journal-invariants.ts'

const scope = { businessId: 'b', training: false }
const row: JournalRow = {
  ...scope,
  intentId: 'i',
  state: 'printed',
  points: 5,
  code: 'A',
  failure: null,
  isCopyPrinting: false
}
const fine: JournalFacts = {
  slips: [row],
  made: new Map([['A', { ...scope, points: 5 }]]),
  posts: new Map([[5, 1]]),
  intents: new Map([[5, 1]]),
  stored: new Map([['i', 'A']]),
  papers: [{ code: 'A', copy: 0 }],
  forgotten: new Set()
}
const invariants = [ALWAYS, AT_REST, RECOVERED] as const

type Name = keyof typeof ALWAYS | keyof typeof AT_REST | keyof typeof RECOVERED

const VIOLATIONS: Readonly<Record<Name, Partial<JournalFacts>>> = {
  storedCodesAreKept: { stored: new Map([['i', 'B']]) },
  madeCodesAreAccountedFor: { made: new Map([...fine.made, ['B', { ...scope, points: 5 }]]) },
  requestsAreNotRepeated: { posts: new Map([[5, 2]]) },
  codesBelongToTheirRows: { made: new Map([['A', { ...scope, points: 5, businessId: 'another' }]]) },
  statesHaveTheirColumns: { slips: [{ ...row, state: 'print-failed' }] },
  printoutsDiffer: { papers: [...fine.papers, ...fine.papers] },
  printedCodesAreInTheJournal: { papers: [...fine.papers, { code: 'B', copy: 0 }] },
  statesTellWhatWasPrinted: { papers: [] },
  nothingIsPending: { slips: [{ ...row, isCopyPrinting: true }] }
}

it.each(Object.entries(VIOLATIONS))('%s can be violated alone', (name, change) => {
  expect(findViolations(fine, ...invariants)).toEqual({})
  expect(Object.keys(findViolations({ ...fine, ...change }, ...invariants))).toEqual([name])
})
