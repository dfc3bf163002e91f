import { PDFiumLibrary } from '@hyzyla/pdfium'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../../electron/contract/slips.ts'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import {
  failWrites,
  folderSettings,
  openSlipService,
  qrCode,
  temporaryFolder,
  valueOf,
  type SlipServiceFixture
} from './slip-service-fixture.ts'
import { PROGRESS_INTERVAL_MS } from '../../../../electron/main/slips/batch-progress.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { business } from '../../../support/sample-business.ts'

const refused: Failure = { kind: 'rejected', status: 402, message: 'Plan used up' }
const lost: Failure = { kind: 'unknown-outcome', cause: 'timeout' }

const queue = { kind: 'queue', name: 'Q' } as const

const promotion = (count: number, oneJob = false) => ({ batchId: randomUUID(), points: 5, count, oneJob })

type BatchInput = ReturnType<typeof promotion>
const batches = (till: SlipServiceFixture) => till.slips.batches

/** Starts a batch, and waits until its first rows are on disk and requested. */
const start = async (till: SlipServiceFixture, request: BatchInput): Promise<Batch> => {
  const batch = valueOf(await batches(till).start(request))
  await new Promise(setImmediate)
  return batch
}

/** Creates a service whose responses the test sends. */
const service = () => {
  const waiting: ((answer: Result<NewQrCode>) => void)[] = []
  let made = 0
  return {
    waiting,
    createQr: (): Promise<Result<NewQrCode>> => new Promise((resolve) => waiting.push(resolve)),
    /** Responds to the pending requests, with different codes or with `failure`. */
    answer: async (failure?: Failure) => {
      // Rows of this turn of the event loop are on disk in the next one, and their requests are pending.
      await new Promise(setImmediate)
      for (const reply of waiting.splice(0)) {
        reply(failure ? err(failure) : ok(qrCode(`B-${String((made += 1))}`, 5)))
      }
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    }
  }
}

/** Creates a service that fails the requests with these numbers, from 1 on, and returns codes for the others. */
const failingAt = (failures: Readonly<Record<number, Failure>>) => {
  let asked = 0
  return (points: number): Promise<Result<NewQrCode>> => {
    asked += 1
    const failure = failures[asked]
    return Promise.resolve(failure ? err(failure) : ok(qrCode(`B-${String(asked)}`, points)))
  }
}

describe('BatchRunner.start', () => {
  it('issues and prints the requested number of slips, and reports the counts', async () => {
    const till = openSlipService()
    const request = promotion(12)
    expect(await start(till, request)).toMatchObject({ state: 'running', count: 12, issued: 0, waiting: 12 })
    const done = await till.finished()
    expect(done).toMatchObject({
      state: 'finished',
      issued: 12,
      printed: 12,
      saved: 12,
      handedOver: 0,
      sent: 0,
      failed: 0,
      unknown: 0,
      waiting: 0,
      reason: null
    })
    expect(done.endedAt).not.toBeNull()
    expect(till.requestedPoints).toEqual(Array.from({ length: 12 }, () => 5))
    expect(readdirSync(join(till.folder, 'slips'))).toHaveLength(12)
    expect(valueOf(till.slips.queries.unfinishedBatches())).toEqual([])
    expect(
      valueOf(till.slips.queries.list({ offset: 0, search: { batchId: request.batchId } })).slips
    ).toHaveLength(12)
  })

  it('needs no attention for slips that wait for its print job', async () => {
    const { createQr, answer } = service()
    const till = openSlipService({ createQr })
    await start(till, promotion(10, true))
    await answer()
    const { queries } = till.slips
    const issued = valueOf(queries.list({ offset: 0, search: { states: ['issued'] } })).slips
    const needed = [queries.attention(), queries.attentionList({ offset: 0 })]
    for (let turn = 0; turn < 2; turn++) await answer()
    await till.finished()
    expect(issued).toHaveLength(4)
    expect(needed).toEqual([ok(0), ok({ slips: [], hasMore: false })])
  })

  it('has at most four pending requests', async () => {
    const { waiting, createQr, answer } = service()
    const till = openSlipService({ createQr })
    await start(till, promotion(10))
    expect(waiting).toHaveLength(4)
    expect(till.slips.pendingWork()).toBe('batch')
    await answer()
    expect(waiting).toHaveLength(4)
    await answer()
    expect(waiting).toHaveLength(2)
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 10 })
  })

  it('starts a batch id once', async () => {
    const till = openSlipService()
    const request = promotion(6)
    await Promise.all([batches(till).start(request), batches(till).start(request)])
    await till.finished()
    expect(valueOf(await batches(till).start(request))).toMatchObject({ state: 'finished', issued: 6 })
    expect(till.requestedPoints).toHaveLength(6)
  })

  it('prints one document with a page per slip when it is one job', async () => {
    const till = openSlipService()
    const request = promotion(5, true)
    await start(till, request)
    expect(await till.finished()).toMatchObject({ issued: 5, printed: 5 })
    expect(readdirSync(join(till.folder, 'slips'))).toEqual([`batch-${request.batchId}.pdf`])
    const document = await PDFiumLibrary.init().then((library) =>
      library.loadDocument(readFileSync(join(till.folder, 'slips', `batch-${request.batchId}.pdf`)))
    )
    expect(document.getPageCount()).toBe(5)
    document.destroy()
  })

  it('fails for invalid points, and without a business', async () => {
    const till = openSlipService()
    expect(await batches(till).start({ ...promotion(3), points: 0 })).toEqual(
      err({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
    )
    const disconnected = openSlipService({ currentBusiness: () => null })
    expect(await batches(disconnected).start(promotion(3))).toEqual(err({ kind: 'not-connected' }))
    expect([...till.requestedPoints, ...disconnected.requestedPoints]).toEqual([])
  })
})

