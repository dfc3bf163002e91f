/**
 * Printing to a receipt printer at a device file. A pseudo-terminal takes the place of `/dev/usb/lp0`: a character device
 * that is opened once for both directions, takes a few kilobytes, and ends when its other side is gone. A pipe takes the
 * place of a printer that never answers: opened for both directions it would hand the till its own bytes.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  PRINTER_LANGUAGES,
  type ReceiptPrinter
} from '../../electron/contract/printing.ts'
import type { Printing } from '../../electron/main/printing/index.ts'
import { DeviceTransport } from '../../electron/main/printing/receipt/device-transport.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { scan } from '../support/read-slip.ts'
import { drawReceipt, startReceiptPrinter } from '../support/receipt-printer/index.ts'
import { pipeSkipReason, startPipePrinter } from '../support/receipt-printer/pipe.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { commandsFor, SAMPLE_URL, SamplePrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

const createPrinting = ({ job = 60_000, response = 20_000 } = {}): Printing =>
  new SamplePrinting({
    platform: process.platform,
    environment: {},
    log: noOpLogger,
    timeouts: { job, response }
  })

describe.skipIf(serialSkipReason() !== null).each(PRINTER_LANGUAGES)(
  'a device that speaks %s',
  (language) => {
    let printer: PluggedPrinter
    let slip: SampleSlip
    const printing = createPrinting()
    const destination = (options: Partial<ReceiptPrinter> = {}): ReceiptPrinter => ({
      ...DEFAULT_RECEIPT_OPTIONS,
      kind: 'receipt-printer',
      connection: { kind: 'device', path: printer.path },
      language,
      ...options
    })
    const cuts = () => printer.printed().filter(({ kind }) => kind === 'cut').length

    beforeAll(async () => {
      slip = await sampleSlip(80, 110)
    })
    beforeEach(async () => {
      printer = await startSerialPrinter(language)
    })
    afterEach(() => printer.stop())

    test.each(['raster', 'native-qr'] as const)('gets the bytes of the network path (%s)', async (code) => {
      const network = await startReceiptPrinter(language)
      expect((await printing.print(slip, networkPrinter(network, { language, code }))).ok).toBe(true)
      await network.stop()
      expect(await printing.print(slip, destination({ code }))).toEqual({
        ok: true,
        value: { printer: printer.path, job: null }
      })
      expect(printer.printed()).toEqual(network.printed())
      const receipt = await commandsFor(slip, destination({ code }))
      for (const received of [network.received(), printer.received()]) {
        expect(received.includes(receipt)).toBe(true)
      }
      const { width, height, dots } = drawReceipt(printer.printed())
      expect(await scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })).toEqual([
        SAMPLE_URL
      ])
    })

    test('prints slips one after the other', async () => {
      const results = await Promise.all([1, 2].map(() => printing.print(slip, destination())))
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
      expect(cuts()).toBe(2)
    })

    test.each([
      { wrong: 'out of paper', behaviour: { paper: 'out' }, fault: 'out-of-paper' },
      { wrong: 'cover open', behaviour: { cover: 'open' }, fault: 'cover-open' },
      { wrong: 'cutter stuck', behaviour: { error: 'cutter' }, fault: 'printer-fault' }
    ] as const)('$wrong: nothing of the slip is sent', async ({ behaviour, fault }) => {
      printer.behave(behaviour)
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, false))
      expect(printer.printed()).toEqual([])
    })

    test('no answer: nothing of the slip is sent', async () => {
      printer.behave({ silent: true })
      const hasty = createPrinting({ response: 500 })
      expect(await hasty.print(slip, destination())).toEqual(notPrinted('printer-offline', false))
      expect(printer.printed()).toEqual([])
    })

    test('pulled out: nothing is sent; plugged in again, the next slip reaches it', async () => {
      await printer.unplug()
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', false))
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toBe(1)
    })

    test.each([
      { wrong: 'out of paper', state: { paper: 'out' }, fault: 'out-of-paper' },
      { wrong: 'cover open', state: { cover: 'open' }, fault: 'cover-open' },
      { wrong: 'cutter stuck', state: { error: 'cutter' }, fault: 'printer-fault' }
    ] as const)('$wrong in the middle: it may still print', async ({ state, fault }) => {
      printer.behave({ changesAfterBytes: [{ bytes: IN_THE_SLIP, state }] })
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, true))
    })

    test('pulled out in the middle: it may still print, and is not tried again', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', true))
      expect(cuts()).toBe(0)
      printer.behave({})
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toBe(1)
    })

    test('stops reading in the middle: the till gives up, and the rest is not sent later', async () => {
      printer.behave({ stallAfterBytes: IN_THE_SLIP })
      expect(await createPrinting({ job: 3_000, response: 3_000 }).print(slip, destination())).toEqual(
        notPrinted('timeout', true)
      )
      expect(cuts()).toBe(0)
    })

    test('pulled out after the slip: it was printed', async () => {
      printer.behave({ closeAfterSlip: true })
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toBe(1)
    })
  }
)

describe.skipIf(pipeSkipReason() !== null).each(PRINTER_LANGUAGES)(
  'a pipe to a printer of %s, which reports nothing',
  (language) => {
    let printer: PluggedPrinter
    let slip: SampleSlip
    /** more than pipe and reader hold */
    let longSlip: SampleSlip
    const printing = createPrinting()
    const destination = (options: Partial<ReceiptPrinter> = {}): ReceiptPrinter => ({
      ...DEFAULT_RECEIPT_OPTIONS,
      kind: 'receipt-printer',
      connection: { kind: 'device', path: printer.path },
      language,
      reportsState: false,
      ...options
    })
    const cuts = () => printer.printed().filter(({ kind }) => kind === 'cut')

    beforeAll(async () => {
      slip = await sampleSlip(80, 110)
      longSlip = await sampleSlip(80, 300)
    })
    beforeEach(async () => {
      printer = await startPipePrinter(language)
    })
    afterEach(() => printer.stop())

    test.each(['raster', 'native-qr'] as const)('takes the bytes of the network path (%s)', async (code) => {
      const network = await startReceiptPrinter(language)
      expect((await printing.print(slip, networkPrinter(network, { language, code }))).ok).toBe(true)
      await network.stop()
      expect(await printing.print(slip, destination({ code }))).toEqual({
        ok: true,
        value: { printer: printer.path, job: null }
      })
      const receipt = await commandsFor(slip, destination({ code }))
      await expect.poll(() => printer.received()).toEqual(receipt)
      expect(network.received().includes(printer.received())).toBe(true)
      expect(printer.printed()).toEqual(network.printed())
      const { width, height, dots } = drawReceipt(printer.printed())
      expect(await scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })).toEqual([
        SAMPLE_URL
      ])
      expect(cuts()).toEqual([{ kind: 'cut', cut: 'partial' }])
    })

    test('without a reader: nothing is sent; with one, the next slip reaches it', async () => {
      await printer.unplug()
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', false))
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      await expect.poll(() => cuts().length).toBe(1)
    })

    test('the reader leaves in the middle: it may still print, and is not tried again', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      expect(await printing.print(longSlip, destination())).toEqual(notPrinted('printer-offline', true))
      printer.behave({})
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      await expect.poll(() => cuts().length).toBe(1)
    })

    test('a full pipe: the till waits until its time limit, and it may still print', async () => {
      printer.behave({ stallAfterBytes: IN_THE_SLIP })
      expect(await createPrinting({ job: 3_000, response: 3_000 }).print(longSlip, destination())).toEqual(
        notPrinted('timeout', true)
      )
    })

    test('is no printer that reports its state', async () => {
      expect(await printing.print(slip, destination({ reportsState: true }))).toEqual(
        notPrinted('printer-offline', false)
      )
      expect(printer.received()).toHaveLength(0)
    })
  }
)

