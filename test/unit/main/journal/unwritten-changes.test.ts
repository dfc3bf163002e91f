import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { err, ok, type Result } from '../../../../electron/contract/failure.ts'
import type { NewQrCode } from '../../../../electron/contract/loyalty.ts'
import type { PrintSettings } from '../../../support/slip-service.ts'
import { noOpLogger } from '../../../support/no-op-logger.ts'
import {
  failWrites,
  folderSettings,
  openSlipService,
  press,
  qrCode,
  valueOf
} from '../slips/slip-service-fixture.ts'
import type { SlipDoubles } from '../../../support/slip-service.ts'

const NOT_SAVED = err({ kind: 'not-saved', what: 'journal' })
const onQueue: PrintSettings = {
  ...folderSettings,
  printer: { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' }
}

/** Opens a service with a printer whose jobs the test ends. */
function openWithPrinter(changes: Partial<SlipDoubles> = {}) {
  const jobs: ((outcome: Result<unknown>) => void)[] = []
  const till = openSlipService({
    settings: () => onQueue,
    printOnPrinter: () => new Promise((resolve) => jobs.push(resolve)),
    ...changes
  })
  const nextJob = async (): Promise<(outcome: Result<unknown>) => void> => {
    await vi.waitFor(() => expect(jobs).not.toHaveLength(0))
    return jobs.shift() ?? expect.fail()
  }
  const states = (): string[] =>
    valueOf(till.slips.queries.list({ offset: 0 })).slips.map(({ state }) => state)
  return { till, nextJob, states }
}

describe('end of a print job that the disk does not take', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is written for every slip of the job once the disk works', async () => {
    const { till, nextJob, states } = openWithPrinter()
    const batch = { batchId: randomUUID(), points: 5, count: 3, oneJob: true }
    await till.slips.batches.start(batch)
    const end = await nextJob()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const repair = failWrites(till, 'slips')
    end(ok(null))
    await till.until(({ state }) => state === 'stopped')
    expect(states()).toEqual(['printing', 'printing', 'printing'])
    repair()
    vi.advanceTimersToNextTimer()
    expect(states()).toEqual(['printed', 'printed', 'printed'])
  })

  it('is logged once while the disk fails, however often it is tried', async () => {
    const errors: string[] = []
    const log = { ...noOpLogger, error: (event: string) => errors.push(event) }
    const { till, nextJob } = openWithPrinter({ log })
    await till.slips.counter.issue(press())
    const end = await nextJob()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const repair = failWrites(till, 'slips')
    end(ok(null))
    await vi.waitFor(() => expect(errors).toHaveLength(1))
    for (let count = 0; count < 10; count++) vi.advanceTimersToNextTimer()
    // By the print job, and by the first of the later attempts.
    expect(errors).toEqual(['journal-not-written', 'journal-not-written'])
    repair()
    vi.advanceTimersToNextTimer()
    expect(till.slips.pendingWork()).toBeNull()
  })

  it('is written before the slip is printed again', async () => {
    const { till, nextJob, states } = openWithPrinter()
    const pressed = press()
    await till.slips.counter.issue(pressed)
    const end = await nextJob()
    const repair = failWrites(till, 'slips')
    end(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    await vi.waitFor(() => expect(till.slips.pendingWork()).toBeNull())
    expect(await till.slips.printouts.print(pressed)).toEqual(NOT_SAVED)
    expect(await till.slips.printouts.reprint(pressed)).toEqual(NOT_SAVED)
    repair()
    const again = till.slips.printouts.print(pressed)
    const endAgain = await nextJob()
    endAgain(ok(null))
    expect(valueOf(await again).slip.state).toBe('printed')
    expect(states()).toEqual(['printed'])
  })
})

describe('end of a batch that the disk does not take', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is written and reported once the disk works', async () => {
    const answers: ((answer: Result<NewQrCode>) => void)[] = []
    const till = openSlipService({ createQr: () => new Promise((resolve) => answers.push(resolve)) })
    const batch = { batchId: randomUUID(), points: 5, count: 1, oneJob: true }
    await till.slips.batches.start(batch)
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const repair = failWrites(till, 'batches')
    answers[0]?.(err({ kind: 'offline' }))
    await vi.waitFor(() => expect(till.slips.pendingWork()).toBeNull())
    expect(await till.slips.batches.resume({ ...batch, issueUnknownAgain: false })).toEqual(NOT_SAVED)
    repair()
    vi.advanceTimersToNextTimer()
    expect(till.reportedBatches.at(-1)).toMatchObject({ state: 'stopped', reason: { kind: 'offline' } })
  })
})

describe('response that the disk does not take', () => {
  it('is written at the shutdown, also after another one fails again', async () => {
    const answers: (() => void)[] = []
    const till = openSlipService({
      createQr: (points) =>
        new Promise((resolve) => answers.push(() => resolve(ok(qrCode(`CODE-${String(points)}`, points)))))
    })
    const intents = [press(1), press(2)]
    const issued = intents.map((intent) => till.slips.counter.issue(intent))
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    const failing = `new.intent_id = '${intents[0]?.intentId ?? ''}'`
    const repair = failWrites(till, 'slips')
    for (const answer of answers) answer()
    expect(await Promise.all(issued)).toEqual([NOT_SAVED, NOT_SAVED])
    repair()
    const repairFirst = failWrites(till, 'slips', failing)
    await till.slips.close()
    repairFirst()
    const again = openSlipService({}, till.folder)
    const { slips } = valueOf(again.slips.queries.list({ offset: 0 }))
    expect(slips.map(({ points, state, code }) => [points, state, code])).toEqual([
      [2, 'issued', 'CODE-2'],
      [1, 'unknown', null]
    ])
  })
})
