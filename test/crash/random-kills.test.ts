/** Kills processes at random moments under load, on one folder, against the service behind a faulty network. */
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { serve } from '../../electron/service/server.ts'
import type { Journal } from '../../electron/main/journal/journal.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { FULL } from '../support/size.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { createLoadProcesses } from './load-processes.ts'
import { collectState, type CollectedState } from './collected-state.ts'
import { violationsOf, type OF_FILES } from './invariants.ts'
import { seededRandom } from '../support/seeded-random.ts'

const KILLS = FULL ? 100 : 15
/** Changes before a kill: enough for the start, the first slips beside a batch, and the load. */
const MAX_CHANGES = 40
/** Longest time after the last change. */
const MAX_EXTRA_MS = 15
/** Longest time before a kill while the service does not respond. */
const MAX_SILENCE_MS = 450
/** Decides what a run does, apart from the speed of the machine; another one with `CRASH_SEED=…`. */
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_121)

const FAULTS: readonly Fault[] = [
  'pass',
  'pass',
  'pass',
  'pass',
  'pass',
  'pass',
  'lose-answer',
  'lose-request',
  'silence'
]

const open: { close: () => unknown }[] = []
afterAll(async () => {
  for (const one of open.reverse()) await one.close()
})

/** Opens the journal like the next process. */
function reopen(folder: string): Journal {
  const { journal, quarantinedAs, error } = openJournal(join(folder, 'journal.db'), new Date())
  expect(quarantinedAs).toBeNull()
  expect(error).toBeNull()
  if (journal === null) throw new Error('The journal cannot be opened')
  return journal
}

it(
  `every invariant holds over ${String(KILLS)} kills at random moments`,
  async () => {
    const folder = temporaryFolder()
    const serviceFile = join(folder, 'service.sqlite')
    const service = await serve({ port: 0, tokens: ['demo'], file: serviceFile })
    open.push(service)
    const network = await openFaultyNetwork(service.url)
    open.push(network)
    const processes = createLoadProcesses(folder, network.url, SEED)
    open.push(processes)
    const random = seededRandom(SEED)

    let last: CollectedState | null = null
    for (let kill = 1; kill <= KILLS; kill++) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? 'pass'
      network.fail(fault, 'POST')
      const lifetime =
        fault === 'silence'
          ? { changes: 0, extraMs: random() * MAX_SILENCE_MS }
          : { changes: Math.floor(random() * MAX_CHANGES), extraMs: random() * MAX_EXTRA_MS }
      expect(await processes.runAndKill(lifetime)).toBe('')
      const journal = reopen(folder)
      last = collectState(folder, journal, serviceFile, network.seen)
      journal.close()
      expect({ seed: SEED, kill, ...violationsOf(last) }).toEqual({ seed: SEED, kill })
    }

    // The processes did work: every final state occurs.
    const states = new Set(last?.slips.map(({ state }) => state))
    expect([...states].sort()).toEqual(expect.arrayContaining(['print-failed', 'printed', 'unknown']))
    expect(last?.slips.length).toBeGreaterThan(KILLS)
    expect(last?.slips.some(({ copies }) => copies > 0)).toBe(true)
    expect(last?.slips.some(({ batch }) => batch !== null)).toBe(true)
  },
  10 * 60_000
)

it('every invariant of the files can be violated alone', () => {
  const slip = {
    intentId: 'i',
    state: 'printed',
    revision: 3,
    points: 5,
    customer: null,
    cashier: null,
    caller: null,
    reference: null,
    code: 'A',
    url: 'https://x.example/A',
    requestedAt: '',
    issuedAt: '',
    expiresAt: null,
    printedAt: '',
    shownAt: null,
    returned: false,
    offline: null,
    collectedAt: null,
    takenBackAt: null,
    remaining: null,
    file: null,
    destination: null,
    failure: null,
    ending: null,
    copies: 0,
    lastCopy: null,
    batch: null,
    training: false,
    businessId: 'b',
    isCopyPrinting: false
  } as const
  const fine: CollectedState = {
    slips: [slip],
    made: new Map([['A', { points: 5, businessId: 'b', training: false }]]),
    posts: new Map([[5, 1]]),
    intents: new Map([[5, 1]]),
    stored: new Map([['i', 'A']]),
    papers: [{ code: 'A', copy: 0 }],
    forgotten: new Set(),
    files: new Map([['A', Buffer.from('%PDF-1.3\n%%EOF')]])
  }
  expect(violationsOf(fine)).toEqual({})
  const lastCopy = { number: 1, state: 'printed', startedAt: '', destination: null, failure: null } as const
  const bad: Readonly<Record<keyof typeof OF_FILES, Partial<CollectedState>>> = {
    filesAreComplete: { files: new Map([['A', Buffer.from('%PDF-1.3')]]) },
    copiesAreCounted: { papers: [...fine.papers, { code: 'A', copy: 1 }] },
    printedCopiesHaveFiles: { slips: [{ ...slip, copies: 1, lastCopy }] }
  }
  for (const [name, change] of Object.entries(bad))
    expect(Object.keys(violationsOf({ ...fine, ...change }))).toEqual([name])
})
