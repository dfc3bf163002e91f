import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { CollectionEvent, CollectionPage } from '../../../../electron/contract/loyalty.ts'
import { collectionOf } from '../../../../electron/contract/slips.ts'
import { CollectionReader } from '../../../../electron/main/reports/collection-reader.ts'
import type { Journal } from '../../../../electron/main/journal/journal.ts'
import { openJournal } from '../../../../electron/main/journal/open-journal.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import { business } from '../../../support/sample-business.ts'
import { journalSnapshot, temporaryFolder } from '../slips/slip-service-fixture.ts'

const MINUTE_MS = 60_000
const ISSUED_AT = '2026-11-24T12:00:00.000Z'
const COLLECTED_AT = '2026-11-24T13:05:00.000Z'
const TAKEN_BACK_AT = '2026-11-24T13:20:00.000Z'
const SCOPE = { training: false, businessId: business.id }

const event = (code: string, state: CollectionEvent['state'] = 'collected', at = COLLECTED_AT) => ({
  id: `${state} ${at} ${code}`,
  code,
  state,
  at
})

/** A page, the last one unless `next` is followed by another. */
const page = (events: readonly CollectionEvent[], next = 'end', hasMore = false): CollectionPage => ({
  events: [...events],
  next,
  hasMore,
  leftOut: 0
})

interface Till {
  readonly journal: Journal
  readonly reader: CollectionReader
  /** the moments and cursors that were asked for */
  readonly asked: string[]
  /** the number of times that the state was told to the page */
  readonly told: () => number
  answers: Result<CollectionPage>[]
  pendingWork: 'batch' | 'slip' | null
  tells: boolean
  current: typeof business
  /** Lets time pass, and what it starts end. */
  pass(ms: number): Promise<void>
}

/** Adds a slip with a code, which a training till or another business may have too. */
function addSlip(journal: Journal, code: string, scope = SCOPE): void {
  const intentId = `${String(scope.training)} ${scope.businessId} ${code}`
  journal.slips.request({
    intentId,
    ...scope,
    points: 250,
    customer: null,
    cashier: null,
    requestedAt: ISSUED_AT,
    snapshot: journalSnapshot,
    requestedCopies: 1,
    keyed: false,
    batch: null,
    reference: null,
    program: null
  })
  journal.slips.transition(intentId, 'issued', {
    code,
    url: `https://x.example/${code}`,
    issuedAt: ISSUED_AT
  })
}

const noRequest = () => Promise.reject(new Error('Only collections are read'))
const noClient = {
  createQr: noRequest,
  issueCode: noRequest,
  redeem: noRequest,
  reverseRedemption: noRequest,
  credit: noRequest,
  reverseCredit: noRequest,
  takeBack: noRequest,
  forgetCashier: noRequest,
  offlineKey: noRequest,
  reportOfflineCodes: noRequest
}

function openTill(file = join(temporaryFolder(), 'journal.sqlite')): Till {
  const { journal } = openJournal(file, new Date())
  if (journal === null) throw new Error('The journal cannot be opened')
  const asked: string[] = []
  let told = 0
  const till: Till = {
    journal,
    asked,
    told: () => told,
    answers: [],
    pendingWork: null,
    tells: true,
    current: business,
    reader: new CollectionReader({
      journal,
      business: {
        current: () => ({ ...till.current, extensions: till.tells ? ['collections/1'] : [] }),
        isReachable: () => true,
        askExtension: (_business, request) =>
          request({
            ...noClient,
            collections: (since) => {
              asked.push(since)
              return Promise.resolve(till.answers.shift() ?? ok(page([])))
            }
          })
      },
      till: { pendingWork: () => till.pendingWork },
      listener: {
        collectionsRead: () => {
          told += 1
        }
      },
      log: noOpLogger
    }),
    async pass(ms) {
      for (let left = ms; left >= 0; left -= MINUTE_MS) {
        await vi.advanceTimersByTimeAsync(Math.min(left, MINUTE_MS))
        for (let turn = 0; turn < 20; turn += 1) await nextTurn()
      }
    }
  }
  onTestFinished(async () => {
    await till.reader.stop()
    journal.close()
  })
  return till
}

const slipOf = ({ journal }: Till, code: string, scope = SCOPE) => {
  const slip = journal.slips.byCode(scope, code)
  if (slip === null) throw new Error(`No slip has the code ${code}`)
  return slip
}
const stateOf = (till: Till, code: string) => collectionOf(slipOf(till, code), till.reader.asOf)

