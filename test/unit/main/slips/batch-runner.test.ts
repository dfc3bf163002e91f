import { PDFiumLibrary } from '@hyzyla/pdfium'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { Batch } from '../../../../electron/contract/slips.ts'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { QrCode } from '../../../../electron/contract/loyalty.ts'
import { business, openTill, qrCode, temporaryFolder, valueOf, type Till } from './slip-service-fixture.ts'

const refused: Failure = { kind: 'rejected', status: 402, message: 'Plan used up' }
const lost: Failure = { kind: 'unknown-outcome', cause: 'timeout' }

const promotion = (count: number, oneJob = false) => ({ batchId: randomUUID(), points: 5, count, oneJob })

type Ask = ReturnType<typeof promotion>
const batches = (till: Till) => {
  if (till.slips.batches === null) throw new Error('no journal')
  return till.slips.batches
}
/** Starts, and waits until its first rows are on the disk, and asked for. */
const start = async (till: Till, ask: Ask): Promise<Batch> => {
  const batch = valueOf(await batches(till).start(ask))
  await new Promise(setImmediate)
  return batch
}

/** A service whose answers the test gives. */
const service = () => {
  const waiting: ((answer: Result<QrCode>) => void)[] = []
  let made = 0
  return {
    waiting,
    createQr: (): Promise<Result<QrCode>> => new Promise((resolve) => waiting.push(resolve)),
    /** Answers what waits now, each with a code of its own unless told. */
    answer: async (failure?: Failure) => {
      // Rows that were asked for in this turn are on the disk in the next, and their requests on their way.
      await new Promise(setImmediate)
      for (const reply of waiting.splice(0)) {
        reply(failure ? err(failure) : ok(qrCode(`B-${String((made += 1))}`, 5)))
      }
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    }
  }
}

/** A service that answers the `n`th request, from 1 on, as told, and every other with a code. */
const failingAt = (failures: Readonly<Record<number, Failure>>) => {
  let asked = 0
  return (points: number): Promise<Result<QrCode>> => {
    asked += 1
    const failure = failures[asked]
    return Promise.resolve(failure ? err(failure) : ok(qrCode(`B-${String(asked)}`, points)))
  }
}

describe('a batch', () => {
  it('issues and prints as many slips as asked for, and says so', async () => {
    const till = openTill()
    const ask = promotion(12)
    expect(await start(till, ask)).toMatchObject({ state: 'running', count: 12, issued: 0, waiting: 12 })
    const done = await till.finished()
    expect(done).toMatchObject({
      state: 'finished',
      issued: 12,
      printed: 12,
      saved: 12,
      failed: 0,
      unknown: 0,
      waiting: 0,
      reason: null
    })
    expect(done.endedAt).not.toBeNull()
    expect(till.asked).toEqual(Array.from({ length: 12 }, () => 5))
    expect(readdirSync(join(till.folder, 'slips'))).toHaveLength(12)
    expect(valueOf(till.slips.unfinishedBatches())).toEqual([])
    expect(valueOf(till.slips.list({ offset: 0, search: { batchId: ask.batchId } })).slips).toHaveLength(12)
  })

  it('has at most four requests on their way', async () => {
    const { waiting, createQr, answer } = service()
    const till = openTill({ createQr })
    await start(till, promotion(10))
    expect(waiting).toHaveLength(4)
    expect(till.slips.underWay()).toBe('batch')
    await answer()
    expect(waiting).toHaveLength(4)
    await answer()
    expect(waiting).toHaveLength(2)
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 10 })
  })

  it('is one, however often it is started', async () => {
    const till = openTill()
    const ask = promotion(6)
    await Promise.all([batches(till).start(ask), batches(till).start(ask)])
    await till.finished()
    expect(valueOf(await batches(till).start(ask))).toMatchObject({ state: 'finished', issued: 6 })
    expect(till.asked).toHaveLength(6)
  })

  it('as one job is one document, with a page for each slip', async () => {
    const till = openTill()
    const ask = promotion(5, true)
    await start(till, ask)
    expect(await till.finished()).toMatchObject({ issued: 5, printed: 5 })
    expect(readdirSync(join(till.folder, 'slips'))).toEqual([`batch-${ask.batchId}.pdf`])
    const document = await PDFiumLibrary.init().then((library) =>
      library.loadDocument(readFileSync(join(till.folder, 'slips', `batch-${ask.batchId}.pdf`)))
    )
    expect(document.getPageCount()).toBe(5)
    document.destroy()
  })

  it('refuses points that no code can carry, and a till that serves nobody', async () => {
    const till = openTill()
    expect(await batches(till).start({ ...promotion(3), points: 0 })).toEqual(
      err({ kind: 'invalid-input', field: 'points', fault: 'below-one' })
    )
    const nobody = openTill({ currentBusiness: () => null })
    expect(await batches(nobody).start(promotion(3))).toEqual(err({ kind: 'not-connected' }))
    expect([...till.asked, ...nobody.asked]).toEqual([])
  })
})

