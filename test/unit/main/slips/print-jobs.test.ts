import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { err, ok, type Result, type Failure } from '../../../../electron/contract/failure.ts'
import type { PrintDestination } from '../../../../electron/contract/printing.ts'
import type { HinderedPrint, Slip } from '../../../../electron/contract/slips.ts'
import type { PrintSettings } from '../../../support/slip-service.ts'
import {
  failWrites,
  folderSettings,
  issueAndPrint,
  openSlipService,
  press,
  qrCode,
  valueOf,
  type SlipServiceFixture
} from './slip-service-fixture.ts'
import type { SlipBusiness } from '../../../../electron/main/session/current-business.ts'
import type { PrintControl } from '../../../../electron/main/printing/print-job.ts'
import type { SlipPrintJob } from '../../../../electron/main/printing/slip-folder.ts'
import { networkPrinter } from '../../../support/network-printer.ts'
import { business } from '../../../support/sample-business.ts'

const lost: Failure = { kind: 'unknown-outcome', cause: 'timeout' }
const offline: Failure = { kind: 'not-printed', fault: 'printer-offline', mayStillPrint: false }
const queue: PrintDestination = { kind: 'queue', name: 'Counter' }
const onQueue: PrintSettings = { ...folderSettings, printer: { destination: queue, paperSize: '80mm' } }

const files = (till: SlipServiceFixture): string[] => readdirSync(join(till.folder, 'slips')).sort()

/** Creates a printer whose jobs the test ends. */
const printer = () => {
  const jobs: {
    title: string
    fileName: string
    to: PrintDestination
    end: (answer: Result<unknown>) => void
    control: PrintControl
  }[] = []
  return {
    jobs,
    print: (
      { title, fileName }: { title: string; fileName: string },
      to: PrintDestination,
      control: PrintControl
    ): Promise<Result<unknown>> =>
      new Promise((resolve) => jobs.push({ title, fileName, to, end: resolve, control }))
  }
}

