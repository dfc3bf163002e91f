import type { ElectronApplication, Locator, Page } from '@playwright/test'
import { MDNS_PORT } from '../../electron/main/printer-discovery/mdns-sockets.ts'
import { MOVED_SEARCH_MS } from '../../electron/main/printer-discovery/printer-discovery.ts'
import { startMdnsResponder, type MdnsResponder } from '../support/mdns-responder.ts'
import { scan } from '../support/read-slip.ts'
import {
  joinRasters,
  startReceiptPrinter,
  type SimulatedReceiptPrinter
} from '../support/receipt-printer/index.ts'
import { slipsOf, stateOf } from './support/bridge.ts'
import { expect, test as base } from './support/fixtures.ts'
import { holdTimers } from './support/main-process.ts'

/** Announces a printer of the rig, as Epson's printers do. */
const announce = (network: MdnsResponder, { host, port }: SimulatedReceiptPrinter): void =>
  network.announce([
    {
      label: 'EPSON TM-m30II (4A11B0)',
      host: 'EPSON4A11B0',
      addresses: [host],
      services: [
        { type: '_pdl-datastream._tcp', port, txt: ['ty=EPSON TM-m30II', 'note=Bar'] },
        { type: '_printer._tcp', port: 515, txt: ['ty=EPSON TM-m30II'] }
      ]
    }
  ])

/** A printer in the network, which announces itself. */
const test = base.extend<{ printer: SimulatedReceiptPrinter; network5353: MdnsResponder }>({
  printer: async ({}, use) => {
    const printer = await startReceiptPrinter()
    await use(printer)
    await printer.stop()
  },
  network5353: async ({ printer }, use) => {
    const responder = await startMdnsResponder(MDNS_PORT)
    announce(responder, printer)
    await use(responder)
    await responder.stop()
  }
})

/** The codes on what was printed, from the part `from` on: the test page is as wide as the widest head. */
const scanned = (printer: SimulatedReceiptPrinter, from = 0): Promise<string[]> => {
  const { width, height, dots } = joinRasters(printer.printed().slice(from))
  return scan({ width, height, pixels: Uint8Array.from(dots, (dot) => (dot ? 0 : 255)) })
}
const cuts = (printer: SimulatedReceiptPrinter): number =>
  printer.printed().filter(({ kind }) => kind === 'cut').length
const row = (page: Page): Locator => page.getByRole('listitem', { name: 'EPSON TM-m30II' })
const press = (where: Page | Locator, name: string): Promise<void> =>
  where.getByRole('button', { name }).click()
const udpSockets = (app: ElectronApplication): Promise<number> =>
  app.evaluate(() => process.getActiveResourcesInfo().filter((name) => /udp/iu.test(name)).length)

test('a manager finds, tests and chooses a printer in three presses, and a slip prints on it', async ({
  openConnected,
  network5353,
  printer
}) => {
  const { cashier, page } = await openConnected()
  await cashier.goTo('Settings')
  await page.getByRole('tab', { name: 'Printer' }).click()
  await expect(page.getByRole('button', { name: 'Find printers' })).toBeVisible()
  expect(network5353.queries).toEqual([])

  await press(page, 'Find printers')
  await expect(row(page)).toContainText(`Network · ${printer.host} · Bar`)
  await press(row(page), 'Print test page')
  await expect(row(page)).toContainText('The test page was printed')
  await press(row(page), 'Use this printer')
  await expect(row(page)).toContainText('In use')

  const testPage = printer.printed().length
  await cashier.goTo('Till')
  await cashier.print(120)
  await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
  expect(await scanned(printer, testPage)).toEqual([(await slipsOf(page))[0]?.url])
})

test('the search ends with the settings, and with a page that is loaded again', async ({
  openConnected,
  network5353
}) => {
  const { app, cashier, page } = await openConnected()
  const find = async (): Promise<void> => {
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'Printer' }).click()
    await press(page, 'Find printers')
    await expect(row(page)).toBeVisible()
  }
  const before = await udpSockets(app)
  await find()
  expect(await udpSockets(app)).toBeGreaterThan(before)
  await cashier.goTo('Till')
  await expect.poll(() => udpSockets(app)).toBe(before)
  await find()
  await page.reload()
  await expect.poll(() => udpSockets(app)).toBe(before)
  expect(network5353.queries.length).toBeGreaterThan(0)
})

test('a printer with another address is found by its name, and prints the slip after a yes', async ({
  openConnected,
  network5353,
  printer
}) => {
  const { app, cashier, page } = await openConnected()
  await holdTimers(app, MOVED_SEARCH_MS)
  await cashier.goTo('Settings')
  await page.getByRole('tab', { name: 'Printer' }).click()
  await press(page, 'Find printers')
  await press(row(page), 'Use this printer')
  await expect(row(page)).toContainText('In use')
  await cashier.goTo('Till')

  await printer.off()
  const moved = await startReceiptPrinter()
  announce(network5353, moved)
  await cashier.print(130)
  const question = page.getByRole('group', { name: 'has another address now' })
  await expect(question).toContainText(`${moved.host}:${String(moved.port)}`)
  expect(cuts(moved)).toBe(0)
  await press(question, 'Use new address')
  await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
  expect(await scanned(moved)).toEqual([(await slipsOf(page))[0]?.url])
  await expect(question).toHaveCount(0)
  expect((await stateOf(page)).settings.printer.destination).toMatchObject({
    connection: { host: moved.host }
  })
  await moved.stop()
})
