/**
 * The paper of a receipt printer, near its end and at its end: what is reported of a slip, in both languages, on the network
 * and on a serial port. Where a slip is printed, the till's clock stands still: no time limit of the till may end the wait.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  DEFAULT_RECEIPT_OPTIONS,
  DEFAULT_SERIAL_OPTIONS,
  PRINTER_LANGUAGES,
  type PrinterLanguage,
  type ReceiptPrinter
} from '../../electron/contract/printing.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startReceiptPrinter } from '../support/receipt-printer/index.ts'
import {
  serialSkipReason,
  startSerialPrinter,
  type PluggedPrinter
} from '../support/receipt-printer/serial.ts'
import { passTime, passTimeUntil, stopTime } from '../support/time-limit.ts'
import { commandsFor, SamplePrinting, type SampleSlip, sampleSlip } from './sample-slip.ts'

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

/** The first request of a status, and how many requests a status takes. */
const STATUS: Readonly<Record<PrinterLanguage, { readonly first: string; readonly requests: number }>> = {
  'esc-pos': { first: '\x10\x04\x01', requests: 3 },
  'star-prnt': { first: '\x1b\x06\x01', requests: 1 }
}

const printing = new SamplePrinting({
  platform: process.platform,
  environment: {},
  log: noOpLogger,
  timeouts: { job: 50_000, response: 30_000 }
})

/** How often a printer was asked for its status. */
const statusesOf = (printer: Pick<PluggedPrinter, 'received'>, language: PrinterLanguage): number =>
  printer.received().toString('latin1').split(STATUS[language].first).length - 1

type TestPrinter = Pick<PluggedPrinter, 'behave' | 'printed' | 'received' | 'stop'>

/** Starts a printer. Resolves with it and the settings of a till for it. */
type Connect = (language: PrinterLanguage) => Promise<readonly [TestPrinter, ReceiptPrinter]>

const onNetwork: Connect = async (language) => {
  const printer = await startReceiptPrinter(language)
  return [printer, networkPrinter(printer, { language })]
}

const onSerialPort: Connect = async (language) => {
  const printer = await startSerialPrinter(language)
  const connection = { kind: 'serial', path: printer.path, ...DEFAULT_SERIAL_OPTIONS } as const
  return [printer, { kind: 'receipt-printer', connection, ...DEFAULT_RECEIPT_OPTIONS, language }]
}

const CONNECTIONS = [
  { where: 'on the network', connect: onNetwork, skipReason: null },
  { where: 'on a serial port', connect: onSerialPort, skipReason: serialSkipReason() }
]

describe.each(
  CONNECTIONS.flatMap((connection) => PRINTER_LANGUAGES.map((language) => ({ language, ...connection })))
)('a printer of $language $where', ({ language, connect, skipReason }) => {
  let printer: TestPrinter
  let destination: ReceiptPrinter
  let slip: SampleSlip
  const print = () => printing.print(slip, destination)
  const cuts = () => printer.printed().filter(({ kind }) => kind === 'cut').length

  beforeAll(async () => {
    slip = await sampleSlip(58, 60)
  })
  beforeEach(async ({ skip }) => {
    if (skipReason !== null) skip(skipReason)
    ;[printer, destination] = await connect(language)
  })
  afterEach(() => printer.stop())

  describe('prints a slip', () => {
    const nearEnd = [{ bytes: IN_THE_SLIP, state: { paper: 'near-end' } }] as const
    test.each([
      ['with paper near its end', { paper: 'near-end' }],
      ['during which the paper comes near its end', { changesAfterBytes: nearEnd }],
      ['during which it reports that', { changesAfterBytes: nearEnd, reportsChanges: true }],
      ['and answers byte by byte', { paper: 'near-end', reportsChanges: true, answersInPieces: true }],
      ['between XON and XOFF', { paper: 'near-end', reportsChanges: true, sendsFlowControl: true }]
    ] as const)('%s', async (_how, behaviour) => {
      stopTime()
      printer.behave(behaviour)
      expect(await print()).toMatchObject({ ok: true })
      expect(cuts()).toBe(1)
    })
  })

  test.each(['present', 'near-end'] as const)(
    'does not print a slip in which the roll ends (%s before)',
    async (paper) => {
      printer.behave({ paper, changesAfterBytes: [{ bytes: IN_THE_SLIP, state: { paper: 'out' } }] })
      expect(await print()).toEqual(notPrinted('out-of-paper', true))
      expect(cuts()).toBe(0)
    }
  )

  test.each([
    { wrong: 'the roll ended and was replaced', state: { paper: 'out' }, fault: 'out-of-paper' },
    { wrong: 'the cover was open for a moment', state: { cover: 'open' }, fault: 'cover-open' },
    { wrong: 'the cutter was stuck for a moment', state: { error: 'cutter' }, fault: 'printer-fault' }
  ] as const)('does not count a slip as printed in which $wrong, if it says so', async ({ state, fault }) => {
    printer.behave({
      reportsChanges: true,
      changesAfterBytes: [
        { bytes: IN_THE_SLIP, state },
        { bytes: IN_THE_SLIP + 1_000, state: {} }
      ]
    })
    // It may come on paper, perhaps on two rolls: the till does not wait for that.
    expect(await print()).toEqual(notPrinted(fault, true))
  })

  test.each([
    ['before the slip comes late', { endMarkDelays: [STATUS[language].requests + 1, 12] }],
    ['comes twice', { endMarkDelays: [0, 12], echoes: true }]
  ])('prints until the end mark behind the slip, also where the one %s', async (_how, behaviour) => {
    printer.behave(behaviour)
    expect(await passTimeUntil(print())).toMatchObject({ ok: true })
    const behindSlip = statusesOf(printer, language) - 1
    expect(behindSlip * STATUS[language].requests).toBeGreaterThanOrEqual(12)
  })
})

test('a printer that answers the end mark without paper has not printed, though it has paper again', async () => {
  const [printer, destination] = await onNetwork('esc-pos')
  onTestFinished(() => printer.stop())
  const slip = await sampleSlip(58, 60)
  const { length } = await commandsFor(slip, destination)
  /** The end mark and the status before the slip, the slip, and the end mark behind it. */
  const endOfMark = 3 + 9 + length + 3
  printer.behave({
    answersWithoutPaper: true,
    changesAfterBytes: [
      { bytes: IN_THE_SLIP, state: { paper: 'out' } },
      { bytes: endOfMark, state: {} }
    ]
  })
  expect(await printing.print(slip, destination)).toEqual(notPrinted('out-of-paper', true))
})

test('a printer without end marks has time from its first answer behind the slip, however late that comes', async () => {
  const [printer, destination] = await onNetwork('esc-pos')
  onTestFinished(() => printer.stop())
  printer.behave({
    withoutEndMark: true,
    bufferBytes: 4_096,
    changesAfterBytes: [{ bytes: IN_THE_SLIP, state: { paper: 'out' } }]
  })
  const answer = printing.print(await sampleSlip(58, 60), destination)
  await expect.poll(() => printer.received().length).toBeGreaterThan(IN_THE_SLIP + 4_096)
  passTime(60_000)
  printer.behave({ withoutEndMark: true })
  expect(await answer).toMatchObject({ ok: true })
  // One before the slip, the one that came late, and at least one after it.
  expect(statusesOf(printer, 'esc-pos')).toBeGreaterThan(2)
})