describe('print job of an issued slip', () => {
  it('has the same bytes for the same slip and head, and is as wide as the head', async () => {
    const destination = networkPrinter({ host: '127.0.0.1', port: 9100 }, { widthDots: 640 })
    const jobs: SlipPrintJob[] = []
    const till = openSlipService({
      settings: () => ({ ...folderSettings, printer: { destination, paperSize: '80mm' } }),
      printOnPrinter: (job) => {
        jobs.push(job)
        return Promise.resolve(jobs.length < 3 ? err(offline) : ok(null))
      }
    })
    const intent = press(1)
    await issueAndPrint(till, intent)
    await till.slips.printouts.print(intent)
    await till.slips.printouts.print(intent)
    expect(jobs).toHaveLength(3)
    expect(jobs.map(({ widthMillimetres }) => (widthMillimetres / 25.4) * 203)).toEqual([640, 640, 640])
    expect(jobs.map(({ pdf }) => Buffer.from(pdf).equals(jobs[0]?.pdf ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true
    ])
  })

  it('does not delay the result of issue, nor the next slip', async () => {
    const { jobs, print } = printer()
    const till = openSlipService({ settings: () => onQueue, printOnPrinter: print })
    const first = valueOf(await till.slips.counter.issue(press(1)))
    expect(first.slip).toMatchObject({ state: 'printing', code: 'CODE-1', destination: queue })
    expect(first.qr).not.toBeNull()
    const second = press(2)
    expect(valueOf(await till.slips.counter.issue(second)).slip).toMatchObject({
      state: 'issued',
      code: 'CODE-2'
    })
    await vi.waitFor(() => expect(jobs).toHaveLength(1))
    jobs[0]?.end(ok(null))
    await vi.waitFor(() => expect(jobs).toHaveLength(2))
    expect(jobs.map(({ fileName }) => fileName)).toEqual(['CODE-1', 'CODE-2'])
    jobs[1]?.end(err(offline))
    expect(valueOf(await till.slips.printouts.print(second)).slip).toMatchObject({
      state: 'print-failed',
      failure: offline
    })
  })

  it('has a title without code and name', async () => {
    const { jobs, print } = printer()
    const till = openSlipService({ settings: () => onQueue, printOnPrinter: print })
    await till.slips.counter.issue({ ...press(1), customer: { id: 'c1', name: 'Zoë' } })
    await vi.waitFor(() => expect(jobs).toHaveLength(1))
    jobs[0]?.end(ok(null))
    expect(jobs[0]?.title).toBe('Tillpoints')
  })

  it('reports each change of the slip with a higher revision', async () => {
    const till = openSlipService()
    await issueAndPrint(till, press())
    expect(till.reportedSlips.map(({ revision }) => revision)).toEqual([0, 1, 2, 3])
  })

  it('lists a failed slip for attention, with mark-given when it may still print', async () => {
    const failures: Failure[] = [offline, { ...offline, mayStillPrint: true }]
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(err(failures.shift() ?? offline))
    })
    await issueAndPrint(till, press(1))
    await issueAndPrint(till, press(2))
    const { slips } = valueOf(till.slips.queries.attentionList({ offset: 0 }))
    expect(slips.map(({ slip, action }) => [slip.points, action])).toEqual([
      [2, 'mark-given'],
      [1, 'print']
    ])
    expect(valueOf(till.slips.queries.attention())).toBe(2)
  })

  it('keeps with a refused size what the queue takes instead', async () => {
    const offered = { papers: ['A4'], sizes: ['210 × 297 mm'] } as const
    const refused: Failure = { kind: 'not-printed', fault: 'refused-size', mayStillPrint: false, offered }
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(err(refused))
    })
    await issueAndPrint(till, press(1))
    const { slips } = valueOf(till.slips.queries.attentionList({ offset: 0 }))
    expect(slips.map(({ slip }) => slip.failure)).toEqual([refused])
  })

  it('that something delays is told after two seconds, until it goes on, and is cancelled alone', async () => {
    const { jobs, print } = printer()
    const told: (HinderedPrint | null)[] = []
    const till: SlipServiceFixture = openSlipService({
      settings: () => onQueue,
      printOnPrinter: print,
      onPrintHindered: () => told.push(till.slips.hinderedPrint)
    })
    const intents = [press(1), press(2)]
    for (const intent of intents) await till.slips.counter.issue(intent)
    await vi.waitFor(() => expect(jobs).toHaveLength(1))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { control } = jobs[0] ?? expect.fail('There is no job')
    control.hindered('printer-busy')
    control.hindered(null)
    control.hindered('printer-busy')
    vi.advanceTimersByTime(1_999)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    const slip = expect.objectContaining({ intentId: intents[0]?.intentId, state: 'printing' }) as Slip
    const { jobId = '' } = told[0] ?? {}
    expect(told).toEqual([{ jobId, fault: 'printer-busy', slip, isTestPage: false }])
    control.hindered('printer-busy')
    control.hindered('out-of-paper')
    control.hindered(null)
    expect(told.slice(1)).toEqual([{ jobId, fault: 'out-of-paper', slip, isTestPage: false }, null])
    till.slips.cancelPrint(randomUUID())
    expect(control.signal.aborted).toBe(false)
    till.slips.cancelPrint(jobId)
    expect(control.signal.aborted).toBe(true)
    vi.useRealTimers()
    jobs[0]?.end(err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false }))
    await vi.waitFor(() => expect(jobs).toHaveLength(2))
    expect(jobs[1]?.control.signal.aborted).toBe(false)
    jobs[1]?.end(ok(null))
    const again = till.slips.printouts.print(intents[0] ?? expect.fail())
    await vi.waitFor(() => expect(jobs).toHaveLength(3))
    jobs[2]?.end(ok(null))
    expect(valueOf(await again).slip.state).toBe('printed')
  })

  it('and its slip has further copies: none of them is printed when one is cancelled', async () => {
    const { jobs, print } = printer()
    const till = openSlipService({ settings: () => onQueue, printOnPrinter: print })
    const intent = press(1)
    await till.slips.counter.issue({ ...intent, copies: 3 })
    await vi.waitFor(() => expect(jobs).toHaveLength(1))
    jobs[0]?.end(ok(null))
    await vi.waitFor(() => expect(jobs).toHaveLength(2))
    jobs[1]?.end(err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: false }))
    await vi.waitFor(() => expect(till.slips.pendingWork()).toBeNull())
    expect(jobs).toHaveLength(2)
  })

  it('of another business than the served one is not told', async () => {
    const { jobs, print } = printer()
    let served: SlipBusiness | null = business
    const onPrintHindered = vi.fn()
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: print,
      onPrintHindered,
      currentBusiness: () => served
    })
    await till.slips.counter.issue(press(1))
    await vi.waitFor(() => expect(jobs).toHaveLength(1))
    jobs[0]?.control.hindered('printer-busy')
    await vi.waitFor(() => expect(onPrintHindered).toHaveBeenCalledOnce())
    expect(till.slips.hinderedPrint).not.toBeNull()
    served = null
    expect(till.slips.hinderedPrint).toBeNull()
    jobs[0]?.end(ok(null))
  })

  it('is cancelled after the grace period of the shutdown, with the reason cancelled-here', async () => {
    const started = Promise.withResolvers<undefined>()
    const till = openSlipService({
      settings: () => onQueue,
      shutdownGraceMs: 1,
      printOnPrinter: (_job, _to, { signal }) =>
        new Promise((resolve) => {
          started.resolve(undefined)
          signal.addEventListener('abort', () =>
            resolve(err({ kind: 'not-printed', fault: 'cancelled-here', mayStillPrint: true }))
          )
        })
    })
    const intent = press()
    await till.slips.counter.issue(intent)
    await started.promise
    const again = await till.restart()
    expect(valueOf(again.slips.queries.list({ offset: 0 })).slips).toMatchObject([
      { state: 'print-failed', failure: { fault: 'cancelled-here' } }
    ])
  })
})

