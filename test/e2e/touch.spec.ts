import type { Locator } from '@playwright/test'
import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import type { CashierPage } from './page-objects/cashier.ts'
import { TouchScreen, Keyboard } from './page-objects/input-devices.ts'
import { startReceiptPrinter, type SimulatedReceiptPrinter } from '../support/receipt-printer/index.ts'
import { changeSettings, slipsOf } from './support/bridge.ts'
import { FULL } from '../support/size.ts'
import { expect, test as base, TOKENS, type Counter } from './support/fixtures.ts'
import { shown } from './support/shown.ts'

interface Size {
  readonly width: number
  readonly height: number
}

interface Fixtures {
  /** a receipt printer in the network */
  readonly printer: SimulatedReceiptPrinter
  /** Gives the window of the shared till a size, until the end of the test. Its touch screen is turned on by `touch`. */
  readonly sized: (size: Size) => Promise<Counter & { readonly touch: () => Promise<TouchScreen> }>
}

const test = base.extend<Fixtures>({
  printer: async ({}, use) => {
    const printer = await startReceiptPrinter()
    await use(printer)
    await printer.stop()
  },
  sized: async ({ shared }, use) => {
    const { page } = shared
    const before = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }))
    const screens: TouchScreen[] = []
    await use(async (size) => {
      await page.setViewportSize(size)
      const touch = async (): Promise<TouchScreen> => {
        const screen = await TouchScreen.enable(page)
        screens.push(screen)
        return screen
      }
      return { ...shared, touch }
    })
    for (const screen of screens) await screen.disable()
    await page.setViewportSize(before)
  }
})

const [known] = KNOWN_CUSTOMERS
const SIZES = [
  { width: 800, height: 480 },
  { width: 1024, height: 768 },
  { width: 1366, height: 768 }
] as const

const tapDigits = async (touch: TouchScreen, cashier: CashierPage, digits: string): Promise<void> => {
  for (const digit of digits) await touch.tap(cashier.padKey(digit))
}

