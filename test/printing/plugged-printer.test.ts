/**
 * Printing to a receipt printer that is plugged in, on a serial port and at a device file, in both languages: the bytes of the
 * network path, and the truth about what came out. A pseudo-terminal takes the place of both. It keeps speed and handshake but no
 * parity, and has no wires; as `/dev/usb/lp0` it is a character device that is opened once for both directions, takes a few
 * kilobytes, and ends when its other side is gone.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  PRINTER_LANGUAGES,
  type PrinterLanguage,
  type ReceiptPrinter
} from '../../electron/contract/printing.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { notPrinted } from '../support/not-printed.ts'
import { scan } from '../support/read-slip.ts'
import { drawReceipt, startReceiptPrinter } from '../support/receipt-printer/index.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { controlTimeLimit } from '../support/time-limit.ts'
import {
  commandsFor,
  createReceiptPrinting,
  JOB_TIMEOUT_MS,
  SAMPLE_URL,
  type SampleSlip,
  sampleSlip
} from './sample-slip.ts'

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

/** Requests for the status, and the end mark before and behind a slip. */
const REQUESTS: Readonly<Record<PrinterLanguage, readonly string[]>> = {
  'esc-pos': ['1004 01', '1004 02', '1004 04', '1d72 01'],
  'star-prnt': ['1b06 01', '1b1d 0301 0000']
}

/** What a printer received beside the slip and requests. */
const restOf = (received: Buffer, slip: Buffer, language: PrinterLanguage): string =>
  REQUESTS[language].reduce(
    (rest, request) =>
      rest.replaceAll(Buffer.from(request.replaceAll(' ', ''), 'hex').toString('latin1'), ''),
    received.toString('latin1').replace(slip.toString('latin1'), '')
  )

/** The time limit of a serial line includes the time that its bytes need. */
const LINE = { ...DEFAULT_SERIAL_OPTIONS, baudRate: 115_200 } as const

const CONNECTIONS = [
  ['serial port', (path: string): ReceiptPrinter['connection'] => ({ kind: 'serial', path, ...LINE })],
  ['device file', (path: string): ReceiptPrinter['connection'] => ({ kind: 'device', path })]
] as const

const FAULTS = [
  { wrong: 'out of paper', state: { paper: 'out' }, fault: 'out-of-paper' },
  { wrong: 'cover open', state: { cover: 'open' }, fault: 'cover-open' },
  { wrong: 'cutter stuck', state: { error: 'cutter' }, fault: 'printer-fault' }
] as const

const PRINTERS = CONNECTIONS.flatMap(([what, connect]) =>
  PRINTER_LANGUAGES.map((language) => ({ what, connect, language }))
)