describe('the disk under a batch', () => {
  /** What another program would find on the disk now. */
  const rowsIn = (folder: string): Record<string, unknown>[] => {
    const database = new DatabaseSync(join(folder, 'journal.db'), { readOnly: true })
    const rows = database.prepare('SELECT intent_id, state, code FROM slips ORDER BY number').all()
    database.close()
    return rows
  }

  it('has each row before its request, and each code before anybody hears of it', async () => {
    const folder = temporaryFolder()
    let asked = 0
    const unheard: unknown[] = []
    const till = openTill(
      {
        createQr: (points) => {
          asked += 1
          if (rowsIn(folder).length < asked) unheard.push(asked)
          return Promise.resolve(ok(qrCode(`B-${String(asked)}`, points)))
        },
        onSlip: ({ intentId, state, code }) => {
          const row = rowsIn(folder).find(({ intent_id }) => intent_id === intentId)
          if (row?.['state'] !== state || row['code'] !== code) unheard.push(state)
        }
      },
      folder
    )
    await start(till, promotion(12, true))
    expect(await till.finished()).toMatchObject({ issued: 12, printed: 12 })
    expect([asked, unheard]).toEqual([12, []])
  })

  it('that takes no commit stops the batch with nothing asked for', async () => {
    const till = openTill()
    const ask = promotion(6)
    const intruder = new DatabaseSync(join(till.folder, 'journal.db'))
    intruder.exec(`CREATE TRIGGER full BEFORE INSERT ON slips BEGIN SELECT RAISE(ROLLBACK, 'full'); END`)
    await start(till, ask)
    const stopped = await till.until(({ state }) => state === 'stopped')
    expect(stopped).toMatchObject({ reason: { kind: 'not-saved', what: 'journal' }, issued: 0, waiting: 6 })
    expect([till.asked, till.heard]).toEqual([[], []])
    intruder.exec('DROP TRIGGER full')
    intruder.close()
    await batches(till).resume({ ...ask, issueUnknownAgain: false })
    expect(await till.finished()).toMatchObject({ issued: 6, printed: 6 })
    expect(till.asked).toHaveLength(6)
  })
})

