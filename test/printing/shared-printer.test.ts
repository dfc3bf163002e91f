/** One receipt printer on the network that takes one connection at a time, and several tills that print on it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PrintFault } from '../../electron/contract/printing.ts'
import type { Printing } from '../../electron/main/printing/index.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startReceiptPrinter, type FurtherConnections } from '../support/receipt-printer/index.ts'
import { SamplePrinting, sampleSlip, type SampleSlip } from './sample-slip.ts'

/** @param busy for a printer that another till has, in ms */
const createTill = (busy = 60_000): Printing =>
  new SamplePrinting({
    platform: process.platform,
    environment: {},
    log: noOpLogger,
    timeouts: { job: 90_000, response: 30_000, busy }
  })

const start = async (further: FurtherConnections) => {
  const printer = await startReceiptPrinter('esc-pos', further)
  onTestFinished(() => printer.stop())
  return { printer, cuts: () => printer.printed().filter(({ kind }) => kind === 'cut').length }
}

describe.each(['refused', 'held', 'closed'] as const)(
  'while a till prints, the printer has further connections %s',
  (further) => {
    let slip: SampleSlip
    beforeAll(async () => {
      slip = await sampleSlip(58, 60)
    })

    test.each([true, false])(
      'and three tills print four slips each, every one once; it reports its state: %s',
      async (reportsState) => {
        const { printer, cuts } = await start(further)
        const destination = networkPrinter(printer, { reportsState, code: 'native-qr' })
        const results = await Promise.all(
          [createTill(), createTill(), createTill()].map((till) =>
            Promise.all(Array.from({ length: 4 }, () => till.print(slip, destination)))
          )
        )
        expect(results.flat().filter(({ ok }) => !ok)).toEqual([])
        await expect.poll(cuts).toBe(12)
        expect(printer.printed().filter(({ kind }) => kind === 'code')).toHaveLength(12)
        expect(printer.connections()).toEqual({ made: 12, most: 1 })
      }
    )

    test('and it stays so: the till says that it may be in use, and has sent nothing', async () => {
      const { printer, cuts } = await start(further)
      const other = connect(printer.port, printer.host)
      onTestFinished(() => void other.destroy())
      await once(other, 'connect')
      await expect.poll(() => printer.connections().most).toBe(1)
      const destination = networkPrinter(printer)
      const till = new SamplePrinting({
        platform: process.platform,
        environment: {},
        log: noOpLogger,
        timeouts: { busy: 500, response: 300 }
      })
      expect(await till.print(slip, destination)).toEqual(notPrinted('printer-busy', false))
      other.destroy()
      expect((await createTill().print(slip, destination)).ok).toBe(true)
      expect(cuts()).toBe(1)
    })

    // Without asking, a connection that is held looks like a free printer.
    test.each(further === 'held' ? [true] : [true, false])(
      'and the job is told to be delayed until the printer is free, or the cashier cancels; it reports its state: %s',
      async (reportsState) => {
        const { printer, cuts } = await start(further)
        const other = connect(printer.port, printer.host)
        onTestFinished(() => void other.destroy())
        await once(other, 'connect')
        await expect.poll(() => printer.connections().most).toBe(1)
        const destination = networkPrinter(printer, { reportsState })
        const stop = new AbortController()
        const told: (PrintFault | null)[] = []
        const hindered = (fault: PrintFault | null): void => {
          if (fault !== told.at(-1)) told.push(fault)
        }
        const cancelled = createTill().print(slip, destination, { signal: stop.signal, hindered })
        await expect.poll(() => told).toEqual(['printer-busy'])
        stop.abort()
        expect(await cancelled).toEqual(notPrinted('cancelled-here', false))
        const printed = createTill().print(slip, destination, { hindered })
        other.destroy()
        expect((await printed).ok).toBe(true)
        expect(told).toEqual(['printer-busy', null])
        await expect.poll(cuts).toBe(1)
      }
    )
  }
)
