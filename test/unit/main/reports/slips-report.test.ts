import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_RECEIPT_OPTIONS, type PrintDestination } from '../../../../electron/contract/printing.ts'
import { Journal } from '../../../../electron/main/journal/journal.ts'
import type { NewOperation, OperationState } from '../../../../electron/main/journal/operation-row.ts'
import { migrate } from '../../../../electron/main/journal/schema.ts'
import type { SlipRequest } from '../../../../electron/main/journal/slip-table.ts'
import { createSlipsReport } from '../../../../electron/main/reports/slips-report.ts'
import { journalScope, journalSnapshot, temporaryFolder } from '../slips/slip-service-fixture.ts'

const printer = { destination: { kind: 'folder' }, paperSize: '80mm' } as const

let journal: Journal
let database: DatabaseSync
beforeEach(() => {
  database = new DatabaseSync(join(temporaryFolder(), 'journal.db'))
  migrate(database)
  journal = new Journal(database)
  onTestFinished(() => journal.close())
})

let made = 0
/** Requests a slip, and returns its intent id. */
function request(at: string, points: number, business = 'b1', change: Partial<SlipRequest> = {}): string {
  const intentId = `intent ${String(++made)}`
  journal.slips.request({
    training: false,
    businessId: business,
    intentId,
    points,
    customer: null,
    cashier: null,
    requestedAt: at,
    snapshot: journalSnapshot,
    requestedCopies: 1,
    keyed: false,
    batch: null,
    reference: null,
    program: null,
    ...change
  })
  return intentId
}

function issue(at: string, points: number, business?: string, change?: Partial<SlipRequest>): string {
  const intentId = request(at, points, business, change)
  journal.slips.transition(intentId, 'issued', { code: intentId, url: 'https://x.example/q', issuedAt: at })
  return intentId
}

function print(at: string, points: number, destination: PrintDestination = printer.destination): string {
  const intentId = issue(at, points)
  journal.slips.transition(intentId, 'print-started', { ...printer, destination })
  journal.slips.transition(intentId, 'printed', { printedAt: at })
  return intentId
}

const reported = (from: string, to = from, timeZone = 'UTC') =>
  createSlipsReport(journal, journalScope, { from, to }, timeZone, false)

it('report of a year reads one day of the journal at once', async () => {
  const turns: number[] = []
  let turn = 0
  const tick = (): void => {
    turn += 1
    immediate = setImmediate(tick)
  }
  let immediate = setImmediate(tick)
  const slices: [string, string][] = []
  const sumByStatus = (_scope: unknown, from: string, until: string): [] => {
    turns.push(turn)
    slices.push([from, until])
    return []
  }
  await createSlipsReport(
    { statistics: { sumByStatus }, collections: journal.collections },
    journalScope,
    { from: '2026-01-01', to: '2026-12-31' },
    'Europe/Athens',
    true
  )
  clearImmediate(immediate)
  expect(new Set(turns).size).toBe(turns.length)
  expect(
    Math.max(...slices.map(([from, until]) => Date.parse(until) - Date.parse(from)))
  ).toBeLessThanOrEqual(24 * 60 * 60 * 1000)
  // Without a gap, over both changes of the clocks.
  expect(slices.map(([from]) => from)).toEqual([
    '2025-12-31T22:00:00.000Z',
    ...slices.slice(0, -1).map(([, until]) => until)
  ])
  expect(slices.at(-1)?.[1]).toBe('2026-12-31T22:00:00.000Z')
})

