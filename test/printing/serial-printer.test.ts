/** What a receipt printer on a serial port does otherwise than at a device file: `plugged-printer.test.ts` has the rest. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  PRINTER_LANGUAGES,
  type ReceiptPrinter,
  type SerialConnection
} from '../../electron/contract/printing.ts'
import { SerialTransport } from '../../electron/main/printing/receipt/serial-transport.ts'
import { notPrinted } from '../support/not-printed.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { createReceiptPrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'

/** Stop and go on, of a line with that handshake. */
const [XOFF, XON] = [0x13, 0x11] as const

describe.skipIf(serialSkipReason() !== null).each(PRINTER_LANGUAGES)('a serial printer of %s', (language) => {
  let printer: PluggedPrinter
  let slip: SampleSlip
  const printing = createReceiptPrinting()
  const destination = (line: Partial<SerialConnection> = {}): ReceiptPrinter => ({
    kind: 'receipt-printer',
    connection: { kind: 'serial', path: printer.path, ...DEFAULT_SERIAL_OPTIONS, baudRate: 115_200, ...line },
    ...DEFAULT_RECEIPT_OPTIONS,
    language
  })

  beforeAll(async () => {
    slip = await sampleSlip(58, 60)
  })
  beforeEach(async () => {
    printer = await startSerialPrinter(language)
  })
  afterEach(() => printer.stop())

  test.each(['none', 'xon-xoff'] as const)(
    'may send XON and XOFF with the handshake %s',
    async (handshake) => {
      printer.behave({ sendsFlowControl: true })
      expect((await printing.print(slip, destination({ handshake }))).ok).toBe(true)
    }
  )

  test('another program has the port', async () => {
    const other = await new SerialTransport({
      kind: 'serial',
      path: printer.path,
      ...DEFAULT_SERIAL_OPTIONS
    }).open(30_000)
    const impatient = createReceiptPrinting(30_000, 500)
    expect(await impatient.print(slip, destination())).toEqual(notPrinted('in-use', false))
    expect(printer.printed()).toEqual([])
    const answer = printing.print(slip, destination())
    await other.close()
    expect((await answer).ok).toBe(true)
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
