/** One receipt printer on the network that takes one connection at a time, and several tills that print on it. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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
      'and three tills print ten slips each, every one once; it reports its state: %s',
      async (reportsState) => {
        const { printer, cuts } = await start(further)
        const destination = networkPrinter(printer, { reportsState, code: 'native-qr' })
        const results = await Promise.all(
          [createTill(), createTill(), createTill()].map((till) =>
            Promise.all(Array.from({ length: 10 }, () => till.print(slip, destination)))
          )
        )
        expect(results.flat().filter(({ ok }) => !ok)).toEqual([])
        await expect.poll(cuts).toBe(30)
        expect(printer.printed().filter(({ kind }) => kind === 'code')).toHaveLength(30)
        expect(printer.connections()).toEqual({ made: 30, most: 1 })
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

    test('and the cashier cancels', async () => {
      const { printer } = await start(further)
      const other = connect(printer.port, printer.host)
      onTestFinished(() => void other.destroy())
      await once(other, 'connect')
      const stop = new AbortController()
      const answer = createTill().print(slip, networkPrinter(printer), stop.signal)
      stop.abort()
      expect(await answer).toEqual(notPrinted('cancelled-here', false))
    })
  }
)