describe('print job whose start the disk takes in part', () => {
  it('starts no printout: the slip is reported as issued, and printed once the disk works', async () => {
    const jobs: SlipPrintJob[] = []
    const till = openSlipService({
      settings: () => ({ ...onQueue, oneJob: true }),
      printOnPrinter: (job) => {
        jobs.push(job)
        return Promise.resolve(ok(null))
      }
    })
    const repair = failWrites(till, 'slips', 'new.copies > 0')
    const intent = press()
    await till.slips.counter.issue({ ...intent, copies: 2 })
    expect(await till.slips.printouts.print(intent)).toEqual(err({ kind: 'not-saved', what: 'journal' }))
    expect(jobs).toEqual([])
    expect(till.reportedSlips.map(({ state }) => state)).toEqual(['requested', 'issued'])
    const { slips } = valueOf(till.slips.queries.attentionList({ offset: 0 }))
    expect(slips).toMatchObject([{ slip: { state: 'issued', copies: 0 }, action: 'print' }])
    repair()
    expect(valueOf(await till.slips.printouts.print(intent)).slip).toMatchObject({
      state: 'printed',
      copies: 1
    })
  })

  it('starts no slip of a batch, and the next start proposes to print them', async () => {
    const till = openSlipService({ settings: () => onQueue })
    const repair = failWrites(till, 'slips', `new.state = 'printing' AND new.position = 2`)
    const batch = { batchId: randomUUID(), points: 5, count: 3, oneJob: true }
    await till.slips.batches.start(batch)
    await till.until(({ state }) => state === 'stopped')
    repair()
    const again = await till.restart({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(ok(null))
    })
    const { slips } = valueOf(again.slips.queries.attentionList({ offset: 0 }))
    expect(slips.map(({ slip, action }) => [slip.state, action])).toEqual([
      ['issued', 'print'],
      ['issued', 'print'],
      ['issued', 'print']
    ])
    await again.slips.batches.printRest(batch)
    expect(await again.until(({ printed }) => printed === 3)).toMatchObject({ printed: 3 })
  })

  it('ends as not printed when the logo of the slip cannot be read', async () => {
    const till = openSlipService({
      settings: () => onQueue,
      currentBusiness: () => ({ ...business, logo: Uint8Array.of(1, 2, 3) }),
      createQr: (points) => {
        const database = new DatabaseSync(join(till.folder, 'journal.db'))
        database.exec('ALTER TABLE logos RENAME TO unreadable')
        database.close()
        return Promise.resolve(ok(qrCode('CODE-1', points)))
      }
    })
    const intent = press()
    await till.slips.counter.issue(intent)
    expect(valueOf(await till.slips.printouts.print(intent)).slip).toMatchObject({
      state: 'print-failed',
      failure: { kind: 'internal' }
    })
  })
})

