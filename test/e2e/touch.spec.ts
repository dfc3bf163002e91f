import { KNOWN_CUSTOMERS } from '../../electron/service/index.ts'
import type { Cashier } from './page-objects/cashier.ts'
import { Finger, Keyboard } from './page-objects/hands.ts'
import { set } from './support/bridge.ts'
import { expect, test } from './support/fixtures.ts'

const [known] = KNOWN_CUSTOMERS
const SIZES = [
  { width: 800, height: 480 },
  { width: 1024, height: 768 },
  { width: 1366, height: 768 }
] as const

const tapsDigits = async (finger: Finger, cashier: Cashier, digits: string): Promise<void> => {
  for (const digit of digits) await finger.taps(cashier.padKey(digit))
}

test.describe('a cashier at a touch screen', () => {
  for (const size of SIZES) {
    test(`serves a customer with fingers alone at ${size.width} × ${size.height}`, async ({
      openConnected
    }) => {
      const { cashier, page } = await openConnected({ size })
      await expect(cashier.search).toBeFocused()
      await expect(cashier.pad).toBeHidden()
      const finger = await Finger.on(page)
      await expect(cashier.pad).toBeVisible()

      await tapsDigits(finger, cashier, known.phone.replace('+30', ''))
      await expect(cashier.search).toBeFocused()
      await finger.taps(cashier.padKey('Enter'))
      await expect(cashier.customer).toContainText(known.name)
      await expect(cashier.points).toBeFocused()

      await tapsDigits(finger, cashier, '2501')
      await finger.taps(cashier.padKey('Erase the last digit'))
      await expect(cashier.points).toHaveValue('250')
      await expect(cashier.points).toBeFocused()
      await finger.taps(cashier.printButton)
      await expect(cashier.lastSlip).toContainText('250')
      await expect(cashier.search).toBeFocused()
    })
  }

  test('takes somebody served last, clears, and types beside the pad', async ({ openConnected }) => {
    const { cashier, page } = await openConnected({ size: SIZES[1] })
    const finger = await Finger.on(page)
    await cashier.chooses(known.phone, known.name)
    await cashier.prints(5)
    await expect(cashier.lastSlip).toBeVisible()
    await finger.taps(cashier.servedLast.getByRole('button').first())
    await expect(cashier.customer).toContainText(known.name)
    await tapsDigits(finger, cashier, '1')
    await new Keyboard(page).types('2')
    await finger.taps(cashier.padKey('00'))
    await expect(cashier.points).toHaveValue('1200')
    await finger.taps(cashier.padKey('Clear'))
    await expect(cashier.points).toHaveValue('')
    await finger.taps(page.getByRole('button', { name: 'Clear customer' }))
    await expect(cashier.customer).toBeHidden()
    await expect(cashier.search).toBeFocused()
  })

  test('has keys of 64 px, and none where the settings hide them', async ({ openConnected }) => {
    const { cashier, page } = await openConnected({ size: SIZES[0] })
    await expect(cashier.search).toBeFocused()
    await Finger.on(page)
    await expect(cashier.pad.getByRole('button')).toHaveCount(14)
    for (const key of await cashier.pad.getByRole('button').all()) {
      const box = await key.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(64)
    }
    await set(page, { numberPad: 'hidden' })
    await expect(cashier.pad).toBeHidden()
  })
})