describe('report of a day', () => {
  it('has a bucket per hour, and their sums', async () => {
    print('2026-11-21T09:10:00.000Z', 100)
    print('2026-11-21T09:59:59.999Z', 50)
    print('2026-11-21T17:00:00.000Z', 7)
    const report = await reported('2026-11-21')
    expect(report.bucketSize).toBe('hour')
    expect(report.buckets.filter(({ slips }) => slips > 0)).toEqual([
      { start: '2026-11-21T09:00:00.000Z', slips: 2, points: 150 },
      { start: '2026-11-21T17:00:00.000Z', slips: 1, points: 7 }
    ])
    expect(report.buckets).toHaveLength(24)
    expect(report).toMatchObject({ slips: 3, points: 157 })
  })

  it('covers the day in the time zone of the business', async () => {
    print('2026-11-20T21:59:59.999Z', 1)
    print('2026-11-20T22:00:00.000Z', 2)
    print('2026-11-21T21:59:59.999Z', 4)
    print('2026-11-21T22:00:00.000Z', 8)
    expect((await reported('2026-11-21', '2026-11-21', 'Europe/Athens')).points).toBe(6)
  })

  it('counts slips that were not sent, unknown and failed ones by state', async () => {
    const at = '2026-11-21T10:00:00.000Z'
    journal.slips.transition(request(at, 10), 'refused', { failure: { kind: 'offline' } })
    journal.slips.transition(request(at, 20), 'answer-lost', {
      failure: { kind: 'unknown-outcome', cause: 'timeout' }
    })
    const failed = issue(at, 30)
    journal.slips.transition(failed, 'print-started', printer)
    journal.slips.transition(failed, 'print-failed', {
      failure: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
    })
    expect(await reported('2026-11-21')).toMatchObject({
      slips: 1,
      points: 30,
      statuses: { 'not-sent': 1, refused: 0, unknown: 1, 'print-failed': 1, printed: 0 }
    })
  })

  it('tells printed, saved and handed-over slips apart, removed ones included', async () => {
    const at = '2026-11-21T10:00:00.000Z'
    const receipt = { kind: 'receipt-printer', ...DEFAULT_RECEIPT_OPTIONS } as const
    const network = { kind: 'network', host: '192.168.1.40', port: 9100, announcedName: null } as const
    print(at, 1, { kind: 'folder' })
    for (let slip = 0; slip < 2; slip++)
      print(at, 1, { ...receipt, connection: { kind: 'raw-queue', name: 'Bon' } })
    print(at, 1, { ...receipt, connection: network, reportsState: false })
    for (let slip = 0; slip < 2; slip++) print(at, 1, { ...receipt, connection: network, reportsState: true })
    for (let slip = 0; slip < 2; slip++) print(at, 1, { kind: 'queue', name: 'Office' })
    const statuses = { printed: 4, saved: 1, 'handed-over': 3 }
    expect(await reported('2026-11-21')).toMatchObject({ slips: 8, statuses })
    expect((await journal.statistics.totals()).slips).toMatchObject(statuses)
    for (const { remove } of journal.retention.removeSlips('2026-11-22T00:00:00.000Z')) remove()
    expect(await reported('2026-11-21')).toMatchObject({ slips: 8, removed: 8, statuses })
  })

  it('excludes the points of a discarded slip', async () => {
    const intentId = issue('2026-11-21T10:00:00.000Z', 30)
    journal.slips.transition(intentId, 'discarded', {
      endedAt: '2026-11-21T10:05:00.000Z',
      note: 'Wrong customer'
    })
    expect(await reported('2026-11-21')).toMatchObject({ slips: 0, points: 0, statuses: { discarded: 1 } })
  })

  it('counts the copies that were printed, separately from slips', async () => {
    const intentId = print('2026-11-21T10:00:00.000Z', 30)
    for (const number of [1, 2]) {
      journal.slips.startCopy(intentId, '2026-11-21T10:05:00.000Z', printer)
      journal.slips.endCopy(intentId, number, { endedAt: '2026-11-21T10:05:01.000Z', failure: null })
    }
    journal.slips.startCopy(intentId, '2026-11-21T10:06:00.000Z', printer)
    journal.slips.endCopy(intentId, 3, {
      endedAt: '2026-11-21T10:06:01.000Z',
      failure: { kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }
    })
    expect(await reported('2026-11-21')).toMatchObject({ slips: 1, points: 30, copies: 2 })
  })

  it('excludes the slips of another business', async () => {
    issue('2026-11-21T10:00:00.000Z', 30, 'b2')
    expect(await reported('2026-11-21')).toMatchObject({ slips: 0, points: 0 })
  })
})

it('report of a week has a bucket per day', async () => {
  print('2026-11-16T10:00:00.000Z', 1)
  print('2026-11-22T10:00:00.000Z', 2)
  const report = await reported('2026-11-16', '2026-11-22')
  expect(report.bucketSize).toBe('day')
  expect(report.buckets.map(({ points }) => points)).toEqual([1, 0, 0, 0, 0, 0, 2])
})