describe('reprint', () => {
  it('prints the same code as a counted COPY, without calling the service', async () => {
    const till = openSlipService()
    const intent = press()
    await issueAndPrint(till, intent)
    const { slip } = valueOf(await till.slips.printouts.reprint(intent))
    expect(slip).toMatchObject({
      state: 'printed',
      code: 'CODE-1',
      copies: 1,
      lastCopy: { number: 1, state: 'printed' }
    })
    expect(valueOf(await till.slips.printouts.reprintLast()).slip.copies).toBe(2)
    expect(files(till)).toEqual(['CODE-1-COPY-1.pdf', 'CODE-1-COPY-2.pdf', 'CODE-1.pdf'])
    expect(till.requestedPoints).toEqual([250])
    expect(valueOf((await till.restart()).slips.queries.list({ offset: 0 })).slips[0]?.copies).toBe(2)
  })

  it('prints one copy for two calls at once', async () => {
    const till = openSlipService()
    const intent = press()
    await issueAndPrint(till, intent)
    const [one, other] = await Promise.all([
      till.slips.printouts.reprint(intent),
      till.slips.printouts.reprint(intent)
    ])
    expect(one).toEqual(other)
    expect(files(till)).toHaveLength(2)
  })

  it('fails with the reason of the printer, and gives the next copy the next number', async () => {
    const answers: Result<unknown>[] = [ok(null), err(offline), ok(null)]
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? err(offline))
    })
    const intent = press()
    await issueAndPrint(till, intent)
    expect(await till.slips.printouts.reprint(intent)).toEqual(err(offline))
    expect(till.reportedSlips.at(-1)).toMatchObject({
      state: 'printed',
      lastCopy: { number: 1, state: 'print-failed', failure: offline }
    })
    expect(valueOf(till.slips.queries.attention())).toBe(0)
    expect(valueOf(await till.slips.printouts.reprint(intent)).slip.lastCopy).toMatchObject({
      number: 2,
      state: 'printed'
    })
  })

  it('prints a failed slip for the first time, without the mark COPY', async () => {
    const answers: Result<unknown>[] = [err(offline), ok(null)]
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? err(offline))
    })
    const intent = press()
    await issueAndPrint(till, intent)
    expect(valueOf(await till.slips.printouts.reprint(intent)).slip).toMatchObject({
      state: 'printed',
      copies: 0
    })
  })

  it('of a slip that fails again fails with the reason, not with a slip that seems printed', async () => {
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(err(offline))
    })
    await issueAndPrint(till, press())
    expect(await till.slips.printouts.reprintLast()).toEqual(err(offline))
  })

  it('fails with not-found without a code, and for another business', async () => {
    let current = business
    const answers: Result<never>[] = [err(lost)]
    const till = openSlipService({
      currentBusiness: () => current,
      createQr: () => Promise.resolve(answers[0] ?? err(lost))
    })
    const intent = press()
    await till.slips.counter.issue(intent)
    expect(await till.slips.printouts.reprint(intent)).toEqual(err({ kind: 'not-found' }))
    expect(await till.slips.printouts.reprintLast()).toEqual(err({ kind: 'not-found' }))
    const other = openSlipService({ currentBusiness: () => current })
    const printed = press()
    await issueAndPrint(other, printed)
    current = { ...business, id: 'business-2' }
    expect(await other.slips.printouts.reprint(printed)).toEqual(err({ kind: 'not-found' }))
    expect(await other.slips.printouts.reprintLast()).toEqual(err({ kind: 'not-found' }))
  })
})

