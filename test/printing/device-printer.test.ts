/**
 * Device files that report nothing, and those that are no printer; `plugged-printer.test.ts` has the others. A pipe takes the place
 * of a printer that never answers: opened for both directions it would hand the till its own bytes.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
import type { PluggedPrinter } from '../support/receipt-printer/serial.ts'
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
      await expect.poll(() => printer.received().equals(receipt)).toBe(true)
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
