/**
 * Kills tills at random moments while they redeem rewards, credit points, undo both and take points back behind a faulty network,
 * and in every third round their service, too. After each kill the ledger of the service and the journal agree: nothing is done
 * twice, and nothing is shown that is not so.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { LoyaltyClient } from '../../electron/main/loyalty/loyalty-client.ts'
import { openJournal } from '../../electron/main/journal/open-journal.ts'
import { openFaultyNetwork, type Fault } from '../support/faulty-network.ts'
import { findViolations } from '../support/journal-invariants.ts'
import { ownAddress } from '../support/loopback.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { FULL } from '../support/size.ts'
import { openTestSlips } from '../support/slip-service.ts'
import { temporaryFolder } from '../unit/main/slips/slip-service-fixture.ts'
import { appendLine, readLines } from './journal-lines.ts'
import { createLoadProcesses } from './load-processes.ts'
import {
  PURCHASE_INVARIANTS,
  readPurchases,
  WITHOUT_LOST_PURCHASES,
  type PurchaseFacts
} from './purchase-ledger.ts'
import {
  readRedemptions,
  REDEMPTION_INVARIANTS,
  WITHOUT_LOST_ANSWERS,
  type RedemptionFacts
} from './redemption-ledger.ts'

const KILLS = Number(process.env['TILLPOINTS_KILLS'] ?? (FULL ? 100 : 6))
/** In how many rounds the service is killed once. */
const SERVICE_KILL_EVERY = 3
/** Changes before a kill: from the first request of a process to some forty operations. */
const MAX_CHANGES = 120
/** Longest time after the last change. */
const MAX_EXTRA_MS = 15
/** Longest life of a till, and of its service, that is not ended by a number of changes. */
const MAX_SILENCE_MS = 450
/** Decides what a run does, apart from the speed of the machine; another one with `CRASH_SEED=…`. */
const SEED = Number(process.env['CRASH_SEED'] ?? 20_261_125)
const FAULTS: readonly Fault[] = [
  ...Array<Fault>(5).fill('pass'),
  'lose-answer',
  'lose-request',
  'silence',
  'half-body'
]

const program = fileURLToPath(new URL('./operating-service-process.ts', import.meta.url))
const open: { close: () => unknown }[] = []
afterAll(async () => {
  for (const one of open.reverse()) await one.close()
})

/** The service at one address, in a process that can be killed. */
class KilledService {
  readonly file = join(temporaryFolder(), 'service.sqlite')
  /** base URL */
  url = ''
  #process: ChildProcess | null = null
  readonly #host = ownAddress()

