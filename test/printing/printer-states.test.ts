/** A receipt printer in every state that its status shows (the manuals are named in its README), in both languages. */
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PRINTER_LANGUAGES } from '../../electron/contract/printing.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startReceiptPrinter } from '../support/receipt-printer/index.ts'
import { SamplePrinting, sampleSlip, type SampleSlip } from './sample-slip.ts'

/** More than the status requests before a slip, less than a slip. */
const IN_THE_SLIP = 6_000

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
      timeouts: { job: 50_000, response: 30_000 }
    })
    return { printer, print: () => printing.print(slip, networkPrinter(printer, { language })) }
  }
  const cuts = ({ printer }: Awaited<ReturnType<typeof start>>): number =>
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

  // A StarPRNT status does not show the button: the printer is offline for a reason of its own.
  describe.each(PASSING.filter(([, state]) => language === 'esc-pos' || !('feed' in state)))(
    'with %s',
    (_name, state) => {
      test.each([false, true])(
        'prints when that has passed; says so by itself: %s',
        async (reportsChanges) => {
          const started = await start()
          started.printer.behave({ ...state, reportsChanges })
          const answer = started.print()
          await expect.poll(() => started.printer.received().length).toBeGreaterThan(IN_THE_SLIP)
          expect(cuts(started)).toBe(0)
          started.printer.behave({ reportsChanges })
          expect((await answer).ok).toBe(true)
          expect(cuts(started)).toBe(1)
        }
      )
    }
  )

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
