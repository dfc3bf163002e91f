/**
 * Printing to queues of a real CUPS: every way of failing that was measured, and paper of exact size.
 * CUPS runs the same way on Linux and macOS; the rig's programs and their places are Debian's, so on macOS and Windows
 * there is nothing here to run.
 */
import { userInfo } from 'node:os'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Printing } from '../../electron/main/printing/index.ts'
import { refusedSize, type PrintResult } from '../../electron/main/printing/print-job.ts'
import { startPrintSystem, type PrintSystem, type TestPrinter } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { readSlip } from '../support/read-slip.ts'
import { passTime, passTimeUntil } from '../support/time-limit.ts'
import { renderer, SAMPLE_URL, SamplePrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { targetOf } from '../support/print-target.ts'

/** Waits for a value of the outside world, as long as a slow machine needs. */
const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 30_000 })

/** A time limit for tests that hang, in ms. */
const JOB_TIMEOUT_MS = 50_000

describe.skipIf(printSystemSkipReason() !== null)('a queue of CUPS', () => {
  let system: PrintSystem
  /** waits for as long as a job takes */
  let printing: Printing
  /** gives up soon when something holds a job up */
  let hasty: Printing
  /** gives up when the test passes time while something holds a job up */
  let patient: Printing
  let slip: SampleSlip

  /** Printing with limits in ms. By default they are for tests that hang. */
  const printingWithin = (timeouts: { job?: number; hindrance?: number }, environment = system.environment) =>
    new SamplePrinting({
      platform: 'linux',
      environment,
      log: noOpLogger,
      timeouts: { job: JOB_TIMEOUT_MS, hindrance: 50_000, response: 30_000, ...timeouts }
    })

  const printOn = (queue: string, job = slip, using = printing): Promise<PrintResult> =>
    using.print(job, { kind: 'queue', name: queue })

  /** Jobs that wait in the rig's queues. */
  const waiting = (): Promise<string> => system.command('lpstat', '-o')

  /** Runs `print` while something is wrong with a printer, and puts it right afterwards. */
  const during = async <Result>(
    wrong: () => Promise<unknown>,
    right: () => Promise<unknown>,
    print: () => Promise<Result>
  ): Promise<Result> => {
    await wrong()
    try {
      return await print()
    } finally {
      await right()
    }
  }

  /** What of a printer's came out after `before`. */
  const newOn = async (printer: TestPrinter, before: readonly Buffer[]): Promise<readonly Buffer[]> =>
    (await printer.received()).slice(before.length)

  beforeAll(async () => {
    system = await startPrintSystem()
    printing = printingWithin({})
    hasty = printingWithin({ hindrance: 2_000 })
    patient = printingWithin({ job: Number.POSITIVE_INFINITY })
    slip = await sampleSlip(80, 120)
    return () => system.stop()
  })
  beforeEach(() => system.receipt.behave('ok'))

  describe('prints', () => {
    test.each([
      { paper: '58 mm roll', width: 58, height: 101.3 },
      { paper: '80 mm roll', width: 80, height: 133.7 },
      { paper: 'A6 sheet', width: 105, height: 148 },
      { paper: 'A4 sheet', width: 210, height: 297 }
    ])('$paper at its exact size, with a code that scans', async ({ width, height }) => {
      const printer = width < 100 ? system.receipt : system.office
      const before = await printer.received()
      const answer = await printOn(printer.queue, await sampleSlip(width, height))
      expect(answer).toMatchObject({ ok: true, value: { printer: printer.queue } })
      const documents = await newOn(printer, before)
      expect(documents).toHaveLength(1)
      const read = await readSlip(documents[0] ?? new Uint8Array())
      expect(read.pages).toBe(1)
      expect(read.widthMillimetres).toBeCloseTo(width, 2)
      expect(read.heightMillimetres).toBeCloseTo(height, 2)
      expect(read.codes).toEqual([SAMPLE_URL])
    })

    test('over the scheduler’s local socket', async () => {
      const local = printingWithin({}, { ...system.environment, CUPS_SERVER: system.socket })
      expect((await printOn('Receipt', slip, local)).ok).toBe(true)
    })

    test('with the options set by lpoptions', async () => {
      await system.command('lpoptions', '-p', 'Receipt', '-o', 'job-hold-until=indefinite')
      const answer = await during(
        () => Promise.resolve(),
        () => system.command('lpoptions', '-x', 'Receipt'),
        () => printOn('Receipt', slip, printingWithin({ job: 1_500 }))
      )
      // CUPS kept it back, as that option says.
      expect(answer).toEqual(notPrinted('timeout', false))
      expect(await waiting()).toBe('')
      expect((await printOn('Receipt')).ok).toBe(true)
    })

    test('all pages, whatever page ranges and sizes are set on the queue', async () => {
      await system.command(
        'lpoptions',
        '-p',
        'Receipt',
        '-o',
        'page-ranges=5',
        '-o',
        'media=A4',
        '-o',
        'number-up=2'
      )
      const before = await system.receipt.received()
      const answer = await during(
        () => Promise.resolve(),
        () => system.command('lpoptions', '-x', 'Receipt'),
        () => printOn('Receipt')
      )
      expect(answer.ok).toBe(true)
      const [paper] = await newOn(system.receipt, before)
      const read = await readSlip(paper ?? new Uint8Array())
      expect(read.widthMillimetres.toFixed(1)).toBe('80.0')
      expect(read.codes).toEqual([SAMPLE_URL])
    })

    test('slips of two tills at once, both', async () => {
      const before = await system.receipt.received()
      const answers = await Promise.all([printOn('Receipt'), printOn('Receipt')])
      expect(answers.map(({ ok }) => ok)).toEqual([true, true])
      expect(await newOn(system.receipt, before)).toHaveLength(2)
    })

    test('the test page', async () => {
      const before = await system.receipt.received()
      const job = await renderer.renderTestPage(
        { locale: 'en-GB', printedAt: new Date(0).toISOString() },
        targetOf('58mm')
      )
      expect((await printOn('Receipt', job)).ok).toBe(true)
      const [page] = await newOn(system.receipt, before)
      expect((await readSlip(page ?? new Uint8Array())).codes).toEqual(['Tillpoints test page'])
    })

    test('once paper is loaded in time', async () => {
      await system.receipt.behave('paper-out')
      const answer = printOn('Receipt')
      await eventually(() => system.command('lpstat', '-p', 'Receipt')).toContain('now printing')
      await system.receipt.behave('ok')
      expect((await answer).ok).toBe(true)
    })
  })

  describe('reports the fault before anything is sent', () => {
    test('unknown queue', async () => {
      expect(await printOn('Nowhere')).toEqual(notPrinted('unknown-queue', false))
    })

    test('scheduler down', async () => {
      const answer = await during(
        () => system.stopScheduler(),
        () => system.startScheduler(),
        () => printOn('Receipt')
      )
      expect(answer).toEqual(notPrinted('print-system-down', false))
    })

    test('CUPS not installed', async () => {
      const bare = printingWithin({}, { ...system.environment, PATH: '/nonexistent' })
      expect(await printOn('Receipt', slip, bare)).toEqual(notPrinted('print-system-down', false))
      expect(await bare.list()).toEqual(notPrinted('print-system-down', false))
    })

    test('queue rejects jobs', async () => {
      const answer = await during(
        () => system.command('cupsreject', 'Receipt'),
        () => system.command('cupsaccept', 'Receipt'),
        () => printOn('Receipt')
      )
      expect(answer).toEqual(notPrinted('queue-rejecting', false))
    })

    test('queue paused', async () => {
      const answer = await during(
        () => system.command('cupsdisable', 'Receipt'),
        () => system.command('cupsenable', 'Receipt'),
        () => printOn('Receipt')
      )
      expect(answer).toEqual(notPrinted('queue-paused', false))
      expect(await waiting()).toBe('')
      // The state is read again for the next slip.
      expect((await printOn('Receipt')).ok).toBe(true)
    })

    test('queue holds new jobs', async () => {
      const answer = await during(
        () => system.command('cupsdisable', '--hold', 'Receipt'),
        () => system.command('cupsenable', '--release', 'Receipt'),
        () => printOn('Receipt')
      )
      expect(answer).toEqual(notPrinted('queue-paused', false))
    })

    test('quota of the account', async () => {
      const answer = await during(
        () =>
          system.command('lpadmin', '-p', 'Receipt', '-o', 'job-quota-period=86400', '-o', 'job-k-limit=1'),
        () => system.command('lpadmin', '-p', 'Receipt', '-o', 'job-quota-period=0', '-o', 'job-k-limit=0'),
        async () => {
          // Earlier jobs count.
          await printOn('Receipt')
          return printOn('Receipt')
        }
      )
      expect(answer).toEqual(notPrinted('quota-reached', false))
    })

    test('too many jobs', async () => {
      await system.configureScheduler({ server: 'MaxJobs 1\n' })
      const answer = await during(
        () => system.command('lp', '-d', 'Office', '-H', 'indefinite', '/etc/hostname'),
        () => system.command('cancel', '-a', 'Office'),
        () => printOn('Receipt')
      )
      await system.configureScheduler({})
      expect(answer).toEqual(notPrinted('too-many-jobs', false))
    })

    test('an empty document', async () => {
      expect(await printOn('Receipt', { ...slip, pdf: new Uint8Array() })).toEqual(
        notPrinted('bad-document', false)
      )
    })

    test('a queue that this user is not allowed to use', async () => {
      const answer = await during(
        () => system.command('lpadmin', '-p', 'Receipt', '-u', `deny:${userInfo().username}`),
        () => system.command('lpadmin', '-p', 'Receipt', '-u', 'allow:all'),
        () => printOn('Receipt')
      )
      expect(answer).toEqual(notPrinted('permission-denied', false))
    })

    test('a queue without a driver, which would print the PDF as text', async () => {
      await system.addRawQueue('Raw')
      expect(await printOn('Raw')).toEqual(notPrinted('refused-pdf', false))
      expect(await system.command('lpstat', '-W', 'all', '-o', 'Raw')).toBe('')
    })
  })

  describe('reports the fault of a job, and leaves no job behind', () => {
    /** Prints, and lets the time limit of a hindrance pass when CUPS shows `alert`. */
    const printUntilAlert = async (alert: string): Promise<PrintResult> => {
      const answer = printOn('Receipt', slip, patient)
      await eventually(() => system.command('lpstat', '-l', '-p', 'Receipt')).toContain(alert)
      return passTimeUntil(answer)
    }

    test('out of paper', async () => {
      const before = await system.receipt.received()
      await system.receipt.behave('paper-out')
      expect(await printUntilAlert('media-empty')).toEqual(notPrinted('out-of-paper', true))
      expect(await waiting()).toBe('')
      expect(await newOn(system.receipt, before)).toEqual([])
    })

    test('cover open', async () => {
      await system.receipt.behave('cover-open')
      expect(await printUntilAlert('cover-open')).toEqual(notPrinted('cover-open', true))
      expect(await waiting()).toBe('')
    })

    test('printer off: nothing prints when it comes back', async () => {
      const before = await system.receipt.received()
      const answer = await during(
        () => system.receipt.off(),
        () => system.receipt.on(),
        () => printOn('Receipt', slip, hasty)
      )
      expect(answer).toEqual(notPrinted('printer-offline', true))
      expect(await waiting()).toBe('')
      // the next slip is the only one that comes out
      expect((await printOn('Receipt')).ok).toBe(true)
      expect(await newOn(system.receipt, before)).toHaveLength(1)
    })

    test('a job that is cancelled at CUPS: it may have printed a part', async () => {
      await system.receipt.behave('silent')
      const answer = printOn('Receipt')
      await eventually(() => system.command('lpstat', '-p', 'Receipt')).toContain('now printing')
      await system.command('cancel', '-a', 'Receipt')
      expect(await answer).toEqual(notPrinted('cancelled-at-printer', true))
    })

    test('a size that the printer refuses', async () => {
      const answer = await printOn('Receipt', await sampleSlip(105, 148))
      const sizes = ['58 × 200 mm', '80 × 200 mm', '48–80 × 20–3000 mm']
      expect(answer).toEqual(refusedSize({ papers: ['58mm', '80mm'], sizes }))
    })

    test('a broken PDF', async () => {
      const broken = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2000, 'x')])
      // CUPS does not tell whether the filter that failed had passed pages on.
      expect(await printOn('Receipt', { ...slip, pdf: broken })).toEqual(notPrinted('bad-document', true))
      expect(await waiting()).toBe('')
    })

    test('a filter that fails after the first page', async () => {
      await system.addFilterQueue('Partial', 'head -c 3000 "$6"; exit 1')
      expect(await printOn('Partial')).toEqual(notPrinted('bad-document', true))
      expect(await waiting()).toBe('')
    })

    test('a printer that accepts the job and reports nothing more', async () => {
      await system.receipt.behave('silent')
      const answer = printOn('Receipt')
      await eventually(() => system.command('lpstat', '-p', 'Receipt')).toContain('now printing')
      passTime(JOB_TIMEOUT_MS)
      expect(await answer).toEqual(notPrinted('timeout', true))
      expect(await waiting()).toBe('')
    })

    test('a queue that is paused before the job’s turn: certainly not printed', async () => {
      await system.receipt.behave('silent')
      const stop = new AbortController()
      const first = printing.print(slip, { kind: 'queue', name: 'Receipt' }, { signal: stop.signal })
      await eventually(waiting).toMatch(/Receipt-\d+/)
      const second = printOn('Receipt', slip, hasty)
      await eventually(async () => (await waiting()).trim().split('\n').length).toBe(2)
      const answer = await during(
        () => system.command('cupsdisable', 'Receipt'),
        () => system.command('cupsenable', 'Receipt'),
        async () => {
          stop.abort()
          await first
          return second
        }
      )
      expect(answer).toEqual(notPrinted('queue-paused', false))
    })

    test('the till aborts it', async () => {
      await system.receipt.behave('silent')
      const stop = new AbortController()
      const answer = printing.print(slip, { kind: 'queue', name: 'Receipt' }, { signal: stop.signal })
      await eventually(waiting).toMatch(/Receipt-\d+/)
      stop.abort()
      expect(await answer).toMatchObject({ ok: false, failure: { fault: 'cancelled-here' } })
      expect(await waiting()).toBe('')
    })

    test('the scheduler goes away in the middle: it may still print', async () => {
      await system.receipt.behave('silent')
      const printed = printOn('Receipt', slip, patient)
      await eventually(waiting).toMatch(/Receipt-\d+/)
      const answer = await during(
        () => system.stopScheduler(),
        () => system.startScheduler(),
        () => passTimeUntil(printed)
      )
      expect(answer).toEqual(notPrinted('print-system-down', true))
      await system.command('cancel', '-a')
    })
  })
})
