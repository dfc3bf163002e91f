import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_RECEIPT_OPTIONS, type PrintDestination } from '../../../../electron/contract/printing.ts'
import { Journal } from '../../../../electron/main/slips/journal/journal.ts'
import { migrate } from '../../../../electron/main/slips/journal/schema.ts'
import { createSlipsReport } from '../../../../electron/main/slips/report.ts'
import { journalScope, journalSnapshot, temporaryFolder } from './slip-service-fixture.ts'

const printer = { destination: { kind: 'folder' }, paperSize: '80mm' } as const

let journal: Journal
beforeEach(() => {
  const database = new DatabaseSync(join(temporaryFolder(), 'journal.db'))
  migrate(database)
  journal = new Journal(database)
  onTestFinished(() => journal.close())
})

let made = 0
/** Requests a slip, and returns its intent id. */
function request(at: string, points: number, business = 'b1'): string {
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
    batch: null,
    reference: null,
    program: null
  })
  return intentId
}

function issue(at: string, points: number, business?: string): string {
  const intentId = request(at, points, business)
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
  createSlipsReport(journal.statistics, journalScope, { from, to }, timeZone)

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
    { sumByStatus },
    journalScope,
    { from: '2026-01-01', to: '2026-12-31' },
    'Europe/Athens'
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

  it('counts refused, unknown and failed slips by state', async () => {
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
      statuses: { refused: 1, unknown: 1, 'print-failed': 1, printed: 0 }
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