describe.skipIf(serialSkipReason() !== null).each(PRINTERS)(
  'a printer of $language at a $what',
  ({ connect, language }) => {
    let printer: PluggedPrinter
    let slip: SampleSlip
    const printing = createReceiptPrinting()
    const destination = (options: Partial<ReceiptPrinter> = {}): ReceiptPrinter => ({
      kind: 'receipt-printer',
      connection: connect(printer.path),
      ...DEFAULT_RECEIPT_OPTIONS,
      language,
      ...options
    })
    const cuts = () => printer.printed().filter(({ kind }) => kind === 'cut')

    beforeAll(async () => {
      slip = await sampleSlip(58, 60)
    })
    beforeEach(async () => {
      printer = await startSerialPrinter(language)
    })
    afterEach(() => printer.stop())

    test.each(['raster', 'native-qr'] as const)('gets the bytes of the network path (%s)', async (code) => {
      const network = await startReceiptPrinter(language)
      const onNetwork = await printing.print(slip, networkPrinter(network, { language, code }))
      expect(onNetwork.ok).toBe(true)
      await network.stop()
      expect(await printing.print(slip, destination({ code }))).toEqual({
        ok: true,
        value: { printer: printer.path, job: null }
      })
      const encoded = await commandsFor(slip, destination({ code }))
      for (const received of [network.received(), printer.received()]) {
        expect(received.includes(encoded)).toBe(true)
        expect(restOf(received, encoded, language)).toBe('')
      }
      expect(printer.printed()).toEqual(network.printed())
      const { width, height, dots } = drawReceipt(printer.printed())
      expect(await scan({ width, height, pixels: dots.map((dot) => (dot === 1 ? 0 : 255)) })).toEqual([
        SAMPLE_URL
      ])
      expect(cuts()).toEqual([{ kind: 'cut', cut: 'partial' }])
    })

    test('that never answers gets the bytes of the slip and nothing else, if it is not to report its state', async () => {
      printer.behave({ silent: true })
      expect(await printing.print(slip, destination({ reportsState: false }))).toEqual({
        ok: true,
        value: { printer: printer.path, job: null }
      })
      await expect.poll(() => printer.received()).toEqual(await commandsFor(slip, destination()))
    })

    test('prints slips one after the other', async () => {
      const results = await Promise.all([1, 2].map(() => printing.print(slip, destination())))
      expect(results.map(({ ok }) => ok)).toEqual([true, true])
      expect(cuts()).toHaveLength(2)
    })

    test.each([{ withoutEndMark: true }, { echoes: true }, { paper: 'near-end' }] as const)(
      'prints at one with %j',
      async (behaviour) => {
        printer.behave(behaviour)
        expect((await printing.print(slip, destination())).ok).toBe(true)
      }
    )

    test.each(FAULTS)('$wrong: nothing of the slip is sent', async ({ state, fault }) => {
      printer.behave(state)
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, false))
      expect(printer.printed()).toEqual([])
    })

    test('no answer: nothing of the slip is sent', async () => {
      printer.behave({ silent: true })
      expect(await createReceiptPrinting(500).print(slip, destination())).toEqual(
        notPrinted('printer-offline', false)
      )
      expect(printer.printed()).toEqual([])
    })

    test('pulled out: nothing is sent; plugged in again, the next slip reaches it', async () => {
      await printer.unplug()
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', false))
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toHaveLength(1)
    })

    test.each(FAULTS)('$wrong in the middle: it may still print', async ({ state, fault }) => {
      printer.behave({ changesAfterBytes: [{ bytes: IN_THE_SLIP, state }] })
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, true))
    })

    test('stops reading in the middle: it may still print, and the rest is not sent later', async () => {
      printer.behave({ stallAfterBytes: IN_THE_SLIP })
      const timeLimit = controlTimeLimit()
      const answer = printing.print(slip, destination())
      await expect.poll(() => printer.received().length).toBeGreaterThanOrEqual(IN_THE_SLIP)
      timeLimit.expire()
      // The printer is asked for its fault, and takes no request.
      const limitOfFault = controlTimeLimit()
      await expect.poll(() => limitOfFault.ms).not.toBeNull()
      limitOfFault.expire()
      expect(await answer).toEqual(notPrinted('timeout', true))
      // A line, too, takes its time.
      if (destination().connection.kind === 'serial') expect(timeLimit.ms).toBeGreaterThan(JOB_TIMEOUT_MS)
      else expect(timeLimit.ms).toBe(JOB_TIMEOUT_MS)
      expect(cuts()).toEqual([])
    })

    test('pulled out in the middle: it may still print, and is not tried again', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', true))
      expect(cuts()).toEqual([])
      printer.behave({})
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toHaveLength(1)
    })

    test('pulled out in the middle while it reports nothing: it may still print', async () => {
      printer.behave({ closeAfterBytes: IN_THE_SLIP })
      // More than the terminal and the pipes behind it hold.
      const long = await sampleSlip(58, 500)
      expect(await printing.print(long, destination({ reportsState: false }))).toEqual(
        notPrinted('printer-offline', true)
      )
    })

    test('pulled out after the slip: it was printed', async () => {
      printer.behave({ closeAfterSlip: true })
      expect(await printing.print(slip, destination())).toMatchObject({ ok: true })
      expect(cuts()).toHaveLength(1)
    })
  }
)
