/** Receipts as commands, through queues of a real CUPS without a driver, to a receipt printer behind them. */
import { userInfo } from 'node:os'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  CODE_STYLES,
  DEFAULT_RECEIPT_OPTIONS,
  deliveryStatus,
  PRINTER_LANGUAGES,
  type PrinterLanguage,
  type ReceiptPrinter
} from '../../electron/contract/printing.ts'
import type { PrintResult } from '../../electron/main/printing/print-job.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startPrintSystem, type PrintSystem } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { scan } from '../support/read-slip.ts'
import { passTimeUntil } from '../support/time-limit.ts'
import {
  drawReceipt,
  startReceiptPrinter,
  type SimulatedReceiptPrinter
} from '../support/receipt-printer/index.ts'
import { commandsFor, SAMPLE_URL, SamplePrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'

/** Waits for a value of the outside world, as long as a slow machine needs. */
const eventually = <Value>(look: () => Promise<Value>) => expect.poll(look, { timeout: 30_000 })

const rawQueue = (
  name: string,
  options: Partial<Omit<ReceiptPrinter, 'kind' | 'connection'>> = {}
): ReceiptPrinter => ({
  kind: 'receipt-printer',
  connection: { kind: 'raw-queue', name },
  ...DEFAULT_RECEIPT_OPTIONS,
  ...options
})

describe.skipIf(printSystemSkipReason() !== null)('a raw queue of CUPS', () => {
  let system: PrintSystem
  let slip: SampleSlip
  /** the printer behind the queue Bon */
  let printer: SimulatedReceiptPrinter

  /** Printing with limits in ms. By default they are for tests that hang. */
  const printingWithin = (timeouts: { job?: number; hindrance?: number } = {}) =>
    new SamplePrinting({
      platform: 'linux',
      environment: system.environment,
      log: noOpLogger,
      timeouts: { job: 50_000, hindrance: 50_000, response: 30_000, ...timeouts }
    })
  const hasty = { hindrance: 1_500 }

  const printOn = (queue: string, job = slip, timeouts = {}, signal?: AbortSignal): Promise<PrintResult> =>
    printingWithin(timeouts).print(job, rawQueue(queue), signal ? { signal } : {})

  /** Starts a printer, and puts it behind the queue Bon. */
  const connectPrinter = async (language: PrinterLanguage): Promise<void> => {
    printer = await startReceiptPrinter(language)
    await system.addRawQueue('Bon', `socket://${printer.host}:${String(printer.port)}`)
  }

  /** Jobs that wait in the queues. */
  const waiting = (): Promise<string> => system.command('lpstat', '-o')

  const cuts = () => printer.printed().filter(({ kind }) => kind === 'cut').length

  /** Content of the codes on the paper. */
  const codes = (): Promise<string[]> => {
    const { width, height, dots } = drawReceipt(printer.printed())
    return scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })
  }

  beforeAll(async () => {
    system = await startPrintSystem()
    slip = await sampleSlip(80, 110)
    return () => system.stop()
  })
  afterEach(() => printer.stop())

  describe.each(PRINTER_LANGUAGES)('passes on a slip in %s', (language) => {
    beforeEach(() => connectPrinter(language))

    test.each(CODE_STYLES)('as the bytes that a network printer gets: %s', async (code) => {
      const options = { language, code }
      const network = await startReceiptPrinter(language)
      try {
        const printed = await printingWithin().print(slip, networkPrinter(network, options))
        expect(printed).toMatchObject({ ok: true })
        const handedOver = await printingWithin().print(slip, rawQueue('Bon', options))
        expect(handedOver).toMatchObject({ ok: true, value: { printer: 'Bon' } })
        // The network path asks the printer before the slip, and behind it.
        expect(network.received().includes(printer.received())).toBe(true)
      } finally {
        await network.stop()
      }
      expect(cuts()).toBe(1)
      expect(await codes()).toEqual([SAMPLE_URL])
    })
  })

  describe('with an ESC/POS printer', () => {
    beforeEach(() => connectPrinter('esc-pos'))

    test('passes on slips of two tills at once, one after the other', async () => {
      const results = await Promise.all([printOn('Bon'), printOn('Bon')])
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
      expect(cuts()).toBe(2)
      expect(printer.connections().most).toBe(1)
    })

    test('passes on nothing but the slip, whatever is set on the queue', async () => {
      const banner = ['-o', 'job-sheets-default=standard,standard'] as const
      await system.command('lpadmin', '-p', 'Bon', ...banner, '-o', 'copies-default=2')
      try {
        expect(await printOn('Bon')).toMatchObject({ ok: true })
        expect(cuts()).toBe(1)
      } finally {
        await system.command('lpadmin', '-p', 'Bon', '-o', 'job-sheets-default=none', '-R', 'copies-default')
      }
    })

    test('does not know whether a slip was printed: it is handed over, even out of paper', async () => {
      printer.behave({ paper: 'out' })
      expect(await printOn('Bon')).toMatchObject({ ok: true })
      expect(cuts()).toBe(0)
      expect(deliveryStatus(rawQueue('Bon'))).toBe('handed-over')
    })

    describe('reports the fault before anything is sent', () => {
      afterEach(async () => {
        expect(printer.connections().made).toBe(0)
        expect(await waiting()).toBe('')
      })

      test('unknown queue', async () => {
        expect(await printOn('Nowhere')).toEqual(notPrinted('unknown-queue', false))
      })

      test('scheduler down', async () => {
        await system.stopScheduler()
        try {
          expect(await printOn('Bon')).toEqual(notPrinted('print-system-down', false))
        } finally {
          await system.startScheduler()
        }
      })

      test('queue rejects jobs', async () => {
        await system.command('cupsreject', 'Bon')
        expect(await printOn('Bon')).toEqual(notPrinted('queue-rejecting', false))
        await system.command('cupsaccept', 'Bon')
      })

      test('queue paused', async () => {
        await system.command('cupsdisable', 'Bon')
        expect(await printOn('Bon')).toEqual(notPrinted('queue-paused', false))
        await system.command('cupsenable', 'Bon')
      })

      test('a user who is not allowed', async () => {
        await system.command('lpadmin', '-p', 'Bon', '-u', `deny:${userInfo().username}`)
        expect(await printOn('Bon')).toEqual(notPrinted('permission-denied', false))
        await system.command('lpadmin', '-p', 'Bon', '-u', 'allow:all')
      })

      test('a printer of IPP, for which CUPS reports success and prints nothing', async () => {
        const before = await system.receipt.received()
        expect(await printOn('Receipt')).toEqual(notPrinted('refused-commands', false))
        expect(await system.receipt.received()).toEqual(before)
      })

      test('a page wider than any roll', async () => {
        expect(await printOn('Bon', await sampleSlip(105, 148))).toEqual(notPrinted('refused-size', false))
      })
    })

    describe('reports the fault of a job, and leaves no job behind', () => {
      afterEach(async () => {
        expect(await waiting()).toBe('')
        // Nothing of the slip comes later: the next one is the only one.
        const before = cuts()
        expect(await printOn('Bon')).toMatchObject({ ok: true })
        expect(cuts()).toBe(before + 1)
      })

      test('printer off', async () => {
        await printer.off()
        expect(await printOn('Bon', slip, hasty)).toEqual(notPrinted('printer-offline', true))
        await printer.on()
      })

      /** Prints while the printer is off, and waits until CUPS has begun with the job. */
      const startWaiting = async (timeouts = {}, signal?: AbortSignal) => {
        await printer.refuse()
        const result = printOn('Bon', slip, timeouts, signal)
        await eventually(() => system.command('lpstat', '-p', 'Bon')).toMatch(/now printing/)
        return { result }
      }
      /** No limit of a job, and one of a hindrance that ends when the test passes time. */
      const patient = { job: Number.POSITIVE_INFINITY, hindrance: 50_000 }

      test('cancelled in the queue', async () => {
        const { result } = await startWaiting()
        await system.command('cancel', '-a')
        expect(await result).toEqual(notPrinted('cancelled-at-printer', true))
        await printer.on()
      })

      test('cancelled in the queue before its turn: certainly not printed', async () => {
        await printer.refuse()
        const stop = new AbortController()
        const first = printOn('Bon', slip, {}, stop.signal)
        await eventually(waiting).toMatch(/Bon-\d+/)
        const second = printOn('Bon')
        await eventually(async () => (await waiting()).trim().split('\n').length).toBe(2)
        const last = (await waiting()).match(/^Bon-\d+/gm)?.at(-1)
        await system.command('cancel', last ?? 'none')
        expect(await second).toEqual(notPrinted('cancelled-at-printer', false))
        stop.abort()
        await first
        await printer.on()
      })

      test('aborted in the middle: a part may have been printed', async () => {
        await system.command('lpadmin', '-p', 'Bon', '-o', 'printer-error-policy=abort-job')
        // More than the system buffers, so that CUPS still sends when the printer is gone.
        printer.behave({ closeAfterBytes: 6_000 })
        const commands = Buffer.concat(Array(100).fill(await commandsFor(slip, rawQueue('Bon'))))
        expect(await printOn('Bon', { ...slip, commands })).toEqual(notPrinted('aborted', true))
        printer.behave({})
        await system.command('lpadmin', '-p', 'Bon', '-o', 'printer-error-policy=retry-job')
      })

      test('cancelled by the till', async () => {
        const stop = new AbortController()
        const { result } = await startWaiting({}, stop.signal)
        stop.abort()
        expect(await result).toMatchObject({ failure: { fault: 'cancelled-here' } })
        await printer.on()
      })

      test('the queue is paused', async () => {
        const { result } = await startWaiting(patient)
        await system.command('cupsdisable', 'Bon')
        expect(await passTimeUntil(result)).toMatchObject({ failure: { fault: 'queue-paused' } })
        await system.command('cupsenable', 'Bon')
        await printer.on()
      })

      test('CUPS gives the job up', async () => {
        const device = `socket://${printer.host}:${String(printer.port)}/?contimeout=1`
        await system.command('lpadmin', '-p', 'Bon', '-v', device, '-o', 'printer-error-policy=abort-job')
        await printer.refuse()
        expect(await printOn('Bon')).toEqual(notPrinted('printer-offline', true))
        await printer.on()
        await system.command('lpadmin', '-p', 'Bon', '-o', 'printer-error-policy=retry-job')
      })

      test('the scheduler stops: it may still be passed on', async () => {
        const { result } = await startWaiting(patient)
        await system.stopScheduler()
        expect(await passTimeUntil(result)).toEqual(notPrinted('print-system-down', true))
        await system.startScheduler()
        await system.command('cancel', '-a')
        await printer.on()
      })
    })
  })
})
