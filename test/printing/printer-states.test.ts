/** A receipt printer in every state that its status shows (the manuals are named in its README), in both languages. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PRINTER_LANGUAGES } from '../../electron/contract/printing.ts'
import { DEFAULT_TIMEOUTS } from '../../electron/main/printing/print-job.ts'
import { ReceiptPrinting } from '../../electron/main/printing/receipt/receipt-printing.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startReceiptPrinter } from '../support/receipt-printer/index.ts'
import { commandsFor, SamplePrinting, sampleSlip, type SampleSlip } from './sample-slip.ts'

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

/** Lengths of the end mark, and of that and the status requests before a slip. */
const END_MARK_BYTES = { 'esc-pos': 3, 'star-prnt': 6 } as const
const REQUEST_BYTES = { 'esc-pos': 12, 'star-prnt': 9 } as const

const TIMEOUTS = { ...DEFAULT_TIMEOUTS, job: 50_000, hindrance: 50_000, response: 30_000 }

const STOPPING = [
  ['no paper', { paper: 'out' }, 'out-of-paper'],
  ['an open cover', { cover: 'open' }, 'cover-open'],
  ['a stuck cutter', { error: 'cutter' }, 'printer-fault'],
  ['a stuck mechanism', { error: 'mechanism' }, 'printer-fault'],
  ['a defect', { error: 'defect' }, 'printer-fault']
] as const

/** Those that end without a hand. */
const PASSING = [
  ['a head that is too hot', { error: 'too-hot' }],
  ['paper that is fed by the button', { feed: true }]
] as const

describe.each(PRINTER_LANGUAGES)('a printer that speaks %s', (language) => {
  let slip: SampleSlip
  beforeAll(async () => {
    slip = await sampleSlip(80, 110)
  })

  const start = async () => {
    const printer = await startReceiptPrinter(language)
    onTestFinished(() => printer.stop())
    const printing = new SamplePrinting({
      platform: process.platform,
      environment: {},
      log: noOpLogger,
      timeouts: TIMEOUTS
    })
    const destination = networkPrinter(printer, { language })
    const commands = await commandsFor(slip, destination)
    return { printer, commands, print: () => printing.print(slip, destination) }
  }
  const cuts = ({ printer }: Pick<Awaited<ReturnType<typeof start>>, 'printer'>): number =>
    printer.printed().filter(({ kind }) => kind === 'cut').length

  describe.each(STOPPING)('with %s', (_name, state, fault) => {
    test('gets nothing of the slip', async () => {
      const { printer, print } = await start()
      printer.behave(state)
      expect(await print()).toEqual(notPrinted(fault, false))
      expect(printer.printed()).toEqual([])
    })

    test.each([false, true])('in the middle of a slip is reported; by itself: %s', async (reportsChanges) => {
      const { printer, print } = await start()
      printer.behave({ reportsChanges, changesAfterBytes: [{ bytes: IN_THE_SLIP, state }] })
      expect(await print()).toEqual(notPrinted(fault, true))
    })

    test('for a moment, which it reports by itself, has spoiled the slip', async () => {
      const { printer, print } = await start()
      const changesAfterBytes = [
        { bytes: IN_THE_SLIP, state },
        { bytes: IN_THE_SLIP + 100, state: {} }
      ]
      printer.behave({ reportsChanges: true, changesAfterBytes })
      expect(await print()).toEqual(notPrinted(fault, true))
    })
  })

  describe.each(PASSING)('with %s', (_name, state) => {
    // A StarPRNT status does not show why paper is fed: such a printer is offline, and gets the slip when that has passed.
    const waitsInTheSlip = language === 'esc-pos' || !('feed' in state)

    test.each([false, true])('prints when that has passed; says so by itself: %s', async (reportsChanges) => {
      const started = await start()
      started.printer.behave({ ...state, reportsChanges })
      const answer = started.print()
      const bytes = waitsInTheSlip ? IN_THE_SLIP : 2 * REQUEST_BYTES[language]
      await expect.poll(() => started.printer.received().length).toBeGreaterThan(bytes)
      expect(cuts(started)).toBe(0)
      started.printer.behave({ reportsChanges })
      expect((await answer).ok).toBe(true)
      expect(cuts(started)).toBe(1)
    })

    test('in the middle of a slip prints when that has passed', async () => {
      const started = await start()
      started.printer.behave({ changesAfterBytes: [{ bytes: IN_THE_SLIP, state }] })
      const answer = started.print()
      const bytes = started.commands.length + 3 * REQUEST_BYTES[language]
      await expect.poll(() => started.printer.received().length).toBeGreaterThan(bytes)
      expect(cuts(started)).toBe(0)
      started.printer.behave({})
      expect((await answer).ok).toBe(true)
      expect(cuts(started)).toBe(1)
    })

    // Of Epson's status: each response is of a moment of its own.
    test.each([0, 3, 6, 9])(
      'for one status request, before the slip or behind it, prints: %i',
      async (bytes) => {
        const started = await start()
        const before = END_MARK_BYTES[language]
        const behind = REQUEST_BYTES[language] + started.commands.length + before
        for (const from of [before + bytes, behind + bytes]) {
          const changesAfterBytes = [
            { bytes: from, state },
            { bytes: from + 3, state: { error: false, feed: false } }
          ] as const
          started.printer.behave({ changesAfterBytes })
          expect((await started.print()).ok).toBe(true)
        }
        expect(cuts(started)).toBe(2)
      }
    )

    test('has not printed, also if it answers no end marks', async () => {
      const { printer, commands } = await start()
      printer.behave({ ...state, withoutEndMark: true })
      const printing = new ReceiptPrinting({ timeouts: TIMEOUTS, log: noOpLogger, settleMs: 0 })
      const connection = {
        kind: 'network',
        host: printer.host,
        port: printer.port,
        announcedName: null
      } as const
      const control = { signal: new AbortController().signal, hindered: () => undefined }
      let hasEnded = false
      const answer = printing
        .print({ ...slip, commands }, networkPrinter(printer, { language }), connection, control)
        .finally(() => (hasEnded = true))
      const bytes = (waitsInTheSlip ? commands.length : 0) + 4 * REQUEST_BYTES[language]
      await expect.poll(() => hasEnded || printer.received().length > bytes).toBe(true)
      expect(hasEnded).toBe(false)
      printer.behave({ withoutEndMark: true })
      expect((await answer).ok).toBe(true)
      expect(cuts({ printer })).toBe(1)
    })
  })

  test('with paper near its end prints', async () => {
    const { printer, print } = await start()
    printer.behave({ paper: 'near-end', reportsChanges: true })
    expect((await print()).ok).toBe(true)
  })
})

test('a StarPRNT printer whose buffer overflows has lost a part of the slip, and takes the next one', async () => {
  const printer = await startReceiptPrinter('star-prnt')
  onTestFinished(() => printer.stop())
  const printing = new SamplePrinting({ platform: process.platform, environment: {}, log: noOpLogger })
  const slip = await sampleSlip(80, 110)
  const print = () => printing.print(slip, networkPrinter(printer, { language: 'star-prnt' }))
  const changesAfterBytes = [
    { bytes: IN_THE_SLIP, state: { overflow: true } },
    { bytes: IN_THE_SLIP + 100, state: {} }
  ]
  printer.behave({ reportsChanges: true, changesAfterBytes })
  expect(await print()).toEqual(notPrinted('printer-fault', true))
  printer.behave({ overflow: true })
  expect((await print()).ok).toBe(true)
})
