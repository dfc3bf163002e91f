import { once } from 'node:events'
import { connect } from 'node:net'
import { scan } from '../support/read-slip.ts'
import {
  joinRasters,
  startReceiptPrinter,
  type SimulatedReceiptPrinter
} from '../support/receipt-printer/index.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { expect, test as base } from './support/fixtures.ts'
import { networkPrinter } from '../support/network-printer.ts'
import { startPrintSystem } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { DEFAULT_RECEIPT_OPTIONS } from '../../electron/contract/printing.ts'

/** With a receipt printer on the counter. */
const test = base.extend<{ printer: SimulatedReceiptPrinter }>({
  printer: async ({}, use) => {
    const printer = await startReceiptPrinter()
    await use(printer)
    await printer.stop()
  }
})

const settingsOf = (printer: SimulatedReceiptPrinter) => ({
  printer: { destination: networkPrinter(printer), paperSize: '80mm' as const }
})

/** What the printer put on paper, read by a scanner. */
const scanned = (printer: SimulatedReceiptPrinter): Promise<string[]> => {
  const { width, height, dots } = joinRasters(printer.printed())
  return scan({ width, height, pixels: Uint8Array.from(dots, (dot) => (dot ? 0 : 255)) })
}

test.describe('network receipt printer', () => {
  test('prints a slip whose QR code is the service’s URL', async ({ shared, printer }) => {
    const { cashier, page } = shared
    await changeSettings(page, settingsOf(printer))
    await cashier.print(120)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    expect(await scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
  })

  test('out of paper, the slip is kept and prints on retry while the next customer is served', async ({
    shared,
    printer
  }) => {
    const { cashier, page } = shared
    await changeSettings(page, settingsOf(printer))
    printer.behave({ paper: 'out' })
    await cashier.print(130)
    await expect(cashier.search).toBeFocused()
    await expect(cashier.alert).toContainText('out of paper')
    printer.behave({})
    await page.getByRole('button', { name: 'Print now' }).first().click()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    expect(await scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
  })
})

test.describe('receipt printer with one connection, which another till has', () => {
  test('is waited for: the slip is cancelled, and printed once when the printer is free', async ({
    shared
  }) => {
    const printer = await startReceiptPrinter('esc-pos', 'held')
    const other = connect(printer.port, printer.host)
    try {
      await once(other, 'connect')
      await expect.poll(() => printer.connections().most).toBe(1)
      const { cashier, page } = shared
      await changeSettings(page, settingsOf(printer))
      await cashier.print(150)
      const waiting = page.getByRole('group', { name: '150 points: The printer is not available now.' })
      await expect(waiting).toContainText('The till keeps trying.')
      await waiting.getByRole('button', { name: 'Cancel' }).click()
      await expect(waiting).toBeHidden()
      await expect(cashier.alert).toContainText('Printing was cancelled at this till.')
      expect((await slipsOf(page))[0]).toMatchObject({
        state: 'print-failed',
        failure: { fault: 'cancelled-here', mayStillPrint: false }
      })
      other.destroy()
      await page.getByRole('button', { name: 'Print now' }).first().click()
      await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
      expect(await scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
      expect(printer.printed().filter(({ kind }) => kind === 'cut')).toHaveLength(1)
    } finally {
      other.destroy()
      await printer.stop()
    }
  })

  test('is waited for by a test page, which says so and is cancelled beside its button', async ({
    shared
  }) => {
    const printer = await startReceiptPrinter('esc-pos', 'held')
    const other = connect(printer.port, printer.host)
    try {
      await once(other, 'connect')
      await expect.poll(() => printer.connections().most).toBe(1)
      const { cashier, page } = shared
      await changeSettings(page, settingsOf(printer))
      await cashier.goTo('Settings')
      await page.getByRole('tab', { name: 'Printer' }).click()
      const section = page.getByRole('region', { name: 'Test page' })
      await section.getByRole('button', { name: 'Print test page' }).click()
      const waiting = page.getByRole('group', { name: 'Test page: The printer is not available now.' })
      await expect(waiting).toContainText('The till keeps trying.')
      await section.getByRole('button', { name: 'Cancel' }).click()
      await expect(section.getByRole('button', { name: 'Cancel' })).toBeHidden()
      await expect(waiting).toBeHidden()
      other.destroy()
      await section.getByRole('button', { name: 'Print test page' }).click()
      await expect(section).toContainText('The test page was printed')
      // Nothing of the cancelled one: a test page has each kind of cut once.
      expect(printer.printed().flatMap((part) => (part.kind === 'cut' ? [part.cut] : []))).toEqual([
        'partial',
        'full'
      ])
    } finally {
      other.destroy()
      await printer.stop()
    }
  })
})

test.describe('receipt printer that never answers', () => {
  test('gets a slip, which is sent to the printer on every screen, and never printed', async ({
    openConnected,
    printer
  }) => {
    const { cashier, page } = await openConnected()
    await changeSettings(page, settingsOf(printer))
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'Printer' }).click()
    const reports = page.getByRole('checkbox', { name: 'The printer reports its state' })
    await reports.click()
    await expect(reports).not.toBeChecked()
    await cashier.goTo('Till')
    await cashier.print(120)
    await expect(cashier.lastSlip).toContainText('Sent to the printer')
    await expect.poll(() => scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
    await cashier.goTo('Slips')
    const history = page.getByRole('main')
    await expect(history).toContainText('Sent to the printer')
    await expect(history).not.toContainText('Printed')
  })
})

test.describe('raw queue', () => {
  test.skip(printSystemSkipReason() !== null, printSystemSkipReason() ?? '')

  test('takes a slip, which is handed to the queue on every screen, and never printed', async ({
    openConnected,
    printer
  }) => {
    const system = await startPrintSystem()
    try {
      await system.addRawQueue('Bon', `socket://${printer.host}:${String(printer.port)}`)
      const { cashier, page } = await openConnected({
        env: { CUPS_SERVER: String(system.environment['CUPS_SERVER']) }
      })
      await changeSettings(page, {
        printer: {
          destination: {
            kind: 'receipt-printer',
            connection: { kind: 'raw-queue', name: 'Bon' },
            ...DEFAULT_RECEIPT_OPTIONS
          },
          paperSize: '80mm'
        }
      })
      await cashier.print(120)
      await expect(cashier.lastSlip).toContainText('Handed to the queue')
      await expect.poll(() => scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
      await cashier.goTo('Slips')
      const history = page.getByRole('main')
      await expect(history).toContainText('Handed to the queue')
      await expect(history).not.toContainText('Printed')
    } finally {
      await system.stop()
    }
  })
})

test.describe('printed slip', () => {
  test('F9 reprints it as COPY 1 without a request', async ({ shared }) => {
    const { cashier, page, network } = shared
    await cashier.print(140)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    await page.keyboard.press('F9')
    await expect.poll(async () => (await slipsOf(page))[0]?.copies).toBe(1)
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

test.describe('slip settings', () => {
  test('preview the printed slip', async ({ shared }) => {
    const { cashier, page } = shared
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'Slip' }).click()
    const preview = page.getByRole('img', { name: 'A slip on an 80 mm roll' })
    await expect(preview).toBeVisible()
    const loaded = () => preview.evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth))
    await expect.poll(loaded).toBeGreaterThan(600)
  })
})