describe('copies requested with the slip', () => {
  it('are printed after the first printout, one job each', async () => {
    const till = openSlipService()
    const { slip } = valueOf(await issueAndPrint(till, { ...press(), copies: 3 }))
    expect(slip).toMatchObject({ state: 'printed', copies: 2, lastCopy: { number: 2, state: 'printed' } })
    expect(files(till)).toHaveLength(3)
    expect(till.requestedPoints).toEqual([250])
  })

  it('default to the number in the settings', async () => {
    const till = openSlipService({ settings: () => ({ ...folderSettings, copies: 2 }) })
    expect(valueOf(await issueAndPrint(till, press())).slip.copies).toBe(1)
    expect(valueOf(await issueAndPrint(till, { ...press(), copies: 1 })).slip.copies).toBe(0)
  })

  it('are printed again when the job of all printouts failed', async () => {
    const answers: Result<unknown>[] = [err(offline)]
    const pages: unknown[] = []
    const till = openSlipService({
      settings: () => ({ ...onQueue, oneJob: true }),
      printOnPrinter: ({ pages: count }) => {
        pages.push(count)
        return Promise.resolve(answers.shift() ?? ok(null))
      }
    })
    const intent = { ...press(), copies: 3 }
    expect(valueOf(await issueAndPrint(till, intent)).slip.state).toBe('print-failed')
    expect(valueOf(await till.slips.printouts.print(intent)).slip).toMatchObject({
      state: 'printed',
      lastCopy: { state: 'printed' }
    })
    expect(pages).toEqual([3, 3])
  })

  it('are not printed before the first printout succeeded', async () => {
    const answers: Result<unknown>[] = [err(offline)]
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(answers.shift() ?? ok(null))
    })
    const intent = { ...press(), copies: 2 }
    expect(valueOf(await issueAndPrint(till, intent)).slip).toMatchObject({
      state: 'print-failed',
      copies: 0
    })
    expect(valueOf(await till.slips.printouts.print(intent)).slip).toMatchObject({
      state: 'printed',
      copies: 1
    })
  })
})

describe('markGiven and discard', () => {
  const failedTill = async () => {
    const till = openSlipService({
      settings: () => onQueue,
      printOnPrinter: () => Promise.resolve(err(offline))
    })
    const intent = press()
    await issueAndPrint(till, intent)
    return { till, intent }
  }

  it('marks a failed slip as given: it needs no attention, keeps its failure, and can be copied', async () => {
    const { till, intent } = await failedTill()
    const slip = valueOf(await till.slips.printouts.markGiven({ ...intent, note: 'Wrote the code down' }))
    expect(slip).toMatchObject({
      state: 'given',
      failure: offline,
      ending: { at: '2026-11-21T12:05:33.000Z', note: 'Wrote the code down' }
    })
    expect(valueOf(till.slips.queries.attention())).toBe(0)
    expect(await till.slips.printouts.reprint(intent)).toEqual(err(offline))
    expect(till.reportedSlips.at(-1)?.copies).toBe(1)
  })

  it('discards a failed slip with a reason: it cannot be printed', async () => {
    const { till, intent } = await failedTill()
    expect(valueOf(await till.slips.printouts.discard({ ...intent, reason: 'Typed twice' }))).toMatchObject({
      state: 'discarded',
      ending: { note: 'Typed twice' }
    })
    expect(valueOf(till.slips.queries.attention())).toBe(0)
    expect(valueOf(await till.slips.printouts.print(intent)).slip.state).toBe('discarded')
    expect(await till.slips.printouts.reprint(intent)).toEqual(err({ kind: 'not-found' }))
  })

  it('discards a slip with an unknown outcome, which cannot be marked as given', async () => {
    const till = openSlipService({ createQr: () => Promise.resolve(err(lost)) })
    const intent = press()
    await till.slips.counter.issue(intent)
    expect(await till.slips.printouts.markGiven(intent)).toEqual(err({ kind: 'not-found' }))
    expect(valueOf(await till.slips.printouts.discard({ ...intent, reason: 'Customer left' }))).toMatchObject(
      {
        state: 'discarded',
        failure: lost
      }
    )
    expect(await till.slips.counter.issue(intent)).toEqual(err(lost))
    expect(till.requestedPoints).toEqual([250])
  })

  it('fails with not-found for a printed slip and an unknown intent id', async () => {
    const till = openSlipService()
    const intent = press()
    await issueAndPrint(till, intent)
    for (const about of [intent, press()]) {
      expect(await till.slips.printouts.markGiven(about)).toEqual(err({ kind: 'not-found' }))
      expect(await till.slips.printouts.discard({ ...about, reason: 'x' })).toEqual(
        err({ kind: 'not-found' })
      )
    }
  })
})
