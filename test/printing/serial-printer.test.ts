/**
 * Printing to a receipt printer on a serial port, in both languages: the bytes of the network path, and the truth about
 * what came out. The port is a pseudo-terminal, which keeps speed and handshake but no parity, and has no wires.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  PRINTER_LANGUAGES,
  type PrinterLanguage,
  type ReceiptPrinter,
  type SerialConnection
} from '../../electron/contract/printing.ts'
import type { Printing } from '../../electron/main/printing/index.ts'
import { SerialTransport } from '../../electron/main/printing/receipt/serial-transport.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { scan } from '../support/read-slip.ts'
import { controlTimeLimit } from '../support/time-limit.ts'
import { drawReceipt, startReceiptPrinter } from '../support/receipt-printer/index.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { commandsFor, SAMPLE_URL, SamplePrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'

/** Stop and go on, of a line with that handshake. */
const [XOFF, XON] = [0x13, 0x11] as const

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

/** A time limit for tests that hang, in ms. */
const JOB_TIMEOUT_MS = 50_000

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

describe.skipIf(serialSkipReason() !== null).each(PRINTER_LANGUAGES)('a serial printer of %s', (language) => {
  let printer: PluggedPrinter
  let slip: SampleSlip
  const createPrinting = (response = 30_000): Printing =>
    new SamplePrinting({
      platform: process.platform,
      environment: {},
      log: noOpLogger,
      timeouts: { job: JOB_TIMEOUT_MS, response, busy: response }
    })
  const printing = createPrinting()
  const destination = (
    line: Partial<SerialConnection> = {},
    options: Partial<ReceiptPrinter> = {}
  ): ReceiptPrinter => ({
    kind: 'receipt-printer',
    // The time limit includes the time that the line needs.
    connection: { kind: 'serial', path: printer.path, ...DEFAULT_SERIAL_OPTIONS, baudRate: 115_200, ...line },
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
    expect(await printing.print(slip, destination({}, { code }))).toEqual({
      ok: true,
      value: { printer: printer.path, job: null }
    })
    const encoded = await commandsFor(slip, destination({}, { code }))
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
    expect(await printing.print(slip, destination({}, { reportsState: false }))).toEqual({
      ok: true,
      value: { printer: printer.path, job: null }
    })
    await expect.poll(() => printer.received()).toEqual(await commandsFor(slip, destination()))
  })

  test('counts a slip as printed without end marks, if it reports no fault', async () => {
    printer.behave({ withoutEndMark: true })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  test('may send more than was requested', async () => {
    printer.behave({ echoes: true })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  test('prints with paper near its end', async () => {
    printer.behave({ paper: 'near-end' })
    expect((await printing.print(slip, destination())).ok).toBe(true)
  })

  test.each(['none', 'xon-xoff'] as const)(
    'may send XON and XOFF with the handshake %s',
    async (handshake) => {
      printer.behave({ sendsFlowControl: true })
      expect((await printing.print(slip, destination({ handshake }))).ok).toBe(true)
    }
  )

  describe('reports the fault before any of the slip is sent', () => {
    test.each([
      { wrong: 'out of paper', behaviour: { paper: 'out' }, fault: 'out-of-paper' },
      { wrong: 'cover open', behaviour: { cover: 'open' }, fault: 'cover-open' },
      { wrong: 'cutter stuck', behaviour: { error: 'cutter' }, fault: 'printer-fault' }
    ] as const)('$wrong', async ({ behaviour, fault }) => {
      printer.behave(behaviour)
      expect(await printing.print(slip, destination())).toEqual(notPrinted(fault, false))
      expect(printer.printed()).toEqual([])
    })

    test('no answer', async () => {
      printer.behave({ silent: true })
      expect(await createPrinting(500).print(slip, destination())).toEqual(
        notPrinted('printer-offline', false)
      )
      expect(printer.printed()).toEqual([])
    })

    test('another program has the port', async () => {
      const other = await new SerialTransport({
        kind: 'serial',
        path: printer.path,
        ...DEFAULT_SERIAL_OPTIONS
      }).open(30_000)
      expect(await createPrinting(500).print(slip, destination())).toEqual(notPrinted('in-use', false))
      expect(printer.printed()).toEqual([])
      const answer = printing.print(slip, destination())
      await other.close()
      expect((await answer).ok).toBe(true)
    })

    test('pulled out; plugged in again, the next slip reaches it', async () => {
      await printer.unplug()
      expect(await printing.print(slip, destination())).toEqual(notPrinted('printer-offline', false))
      await printer.plugIn()
      expect((await printing.print(slip, destination())).ok).toBe(true)
      expect(cuts()).toHaveLength(1)
    })
  })

  describe('never gets half a slip twice', () => {
    test.each([
      { wrong: 'out of paper', state: { paper: 'out' }, fault: 'out-of-paper' },
      { wrong: 'cover open', state: { cover: 'open' }, fault: 'cover-open' },
      { wrong: 'cutter stuck', state: { error: 'cutter' }, fault: 'printer-fault' }
    ] as const)('$wrong in the middle: it may still print', async ({ state, fault }) => {
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
      // The line, too, takes its time.
      expect(timeLimit.ms).toBeGreaterThan(JOB_TIMEOUT_MS)
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
      expect(await printing.print(long, destination({}, { reportsState: false }))).toEqual(
        notPrinted('printer-offline', true)
      )
    })

    test('pulled out after the slip: it was printed', async () => {
      printer.behave({ closeAfterSlip: true })
      expect(await printing.print(slip, destination())).toMatchObject({ ok: true })
      expect(cuts()).toHaveLength(1)
    })
  })
})

test.skipIf(serialSkipReason() !== null)('a serial port is opened with its speed and handshake', async () => {
  const printer = await startSerialPrinter()
  const settings = async (line: Partial<SerialConnection>): Promise<string> => {
    const transport = new SerialTransport({
      kind: 'serial',
      path: printer.path,
      ...DEFAULT_SERIAL_OPTIONS,
      ...line
    })
    const channel = await transport.open(30_000)
    const { stdout } = await promisify(execFile)('stty', ['--all', '--file', printer.path])
    await channel.close()
    return stdout
  }
  const xon = await settings({ baudRate: 38_400, handshake: 'xon-xoff' })
  expect(xon).toContain('speed 38400 baud')
  expect(xon.split(/[\s;]+/)).toEqual(expect.arrayContaining(['ixon', '-ixoff', '-crtscts', '-echo', 'cs8']))
  expect((await settings({ handshake: 'rts-cts' })).split(/[\s;]+/)).toEqual(
    expect.arrayContaining(['-ixon', 'crtscts'])
  )
  await printer.stop()
})

test.skipIf(serialSkipReason() !== null)(
  'a serial port is read while the printer takes nothing, and takes the rest after it',
  async () => {
    const printer = await startSerialPrinter()
    printer.behave({ silent: true })
    const transport = new SerialTransport({
      kind: 'serial',
      path: printer.path,
      ...DEFAULT_SERIAL_OPTIONS,
      handshake: 'xon-xoff'
    })
    const channel = await transport.open(30_000)
    const said: Uint8Array[] = []
    channel.onData((bytes) => said.push(bytes))
    const allSaid = () => Buffer.concat(said).toString()
    printer.send(Buffer.concat([Uint8Array.of(XOFF), Buffer.from('full')]))
    await expect.poll(allSaid).toBe('full')
    const bytes = Buffer.alloc(100_000, 0x55)
    const sent = channel.send(bytes)
    printer.send(Buffer.from(', no paper'))
    await expect.poll(allSaid).toBe('full, no paper')
    printer.send(Uint8Array.of(XON))
    await sent
    await expect.poll(() => printer.received().length).toBe(bytes.length)
    await channel.close()
    await printer.stop()
  }
)

test.skipIf(serialSkipReason() !== null)(
  'a serial port may be closed at any moment while it is read',
  async () => {
    const printer = await startSerialPrinter()
    const connection = { kind: 'serial', path: printer.path, ...DEFAULT_SERIAL_OPTIONS } as const
    // Using what the library has freed by then would end the process.
    for (let round = 0; round < 300; round++) {
      const channel = await new SerialTransport(connection).open(30_000)
      const sent = channel.send(Uint8Array.of(0x10, 0x04, 0x01)).catch(() => undefined)
      if (round % 3 === 0) await sent
      await channel.close()
    }
    await printer.stop()
  }
)