describe('what was collected', () => {
  const ASK = { from: '2026-11-21', to: '2026-11-21' }
  const read = (readAt: string | null): void =>
    journal.collections.setReading(journalScope, { cursor: 'end', readAt })
  const collect = (code: string, at: string, state: 'collected' | 'reversed' = 'collected'): void => {
    journal.collections.record(journalScope, [{ id: code, code, state, at }])
  }
  const redeem = (
    cost: number,
    requestedAt: string,
    state: 'done' | 'refused' = 'done',
    by: Pick<NewOperation, 'cashier' | 'program'> = { cashier: null, program: null }
  ): void => {
    const key = `redemption ${String(++made)}`
    journal.operations.request({
      ...journalScope,
      key,
      kind: 'redeem',
      undoes: null,
      reference: null,
      customer: { id: 'c', name: 'Maria' },
      reason: null,
      request: { reward: { id: 'r', name: 'Espresso' }, cost, balanceBefore: null },
      ...by,
      requestedAt
    })
    journal.operations.change(key, state)
  }
  const report = async (tells = true) =>
    (await createSlipsReport(journal, journalScope, ASK, 'UTC', tells)).collections

  it('is unknown to a till whose service does not tell it, and before it was read', async () => {
    expect(await report()).toBeNull()
    read(null)
    expect(await report()).toBeNull()
    read('2026-11-21T18:00:00.000Z')
    expect(await report(false)).toBeNull()
    expect(await report()).toMatchObject({
      asOf: '2026-11-21T18:00:00.000Z',
      total: { issued: 0, medianMs: null }
    })
  })

  it('is counted by time, batch, cashier and program, with the median of the time that it took', async () => {
    read('2026-11-21T18:00:00.000Z')
    const anna = { cashier: { id: 'k1', name: 'Anna', number: 1 } }
    const program = { caller: { id: 'p1', name: 'Shop POS' }, contentHash: 'h', attempt: 1 }
    const batch = { batchId: 'b', position: 1, attempt: 1 }
    const at = '2026-11-21T09:00:00.000Z'
    const first = issue(at, 100, 'b1', anna)
    const second = issue(at, 50, 'b1', { ...anna, program })
    const takenBack = issue('2026-11-21T10:00:00.000Z', 10, 'b1', anna)
    issue('2026-11-21T10:00:00.000Z', 5, 'b1', { batch })
    const discarded = issue('2026-11-21T10:00:00.000Z', 1000)
    redeem(60, at, 'done', {
      ...anna,
      program: { caller: program.caller, contentHash: 'h' }
    })
    redeem(30, '2026-11-21T23:59:59.999Z')
    redeem(1000, '2026-11-22T00:00:00.000Z')
    redeem(1000, at, 'refused')
    journal.slips.transition(discarded, 'discarded', { endedAt: at })
    issue('2026-11-21T10:00:00.000Z', 1000, 'another business')
    collect(first, '2026-11-21T09:10:00.000Z')
    collect(second, '2026-11-21T09:40:00.000Z')
    collect(takenBack, '2026-11-21T11:00:00.000Z')
    collect(takenBack, '2026-11-21T11:30:00.000Z', 'reversed')
    collect(discarded, '2026-11-21T11:00:00.000Z')

    const uncredited = { credited: 0, creditedPoints: 0, returned: 0, returnedPoints: 0 }
    const unredeemed = { redeemed: 0, redeemedPoints: 0, ...uncredited }
    const two = {
      ...{ issued: 2, issuedPoints: 150, collected: 2, collectedPoints: 150, ...unredeemed },
      medianMs: 25 * 60_000
    }
    const none = { collected: 0, collectedPoints: 0, ...unredeemed, medianMs: null }
    const early = { redeemed: 1, redeemedPoints: 60 }
    const late = { redeemed: 1, redeemedPoints: 30 }
    const nothing = { issued: 0, issuedPoints: 0, ...none }
    expect(await report()).toEqual({
      asOf: '2026-11-21T18:00:00.000Z',
      total: {
        ...{ ...two, issued: 4, issuedPoints: 165, redeemed: 2, redeemedPoints: 90 },
        ...{ kind: 'named', label: '' }
      },
      groups: {
        time: [
          { ...two, ...early, kind: 'named', label: at },
          { ...none, issued: 2, issuedPoints: 15, kind: 'named', label: '2026-11-21T10:00:00.000Z' },
          { ...nothing, ...late, kind: 'named', label: '2026-11-21T23:00:00.000Z' }
        ],
        batch: [
          { ...none, issued: 1, issuedPoints: 5, kind: 'named', label: '2026-11-21T10:00:00.000Z' },
          { ...two, issued: 3, issuedPoints: 160, kind: 'none', label: '' }
        ],
        cashier: [
          { ...two, issued: 3, issuedPoints: 160, ...early, kind: 'named', label: 'Anna' },
          { ...none, issued: 1, issuedPoints: 5, ...late, kind: 'none', label: '' }
        ],
        program: [
          {
            issued: 1,
            issuedPoints: 50,
            collected: 1,
            collectedPoints: 50,
            ...{ ...uncredited, ...early },
            medianMs: 40 * 60_000,
            kind: 'named',
            label: 'Shop POS'
          },
          {
            issued: 3,
            issuedPoints: 115,
            collected: 1,
            collectedPoints: 100,
            ...{ ...uncredited, ...late },
            medianMs: 10 * 60_000,
            kind: 'none',
            label: ''
          }
        ]
      }
    })
  })

  it('counts credits that were not undone, by time and cashier', async () => {
    read('2026-11-21T18:00:00.000Z')
    const at = '2026-11-21T09:00:00.000Z'
    const anna = { id: 'k1', name: 'Anna', number: 1 }
    const ask = (key: string, kind: 'credit' | 'reverse-credit', undoes: string | null, points: number) => {
      journal.operations.request({
        ...{ ...journalScope, key, kind, undoes, customer: { id: 'c', name: 'Maria' }, cashier: anna },
        ...{ program: null, reference: null, reason: null, requestedAt: at },
        request: { points, balanceBefore: null }
      })
      journal.operations.change(key, 'done')
    }
    ask('credit 1', 'credit', null, 250)
    ask('credit 2', 'credit', null, 40)
    ask('undo', 'reverse-credit', 'credit 2', 40)
    redeem(60, at)
    const shown = await report()
    const credited = { credited: 1, creditedPoints: 250 }
    expect(shown?.total).toMatchObject({ ...credited, issued: 0, redeemed: 1, redeemedPoints: 60 })
    expect(shown?.groups.time).toMatchObject([{ ...credited, label: at }])
    expect(shown?.groups.cashier).toMatchObject([
      { ...credited, redeemed: 0, label: 'Anna' },
      { credited: 0 }
    ])
  })

  it('counts the points that went back, by time, cashier and program, and no refused or unanswered return', async () => {
    read('2026-11-21T18:00:00.000Z')
    const at = '2026-11-21T09:00:00.000Z'
    const program = { caller: { id: 'p1', name: 'Shop POS' }, contentHash: 'h' }
    const takeBack = (
      key: string,
      state: OperationState,
      taken: number,
      by: Partial<Pick<NewOperation, 'cashier' | 'program'>>
    ) => {
      journal.operations.request({
        ...{
          ...journalScope,
          key,
          kind: 'return',
          undoes: null,
          customer: null,
          cashier: null,
          program: null
        },
        ...{ reference: null, reason: 'Wrong size', requestedAt: at, ...by },
        request: { code: 'CODE-1', amount: { returned: '1', total: '2' }, atMost: 500 }
      })
      journal.operations.change(key, state, {
        answer: { points: taken, remaining: 0, codeStatus: 'used', balance: null }
      })
    }
    const anna = { cashier: { id: 'k1', name: 'Anna', number: 1 } }
    takeBack('return 1', 'done', 120, anna)
    takeBack('return 2', 'done', 0, anna)
    takeBack('return 3', 'done', 30, { program })
    takeBack('return 4', 'refused', 1000, anna)
    takeBack('return 5', 'unknown', 1000, anna)
    const shown = await report()
    expect(shown?.total).toMatchObject({ issued: 0, credited: 0, returned: 3, returnedPoints: 150 })
    expect(shown?.groups.time).toMatchObject([{ returned: 3, returnedPoints: 150, label: at }])
    expect(shown?.groups.cashier).toMatchObject([{ returned: 2, returnedPoints: 120, label: 'Anna' }, {}])
    expect(shown?.groups.program).toMatchObject([{ returned: 1, returnedPoints: 30, label: 'Shop POS' }, {}])
  })

  it('counts many redeemed rewards, and rewards of a day without a slip', async () => {
    read('2026-11-21T18:00:00.000Z')
    database.exec('BEGIN')
    for (let count = 0; count < 2100; count++) redeem(3, '2026-11-21T12:00:00.000Z')
    database.exec('COMMIT')
    const shown = await report()
    expect(shown?.total).toMatchObject({ issued: 0, redeemed: 2100, redeemedPoints: 6300 })
    expect(shown?.groups.time).toMatchObject([{ redeemed: 2100, label: '2026-11-21T12:00:00.000Z' }])
  })

  it('is counted over many slips of one moment, and keeps its sums when the retention removes them', async () => {
    read('2026-11-21T18:00:00.000Z')
    const at = '2026-11-21T09:00:00.000Z'
    database.exec('BEGIN')
    const codes = Array.from({ length: 1200 }, () => {
      const intentId = issue(at, 2)
      journal.slips.transition(intentId, 'given', { endedAt: at })
      return intentId
    })
    for (const code of codes.slice(0, 700)) collect(code, '2026-11-21T09:30:00.000Z')
    database.exec('COMMIT')
    const sums = { issued: 1200, issuedPoints: 2400, collected: 700, collectedPoints: 1400 }
    expect((await report())?.total).toMatchObject({ ...sums, medianMs: 30 * 60_000 })
    for (const { remove } of journal.retention.removeSlips('2026-12-01')) remove()
    const removed = await report()
    expect(removed?.total).toMatchObject({ ...sums, medianMs: null })
    expect(removed?.groups.time).toMatchObject([{ ...sums, label: at }])
    expect(removed?.groups.cashier).toMatchObject([{ ...sums, kind: 'removed' }])
  })
})