test.describe('touch screen', () => {
  // The smallest is the narrowest for the quick keys.
  for (const size of FULL ? SIZES : SIZES.slice(0, 1)) {
    test(`serves a customer by touch alone, and takes quick keys, at ${size.width} × ${size.height}`, async ({
      sized
    }) => {
      const till = await sized(size)
      const { cashier } = till
      await expect(cashier.search).toBeFocused()
      await expect(cashier.pad).toBeHidden()
      const touch = await till.touch()
      await expect(cashier.pad).toBeVisible()

      await tapDigits(touch, cashier, known.phone.replace('+30', ''))
      await expect(cashier.search).toBeFocused()
      await touch.tap(cashier.padKey('Enter'))
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()

      await tapDigits(touch, cashier, '2501')
      await touch.tap(cashier.padKey('Delete the last digit'))
      await expect(cashier.points).toHaveValue('250')
      await expect(cashier.points).toBeFocused()
      await touch.tap(cashier.printButton)
      await expect(cashier.lastSlip).toContainText('250')
      await expect(cashier.search).toBeFocused()

      for (const name of ['+10 points', '+50 points', '+100 points']) {
        const box = await cashier.quickKey(name).boundingBox()
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
        await expect(cashier.quickKey(name)).toBeInViewport({ ratio: 1 })
        await touch.tap(cashier.quickKey(name))
      }
      await expect(cashier.points).toHaveValue('160')
      await touch.tap(cashier.padKey('Enter'))
      await expect(cashier.lastSlip).toContainText('160')
    })
  }

  test('at 1920 × 1080 says what was issued today, and prints the last slips again', async ({
    openConnected
  }) => {
    const { cashier, page } = await openConnected({ size: { width: 1920, height: 1080 } })
    const touch = await TouchScreen.enable(page)
    const last = page.getByRole('region', { name: 'Last slips issued here' })
    await expect(last).toContainText(/Issued today: 0 points\s+·\s+Slips: 0/)
    for (const points of [120, 80]) {
      await cashier.print(points)
      await expect(cashier.lastSlip).toContainText(String(points))
    }
    await expect(last).toContainText(/Issued today: 200 points\s+·\s+Slips: 2/)
    await expect(last.getByRole('listitem')).toHaveText([/^80 points/, /^120 points/])
    await touch.tap(last.getByRole('button', { name: 'Save a copy 120 points' }))
    await expect(last).toContainText('Copy 1')
  })

  test('chooses a recent customer, clears, and mixes pad and keyboard', async ({ sized }) => {
    const till = await sized(SIZES[1])
    const { cashier, page } = till
    const touch = await till.touch()
    await cashier.choose(known.phone, known.name)
    await cashier.print(5)
    await expect(cashier.lastSlip).toBeVisible()
    await touch.tap(cashier.recentCustomers.getByRole('button').first())
    await expect(cashier.customer).toContainText(known.name)
    await tapDigits(touch, cashier, '1')
    await new Keyboard(page).type('2')
    await touch.tap(cashier.padKey('00'))
    await expect(cashier.points).toHaveValue('1,200')
    await touch.tap(cashier.padKey('Clear'))
    await expect(cashier.points).toHaveValue('')
    await touch.tap(page.getByRole('button', { name: 'Clear customer' }))
    await expect(cashier.customer).toBeHidden()
    await expect(cashier.search).toBeFocused()
  })

  test('pad keys are at least 64 px, and hidden by the setting', async ({ sized }) => {
    const till = await sized(SIZES[0])
    const { cashier, page } = till
    await expect(cashier.search).toBeFocused()
    await till.touch()
    await expect(cashier.pad.getByRole('button')).toHaveCount(14)
    for (const key of await cashier.pad.getByRole('button').all()) {
      const box = await key.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(64)
    }
    await changeSettings(page, { numberPad: 'hidden' })
    await expect(cashier.pad).toBeHidden()
  })

  test('messages at 1024 × 768 leave points, number pad and Print slip in sight', async ({
    openConnected,
    network
  }) => {
    const { cashier, page } = await openConnected({ size: SIZES[1] })
    const touch = await TouchScreen.enable(page)
    const expectInSight = async (): Promise<void> => {
      for (const one of [cashier.points, cashier.padKey('1'), cashier.padKey('Enter'), cashier.printButton]) {
        await expect(one).toBeInViewport({ ratio: 1 })
      }
    }
    await cashier.choose(known.phone, known.name)
    await tapDigits(touch, cashier, '25')
    await expectInSight()

    network.fail('lose-answer', 'POST')
    await touch.tap(cashier.padKey('Enter'))
    await expect(cashier.alert).toContainText('whether this code was made')
    await expectInSight()
    await expect(cashier.alert.getByRole('button', { name: 'Ask again' })).toBeInViewport({ ratio: 1 })

    await network.unplug()
    await cashier.search.fill(known.phone)
    await expect(cashier.offline).toBeVisible()
    await cashier.search.fill('')
    await expect(cashier.points).toBeVisible()
    await expectInSight()
  })

  test('a cashier’s day at 800 × 480, with a printer that fails twice', async ({
    open,
    service,
    printer
  }) => {
    const { cashier, manager, page } = await open({ size: SIZES[0], showTour: true })
    const touch = await TouchScreen.enable(page)
    const press = (name: string) => touch.tap(page.getByRole('button', { name, exact: true }))
    /** Types on the keyboard of the system. */
    const type = async (field: Locator, text: string): Promise<void> => {
      await touch.tap(field)
      await page.keyboard.insertText(text)
    }
    const expectPrinted = (count: number): Promise<void> =>
      expect
        .poll(async () => (await slipsOf(page)).filter(({ state }) => state === 'printed').length)
        .toBe(count)

    // The first start: the service, the first steps, the printer.
    await type(manager.address, service.url)
    await type(manager.token, TOKENS.good)
    await press('Check connection')
    await touch.tap(manager.saveButton)
    await press('Skip')
    await touch.tap(page.getByRole('link', { name: 'Settings' }))
    await touch.tap(page.getByRole('tab', { name: 'Printer' }))
    await touch.tap(shown(page, 'Receipt printer', { exact: true }))
    await type(page.getByRole('textbox', { name: 'Address' }), printer.host)
    const port = page.getByRole('textbox', { name: 'Port' })
    await touch.tap(port)
    await port.selectText()
    await page.keyboard.insertText(String(printer.port))
    await press('Use this printer')
    await touch.tap(page.getByRole('link', { name: 'Till' }))

    // A new customer, while the printer is out of paper.
    printer.behave({ paper: 'out' })
    await touch.tap(cashier.search)
    await tapDigits(touch, cashier, '6909990000')
    await press('Register customer')
    await type(page.getByRole('textbox', { name: 'Name' }), 'Ioanna Vasileiou')
    await press('Register')
    await expect(cashier.customer).toContainText('Ioanna Vasileiou')
    await tapDigits(touch, cashier, '120')
    await touch.tap(cashier.printButton)
    await expect(cashier.alert).toContainText('out of paper')
    await expect(cashier.pad).toBeInViewport({ ratio: 1 })
    await press('Messages')
    await expect(page.getByRole('dialog')).toContainText('120 points for')
    await press('Close')
    await expect(page.getByRole('dialog')).toBeHidden()
    printer.behave({})
    await press('Print now')
    await expectPrinted(1)

    // The next customer, while the cover is open; then the one after that, before the first slip is printed.
    printer.behave({ cover: 'open' })
    await touch.tap(cashier.search)
    await tapDigits(touch, cashier, known.phone.replace('+30', ''))
    await touch.tap(cashier.padKey('Enter'))
    await expect(cashier.customer).toContainText(known.name)
    await touch.tap(cashier.customer.getByRole('button').first())
    await expect(page.getByRole('dialog')).toContainText(known.phone.slice(-4))
    await press('Close')
    await tapDigits(touch, cashier, '80')
    await touch.tap(cashier.padKey('Enter'))
    await expect(cashier.alert).toContainText('cover is open')
    await touch.tap(cashier.recentCustomers.getByRole('button').last())
    await tapDigits(touch, cashier, '5')
    for (const control of [cashier.points, cashier.padKey('1'), cashier.padKey('Enter'), cashier.printButton])
      await expect(control).toBeInViewport({ ratio: 1 })
    printer.behave({})
    await press('Print now')
    await expectPrinted(2)
    await touch.tap(cashier.printButton)
    await expectPrinted(3)

    await touch.tap(page.getByRole('link', { name: 'Slips' }))
    await press('Day report')
    await expect(page.getByRole('main')).toContainText('205')
    await press('Print report')
    await expect(page.getByRole('main').getByText('The report was printed.')).toBeVisible()
  })
})