describe('pause and cancel', () => {
  it('sends no more, keeps what was on its way, and goes on where it paused', async () => {
    const { waiting, createQr, answer } = service()
    const till = openTill({ createQr })
    const ask = promotion(9)
    await start(till, ask)
    await answer()
    const paused = batches(till).pause(ask)
    await answer()
    expect(valueOf(await paused)).toMatchObject({ state: 'paused', issued: 8, waiting: 1 })
    expect(waiting).toHaveLength(0)
    expect(valueOf(till.slips.unfinishedBatches())).toMatchObject([{ batchId: ask.batchId, state: 'paused' }])
    await batches(till).resume({ ...ask, issueUnknownAgain: false })
    await answer()
    expect(await till.finished()).toMatchObject({ issued: 9, printed: 9 })
    expect(till.asked).toHaveLength(9)
  })

  it('cancelled, it discards what has no paper, or prints it, as the cashier says', async () => {
    const folderInTheWay = {
      settings: () => ({
        printer: { destination: { kind: 'queue' as const, name: 'Q' }, paper: '80mm' as const },
        copies: 1,
        oneJob: false
      })
    }
    const { createQr, answer } = service()
    const till = openTill({
      createQr,
      ...folderInTheWay,
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    const ask = promotion(8)
    await start(till, ask)
    await answer()
    await till.until(({ failed }) => failed === 4)
    const cancelled = batches(till).cancel({ ...ask, unprinted: 'discard' })
    await answer()
    expect(valueOf(await cancelled)).toMatchObject({ state: 'cancelled', issued: 8, printed: 0, waiting: 0 })
    await till.until(({ ended, failed }) => ended + failed === 8)
    expect(await batches(till).resume({ ...ask, issueUnknownAgain: false })).toEqual(
      err({ kind: 'not-found' })
    )
    expect(await batches(till).cancel({ ...ask, unprinted: 'print' })).toEqual(err({ kind: 'not-found' }))
  })

  it('cancelled before all were asked for, it asks for no more', async () => {
    const { waiting, createQr, answer } = service()
    const till = openTill({ createQr })
    const ask = promotion(100)
    await start(till, ask)
    const cancelled = batches(till).cancel({ ...ask, unprinted: 'print' })
    await answer()
    expect(valueOf(await cancelled)).toMatchObject({ state: 'cancelled', issued: 4, waiting: 96 })
    expect(waiting).toHaveLength(0)
    await till.until(({ printed }) => printed === 4)
    expect(valueOf(till.slips.unfinishedBatches())).toEqual([])
  })
})

describe('a service that fails half-way', () => {
  it('stops the batch, which says why; resumed, it asks again only for what was surely refused', async () => {
    const till = openTill({ createQr: failingAt({ 6: refused }) })
    const ask = promotion(20)
    await start(till, ask)
    const stopped = await till.until(({ state }) => state === 'stopped')
    expect(stopped.reason).toEqual(refused)
    expect(stopped.issued + stopped.waiting).toBe(20)
    expect(till.asked).toHaveLength(stopped.issued + 1)
    await batches(till).resume({ ...ask, issueUnknownAgain: false })
    expect(await till.finished()).toMatchObject({ issued: 20, printed: 20, unknown: 0, reason: null })
    expect(till.asked).toHaveLength(21)
  })

  it('leaves unknown outcomes to the cashier: they stay, or are discarded and issued again', async () => {
    for (const issueUnknownAgain of [false, true]) {
      const till = openTill({ createQr: failingAt({ 3: lost, 4: lost }) })
      const ask = promotion(10)
      await start(till, ask)
      expect(await till.until(({ state }) => state === 'stopped')).toMatchObject({ reason: lost, unknown: 2 })
      await batches(till).resume({ ...ask, issueUnknownAgain })
      expect(await till.finished()).toMatchObject(
        issueUnknownAgain ? { issued: 10, unknown: 0 } : { issued: 8, unknown: 2 }
      )
      expect(till.asked).toHaveLength(issueUnknownAgain ? 12 : 10)
      expect(valueOf(till.slips.attention())).toBe(issueUnknownAgain ? 0 : 2)
    }
  })

  it('asks nobody on behalf of a business that the till no longer serves', async () => {
    let current = business
    const { createQr, answer } = service()
    const till = openTill({ createQr, currentBusiness: () => current })
    await start(till, promotion(9))
    current = { ...business, id: 'business-2' }
    await answer()
    expect(till.asked).toHaveLength(4)
    expect(valueOf(till.slips.unfinishedBatches())).toEqual([])
    current = business
    expect(valueOf(till.slips.unfinishedBatches())).toMatchObject([
      { state: 'stopped', reason: { kind: 'not-connected' }, issued: 4, waiting: 5 }
    ])
  })
})

describe('a till that closes during a batch', () => {
  it('stops it, finds it at the next start, and goes on exactly there', async () => {
    const { waiting, createQr, answer } = service()
    const till = openTill({ createQr })
    const ask = promotion(10)
    await start(till, ask)
    await answer()
    expect(waiting).toHaveLength(4)
    const restarting = till.restart({ createQr })
    await answer()
    const again = await restarting
    expect(valueOf(again.slips.unfinishedBatches())).toMatchObject([
      { state: 'stopped', reason: { kind: 'unknown-outcome', cause: 'till-stopped' }, issued: 8, waiting: 2 }
    ])
    expect(again.asked).toEqual([])
    await batches(again).resume({ ...ask, issueUnknownAgain: false })
    await answer()
    expect(await again.finished()).toMatchObject({ issued: 10, printed: 10 })
    expect([...till.asked, ...again.asked]).toHaveLength(10)
  })
})