describe('journal of a batch', () => {
  /** Returns the rows that another connection reads. */
  const rowsIn = (folder: string): Record<string, unknown>[] => {
    const database = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
    const rows = database.prepare('SELECT intent_id, state, code FROM slips ORDER BY number').all()
    database.close()
    return rows
  }

  it('holds each row before its request, and each code before it is reported', async () => {
    const folder = temporaryFolder()
    let requests = 0
    const tooEarly: unknown[] = []
    const till = openSlipService(
      {
        createQr: (points) => {
          requests += 1
          if (rowsIn(folder).length < requests) tooEarly.push(requests)
          return Promise.resolve(ok(qrCode(`B-${String(requests)}`, points)))
        },
        onSlip: ({ intentId, state, code }) => {
          const row = rowsIn(folder).find(({ intent_id }) => intent_id === intentId)
          if (row?.['state'] !== state || row['code'] !== code) tooEarly.push(state)
        }
      },
      folder
    )
    await start(till, promotion(12, true))
    expect(await till.finished()).toMatchObject({ issued: 12, printed: 12 })
    expect(requests).toBe(12)
    expect(tooEarly).toEqual([])
  })

  it('stops the batch before any request when a commit fails', async () => {
    const till = openSlipService()
    const request = promotion(6)
    const intruder = new DatabaseSync(join(till.folder, 'journal.db'))
    intruder.exec(`CREATE TRIGGER full BEFORE INSERT ON slips BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
    await start(till, request)
    const stopped = await till.until(({ state }) => state === 'stopped')
    expect(stopped).toMatchObject({ reason: { kind: 'not-saved', what: 'journal' }, issued: 0, waiting: 6 })
    expect(till.requestedPoints).toEqual([])
    expect(till.reportedSlips).toEqual([])
    intruder.exec('DROP TRIGGER full')
    intruder.close()
    await batches(till).resume({ ...request, issueUnknownAgain: false })
    expect(await till.finished()).toMatchObject({ issued: 6, printed: 6 })
    expect(till.requestedPoints).toHaveLength(6)
  })
})

const onNetwork = networkPrinter({ host: '127.0.0.1', port: 9100 })
const rawQueue = { ...onNetwork, connection: { kind: 'raw-queue', name: 'Counter' } } as const

it.each([
  ['a raw queue', rawQueue, { handedOver: 3, sent: 0 }, 'Handed to the queue'],
  [
    'a printer that reports nothing',
    { ...onNetwork, reportsState: false },
    { handedOver: 3, sent: 3 },
    'Sent to the printer'
  ],
  ['a printer that reports its state', onNetwork, { handedOver: 0, sent: 0 }, 'Printed']
])('counts the slips that %s took on their own', async (_who, destination, counts, label) => {
  const till = openSlipService({
    settings: () => ({ ...folderSettings, printer: { destination, paperSize: '80mm' } }),
    printOnPrinter: () => Promise.resolve(ok(null))
  })
  await start(till, promotion(3))
  expect(await till.finished()).toMatchObject({ printed: 3, saved: 0, ...counts })
  const file = join(till.folder, 'slips.csv')
  await till.slips.reports.exportSlips(file, {})
  expect(readFileSync(file, 'utf8').match(new RegExp(`${label},5`, 'g'))).toHaveLength(3)
})

describe('BatchRunner.pause and cancel', () => {
  it('sends no more requests, keeps pending ones, and resumes where it paused', async () => {
    const { waiting, createQr, answer } = service()
    const till = openSlipService({ createQr })
    const request = promotion(9)
    await start(till, request)
    await answer()
    const paused = batches(till).pause(request)
    await answer()
    expect(valueOf(await paused)).toMatchObject({ state: 'paused', issued: 8, waiting: 1 })
    expect(waiting).toHaveLength(0)
    expect(valueOf(till.slips.queries.unfinishedBatches())).toMatchObject([
      { batchId: request.batchId, state: 'paused' }
    ])
    await batches(till).resume({ ...request, issueUnknownAgain: false })
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 9, printed: 9 })
    expect(till.requestedPoints).toHaveLength(9)
  })

  it('discards or prints the unprinted slips of a cancelled batch', async () => {
    const folderInTheWay = {
      settings: () => ({
        printer: { destination: { kind: 'queue' as const, name: 'Q' }, paperSize: '80mm' as const },
        copies: 1,
        oneJob: false
      })
    }
    const { createQr, answer } = service()
    const till = openSlipService({
      createQr,
      ...folderInTheWay,
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    const request = promotion(8)
    await start(till, request)
    await answer()
    await till.until(({ failed }) => failed === 4)
    const cancelled = batches(till).cancel({ ...request, unprinted: 'discard' })
    await answer()
    expect(valueOf(await cancelled)).toMatchObject({ state: 'cancelled', issued: 8, printed: 0, waiting: 0 })
    await till.until(({ ended, failed }) => ended + failed === 8)
    expect(await batches(till).resume({ ...request, issueUnknownAgain: false })).toEqual(
      err({ kind: 'not-found' })
    )
    expect(await batches(till).cancel({ ...request, unprinted: 'print' })).toEqual(err({ kind: 'not-found' }))
  })

  it('cancels wholly or not at all when the disk fails', async () => {
    const till = openSlipService({
      settings: () => ({ ...folderSettings, printer: { destination: queue, paperSize: '80mm' } }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    const request = promotion(3)
    await start(till, request)
    await batches(till).pause(request)
    await till.until(({ failed, state }) => failed === 3 && state === 'paused')
    const repair = failWrites(till, 'slips', 'new.position = 2')
    const reported = till.reportedSlips.length
    expect(await batches(till).cancel({ ...request, unprinted: 'discard' })).toEqual(
      err({ kind: 'not-saved', what: 'journal' })
    )
    expect(till.reportedSlips.slice(reported)).toEqual([])
    expect(valueOf(till.slips.queries.unfinishedBatches())).toMatchObject([{ state: 'paused', failed: 3 }])
    repair()
    expect(valueOf(await batches(till).cancel({ ...request, unprinted: 'discard' }))).toMatchObject({
      state: 'cancelled',
      ended: 3
    })
  })

  it('sends no more requests after a cancel', async () => {
    const { waiting, createQr, answer } = service()
    const till = openSlipService({ createQr })
    const request = promotion(100)
    await start(till, request)
    const cancelled = batches(till).cancel({ ...request, unprinted: 'print' })
    await answer()
    expect(valueOf(await cancelled)).toMatchObject({ state: 'cancelled', issued: 4, waiting: 96 })
    expect(waiting).toHaveLength(0)
    await till.until(({ printed }) => printed === 4)
    expect(valueOf(till.slips.queries.unfinishedBatches())).toEqual([])
  })
})

describe('batch with a failing service', () => {
  it('discards all slips with an unknown outcome, or none when the disk fails', async () => {
    const { createQr, answer } = service()
    const till = openSlipService({ createQr })
    const request = promotion(3)
    await start(till, request)
    await answer(lost)
    await till.until(({ state }) => state === 'stopped')
    const states = () => valueOf(till.slips.queries.list({ offset: 0 })).slips.map(({ state }) => state)
    const repair = failWrites(till, 'slips', 'new.position = 2')
    expect(await batches(till).resume({ ...request, issueUnknownAgain: true })).toEqual(
      err({ kind: 'not-saved', what: 'journal' })
    )
    expect(states()).toEqual(['unknown', 'unknown', 'unknown'])
    repair()
    await batches(till).resume({ ...request, issueUnknownAgain: true })
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 3, printed: 3, unknown: 0 })
  })

  it('stops with the reason, and requests refused slips again when resumed', async () => {
    const till = openSlipService({ createQr: failingAt({ 6: refused }) })
    const request = promotion(20)
    await start(till, request)
    const stopped = await till.until(({ state }) => state === 'stopped')
    expect(stopped.reason).toEqual(refused)
    expect(stopped.issued + stopped.waiting).toBe(20)
    expect(till.requestedPoints).toHaveLength(stopped.issued + 1)
    await batches(till).resume({ ...request, issueUnknownAgain: false })
    expect(await till.finished()).toMatchObject({ issued: 20, printed: 20, unknown: 0, reason: null })
    expect(till.requestedPoints).toHaveLength(21)
  })

  it('keeps unknown outcomes, or discards and issues them again on request', async () => {
    for (const issueUnknownAgain of [false, true]) {
      const till = openSlipService({ createQr: failingAt({ 3: lost, 4: lost }) })
      const request = promotion(10)
      await start(till, request)
      expect(await till.until(({ state }) => state === 'stopped')).toMatchObject({ reason: lost, unknown: 2 })
      await batches(till).resume({ ...request, issueUnknownAgain })
      expect(await till.finished()).toMatchObject(
        issueUnknownAgain ? { issued: 10, unknown: 0 } : { issued: 8, unknown: 2 }
      )
      expect(till.requestedPoints).toHaveLength(issueUnknownAgain ? 12 : 10)
      expect(valueOf(till.slips.queries.attention())).toBe(issueUnknownAgain ? 0 : 2)
    }
  })

  it.each([
    ['another business', { ...business, id: 'business-2' }],
    ['training mode', { ...business, training: true }]
  ])('pauses, and is not reported, while the till serves %s', async (_, other) => {
    let current = business
    const { createQr, answer } = service()
    const till = openSlipService({ createQr, currentBusiness: () => current })
    const request = promotion(9)
    await start(till, request)
    current = other
    const reported = till.reportedBatches.length
    await answer()
    // Longer than the progress of a batch waits.
    await new Promise((resolve) => setTimeout(resolve, 2 * PROGRESS_INTERVAL_MS))
    expect(till.reportedBatches).toHaveLength(reported)
    expect(till.requestedPoints).toHaveLength(4)
    expect(valueOf(till.slips.queries.unfinishedBatches())).toEqual([])
    current = business
    expect(valueOf(till.slips.queries.unfinishedBatches())).toMatchObject([
      { state: 'paused', reason: null, issued: 4, waiting: 5 }
    ])
    await batches(till).resume({ ...request, issueUnknownAgain: false })
    await answer()
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 9 })
  })

  it('stops when the business is disconnected', async () => {
    let current: typeof business | null = business
    const { createQr, answer } = service()
    const till = openSlipService({ createQr, currentBusiness: () => current })
    await start(till, promotion(9))
    current = null
    await answer()
    current = business
    expect(valueOf(till.slips.queries.unfinishedBatches())).toMatchObject([
      { state: 'stopped', reason: { kind: 'not-connected' }, issued: 4, waiting: 5 }
    ])
  })
})

describe('shutdown during a batch', () => {
  it('stops the batch, which can be resumed after the restart', async () => {
    const { waiting, createQr, answer } = service()
    const till = openSlipService({ createQr })
    const request = promotion(10)
    await start(till, request)
    await answer()
    expect(waiting).toHaveLength(4)
    const restarting = till.restart({ createQr })
    await answer()
    const again = await restarting
    expect(valueOf(again.slips.queries.unfinishedBatches())).toMatchObject([
      { state: 'stopped', reason: { kind: 'unknown-outcome', cause: 'till-stopped' }, issued: 8, waiting: 2 }
    ])
    expect(again.requestedPoints).toEqual([])
    await batches(again).resume({ ...request, issueUnknownAgain: false })
    await answer()
    expect(await again.finished()).toMatchObject({ issued: 10, printed: 10 })
    expect([...till.requestedPoints, ...again.requestedPoints]).toHaveLength(10)
  })
})
