/** Each invariant finds what it is there for. */
import { expect, test } from 'vitest'
import type { JournalFacts } from '../support/journal-invariants.ts'
import { disagreements, violationsAfter, type Step } from './invariants.ts'
import type { SlipRow } from './world.ts'

const row = (number: number, change: Partial<SlipRow> = {}): SlipRow => ({
  number,
  intentId: String(number),
  businessId: 'shop',
  training: false,
  state: 'printed',
  points: 10,
  code: `CODE${String(number)}`,
  failure: null,
  batchId: null,
  copyPrinting: 0,
  ...change
})

const step = (change: Partial<Step> = {}): Step => ({
  screen: {
    controls: [],
    dialogs: [],
    isLocked: false,
    hasShell: true,
    fingerprint: '',
    isBusy: false,
    focusFault: null,
    covered: []
  },
  errors: [],
  before: [row(1)],
  after: [row(1), row(2)],
  ...change
})

test.each<[name: string, step: Step, violations: readonly string[]]>([
  ['one slip', step(), []],
  ['a batch', step({ after: [row(2, { batchId: 'b' }), row(3, { batchId: 'b' })] }), []],
  ['two slips', step({ after: [row(1), row(2), row(3)] }), ['oneSlipForAnIntent: 2 slips by one action']],
  ['an error', step({ errors: ['Console: x'] }), ['nothingFails: Console: x']],
  [
    'a lost focus',
    step({ screen: { ...step().screen, focusFault: 'the focus is nowhere' } }),
    ['focusIsVisible: the focus is nowhere']
  ],
  [
    'a covered action',
    step({ screen: { ...step().screen, covered: ['Save is covered by p'] } }),
    ['mainActionsAreFree: Save is covered by p']
  ]
])('after %s', (_, after, violations) => {
  expect(violationsAfter(after)).toEqual(violations)
})

const facts = (slips: readonly SlipRow[], madeCodes: readonly string[]): JournalFacts => ({
  slips: slips.map((one) => ({ ...one, isCopyPrinting: false })),
  made: new Map(madeCodes.map((code) => [code, { points: 10, businessId: 'shop', training: false }])),
  posts: new Map([[10, madeCodes.length]]),
  intents: new Map([[10, slips.length]]),
  stored: new Map(),
  papers: slips.flatMap(({ code }) => (code === null ? [] : [{ code, copy: 0 }])),
  forgotten: new Set()
})

test('a code that is in no row is a disagreement, unless an unknown outcome explains it', () => {
  const unknown = row(2, { state: 'unknown', code: null, failure: '{}' })
  expect(disagreements(facts([row(1)], ['CODE1']), true)).toEqual([])
  expect(disagreements(facts([row(1), unknown], ['CODE1', 'LOST']), true)).toEqual([])
  expect(disagreements(facts([row(1), row(2)], ['CODE1', 'CODE2', 'LOST']), true)).toEqual([
    'madeCodesAreAccountedFor: LOST with 10 points is in no row',
    'requestsAreNotRepeated: 3 requests for 10 points'
  ])
})