test.skipIf(serialSkipReason() !== null)(
  'a device that never answers takes the bytes of the slip and nothing else',
  async () => {
    const printer = await startSerialPrinter()
    onTestFinished(() => printer.stop())
    printer.behave({ silent: true })
    const slip = await sampleSlip(80, 110)
    const destination = {
      ...DEFAULT_RECEIPT_OPTIONS,
      kind: 'receipt-printer',
      connection: { kind: 'device', path: printer.path },
      reportsState: false
    } as const
    expect((await createPrinting().print(slip, destination)).ok).toBe(true)
    const receipt = await commandsFor(slip, destination)
    await expect.poll(() => printer.received()).toEqual(receipt)
  }
)

describe.skipIf(process.platform !== 'linux').each([true, false])(
  'a path that is no printer, which reports its state: %s',
  (reportsState) => {
    test.each([
      ['a missing device', '/dev/usb/lp-none', 'unreachable'],
      ['a file', import.meta.filename, 'unreachable'],
      // Nobody may write here, not even root.
      ['a device without permission', '/sys/kernel/uevent_seqnum', 'forbidden']
    ])('%s is not opened', async (_what, path, reason) => {
      await expect(new DeviceTransport({ kind: 'device', path }, reportsState).open()).rejects.toMatchObject({
        reason
      })
    })
  }
)

test.skipIf(process.platform !== 'linux')('a device that never stops sending is no printer', async () => {
  const open = new DeviceTransport({ kind: 'device', path: '/dev/zero' }).open()
  await expect(open).rejects.toMatchObject({ reason: 'unreachable' })
})
