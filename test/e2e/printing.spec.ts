import { scan } from '../support/read-slip.ts'
import { joinRasters, startReceiptPrinter, type ReceiptPrinter } from '../support/receipt-printer/index.ts'
import { set, slipsOf } from './support/bridge.ts'
import { expect, test as base } from './support/fixtures.ts'

/** With a receipt printer on the counter. */
const test = base.extend<{ printer: ReceiptPrinter }>({
  printer: async ({}, use) => {
    const printer = await startReceiptPrinter()
    await use(printer)
    await printer.stop()
  }
})

const networkPrinter = ({ host, port }: ReceiptPrinter) => ({
  printer: {
    destination: { kind: 'network-printer', host, port, code: 'raster' } as const,
    paper: '80mm' as const
  }
})

/** What the printer put on paper, read by a scanner. */
const scanned = (printer: ReceiptPrinter): Promise<string[]> => {
  const { width, height, dots } = joinRasters(printer.printed())
  return scan({ width, height, pixels: Uint8Array.from(dots, (dot) => (dot ? 0 : 255)) })
}

test.describe('a receipt printer on the network', () => {
  test('prints the slip: its QR is the service’s URL', async ({ openConnected, printer }) => {
    const { cashier, page } = await openConnected()
    await set(page, networkPrinter(printer))
    await cashier.prints(120)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    expect(await scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
  })

  test('out of paper: the next customer is served meanwhile, and the slip is printed when asked again', async ({
    openConnected,
    printer
  }) => {
    const { cashier, page } = await openConnected()
    await set(page, networkPrinter(printer))
    printer.behave({ paper: 'out' })
    await cashier.prints(130)
    await expect(cashier.search).toBeFocused()
    await expect(cashier.alert).toContainText('out of paper')
    printer.behave({})
    await page.getByRole('button', { name: 'Print now' }).first().click()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    expect(await scanned(printer)).toEqual([(await slipsOf(page))[0]?.url])
  })
})

test.describe('a slip that was printed', () => {
  test('is reprinted by F9 as COPY 1, and the service is not asked', async ({ openConnected, network }) => {
    const { cashier, page } = await openConnected()
    await cashier.prints(140)
    await expect(cashier.lastSlip).toBeVisible()
    await expect.poll(async () => (await slipsOf(page))[0]?.state).toBe('printed')
    await page.keyboard.press('F9')
    await expect.poll(async () => (await slipsOf(page))[0]?.copies).toBe(1)
    expect(network.seen.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

test.describe('the settings of the slip', () => {
  test('show the real slip as it would print', async ({ openConnected }) => {
    const { cashier, page } = await openConnected()
    await cashier.goTo('Settings')
    await page.getByRole('tab', { name: 'Slip' }).click()
    const preview = page.getByRole('img', { name: 'A slip on an 80 mm roll' })
    await expect(preview).toBeVisible()
    const loaded = () => preview.evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth))
    await expect.poll(loaded).toBeGreaterThan(600)
  })
})
