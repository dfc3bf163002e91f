import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import type { CashierPage } from './page-objects/cashier.ts'
import { TouchScreen, Keyboard } from './page-objects/input-devices.ts'
import { changeSettings } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'

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
  for (const size of SIZES) {
    test(`serves a customer by touch alone at ${size.width} × ${size.height}`, async ({ openConnected }) => {
      const { cashier, page } = await openConnected({ size })
      await expect(cashier.search).toBeFocused()
      await expect(cashier.pad).toBeHidden()
      const touch = await TouchScreen.enable(page)
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
    })
  }

  for (const size of SIZES) {
    test(`quick keys are pressed by touch at ${size.width} × ${size.height}`, async ({ openConnected }) => {
      const { cashier, page } = await openConnected({ size })
      await expect(cashier.search).toBeFocused()
      const touch = await TouchScreen.enable(page)
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

  test('chooses a recent customer, clears, and mixes pad and keyboard', async ({ openConnected }) => {
    const { cashier, page } = await openConnected({ size: SIZES[1] })
    const touch = await TouchScreen.enable(page)
    await cashier.choose(known.phone, known.name)
    await cashier.print(5)
    await expect(cashier.lastSlip).toBeVisible()
    await touch.tap(cashier.recentCustomers.getByRole('button').first())
    await expect(cashier.customer).toContainText(known.name)
    await tapDigits(touch, cashier, '1')
    await new Keyboard(page).type('2')
    await touch.tap(cashier.padKey('00'))
    await expect(cashier.points).toHaveValue('1200')
    await touch.tap(cashier.padKey('Clear'))
    await expect(cashier.points).toHaveValue('')
    await touch.tap(page.getByRole('button', { name: 'Clear customer' }))
    await expect(cashier.customer).toBeHidden()
    await expect(cashier.search).toBeFocused()
  })

  test('pad keys are at least 64 px, and hidden by the setting', async ({ openConnected }) => {
    const { cashier, page } = await openConnected({ size: SIZES[0] })
    await expect(cashier.search).toBeFocused()
    await TouchScreen.enable(page)
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

    network.fail('lose-answer', 'POST', 1)
    await touch.tap(cashier.padKey('Enter'))
    await expect(cashier.alert).toContainText('whether this code was made')
    await expectInSight()
    await expect(cashier.alert.getByRole('button', { name: 'Issue again' })).toBeInViewport({ ratio: 1 })

    await network.unplug()
    await cashier.search.fill(known.phone)
    await expect(cashier.offline).toBeVisible()
    await cashier.search.fill('')
    await expect(cashier.points).toBeVisible()
    await expectInSight()
  })
})