  async start(): Promise<void> {
    const port = this.url === '' ? '0' : new URL(this.url).port
    const child = spawn(process.execPath, [program, this.file, this.#host, port], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    this.#process = child
    this.url = String(await once(child.stdout, 'data')).trim()
  }

  async kill(): Promise<void> {
    const child = this.#process
    if (child === null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    this.#process = null
  }
}

const clientOf = (baseUrl: string): LoyaltyClient =>
  new LoyaltyClient({ baseUrl, token: 'demo', fetch, languages: { screen: 'en' } })

/** Writes what the tills redeem: all customers, and the cheapest rewards that are enabled. */
async function writeOffers(folder: string, client: LoyaltyClient): Promise<void> {
  const customers = await client.listCustomers({ page: 1, pageSize: 100 })
  const rewards = await client.listRewards({ page: 1, pageSize: 100 })
  if (!customers.ok || !rewards.ok) throw new Error('The service has no sample data')
  const enabled = []
  for (const { id, name, cost } of rewards.value.data) {
    const detail = await client.reward(id)
    if (detail.ok && detail.value.isEnable === true && cost !== null) enabled.push({ id, name, cost })
  }
  appendLine(join(folder, 'offers'), {
    customers: customers.value.data.map(({ id, name }) => ({ id, name })),
    rewards: enabled.toSorted((one, other) => one.cost - other.cost).slice(0, 3)
  })
}

it(
  `the ledger and the journal agree over ${String(KILLS)} kills at random moments`,
  { timeout: 30 * 60_000 },
  async () => {
    const folder = temporaryFolder()
    const service = new KilledService()
    open.push({ close: () => service.kill() })
    await service.start()
    await writeOffers(folder, clientOf(service.url))
    const network = await openFaultyNetwork(service.url)
    open.push(network)
    const processes = createLoadProcesses(folder, network.url, SEED, 'operating')
    open.push(processes)
    const random = seededRandom(SEED)
    const journalFile = join(folder, 'journal.db')

    const facts = (): RedemptionFacts =>
      readRedemptions(journalFile, service.file, readLines(join(folder, 'shown')))
    const purchases = (): PurchaseFacts =>
      readPurchases(journalFile, service.file, readLines(join(folder, 'shown-credits')))
    let waited = 0
    let purchasesWaited = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const fault = FAULTS[Math.floor(random() * FAULTS.length)] ?? 'pass'
      network.fail(fault, 'POST')
      const isTimed = fault === 'silence'
      const lifetime = {
        changes: isTimed ? 0 : Math.floor(random() * MAX_CHANGES),
        extraMs: random() * (isTimed ? MAX_SILENCE_MS : MAX_EXTRA_MS)
      }
      const killsService = kill % SERVICE_KILL_EVERY === 0
      const serviceKilled = killsService
        ? after(random() * MAX_SILENCE_MS).then(() => service.kill())
        : Promise.resolve()
      expect(await processes.runAndKill(lifetime)).toBe('')
      await serviceKilled
      // As the next start does.
      const { journal, error } = openJournal(journalFile, new Date())
      expect(error).toBeNull()
      journal?.close()
      if (killsService) await service.start()
      const found = facts()
      waited += found.journal.filter(({ state }) => state.endsWith('unknown')).length
      const bought = purchases()
      purchasesWaited += bought.journal.filter(({ state }) => state === 'unknown').length
      expect({
        seed: SEED,
        kill,
        ...findViolations(found, REDEMPTION_INVARIANTS),
        ...findViolations(bought, PURCHASE_INVARIANTS)
      }).toEqual({ seed: SEED, kill })
    }

    // The last till asks for what the killed ones did not hear.
    network.fail('pass')
    const client = clientOf(network.url)
    const slips = openTestSlips(folder, {
      redeem: (key, asked) => client.redeem(key, asked),
      reverseRedemption: (key, asked) => client.reverseRedemption(key, asked),
      credit: (key, asked) => client.credit(key, asked),
      reverseCredit: (key, asked) => client.reverseCredit(key, asked),
      takeBack: (key, asked) => client.takeBack(key, asked)
    })
    await expect.poll(() => slips.lostAnswers.askAgain()).toEqual({ ok: true, value: [] })
    await slips.close()
    const last = facts()
    const lastPurchases = purchases()
    expect({
      seed: SEED,
      ...findViolations(last, REDEMPTION_INVARIANTS, WITHOUT_LOST_ANSWERS),
      ...findViolations(lastPurchases, PURCHASE_INVARIANTS, WITHOUT_LOST_PURCHASES)
    }).toEqual({ seed: SEED })

    // The tills did work, lost answers, and asked for them with the same key.
    expect(last.journal.length + lastPurchases.journal.length).toBeGreaterThan(KILLS)
    const states = new Set(last.journal.map(({ state }) => state))
    const done = (kind: string): number => lastPurchases.ledger.filter((row) => row.kind === kind).length
    // Of fewer kills chance decides what is left.
    if (KILLS > 20) {
      expect([...states].sort()).toEqual(['redeemed', 'refused', 'undone'])
      for (const kind of ['credit', 'reverse-credit', 'return'])
        expect(done(kind), kind).toBeGreaterThan(KILLS / 10)
    }
    expect(waited + purchasesWaited).toBeGreaterThan(KILLS / 3)
    const requests = new Map<string, Set<string>>()
    const posts = network.seen.filter(({ method, isWhole }) => method === 'POST' && isWhole)
    for (const { headers, body } of posts) {
      const key = String(headers['idempotency-key'])
      requests.set(key, (requests.get(key) ?? new Set()).add(body))
    }
    expect([...requests].filter(([, bodies]) => bodies.size > 1)).toEqual([])
    expect(posts.length).toBeGreaterThan(requests.size)
    process.stdout.write(
      `${String(KILLS)} kills: ${String(last.journal.length)} redemptions, ${String(waited)} without an answer at a kill; ` +
        `${String(done('credit'))} credits, ${String(done('reverse-credit'))} undone, ${String(done('return'))} returns, ` +
        `${String(purchasesWaited)} without an answer at a kill; ` +
        `${String(posts.length)} requests with ${String(requests.size)} keys\n`
    )
  }
)

it('every invariant of redemptions can be violated', () => {
  const row = {
    intentId: 'i',
    state: 'redeemed',
    customer: 'c',
    reward: 'r',
    cost: 5,
    redemptionId: 'e'
  } as const
  const entry = { id: 'e', customer: 'c', reward: 'r', points: -5, reverses: null, keyHash: 'key' }
  const reversal = { ...entry, id: 'v', reward: null, points: 5, reverses: 'e', keyHash: 'other' }
  const fine: RedemptionFacts = {
    journal: [row],
    ledger: [entry],
    balances: [{ id: 'c', balance: 5, sum: 5 }],
    overdrawn: [],
    intents: new Map([['key', 'i']]),
    shown: [{ intentId: 'i', shown: 'redeemed' }]
  }
  const violated = (facts: Partial<RedemptionFacts>): string[] =>
    Object.keys(findViolations({ ...fine, ...facts }, REDEMPTION_INVARIANTS, WITHOUT_LOST_ANSWERS))
  expect(violated({})).toEqual([])
  expect(violated({ journal: [{ ...row, state: 'undone' }], ledger: [entry, reversal] })).toEqual([])

  const waiting = { ...row, state: 'unknown', redemptionId: null } as const
  const bad: Readonly<Record<string, Partial<RedemptionFacts>>> = {
    nothingIsRedeemedTwice: { ledger: [entry, { ...entry }] },
    theLedgerIsInTheJournal: {
      journal: [{ ...row, cost: 6 }]
    },
    whatIsRedeemedIsInTheLedger: { journal: [row, { ...row, intentId: 'j', redemptionId: 'f' }] },
    whatIsRefusedIsNotInTheLedger: {
      journal: [{ ...row, state: 'refused' }],
      ledger: [entry, reversal],
      shown: []
    },
    whatWasShownIsInTheJournal: { shown: [{ intentId: 'i', shown: 'undone' }] },
    balancesAreSums: { balances: [{ id: 'c', balance: 5, sum: 0 }] },
    nothingIsRedeemedBelowZero: { overdrawn: ['e'] },
    nothingWaits: { journal: [row, { ...waiting, intentId: 'j' }] },
    theLedgerIsWhatTheJournalSays: { journal: [{ ...row, state: 'undo-unknown' }] }
  }
  expect(Object.keys(bad)).toEqual(Object.keys({ ...REDEMPTION_INVARIANTS, ...WITHOUT_LOST_ANSWERS }))
  for (const [name, facts] of Object.entries(bad)) expect(violated(facts)).toContain(name)
})

it('every invariant of credits and returns can be violated', () => {
  type Row = PurchaseFacts['journal'][number]
  type Entry = PurchaseFacts['ledger'][number]
  const asked = { undoes: null, state: 'done', customer: 'x' } as const
  const credit: Row = { ...asked, key: 'c', kind: 'credit', points: 5, credit: 'ent_1' }
  const undo: Row = { ...asked, key: 'u', kind: 'reverse-credit', undoes: 'c', points: null, credit: null }
  const taken: Row = { ...asked, key: 'r', kind: 'return', points: 2, credit: null }
  const given: Entry = {
    id: 'ent_1',
    kind: 'credit',
    customer: 'x',
    points: 5,
    credit: 'ent_1',
    keyHash: 'hash c'
  }
  const returned: Entry = { ...given, id: 'ret_1', kind: 'return', points: -2, keyHash: 'hash r' }
  const reversed: Entry = { ...given, id: 'ent_2', kind: 'reverse-credit', points: -5, keyHash: 'hash u' }
  const fine: PurchaseFacts = {
    journal: [credit, taken],
    ledger: [given, returned],
    keys: new Map(['c', 'r', 'u'].map((key) => [`hash ${key}`, key])),
    shown: [{ intentId: 'c', shown: 'credited' }]
  }
  const violated = (facts: Partial<PurchaseFacts>): string[] =>
    Object.keys(findViolations({ ...fine, ...facts }, PURCHASE_INVARIANTS, WITHOUT_LOST_PURCHASES))
  expect(violated({})).toEqual([])
  expect(violated({ journal: [credit, undo], ledger: [given, reversed] })).toEqual([])
  const ofNothing = [given, { ...returned, points: 0 }, reversed]
  expect(violated({ journal: [credit, { ...taken, points: 0 }, undo], ledger: ofNothing })).toEqual([])

  const bad: Readonly<Record<string, Partial<PurchaseFacts>>> = {
    nothingIsDoneTwice: { ledger: [given, returned, { ...returned, id: 'ret_2' }] },
    theLedgerIsInTheJournal: { ledger: [{ ...given, points: 6 }, returned] },
    whatIsDoneIsInTheLedger: { ledger: [given] },
    whatIsRefusedIsNotInTheLedger: { journal: [credit, { ...taken, state: 'refused' }] },
    whatWasShownIsInTheJournal: { shown: [{ intentId: 'c', shown: 'undone' }] },
    noPurchaseGivesBackMore: { ledger: [given, { ...returned, points: -6 }] },
    noPurchaseWaits: { journal: [credit, { ...taken, state: 'unknown' }] },
    allOfTheLedgerIsDone: { journal: [credit, { ...taken, state: 'unknown' }] }
  }
  expect(Object.keys(bad)).toEqual(Object.keys({ ...PURCHASE_INVARIANTS, ...WITHOUT_LOST_PURCHASES }))
  for (const [name, facts] of Object.entries(bad)) expect(violated(facts)).toContain(name)
})