beforeEach(() => {
  vi.useFakeTimers({
    now: new Date('2026-11-24T14:05:00.000Z'),
    toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance']
  })
  onTestFinished(() => void vi.useRealTimers())
})

describe('what the service tells', () => {
  it('is set on the slips of this till, of this business and mode, and on no other', async () => {
    const till = openTill()
    const others = [
      { training: true, businessId: business.id },
      { training: false, businessId: 'another' }
    ]
    for (const scope of [SCOPE, ...others]) addSlip(till.journal, 'CODE-1', scope)
    addSlip(till.journal, 'CODE-2')
    addSlip(till.journal, 'CODE-3')
    till.answers = [
      ok(
        page([
          event('CODE-1'),
          event('OF-ANOTHER-TILL'),
          event('code-2'),
          event('CODE-3'),
          event('CODE-3', 'reversed', TAKEN_BACK_AT)
        ])
      )
    ]
    till.reader.start()
    await till.pass(0)
    expect(['CODE-1', 'CODE-2', 'CODE-3'].map((code) => stateOf(till, code))).toEqual([
      'collected',
      'not-collected',
      'taken-back'
    ])
    expect(slipOf(till, 'CODE-1')).toMatchObject({ collectedAt: COLLECTED_AT, takenBackAt: null })
    expect(slipOf(till, 'CODE-3')).toMatchObject({ collectedAt: COLLECTED_AT, takenBackAt: TAKEN_BACK_AT })
    for (const scope of others) expect(slipOf(till, 'CODE-1', scope).collectedAt).toBeNull()
    expect(till.reader.asOf).toBe('2026-11-24T14:05:00.000Z')
    expect(till.told()).toBe(1)
  })

  it('may come again, in any order, and changes nothing more', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    const events = [event('CODE-1'), event('CODE-1', 'reversed', TAKEN_BACK_AT)]
    till.answers = [ok(page(events.toReversed())), ok(page(events)), ok(page(events))]
    till.reader.start()
    await till.pass(0)
    const first = slipOf(till, 'CODE-1')
    await till.pass(2 * MINUTE_MS)
    expect(till.asked).toHaveLength(3)
    expect(slipOf(till, 'CODE-1')).toEqual(first)
    expect(stateOf(till, 'CODE-1')).toBe('taken-back')
  })

  it('is told for each changed slip, once it is on disk', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    const changes: unknown[] = []
    till.journal.addListener({
      rowChanged: ({ slip }, change) => changes.push([slip.code, change, slip.revision])
    })
    till.answers = [ok(page([event('CODE-1'), event('OTHER')])), ok(page([event('CODE-1')]))]
    till.reader.start()
    await till.pass(MINUTE_MS)
    expect(changes).toEqual([['CODE-1', 'collected', 2]])
  })
})

describe('the cursor', () => {
  it('begins a day before the first code, leads through the pages, and goes on after a restart', async () => {
    const file = join(temporaryFolder(), 'journal.sqlite')
    const till = openTill(file)
    addSlip(till.journal, 'CODE-1')
    till.answers = [ok(page([], 'page-2', true)), ok(page([event('CODE-1')], 'end'))]
    till.reader.start()
    await till.pass(0)
    expect(till.asked).toEqual(['2026-11-23T12:00:00.000Z'])
    // Of a code on a page that was not read yet, nothing is known.
    expect(till.reader.asOf).toBeNull()
    expect(stateOf(till, 'CODE-1')).toBeNull()
    await till.pass(MINUTE_MS)
    expect(till.asked.at(-1)).toBe('page-2')
    expect(stateOf(till, 'CODE-1')).toBe('collected')
    await till.reader.stop()
    till.journal.close()

    const next = openTill(file)
    expect(next.reader.asOf).toBe('2026-11-24T14:06:00.000Z')
    next.reader.start()
    await next.pass(0)
    expect(next.asked).toEqual(['end'])
  })

  it('is one for each business and for training mode', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    addSlip(till.journal, 'CODE-2', { training: true, businessId: business.id })
    till.answers = [ok(page([], 'of-the-business')), ok(page([], 'of-training'))]
    till.reader.start()
    await till.pass(0)
    till.current = { ...business, training: true }
    expect(till.reader.asOf).toBeNull()
    await till.pass(MINUTE_MS)
    till.current = business
    await till.pass(MINUTE_MS)
    till.current = { ...business, training: true }
    await till.pass(MINUTE_MS)
    expect(till.asked).toEqual([
      '2026-11-23T12:00:00.000Z',
      '2026-11-23T12:00:00.000Z',
      'of-the-business',
      'of-training'
    ])
  })

  it('that the service does not take is forgotten: it is asked from the first code on', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    till.answers = [ok(page([])), err({ kind: 'rejected', status: 400, message: '' })]
    till.reader.start()
    await till.pass(3 * MINUTE_MS)
    expect(till.asked).toEqual(['2026-11-23T12:00:00.000Z', 'end', '2026-11-23T12:00:00.000Z'])
  })

  it('that leads nowhere is not followed', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    till.answers = [ok(page([event('CODE-1')], '2026-11-23T12:00:00.000Z', true))]
    till.reader.start()
    await till.pass(0)
    expect(slipOf(till, 'CODE-1').collectedAt).toBeNull()
    expect(till.journal.collections.reading(SCOPE)).toBeNull()
  })
})

