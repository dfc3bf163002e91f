/** Tills killed at random moments under load, on one folder, against the training service over a faulty wire. */
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { serve } from '../../electron/service/server.ts'
import type { Journal } from '../../electron/main/slips/journal/journal.ts'
import { openJournal } from '../../electron/main/slips/journal/open-journal.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { createBusyTills } from './load-processes.ts'
import { gather, type Evidence } from './collected-state.ts'
import { broken, PROMISES } from './invariants.ts'
import { seededRandom } from '../support/seeded-random.ts'

const KILLS = 100
/** Changes that a till writes before it is killed: through its start, its first slips beside a batch, and into its load. */
const MOST_CHANGES = 40
/** Milliseconds from one change to the next, at most. */
const BETWEEN_CHANGES = 15
/** Milliseconds that a till lives while the service is silent: its changes come to an end soon. */
const LONGEST_SILENCE = 450
/** Another one with `CRASH_SEED=…`; what a run did is decided by it, apart from how fast the machine is. */
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

/** Opens the journal as the next till does. */
function reopen(folder: string): Journal {
  const { journal, quarantineFile, error } = openJournal(join(folder, 'journal.db'), new Date())
  expect([quarantineFile, error]).toEqual([null, null])
  if (journal === null) throw new Error('The journal cannot be opened')
  return journal
}

it(
  `keeps every promise over ${String(KILLS)} kills at random moments`,
  async () => {
    const folder = temporaryFolder()
    const serviceFile = join(folder, 'service.sqlite')
    const service = await serve({ port: 0, tokens: ['demo'], file: serviceFile })
    open.push(service)
    const network = await openFaultyNetwork(service.url)
    open.push(network)
    const tills = createBusyTills(folder, network.url, SEED)
    open.push(tills)
    const random = seededRandom(SEED)

    let last: Evidence | null = null
    for (let kill = 1; kill <= KILLS; kill++) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? 'pass'
      network.fail(fault, 'POST')
      const life =
        fault === 'silence'
          ? { changes: 0, rest: random() * LONGEST_SILENCE }
          : { changes: Math.floor(random() * MOST_CHANGES), rest: random() * BETWEEN_CHANGES }
      expect(await tills.runAndKill(life)).toBe('')
      const journal = reopen(folder)
      last = gather(folder, journal, serviceFile, network.seen)
      journal.close()
      expect({ seed: SEED, kill, ...broken(last) }).toEqual({ seed: SEED, kill })
    }

    // The tills did work: every way that a slip's life can end was seen.
    const states = new Set(last?.slips.map(({ state }) => state))
    expect([...states].sort()).toEqual(expect.arrayContaining(['print-failed', 'printed', 'unknown']))
    expect(last?.slips.length).toBeGreaterThan(KILLS)
    expect(last?.slips.some(({ copies }) => copies > 0)).toBe(true)
    expect(last?.slips.some(({ batch }) => batch !== null)).toBe(true)
  },
  10 * 60_000
)

it('has promises that can be broken', () => {
  const slip = {
    intentId: 'i',
    state: 'printed',
    revision: 3,
    points: 5,
    customer: null,
    cashier: null,
    code: 'A',
    url: 'https://x.example/A',
    requestedAt: '',
    issuedAt: '',
    printedAt: '',
    shownAt: null,
    file: null,
    destination: null,
    failure: null,
    ending: null,
    copies: 0,
    lastCopy: null,
    batch: null,
    training: false
  } as const
  const pdf = Buffer.from('%PDF-1.3\n%%EOF')
  const fine: Evidence = {
    slips: [slip],
    made: new Map([['A', 5]]),
    posts: new Map([[5, 1]]),
    heard: new Map([['i', 'A']]),
    papers: new Map([['A', pdf]])
  }
  expect(broken(fine)).toEqual({})
  const bad: Readonly<Record<keyof typeof PROMISES, Partial<Evidence>>> = {
    noHeardCodeIsLost: { heard: new Map([['j', 'B']]) },
    everyMadeCodeIsAccountedFor: {
      made: new Map([
        ['A', 5],
        ['B', 5]
      ])
    },
    noRequestIsRepeated: { posts: new Map([[5, 2]]) },
    everyCodeIsTheServices: { made: new Map([['A', 6]]) },
    nothingIsPrintedThatWasNotIssued: {
      papers: new Map([
        ['A', pdf],
        ['B', pdf]
      ])
    },
    whatIsPrintedIsThere: { papers: new Map() },
    theJournalSaysSo: { slips: [{ ...slip, state: 'printing' }] }
  }
  expect(Object.keys(bad)).toEqual(Object.keys(PROMISES))
  for (const [name, change] of Object.entries(bad))
    expect(Object.keys(broken({ ...fine, ...change }))).toContain(name)
})