describe('requests', () => {
  it('are one a minute, whatever happens', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    till.answers = Array.from({ length: 10 }, (_, index) => ok(page([], `page-${String(index)}`, true)))
    till.reader.start()
    till.reader.start()
    await till.pass(0)
    for (let second = 0; second < 5 * 60; second += 1) await till.pass(1000)
    expect(till.asked).toHaveLength(6)
  })

  it.each(['slip', 'batch'] as const)('wait while a %s is under way', async (work) => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    till.pendingWork = work
    till.reader.start()
    await till.pass(5 * MINUTE_MS)
    expect(till.asked).toEqual([])
    till.pendingWork = null
    await till.pass(5000)
    expect(till.asked).toHaveLength(1)
  })

  it('are none without a code, and none to a service that tells nothing', async () => {
    const till = openTill()
    till.reader.start()
    await till.pass(MINUTE_MS)
    addSlip(till.journal, 'CODE-1')
    till.tells = false
    await till.pass(2 * MINUTE_MS)
    expect(till.asked).toEqual([])
    till.tells = true
    await till.pass(MINUTE_MS)
    expect(till.asked).toHaveLength(1)
    // What was learned before is no longer true of a service that stopped to tell it.
    till.tells = false
    expect(till.reader.asOf).toBeNull()
  })

  it('become rarer with each failure, up to one an hour, and leave the journal and the page as they are', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    const failures: Failure[] = [
      { kind: 'not-found' },
      { kind: 'service-down', status: 500 },
      { kind: 'bad-response', path: '' },
      { kind: 'unauthorised' },
      { kind: 'timeout' },
      { kind: 'offline' },
      { kind: 'tls' },
      { kind: 'busy', retryAfterSeconds: 3000 },
      { kind: 'not-found' }
    ]
    till.answers = failures.map((failure) => err(failure))
    const before = slipOf(till, 'CODE-1')
    const minutes: number[] = []
    till.reader.start()
    for (let minute = 0; minute <= 300; minute += 1) {
      const asked = till.asked.length
      await till.pass(minute === 0 ? 0 : MINUTE_MS)
      if (till.asked.length > asked) minutes.push(minute)
    }
    expect(minutes).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242])
    expect(slipOf(till, 'CODE-1')).toEqual(before)
    expect(till.reader.asOf).toBeNull()
    expect(till.told()).toBe(0)
  })

  it('end with the till', async () => {
    const till = openTill()
    addSlip(till.journal, 'CODE-1')
    till.reader.start()
    await till.pass(0)
    await till.reader.stop()
    till.reader.start()
    await till.pass(10 * MINUTE_MS)
    expect(till.asked).toHaveLength(1)
  })
})

it('10,000 items, half of them of this till, are written in many turns, each of a few rows', async () => {
  const till = openTill()
  const own = Array.from({ length: 5000 }, (_, index) => `CODE-${String(index)}`)
  till.journal.atomically(() => {
    for (const code of own) addSlip(till.journal, code)
  })
  const events = own.flatMap((code) => [event(code), event(`OF-ANOTHER-${code}`)])
  let [changedInTurn, most, changed] = [0, 0, 0]
  till.journal.addListener({
    rowChanged: () => {
      changedInTurn += 1
      changed += 1
      most = Math.max(most, changedInTurn)
    }
  })
  till.answers = [ok(page(events))]
  till.reader.start()
  await vi.advanceTimersByTimeAsync(0)
  while (till.told() === 0) {
    changedInTurn = 0
    await nextTurn()
  }
  expect(changed).toBe(5000)
  expect(most).toBeLessThanOrEqual(50)
  expect(stateOf(till, 'CODE-4999')).toBe('collected')
})
